"""The optimizer gets an argument its constructor does not have.

## What it does
Reports names in `optimizer.params` that no variant of the optimizer type takes: Adam, AdamW, Lamb, Lion,
Adagrad and SGD.

## Why is this bad
DeepSpeed hands the section to the constructor as keyword arguments, so that a misspelt one is a TypeError
when the engine is built.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "bf16": {"enabled": true},
  "optimizer": {"type": "AdamW", "params": {"lr": 0.0001, "torch_adam": true, "weight_deccay": 0.1}}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```
Fires at `ds_config.json: optimizer.params.weight_deccay`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "bf16": {"enabled": true},
  "optimizer": {"type": "AdamW", "params": {"lr": 0.0001, "torch_adam": true, "weight_decay": 0.1}}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
versions.deepspeed = "0.19.8"
```

## References
- https://www.deepspeed.ai/docs/config-json/#optimizer-parameters
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.deepspeed import config_of, refuses
from shardlint.checks.keys.edits import rename_key
from shardlint.checks.registry import rule
from shardlint.checks.support import at_key
from shardlint.report import ERROR
from shardlint.schema import suggest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding

ADAM = (
    "lr betas eps weight_decay amsgrad bias_correction adam_w_mode set_grad_none torch_adam foreach "
    "fp32_optimizer_states maximize capturable differentiable fused"
)
TAKEN = {
    "adam": ADAM,
    "adamw": ADAM,
    "lamb": "lr bias_correction betas eps eps_inside_sqrt weight_decay max_grad_norm max_coeff min_coeff "
    "amsgrad",
    "lion": "lr betas weight_decay set_grad_none fp32_optimizer_states",
    "adagrad": "lr lr_decay weight_decay initial_accumulator_value eps amsgrad foreach maximize "
    "differentiable fused fp32_optimizer_states",
    "SGD": "lr momentum dampening weight_decay nesterov maximize foreach differentiable fused",
}
"""What the constructors take, DeepSpeed's own and those of torch together."""
TOLD_ELSEWHERE = ("max_grad_norm",)


@rule(
    "OPT022",
    "unknown-optimizer-argument",
    severity=ERROR,
    since="0.1",
    fails_at="engine",
    supersedes=("unknown-key",),
    about=("optimizer",),
)
def unknown_optimizer_argument(reading: Reading, job: Job) -> Iterator[Finding]:
    config = config_of(reading, job)
    kind = config.word("", "optimizer", "type") if config else None
    if config is None or not kind or job.settings.fact("code.optimizer").known:
        return
    taken = TAKEN.get("SGD" if kind == "SGD" else kind.lower(), "").split()
    stated = list(reading.view.entries(*config.base, "optimizer", "params")) if taken else []
    present = {entry.name for entry in stated}
    for entry in stated:
        if entry.name in taken or entry.name in TOLD_ELSEWHERE or entry.name == "<<":
            continue
        meant = suggest(entry.name, taken)
        yield from refuses(
            config,
            at_key(reading, entry),
            f"{entry.name} is no argument of {kind}",
            "engine",
            help=f"Did you mean {meant}?" if meant else None,
            others=config.related("the optimizer is given here", "optimizer", "type"),
            fixes=rename_key(reading, entry, meant, safe=False) if meant and meant not in present else (),
        )
