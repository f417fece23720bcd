"""The attention chosen for sequence parallelism cannot do it.

## What it does
Reports an `sp_attn_implementation` that is not sdpa, flash_attention_2, flash_attention_3 or a flash
attention kernel of the hub, with an `sp_size` above 1.

## Why is this bad
Ulysses exchanges heads for tokens around the attention and needs an implementation that takes whole heads.
accelerate refuses the others.

## Example
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: MULTI_GPU
num_processes: 8
parallelism_config:
  parallelism_config_dp_shard_size: 4
  parallelism_config_sp_size: 2
  parallelism_config_sp_attn_implementation: eager
```
Fires at `accelerate.yaml: parallelism_config.parallelism_config_sp_attn_implementation`.

## Use instead
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: MULTI_GPU
num_processes: 8
parallelism_config:
  parallelism_config_dp_shard_size: 4
  parallelism_config_sp_size: 2
  parallelism_config_sp_attn_implementation: sdpa
```

## References
- https://huggingface.co/docs/accelerate/concept_guides/sequence_parallelism
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import refused
from shardlint.checks.registry import rule
from shardlint.checks.sharding.accelerate import degree
from shardlint.checks.support import at_value
from shardlint.report import ERROR
from shardlint.syntax.view import Template

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding
    from shardlint.syntax.view import Value

USABLE = ("flash_attention_2", "flash_attention_3", "sdpa")
SINCE = "1.12.0"


def _usable(value: Value) -> bool:
    """One of the names, or a kernel of the hub; what is written is handed on as text."""
    text = str(value)
    return text in USABLE or ("/" in text and "flash-attn" in text)


@rule(
    "SHD037",
    "attention-without-sequence-parallel",
    severity=ERROR,
    since="0.1",
    fails_at="config",
    about=("sp_attn_implementation",),
)
def attention_without_sequence_parallel(reading: Reading, job: Job) -> Iterator[Finding]:
    entry = reading.view.get("parallelism_config", "parallelism_config_sp_attn_implementation")
    if reading.format.name != "accelerate" or entry is None or (degree(reading, "sp") or 0) < 2:
        return
    if isinstance(entry.value, Template):
        return
    if not _usable(entry.value):
        yield refused(
            f"sp_attn_implementation {entry.value} does not support sequence parallelism; accelerate "
            "refuses it",
            at_value(reading, entry),
            "config",
            job.settings.versions("accelerate").all_at_least(SINCE),
            help="Use sdpa or flash_attention_2.",
            assumes=(f"accelerate {SINCE} or later",),
        )
