"""Two project files ask for releases that cannot both be installed.

## What it does
Compares what lock files, requirements, `pyproject.toml`, `setup.cfg` and conda environments of one folder
say about the release of the framework that reads a config. Optional dependencies and further requirements
files, which may be alternatives, give an information instead of a warning.

## Why is this bad
Which keys a framework reads, refuses and fills in changes with its releases. Where two files contradict
each other, shardlint takes every release for possible, and what depends on one is only a warning.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "zero_optimization": {"stage": 2}
}
```
```text requirements.txt
deepspeed==0.18.9
```
```toml pyproject.toml
[project]
dependencies = ["deepspeed>=0.19.7"]
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
```toml pyproject.toml
[project]
dependencies = ["deepspeed>=0.19.7"]
```
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.links.releases import packages_of, proper
from shardlint.checks.registry import rule
from shardlint.report import INFO, WARNING, Finding, Related
from shardlint.settings.versions import separate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.plan import Fact
    from shardlint.report import Place
    from shardlint.settings.pins import Pin


@rule("LNK010", "versions-disagree", severity=WARNING, since="0.1")
def versions_disagree(job: Job) -> Iterator[Finding]:
    for package in packages_of(job):
        pins = [pin for pin in job.settings.pinned(package) if pin.bounds is not None]
        if not pins:
            continue
        stated = job.settings.text(f"versions.{package}")
        if not stated.known:
            yield from _between_files(package, pins)
        elif stated.place is not None and separate(job.settings.versions(package).bounds, pins[0].bounds):
            yield _against_setting(package, stated, stated.place, pins[0])


def _between_files(package: str, pins: list[Pin]) -> Iterator[Finding]:
    from shardlint.settings.pins.pin import OPTIONAL

    best = pins[0]
    for other in pins[1:]:
        if other.file == best.file or not separate(best.bounds, other.bounds):
            continue
        firm = other.rank != OPTIONAL
        message = (
            f"{proper(package)} is {best.specifier.removeprefix('==')} here, but {other.specifier} in "
            f"{other.origin}; " + ("every release counts as possible" if firm else "the first one counts")
        )
        yield Finding(
            message,
            best.place,
            WARNING if firm else INFO,
            help=f"Correct one of them, or set versions.{package}.",
            related=(Related(other.place, f"{other.specifier} is asked for here"),),
        )
        return


def _against_setting(package: str, stated: Fact[str], place: Place, pin: Pin) -> Finding:
    return Finding(
        f"{proper(package)} is {stated.value} by this setting, but {pin.specifier} in {pin.origin}; the "
        "setting counts",
        place,
        INFO,
        related=(Related(pin.place, f"{pin.specifier} is asked for here"),),
    )
