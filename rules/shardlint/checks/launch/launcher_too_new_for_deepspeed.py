"""The launcher without ssh needs a newer DeepSpeed.

## What it does
Reports `deepspeed_multinode_launcher: nossh` with a DeepSpeed before 0.14.5.

## Why is this bad
The option that starts every node by itself came with DeepSpeed 0.14.5. accelerate refuses to launch with an
older one.

## Example
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: DEEPSPEED
num_processes: 8
deepspeed_config:
  zero_stage: 2
  deepspeed_multinode_launcher: nossh
```
```toml shardlint.toml
[facts]
versions.deepspeed = "0.14.2"
```
Fires at `accelerate.yaml: deepspeed_config.deepspeed_multinode_launcher`.

## Use instead
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: DEEPSPEED
num_processes: 8
deepspeed_config:
  zero_stage: 2
  deepspeed_multinode_launcher: standard
```
```toml shardlint.toml
[facts]
versions.deepspeed = "0.14.2"
```

## References
- https://huggingface.co/docs/accelerate/usage_guides/deepspeed
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import refused, word
from shardlint.checks.registry import rule
from shardlint.checks.sharding.accelerate import runs
from shardlint.checks.support import at_value
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding

SINCE = "0.14.5"


@rule(
    "RUN012",
    "launcher-too-new-for-deepspeed",
    severity=ERROR,
    since="0.1",
    fails_at="launch",
    about=("nossh",),
)
def launcher_too_new_for_deepspeed(reading: Reading, job: Job) -> Iterator[Finding]:
    entry = reading.view.get("deepspeed_config", "deepspeed_multinode_launcher")
    if not runs(reading, "DEEPSPEED") or entry is None or word(entry) != "nossh":
        return
    versions = job.settings.versions("deepspeed")
    if versions.none_at_least(SINCE):
        yield refused(
            f"deepspeed_multinode_launcher nossh needs DeepSpeed {SINCE}, here {versions.text}; accelerate "
            f"refuses "
            "to launch",
            at_value(reading, entry),
            "launch",
            versions.fact.certain,
            help=f"Use DeepSpeed {SINCE} or later, or another launcher.",
            assumes=("the version is not certain",),
        )
