"""A number of the optimizer lies outside the range its constructor takes.

## What it does
Reports `lr`, `eps`, `weight_decay` and `momentum` below 0, and `betas` outside 0 to 1 or fewer than two,
where torch builds the optimizer: for types DeepSpeed does not know itself, with `torch_adam`, and under
ZenFlow, which builds a second one on the GPU. DeepSpeed's CPU Adam is only held to the two betas.

## Why is this bad
torch's constructors check these numbers when the engine is built. DeepSpeed's own optimizers do not; they
train on, backwards or not at all.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "optimizer": {"type": "AdamW", "params": {"lr": 0.0001, "betas": [0.9, 95], "torch_adam": true}}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
```
Fires at `ds_config.json: optimizer.params.betas`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 1,
  "optimizer": {"type": "AdamW", "params": {"lr": 0.0001, "betas": [0.9, 0.95], "torch_adam": true}}
}
```
```toml shardlint.toml
[facts]
consumer = "deepspeed"
```

## References
- https://docs.pytorch.org/docs/stable/optim.html
- https://www.deepspeed.ai/docs/config-json/#optimizer-parameters
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.deepspeed import OFF_DEVICE, ZERO, config_of, refuses
from shardlint.checks.optimizer.stated import DEEPSPEED_NAMES
from shardlint.checks.registry import rule
from shardlint.formats.values import number
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.checks.deepspeed import Config
    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding
    from shardlint.syntax.view import Value

PARAMS = ("optimizer", "params")
AT_LEAST_ZERO = ("lr", "eps", "weight_decay", "momentum")
"""Source: `torch/optim`: every constructor that takes one of them refuses it below 0."""


@rule(
    "OPT026",
    "optimizer-argument-out-of-range",
    severity=ERROR,
    since="0.1",
    fails_at="engine",
    supersedes=("value-out-of-range",),
    about=(*AT_LEAST_ZERO, "betas"),
)
def optimizer_argument_out_of_range(reading: Reading, job: Job) -> Iterator[Finding]:
    config = config_of(reading, job)
    if config is None or job.settings.fact("code.optimizer").known:
        return
    kind = (config.word("", "optimizer", "type") or "").lower()
    who, ranges = _builder(config, kind)
    for name in (*AT_LEAST_ZERO, "betas") if who else ():
        entry = config.get(*PARAMS, name)
        wrong = _wrong(name, entry.value, ranges) if entry is not None else ""
        if wrong:
            what = f"{name} {wrong}, and {who}"
            yield from refuses(config, config.place(*PARAMS, name), f"{what} does not take that", "engine")


def _builder(config: Config, kind: str) -> tuple[str, bool]:
    """Who builds the optimizer and looks at its numbers, and whether that goes for their ranges."""
    adam = kind in ("adam", "adamw")
    own = config.switch(False, *PARAMS, "torch_adam") is False
    on_host = config.offload_optimizer in OFF_DEVICE
    if kind and (kind not in DEEPSPEED_NAMES or (adam and config.on(*PARAMS, "torch_adam"))):
        return f"torch's {config.word('', 'optimizer', 'type')}", True
    flow = config.get(ZERO, "zenflow")
    if adam and own and on_host and flow is not None and isinstance(flow.value, dict) and config.stage:
        return "the AdamW of torch that ZenFlow builds", True
    return ("DeepSpeed's CPU Adam", False) if adam and own and on_host else ("", False)


def _wrong(name: str, value: Value, ranges: bool) -> str:
    """What is wrong with a number, or empty."""
    if name == "betas":
        return _wrong_betas(value, ranges)
    stated = number(value)
    return f"{stated:g} is below 0" if ranges and stated is not None and stated < 0 else ""


def _wrong_betas(value: Value, ranges: bool) -> str:
    if not isinstance(value, list):
        return ""
    if len(value) < 2:
        return f"has {len(value)} of two numbers"
    stated = [number(item) for item in value[:2]]
    out = next((one for one in stated if one is not None and not 0 <= one < 1), None)
    return f"{out:g} is not between 0 and 1" if ranges and out is not None else ""
