"""A file names another file that is not there.

## What it does
Follows `deepspeed`, `fsdp_config`, `deepspeed_config_file` and `deepspeed_hostfile` from the workspace root,
the file's own folder and its ancestors, and reports a target that is in none of them. With `launch.cwd` set
it is an error, but for a hostfile, without which the launcher goes on with one machine.

## Why is this bad
Relative paths are taken from the folder the job is started in. Where no file is found, accelerate and
DeepSpeed try to read the path itself as a base64 config, so that the message is "Expected a string path" or
"Incorrect padding" and never says that a file is missing.

## Example
```yaml train.yaml
model_name_or_path: org/model
output_dir: out
per_device_train_batch_size: 1
deepspeed: configs/ds_config_stage2.json
```
Fires at `train.yaml: deepspeed`.

## Use instead
```yaml train.yaml
model_name_or_path: org/model
output_dir: out
per_device_train_batch_size: 1
deepspeed: ds_config_stage2.json
```
```json ds_config_stage2.json
{"train_micro_batch_size_per_gpu": "auto", "zero_optimization": {"stage": 2}}
```

## References
- https://huggingface.co/docs/transformers/deepspeed
- https://huggingface.co/docs/accelerate/usage_guides/deepspeed
"""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from shardlint.checks.judging import refused
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value
from shardlint.report import ERROR, INFO, listing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job, Link
    from shardlint.report import Finding

KINDS = {
    "deepspeed": "DeepSpeed config",
    "fsdp": "FSDP config",
    "hostfile": "hostfile",
    "accelerate": "accelerate config",
}
HOSTFILE = "hostfile"
"""Without it the deepspeed launcher warns and goes on with this machine alone."""

MOST_SHOWN = 2
"""Of the paths that were tried."""


@rule("LNK001", "missing-file", severity=ERROR, since="0.1", fails_at="config")
def missing_file(job: Job) -> Iterator[Finding]:
    start = job.settings.fact("launch.cwd")
    for link in job.links:
        name = link.reference.target
        if link.reference.kind not in KINDS or link.found or link.target or not _is_path(name):
            continue
        finding = refused(
            f"{KINDS[link.reference.kind]} {_told(name)} is no file{_tried(link)}",
            at_value(link.source, link.reference.entry),
            "load" if link.reference.kind == "accelerate" else "config",
            start.certain and link.reference.kind != HOSTFILE and not link.reference.entry.guessed,
            help=f"A relative path is taken from the folder the job starts in ({start.value})."
            if start.known
            else "A relative path is taken from where the job starts; set launch.cwd to check from there.",
        )
        yield finding._replace(severity=INFO, confidence="assumed") if _elsewhere(name) else finding


def _is_path(text: str) -> bool:
    """Whether a reference is a path and not a config written into the value as JSON or base64."""
    return "{" not in text and (len(text) < 120 or "." in text[-6:])


def _told(name: str) -> str:
    """The name for a sentence, in quotes where it is empty or has blanks around it."""
    return name if name and name == name.strip() else repr(name)


def _tried(link: Link) -> str:
    others = [path for path in link.tried if path != link.reference.target]
    if not others or _elsewhere(link.reference.target):
        return ""
    rest = len(others) - MOST_SHOWN
    places = f"{', '.join(others[:MOST_SHOWN])} and {rest} more" if rest > 0 else listing(others)
    return f" (looked for {places})"


def _elsewhere(name: str) -> bool:
    """A path that may well exist on the machine that trains."""
    return PurePath(name).is_absolute() or name.startswith("~")
