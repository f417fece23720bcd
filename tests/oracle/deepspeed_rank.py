"""One rank of DeepSpeed runs, one after the other: two steps each, bytes by term before and after them."""

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


def report(case: dict[str, Any], rank: int) -> dict[str, dict[str, int]]:
    torch.manual_seed(0)
    model = SmallModel()
    for name, parameter in model.named_parameters():
        parameter.requires_grad_(not any(part in name for part in case["frozen"]))
    trainable = [p for p in model.parameters() if p.requires_grad]
    engine, *_ = deepspeed.initialize(model=model, model_parameters=trainable, config=case["config"])
    found: dict[str, dict[str, int]] = {}
    for _ in range(2):
        engine.backward(engine(batch(rank)))
        found["boundary"] = count(engine)
        engine.step()
        found["steady"] = count(engine)
    return found


def main() -> None:
    cases = json.loads(sys.argv[1])
    torch.set_num_threads(1)
    deepspeed.init_distributed("gloo", verbose=False)
    reports = {name: report(case, int(os.environ["RANK"])) for name, case in cases.items()}
    Path(sys.argv[2]).write_text(json.dumps(reports))
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
