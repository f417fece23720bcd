"""Tensor or context parallelism is combined with replicas but no shards.

## What it does
Reports a `parallelism_config` with `tp` or `cp` above 1, `dp_replicate` above 1 and `dp_shard` 1.

## Why is this bad
accelerate cannot replicate a tensor- or context-parallel model without a shard dimension in between, and
raises a ValueError while it reads the sizes.

## Example
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: MULTI_GPU
num_processes: 4
parallelism_config:
  parallelism_config_dp_replicate_size: 2
  parallelism_config_tp_size: 2
```
Fires at `accelerate.yaml: parallelism_config.parallelism_config_dp_replicate_size`.

## Use instead
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 4
fsdp_config:
  fsdp_version: 2
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
parallelism_config:
  parallelism_config_dp_shard_size: 2
  parallelism_config_tp_size: 2
```

## References
- https://huggingface.co/docs/accelerate/package_reference/parallelism
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import refused
from shardlint.checks.registry import rule
from shardlint.checks.sharding.accelerate import degrees
from shardlint.checks.support import at_value
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.formats.reading import Reading
    from shardlint.report import Finding


@rule(
    "SHD011",
    "replicas-without-shard-dimension",
    severity=ERROR,
    since="0.1",
    fails_at="config",
    supersedes=("fsdp2-without-shard-dimension",),
    about=("parallelism_config_dp_replicate_size",),
)
def replicas_without_shard_dimension(reading: Reading) -> Iterator[Finding]:
    if reading.format.name != "accelerate":
        return
    entry = reading.view.get("parallelism_config", "parallelism_config_dp_replicate_size")
    sizes = degrees(reading, "dp_replicate", "dp_shard", "tp", "cp")
    if entry is None or sizes is None or sizes["dp_replicate"] == 1 or sizes["dp_shard"] > 1:
        return
    model = [f"{name} {sizes[name]}" for name in ("tp", "cp") if sizes[name] > 1]
    if model:
        yield refused(
            f"dp_replicate {sizes['dp_replicate']} with {' and '.join(model)} needs dp_shard above 1; "
            "accelerate refuses the sizes",
            at_value(reading, entry),
            "config",
            True,
            help="Move the replicas to parallelism_config_dp_shard_size.",
        )
