"""A project file states a release in a form that is no version.

## What it does
Reports requirements of DeepSpeed, accelerate and transformers whose version cannot be read, where no other
project file states one.

## Why is this bad
pip refuses it, or it means something only another tool knows. Without a release every one counts as
possible, and what depends on one is only a warning.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "zero_optimization": {"stage": 2}
}
```
```text requirements.txt
deepspeed==newest
```
Fires at the file `requirements.txt`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "zero_optimization": {"stage": 2}
}
```
```text requirements.txt
deepspeed==0.19.8
```
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.links.releases import packages_of, proper
from shardlint.checks.registry import rule
from shardlint.report import INFO, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job


@rule("LNK011", "unreadable-version", severity=INFO, since="0.1")
def unreadable_version(job: Job) -> Iterator[Finding]:
    for package in packages_of(job):
        pins = job.settings.pinned(package)
        settled = job.settings.text(f"versions.{package}").known
        if not pins or settled or any(pin.bounds is not None for pin in pins):
            continue
        yield Finding(
            f"{pins[0].specifier} is no version, so every {proper(package)} release counts as possible",
            pins[0].place,
            INFO,
            help=f"Write a release, or set versions.{package}.",
        )
