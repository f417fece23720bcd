"""Only the model is saved, but FSDP saves shards.

## What it does
Reports `save_only_model` with the state-dict type `SHARDED_STATE_DICT` of FSDP.

## Why is this bad
A sharded state dict is saved through the engine together with the optimizer; there is no model-only form of
it. The Trainer refuses the pair.

## Example
```yaml train.yaml
per_device_train_batch_size: 1
output_dir: out
num_train_epochs: 1
save_only_model: true
```
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 8
fsdp_config:
  fsdp_version: 1
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
  fsdp_state_dict_type: SHARDED_STATE_DICT
```
```toml shardlint.toml
[[jobs]]
files = ["train.yaml", "accelerate.yaml"]
```
Fires at `train.yaml: save_only_model`.

## Use instead
```yaml train.yaml
per_device_train_batch_size: 1
output_dir: out
num_train_epochs: 1
save_only_model: true
```
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 8
fsdp_config:
  fsdp_version: 1
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
  fsdp_state_dict_type: FULL_STATE_DICT
```
```toml shardlint.toml
[[jobs]]
files = ["train.yaml", "accelerate.yaml"]
```

## References
- https://huggingface.co/docs/transformers/fsdp
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import is_on, refused
from shardlint.checks.registry import rule
from shardlint.checks.support import at_value, related
from shardlint.report import ERROR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.plan import TrainingPlan
    from shardlint.report import Finding


@rule(
    "SAV003",
    "model-only-save-of-shards",
    severity=ERROR,
    since="0.1",
    fails_at="engine",
    about=("save_only_model",),
)
def model_only_save_of_shards(plan: TrainingPlan, job: Job) -> Iterator[Finding]:
    reading, kind = job.reading("hf-args"), plan.option("fsdp_state_dict_type")
    entry = reading.view.get("save_only_model") if reading is not None else None
    if reading is None or entry is None or not is_on(entry) or plan.framework.value not in ("fsdp1", "fsdp2"):
        return
    if kind.value != "SHARDED_STATE_DICT":
        return
    yield refused(
        f"save_only_model with fsdp_state_dict_type SHARDED_STATE_DICT ({kind.origin}); the Trainer "
        f"refuses to start",
        at_value(reading, entry),
        "engine",
        kind.certain and kind.standing == "given",
        help="Use FULL_STATE_DICT, or save the optimizer too.",
        related=related(kind.place, "the state-dict type is chosen here"),
        assumes=("the state-dict type is the default of the version that runs",),
    )
