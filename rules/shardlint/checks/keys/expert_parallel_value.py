"""Expert parallelism is on with a value it refuses.

## What it does
Reports values of `expert_parallel` outside what they can be, where the section is enabled: an unknown word, a
number out of range, text for a switch.

## Why is this bad
DeepSpeed keeps any value while it reads the file and checks all of them when it builds the engine.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 2},
  "bf16": {"enabled": true},
  "optimizer": {"type": "AdamW", "params": {"lr": 0.0001, "torch_adam": true}},
  "expert_parallel": {"enabled": true, "autoep_size": 2, "score_func": "tanh"}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```
Fires at `ds_config.json: expert_parallel.score_func`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 2},
  "bf16": {"enabled": true},
  "optimizer": {"type": "AdamW", "params": {"lr": 0.0001, "torch_adam": true}},
  "expert_parallel": {"enabled": true, "autoep_size": 2, "score_func": "sigmoid"}
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
from shardlint.checks.keys.reader import shown
from shardlint.checks.keys.value_problems import faults
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding

CHECKED = frozenset(
    {
        "score_func",
        "score_apply",
        "combine_impl",
        "row_weighting_impl",
        "gate_up_impl",
        "comm_backend",
        "comm_num_sm",
        "comm_qp_margin",
        "comm_max_tokens_per_rank",
        "num_limited_groups",
        "num_expert_groups",
        "validate_folding_routing",
        "async_split_plan",
        "has_shared_experts",
        "preset_model",
        "expert_activation",
    }
)
EVERY_VALUE_FAULT = ("value-not-allowed", "value-out-of-range", "wrong-type")


@rule(
    "KEY020",
    "expert-parallel-value",
    severity=ERROR,
    since="0.1",
    fails_at="engine",
    supersedes=EVERY_VALUE_FAULT,
    about=("expert_parallel",),
)
def expert_parallel_value(reading: Reading, job: Job) -> Iterator[Finding]:
    config = config_of(reading, job)
    if config is None or not config.on("expert_parallel", "enabled"):
        return
    for fault in faults(reading):
        path = fault.found.path
        if len(path) != 2 or path[0] != "expert_parallel" or fault.key.name not in CHECKED:
            continue
        yield from refuses(
            config,
            at_value(reading, fault.found.entry),
            f"{fault.key.name} {shown(fault.found.entry)} is not {fault.problem.expected}",
            "engine",
            since=fault.key.since,
        )
