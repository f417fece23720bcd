"""The classes FSDP wraps leave out the decoder layer of the model.

## What it does
Reports a list of layer classes to wrap that names classes the model may have, such as those of its vision
tower, but not its decoder layer.

## Why is this bad
What is not wrapped on its own falls into the outermost unit. That unit then holds almost the whole model:
it is gathered at once, and parameters of different dtypes meet in one flat parameter, which FSDP1 refuses.

## Example
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 4
fsdp_config:
  fsdp_version: 1
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
  fsdp_transformer_layer_cls_to_wrap: SiglipEncoderLayer
```
```toml shardlint.toml
[facts]
model.type = "gemma3"
model.layer_class = "Gemma3DecoderLayer"
```
Fires at `accelerate.yaml: fsdp_config.fsdp_transformer_layer_cls_to_wrap`.

## Use instead
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 4
fsdp_config:
  fsdp_version: 1
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
  fsdp_transformer_layer_cls_to_wrap: SiglipEncoderLayer,Gemma3DecoderLayer
```
```toml shardlint.toml
[facts]
model.type = "gemma3"
model.layer_class = "Gemma3DecoderLayer"
```

## References
- https://docs.pytorch.org/docs/stable/fsdp.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.registry import rule
from shardlint.checks.sharding.layer_class_not_in_model import layer_class_not_in_model
from shardlint.checks.sharding.wrapping import main_layer, wrapped
from shardlint.checks.support import at_value
from shardlint.report import WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.plan import TrainingPlan

VISION = ("vision", "siglip", "clip", "vit", "visual", "audio", "whisper")


@rule(
    "SHD021",
    "decoder-layer-not-wrapped",
    severity=WARNING,
    since="0.1",
    about=("transformer_layer_cls_to_wrap",),
)
def decoder_layer_not_wrapped(plan: TrainingPlan, job: Job) -> Iterator[Finding]:
    layer = main_layer(plan)
    if layer is None or any(True for _ in layer_class_not_in_model(plan, job)):
        return
    stated = plan.option("model.layer_class").known
    for found in wrapped(job):
        names = [name.strip() for name in found.names if name.strip()]
        if not names or layer in names or not (stated or all(_of_a_tower(name) for name in names)):
            continue
        yield Finding(
            f"{', '.join(names)} are wrapped, the decoder layer {layer} is not; almost the whole model "
            f"falls in "
            "one unit, which is gathered at once and may mix dtypes",
            at_value(found.reading, found.entry),
            WARNING,
            confidence="assumed",
            help=f"Add {layer}: {','.join([*names, layer])}",
        )


def _of_a_tower(name: str) -> bool:
    return any(part in name.lower() for part in VISION)
