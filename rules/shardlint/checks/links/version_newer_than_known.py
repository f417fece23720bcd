"""A release newer than those shardlint knows.

## What it does
Reports that the framework that reads a config is newer than the newest release the tables of shardlint
describe.

## Why is this bad
The newest rules known apply, but only as warnings: the newer release may read what they refuse.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "zero_optimization": {"stage": 2}
}
```
```toml shardlint.toml
[facts]
versions.deepspeed = "9.0.0"
```
Fires at `shardlint.toml: facts.versions.deepspeed`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "zero_optimization": {"stage": 2}
}
```
```toml shardlint.toml
[facts]
versions.deepspeed = "0.19.8"
```
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.links.releases import packages_of, proper
from shardlint.checks.registry import rule
from shardlint.checks.support import at_file
from shardlint.report import INFO, Finding
from shardlint.schema.releases import NEWEST

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job


@rule("LNK012", "version-newer-than-known", severity=INFO, since="0.1")
def version_newer_than_known(job: Job) -> Iterator[Finding]:
    for package in packages_of(job):
        versions, newest = job.settings.versions(package), NEWEST[package]
        if versions.all_newer_than(newest):
            yield Finding(
                f"{versions.text} is newer than {newest}, the newest {proper(package)} shardlint knows; what "
                f"{newest} refuses is told as a warning",
                versions.fact.place or at_file(job.entry),
                INFO,
            )
