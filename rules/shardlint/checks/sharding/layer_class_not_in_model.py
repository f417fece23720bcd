"""FSDP is told to wrap a layer class the model does not have.

## What it does
Compares `fsdp_transformer_layer_cls_to_wrap` (in the Trainer's `fsdp_config`:
`transformer_layer_cls_to_wrap`) with the layer classes of the model, where its type is known. A name with a
space in front is reported in any case: the names are compared letter by letter.

## Why is this bad
accelerate looks the class up by its exact name and raises "Could not find the transformer layer class" when
the model is prepared. The line is often left over from a recipe for another model.

## Example
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 8
fsdp_config:
  fsdp_version: 1
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
  fsdp_transformer_layer_cls_to_wrap: LlamaDecoderLayer
```
```toml shardlint.toml
[facts]
model.type = "bloom"
```
Fires at `accelerate.yaml: fsdp_config.fsdp_transformer_layer_cls_to_wrap`.

## Use instead
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 8
fsdp_config:
  fsdp_version: 1
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
  fsdp_transformer_layer_cls_to_wrap: BloomBlock
```
```toml shardlint.toml
[facts]
model.type = "bloom"
```

## References
- https://huggingface.co/docs/accelerate/usage_guides/fsdp
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import refused
from shardlint.checks.registry import rule
from shardlint.checks.sharding.wrapping import Wrapped, blocks, main_layer, wrapped
from shardlint.checks.support import at_value, related, replace_value
from shardlint.report import ERROR
from shardlint.schema import suggest
from shardlint.schema.snippets import value_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.plan import TrainingPlan
    from shardlint.report import Finding

LAYER_ENDINGS = ("DecoderLayer", "EncoderLayer", "Block", "Layer")


@rule(
    "SHD020",
    "layer-class-not-in-model",
    severity=ERROR,
    since="0.1",
    fails_at="engine",
    about=("transformer_layer_cls_to_wrap",),
)
def layer_class_not_in_model(plan: TrainingPlan, job: Job) -> Iterator[Finding]:
    for found in wrapped(job):
        for name in found.names:
            if name != name.strip() or not name:
                yield _spaced(found, name)
            elif (verdict := _verdict(name, plan)) is not None:
                yield _absent(found, name, plan, certain=verdict)


def _verdict(name: str, plan: TrainingPlan) -> bool | None:
    """True: the model certainly lacks the class. False: it seems to. None: nothing to say."""
    from shardlint.catalog.layers import types_with

    own, stated = blocks(plan), plan.option("model.layer_class").value
    layers = {*(own.names if own else ()), *([stated] if isinstance(stated, str) else [])}
    if not layers or not name.strip() or name in layers:
        return None
    if name.lower() in {layer.lower() for layer in layers}:
        return True
    if own is None or own.composite:
        return None
    if types_with(name) or suggest(name, own.names):
        return plan.option("model.type").certain
    return False if name.endswith(LAYER_ENDINGS) and own.names else None


def _absent(found: Wrapped, name: str, plan: TrainingPlan, certain: bool) -> Finding:
    place, layer, kind = at_value(found.reading, found.entry), main_layer(plan), plan.option("model.type")
    model = f"a model of type {kind.value}" if kind.known else "this model"
    alone = layer is not None and len(found.names) == 1
    fixes = (replace_value(f"Write {layer}", place, _quoted(found, str(layer))),) if alone else ()
    return refused(
        f"{model} has no layer class {name} (its layer is {layer}); accelerate fails when it wraps the model",
        place,
        "engine",
        certain,
        help=f"Name {layer}, letter by letter.",
        related=related(kind.place, f"the model type {kind.value} is given here"),
        fixes=fixes,
        assumes=("the class is not one the table knows",),
    )


def _quoted(found: Wrapped, text: str) -> str:
    return text if found.reading.document.language == "yaml" else value_text(text, "json")


def _spaced(found: Wrapped, name: str) -> Finding:
    place = at_value(found.reading, found.entry)
    text = ",".join(part.strip() for part in found.names if part.strip())
    what = f'"{name}" is looked up with its space' if name else "an empty name is looked up too"
    return refused(
        f"{what}, and no class has such a name; accelerate fails when it wraps the model",
        place,
        "engine",
        True,
        help="Separate the names with a comma and nothing else.",
        fixes=(replace_value(f"Write {text}", place, _quoted(found, text), safe=True),) if text else (),
    )
