"""Master weights in 16 bits are asked for where DeepSpeed cannot keep them.

## What it does
Reports `fp16_master_weights_and_grads`, `bf16_master_weights_and_grads` and `bf16_optimizer_states` at ZeRO
stage 0, `bf16_optimizer_states` without `bf16_master_weights_and_grads`, both master flags at once, and
master weights without optimizer offload to the CPU where DeepSpeed needs its CPU Adam for them. Since
0.17.1 the flags count even while the format itself is switched off.

## Why is this bad
Master weights belong to the ZeRO optimizers. Only their CPU Adam, or bf16 optimizer states, can do without an
FP32 copy; DeepSpeed asserts that.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 0},
  "bf16": {"enabled": true, "bf16_master_weights_and_grads": true}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```
Fires at `ds_config.json: bf16.bf16_master_weights_and_grads`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "zero_optimization": {"stage": 1},
  "bf16": {"enabled": true, "bf16_master_weights_and_grads": true, "bf16_optimizer_states": true},
  "optimizer": {"type": "AdamW", "params": {"lr": 0.0001, "torch_adam": true}}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```

## References
- https://www.deepspeed.ai/docs/config-json/#fp16-training-options
- https://www.deepspeed.ai/docs/config-json/#bfloat16-training-options
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.deepspeed import OFF_DEVICE, Config, config_of, refuses
from shardlint.checks.optimizer.stated import no_optimizer
from shardlint.checks.registry import rule
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding

BF16_SINCE = "0.18.3"
ALWAYS_CHECKED = "0.17.1"
"""Before it, the fp16 flag counts only where fp16 is on. Source: `runtime/config.py`,
`get_fp16_master_weights_and_grads_enabled`."""
MASTER = {"fp16": "fp16_master_weights_and_grads", "bf16": "bf16_master_weights_and_grads"}
STATES = "bf16_optimizer_states"


@rule(
    "PRC010",
    "low-precision-master-weights",
    severity=ERROR,
    since="0.1",
    fails_at="config",
    about=("master_weights", "optimizer_states"),
)
def low_precision_master_weights(reading: Reading, job: Job) -> Iterator[Finding]:
    config = config_of(reading, job)
    if config is None:
        return
    flags = {
        "fp16": config.on("fp16", MASTER["fp16"]),
        "bf16": config.on(config.bf16, MASTER["bf16"]),
        "states": config.on(config.bf16, STATES),
    }
    found = _refused(config, flags) if any(flags.values()) else None
    if found is None or (found[2] == "engine" and no_optimizer(config)):
        return
    path, what, fails_at, help = found
    since = BF16_SINCE
    if path[-1] == MASTER["fp16"]:
        since = "" if config.on("fp16", "enabled") else ALWAYS_CHECKED
    yield from refuses(config, config.place(*path), what, fails_at, since=since, help=help)


def _refused(config: Config, flags: dict[str, bool]) -> tuple[tuple[str, ...], str, str, str] | None:
    """The key, what is wrong, where it fails and what to do."""
    bf16, fp16 = (config.bf16, MASTER["bf16"]), ("fp16", MASTER["fp16"])
    paths = {"fp16": fp16, "bf16": bf16, "states": (config.bf16, STATES)}
    first = next(path for name, path in paths.items() if flags[name])
    if config.stage == 0:
        what = f"{first[-1]} at ZeRO stage 0: only the ZeRO optimizers keep master weights"
        return first, what, "config", "Set the ZeRO stage to 1, 2 or 3, or remove the flag."
    if flags["states"] and config.switch(False, *bf16) is False:
        what = f"{STATES} is on without {MASTER['bf16']}, which it builds on"
        return paths["states"], what, "config", f"Switch {MASTER['bf16']} on as well."
    if flags["fp16"] and flags["bf16"]:
        what = f"{MASTER['fp16']} and {MASTER['bf16']} are both on, and master weights have one format"
        return fp16, what, "engine", "Keep the flag of the format that is enabled."
    alone = flags["fp16"] or (flags["bf16"] and config.switch(False, config.bf16, STATES) is False)
    if not alone or config.stage is None:
        return None
    if config.offload_optimizer in OFF_DEVICE and config.on("optimizer", "params", "torch_adam"):
        what = f"{first[-1]} with torch_adam: such master weights need DeepSpeed's CPU Adam"
        return first, what, "engine", "Remove torch_adam from the optimizer."
    if config.offload_optimizer != "none":
        return None
    what = f"{first[-1]} without optimizer offload: such master weights need DeepSpeed's CPU Adam"
    return first, what, "engine", "Set zero_optimization.offload_optimizer.device to cpu."
