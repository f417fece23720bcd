"""The wrap policy names no layer class, and the model's own list does not serve.

## What it does
Reports `fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP` without `fsdp_transformer_layer_cls_to_wrap` for a
model whose class lists no block (`model.no_split_missing`), or, as a note, for one part of a multimodal
model, whose class may list blocks of the other parts.

## Why is this bad
accelerate then takes the class list of the model (`_no_split_modules`). Without one it wraps nothing, so the
whole model is one unit; with a class that is not there, it raises when the model is prepared.

## Example
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 8
fsdp_config:
  fsdp_version: 1
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
```
```toml shardlint.toml
[facts]
model.type = "qwen2_vl"
model.no_split_missing = true
```
Fires at `accelerate.yaml: fsdp_config.fsdp_auto_wrap_policy`.

## Use instead
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 8
fsdp_config:
  fsdp_version: 1
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
  fsdp_transformer_layer_cls_to_wrap: Qwen2VLDecoderLayer
```
```toml shardlint.toml
[facts]
model.type = "qwen2_vl"
model.no_split_missing = true
```

## References
- https://huggingface.co/docs/accelerate/usage_guides/fsdp
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.registry import rule
from shardlint.checks.sharding.accelerate import fsdp_entry, fsdp_word, runs
from shardlint.checks.sharding.wrapping import KEY, blocks, main_layer
from shardlint.checks.support import at_value
from shardlint.report import INFO, WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.plan import TrainingPlan

PARTS = ("_text", "_text_model", "_vision", "_vision_model")


@rule("SHD022", "layer-class-left-to-model", severity=WARNING, since="0.1", about=("auto_wrap_policy",))
def layer_class_left_to_model(plan: TrainingPlan, job: Job) -> Iterator[Finding]:
    reading = job.reading("accelerate")
    if reading is None or not runs(reading, "FSDP") or fsdp_entry(reading, KEY) is not None:
        return
    entry = fsdp_entry(reading, "auto_wrap_policy")
    if entry is None or fsdp_word(reading, "auto_wrap_policy") != "transformer_based_wrap":
        return
    missing, kind = plan.option("model.no_split_missing").value is True, plan.option("model.type").value
    if not missing and not (isinstance(kind, str) and (kind.endswith(PARTS) or _composite(plan))):
        return
    layer = main_layer(plan)
    why = "the model class lists none" if missing else f"the list of {kind} may hold classes this model lacks"
    then = (
        "nothing is wrapped and the whole model is one unit"
        if missing
        else "accelerate fails on such a class"
    )
    yield Finding(
        f"no fsdp_transformer_layer_cls_to_wrap is given and {why}: {then}",
        at_value(reading, entry),
        WARNING if missing else INFO,
        confidence="assumed",
        help=f"Set fsdp_transformer_layer_cls_to_wrap{f' to {layer}' if layer else ' to the decoder layer'}.",
    )


def _composite(plan: TrainingPlan) -> bool:
    found = blocks(plan)
    return found is not None and found.composite
