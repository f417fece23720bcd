"""One rank of a DeepSpeed run: two optimizer steps, bytes by term before and after the second one's step."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import deepspeed
import torch
from small_model import Counter, SmallModel, batch

MASTERS = (
    "single_partition_of_fp32_groups",
    "fp32_groups_flat_partition",
    "fp32_groups_flat",
    "fp32_partitioned_groups_flat",
    "fp32_groups",
)
FLAT_WEIGHTS = ("bit16_groups_flat", "bf16_groups_flat", "fp16_groups_flat")
GRADIENTS = ("grad_partitions_flat_buffer", "averaged_gradients", "all_grad_tensors")


def count(engine: Any) -> dict[str, int]:
    optimizer, counter = engine.optimizer, Counter()
    parameters = list(engine.module.parameters())
    for name in FLAT_WEIGHTS:
        counter.add("weights", getattr(optimizer, name, None))
    counter.add("weights", [p.ds_tensor for p in parameters if hasattr(p, "ds_tensor")])
    counter.add("persistent parameters", [p.data for p in parameters if getattr(p, "ds_persist", False)])
    counter.add("weights", [p.data for p in parameters])
    for name in MASTERS:
        counter.add("master weights", getattr(optimizer, name, None))
    inner = getattr(optimizer, "optimizer", optimizer)
    for state in inner.state.values():
        counter.add(
            "optimizer states", [v for v in state.values() if isinstance(v, torch.Tensor) and v.dim()]
        )
    counter.add("fp32 gradient accumulator", getattr(optimizer, "fp32_groups_gradients_flat", None))
    for name in GRADIENTS:
        counter.add("gradients", getattr(optimizer, name, None))
    for bucket in getattr(optimizer, "ipg_buckets", {}).values():
        counter.add("reduce bucket", bucket.buffer)
    counter.add("gradients", [p.grad for p in parameters if p.grad is not None])
    return counter.terms


def main() -> None:
    case = json.loads(sys.argv[1])
    rank = int(os.environ["RANK"])
    torch.set_num_threads(1)
    torch.manual_seed(0)
    deepspeed.init_distributed("gloo", verbose=False)
    model = SmallModel()
    for name, parameter in model.named_parameters():
        parameter.requires_grad_(not any(part in name for part in case["frozen"]))
    trainable = [p for p in model.parameters() if p.requires_grad]
    engine, *_ = deepspeed.initialize(model=model, model_parameters=trainable, config=case["config"])
    reports: dict[str, dict[str, int]] = {}
    for _ in range(2):
        engine.backward(engine(batch(rank)))
        reports["boundary"] = count(engine)
        engine.step()
        reports["steady"] = count(engine)
    Path(sys.argv[2]).write_text(json.dumps(reports))
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
