"""The sizes of `parallelism_config` do not multiply to the number of processes.

## What it does
Multiplies `dp_replicate`, `dp_shard`, `tp`, `cp` and `sp` of accelerate's `parallelism_config` and compares
the product with `num_processes`. A product of 1 is left alone: accelerate then replicates over all processes.

## Why is this bad
Every process needs a place in the device mesh. accelerate raises a ValueError when the Accelerator is built.

## Example
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 8
fsdp_config:
  fsdp_version: 2
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
parallelism_config:
  parallelism_config_dp_replicate_size: 1
  parallelism_config_dp_shard_size: 4
```
Fires at `accelerate.yaml: parallelism_config.parallelism_config_dp_shard_size`.

## Use instead
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 8
fsdp_config:
  fsdp_version: 2
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
parallelism_config:
  parallelism_config_dp_replicate_size: 2
  parallelism_config_dp_shard_size: 4
```

## References
- https://huggingface.co/docs/accelerate/package_reference/parallelism
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from shardlint.checks.judging import refused, whole
from shardlint.checks.registry import rule
from shardlint.checks.sharding.accelerate import degrees, processes
from shardlint.checks.support import at_key, at_value, related
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.formats.reading import Reading
    from shardlint.report import Finding

SIZES = ("dp_replicate", "dp_shard", "tp", "cp", "sp")


@rule(
    "SHD009",
    "parallelism-product-mismatch",
    severity=ERROR,
    since="0.1",
    fails_at="config",
    about=("parallelism_config",),
)
def parallelism_product_mismatch(reading: Reading) -> Iterator[Finding]:
    section = reading.view.get("parallelism_config") if reading.format.name == "accelerate" else None
    entry = processes(reading)
    world, sizes = whole(entry), degrees(reading, *SIZES)
    if section is None or entry is None or not world or sizes is None or sizes["sp"] > 1:
        return
    product = prod(sizes.values())
    if product in (1, world):
        return
    shard = reading.view.get("parallelism_config", "parallelism_config_dp_shard_size")
    shown = [f"{name} {size}" for name, size in sizes.items() if size > 1 or name in SIZES[:2]]
    wanted = (
        world * sizes["dp_replicate"] // product if world * sizes["dp_replicate"] % product == 0 else None
    )
    yield refused(
        f"{' x '.join(shown)} = {product}, but num_processes is {world}; accelerate refuses to start",
        at_value(reading, shard) if shard else at_key(reading, section),
        "config",
        True,
        help=f"Set parallelism_config_dp_replicate_size to {wanted}, or start {product} processes."
        if wanted
        else f"Start {product} processes, or choose sizes that multiply to {world}.",
        related=related(at_value(reading, entry), f"{world} processes are started here"),
    )
