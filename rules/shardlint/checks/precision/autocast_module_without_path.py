"""A module for autocast is named without its package.

## What it does
Reports names in `torch_autocast.lower_precision_safe_modules` that have no dot, such as `Linear`, and text in
place of the list.

## Why is this bad
DeepSpeed imports each class from the package before the last dot, and takes text for a list of letters. What
cannot be imported is an error when the engine is built.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 1},
  "torch_autocast": {"enabled": true, "dtype": "bfloat16", "lower_precision_safe_modules": ["Linear"]}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```
Fires at `ds_config.json: torch_autocast.lower_precision_safe_modules`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 1},
  "torch_autocast": {
    "enabled": true,
    "dtype": "bfloat16",
    "lower_precision_safe_modules": ["torch.nn.Linear"]
  }
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```

## References
- https://www.deepspeed.ai/docs/config-json/
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.deepspeed import config_of, refuses
from shardlint.checks.registry import rule
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding
    from shardlint.syntax.view import Value

SECTION, NAMES = "torch_autocast", "lower_precision_safe_modules"
SINCE = "0.17.2"


@rule(
    "PRC037",
    "autocast-module-without-path",
    severity=ERROR,
    since="0.1",
    fails_at="engine",
    about=(NAMES,),
)
def autocast_module_without_path(reading: Reading, job: Job) -> Iterator[Finding]:
    config = config_of(reading, job)
    entry = config.get(SECTION, NAMES) if config else None
    if config is None or entry is None or not config.on(SECTION, "enabled"):
        return
    what = _wrong(entry.value)
    if what:
        help = "Write a list of full names, such as torch.nn.Linear."
        yield from refuses(config, config.place(SECTION, NAMES), what, "engine", since=SINCE, help=help)


def _wrong(stated: Value) -> str:
    """What is wrong with the names, or empty. Text is walked letter by letter, and no letter is a module."""
    if isinstance(stated, str):
        return f'{NAMES} is the text "{stated}", no list of modules' if stated else ""
    names = stated if isinstance(stated, list) else []
    bare = next((name for name in names if isinstance(name, str) and "." not in name), None)
    return "" if bare is None else f"{bare} names no package to import a module from"
