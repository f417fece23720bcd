"""Expert parallelism is combined with what it does not support.

## What it does
Reports an enabled `expert_parallel` section together with tensor parallelism and one of: an `autoep_size` of
1, sequence parallelism, DeepCompile, ZeRO offload, another `preset_model`; with DeepEP and no
`comm_max_tokens_per_rank`; with fused kernels without what they run in; and with more limited groups than
groups.

## Why is this bad
AutoEP checks the combination before it makes any process group, and raises.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 2},
  "bf16": {"enabled": true},
  "optimizer": {"type": "AdamW", "params": {"lr": 0.0001, "torch_adam": true}},
  "expert_parallel": {"enabled": true, "autoep_size": 2, "comm_backend": "deepep"}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```
Fires at `ds_config.json: expert_parallel`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 2},
  "bf16": {"enabled": true},
  "optimizer": {"type": "AdamW", "params": {"lr": 0.0001, "torch_adam": true}},
  "expert_parallel": {"enabled": true, "autoep_size": 2, "comm_backend": "comm"}
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

from itertools import chain
from typing import TYPE_CHECKING

from shardlint.checks.deepspeed import OFF_DEVICE, ZERO, Config, config_of, refuses
from shardlint.checks.registry import rule
from shardlint.report import ERROR

SECTION = "expert_parallel"

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding


@rule(
    "SHD054",
    "expert-parallel-conflict",
    severity=ERROR,
    since="0.1",
    fails_at="engine",
    about=("expert_parallel",),
)
def expert_parallel_conflict(reading: Reading, job: Job) -> Iterator[Finding]:
    config = config_of(reading, job)
    if config is None or not config.on(SECTION, "enabled"):
        return
    found = next(chain(_kernels(config), _folding(config)), None)
    if found is not None:
        path, what, since = found
        yield from refuses(config, config.place(*path), what, "engine", since=since)


Conflict = tuple[tuple[str, ...], str, str]
"""The key, what is wrong with it, and the first release that refuses it."""


def _kernels(config: Config) -> Iterator[Conflict]:
    """Settings of the section itself that exclude each other."""
    deepep = config.word("comm", SECTION, "comm_backend") == "deepep"
    if deepep and config.number(0, SECTION, "comm_max_tokens_per_rank") == 0:
        path = (SECTION, "comm_max_tokens_per_rank")
        yield path, "comm_backend deepep needs comm_max_tokens_per_rank, which is 0", "0.19.7"
    if config.word("auto", SECTION, "row_weighting_impl") == "fused":
        alone = config.number(1, SECTION, "autoep_size") == 1
        if alone or config.word("comm", SECTION, "comm_backend") == "comm":
            needs = "autoep_size above 1" if alone else "comm_backend deepep"
            yield (SECTION, "row_weighting_impl"), f"row_weighting_impl fused needs {needs}", "0.19.8"
    gate = config.word("separate", SECTION, "gate_up_impl")
    if gate == "fused" and config.off(SECTION, "use_grouped_mm"):
        yield (SECTION, "gate_up_impl"), "gate_up_impl fused needs use_grouped_mm, which is off", "0.19.8"
    limited, groups = (config.number(0, SECTION, f"num_{name}_groups") for name in ("limited", "expert"))
    if limited and groups and limited > groups:
        what = f"num_limited_groups {limited:g} is more than num_expert_groups {groups:g}"
        yield (SECTION, "num_limited_groups"), what, "0.19.2"


def _folding(config: Config) -> Iterator[Conflict]:
    """What expert parallelism excludes once tensor parallelism is on as well."""
    degree = config.number(0, "tensor_parallel", "autotp_size")
    if degree is None or degree <= 1:
        return
    both = f"expert_parallel with autotp_size {degree:g}"
    if config.number(1, SECTION, "autoep_size") == 1:
        yield (SECTION, "autoep_size"), f"{both} needs an autoep_size above 1", "0.19.3"
    if (config.number(1, "sequence_parallel_size") or 1) > 1:
        yield ("sequence_parallel_size",), f"{both} excludes sequence parallelism", "0.19.3"
    if config.on("compile", "deepcompile"):
        yield ("compile", "deepcompile"), f"{both} excludes DeepCompile", "0.19.3"
    if config.offload_optimizer in OFF_DEVICE:
        yield (ZERO, "offload_optimizer"), f"{both} excludes ZeRO offload", "0.19.3"
    presets = [config.word("", name, "preset_model") for name in ("tensor_parallel", SECTION)]
    if all(presets) and presets[0] != presets[1]:
        what = f"preset_model {presets[1]} is not {presets[0]}, the one of tensor_parallel"
        yield (SECTION, "preset_model"), what, "0.19.3"
