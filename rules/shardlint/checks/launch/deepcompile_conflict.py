"""DeepCompile gets options that exclude each other.

## What it does
Reports the compile pass `autotp` beside `autosp`, `z1` or `z3`; `offload_opt_states` beside ZeRO's optimizer
offload or `offload_parameters` (which offloading both optimizer and parameters to the CPU switches on),
`offload_activation` beside either; `autoep_non_moe` beside what it does not support; and `deepcompile` at
ZeRO stage 0.

## Why is this bad
DeepSpeed raises when the program calls `engine.compile()`. At stage 0 it falls back to plain torch.compile.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 3},
  "compile": {"deepcompile": true, "offload_opt_states": true, "offload_activation": true}
}
```
Fires at `ds_config.json: compile.offload_activation`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 3},
  "compile": {"deepcompile": true, "offload_activation": true}
}
```

## References
- https://www.deepspeed.ai/docs/config-json/
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.deepspeed import OFF_DEVICE, ZERO, Config, config_of
from shardlint.checks.registry import rule
from shardlint.formats.values import texts
from shardlint.report import WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading

SECTION = "compile"


@rule("RUN030", "deepcompile-conflict", severity=WARNING, since="0.1", about=("compile",))
def deepcompile_conflict(reading: Reading, job: Job) -> Iterator[Finding]:
    config = config_of(reading, job)
    if config is None or config.get(SECTION) is None:
        return
    conflicts = _with_moe(config) if config.on(SECTION, "autoep_non_moe") else _of_deepcompile(config)
    for name, what in conflicts:
        yield Finding(what, config.place(SECTION, name), WARNING)


def _of_deepcompile(config: Config) -> Iterator[tuple[str, str]]:
    if not config.on(SECTION, "deepcompile"):
        return
    if config.stage == 0:
        yield (
            "deepcompile",
            "deepcompile at ZeRO stage 0 does nothing: engine.compile() runs plain torch.compile",
        )
        return
    stated = config.get(SECTION, "passes")
    passes = set(texts(stated.value) or ()) if stated else set[str]()
    if "autotp" in passes and passes & {"autosp", "z1", "z3"}:
        yield "passes", "the compile pass autotp cannot be combined with the others; engine.compile() fails"
    if config.stage != 3:
        return
    states, activation = config.on(SECTION, "offload_opt_states"), config.on(SECTION, "offload_activation")
    both = config.offload_optimizer == config.word("none", ZERO, "offload_param", "device") == "cpu"
    parameters = config.on(SECTION, "offload_parameters") or both
    if activation and (parameters or states):
        other = "offload_parameters" if parameters else "offload_opt_states"
        yield "offload_activation", f"offload_activation excludes {other}; engine.compile() fails"
    elif states and config.offload_optimizer in OFF_DEVICE:
        where = config.offload_optimizer
        yield (
            "offload_opt_states",
            f"offload_opt_states beside offload_optimizer to {where}; engine.compile() fails",
        )
    elif states and parameters:
        yield "offload_opt_states", "offload_opt_states excludes offload_parameters; engine.compile() fails"


def _with_moe(config: Config) -> Iterator[tuple[str, str]]:
    reasons = {
        "DeepCompile": config.on(SECTION, "deepcompile"),
        "the DeepEP backend": config.word("comm", "expert_parallel", "comm_backend") == "deepep",
        "tensor parallelism": (config.number(0, "tensor_parallel", "autotp_size") or 0) > 1,
        "sequence parallelism": (config.number(1, "sequence_parallel_size") or 1) > 1,
        "ZeRO stage 3": config.stage == 3,
        "ZeRO offload": config.offload_optimizer in OFF_DEVICE,
    }
    reason = next((name for name, there in reasons.items() if there), None)
    if reason is not None:
        yield "autoep_non_moe", f"autoep_non_moe does not support {reason}; engine.compile() fails"
