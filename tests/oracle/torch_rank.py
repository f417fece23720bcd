"""One rank of DDP, FSDP1 and FSDP2 runs, one after the other: two steps each, bytes by term."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
from small_model import Block, Counter, SmallModel, batch

DTYPES = {"bf16": torch.bfloat16, "fp32": torch.float32}


def wrapped(case: dict[str, Any], model: Any) -> Any:
    mixed = DTYPES.get(case["mixed"])
    if case["framework"] == "ddp":
        return torch.nn.parallel.DistributedDataParallel(model)
    if case["framework"] == "fsdp1":
        from torch.distributed.fsdp import FullyShardedDataParallel, MixedPrecision, ShardingStrategy
        from torch.distributed.fsdp.wrap import ModuleWrapPolicy

        return FullyShardedDataParallel(
            model,
            sharding_strategy=ShardingStrategy[case["strategy"]],
            auto_wrap_policy=ModuleWrapPolicy({Block}),
            mixed_precision=MixedPrecision(param_dtype=mixed, reduce_dtype=mixed) if mixed else None,
            use_orig_params=True,
            device_id=torch.device("cpu"),
        )
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard

    mesh = init_device_mesh("cpu", (dist.get_world_size(),))
    policy = MixedPrecisionPolicy(param_dtype=mixed)
    for layer in model.layers:
        fully_shard(layer, mesh=mesh, mp_policy=policy)
    return fully_shard(model, mesh=mesh, mp_policy=policy)


def weights(case: dict[str, Any], model: Any) -> list[torch.Tensor]:
    if case["framework"] == "fsdp1":
        from torch.distributed.fsdp import FullyShardedDataParallel

        units = FullyShardedDataParallel.fsdp_modules(model)
        return [unit._handle.flat_param._local_shard for unit in units]
    if case["framework"] == "fsdp2":
        states = [m._get_fsdp_state() for m in (model, *model.layers)]
        return [p._sharded_param_data for s in states for p in s._fsdp_param_group.fsdp_params]
    return [p.data for p in model.parameters()]


def report(case: dict[str, Any]) -> dict[str, int]:
    """Gradients after a backward pass, the rest after the step."""
    torch.manual_seed(0)
    model = SmallModel().to(DTYPES[case["loaded"]])
    for name, parameter in model.named_parameters():
        parameter.requires_grad_(not any(part in name for part in case["frozen"]))
    model = wrapped(case, model)
    trainable = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(trainable)
    counter = Counter()
    for _ in range(2):
        counter = Counter()
        model(batch(dist.get_rank())).backward()
        counter.add("gradients", [p.grad for p in model.parameters() if p.grad is not None])
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
    counter.add("weights", weights(case, model))
    for state in optimizer.state.values():
        counter.add("optimizer states", [v for v in state.values() if v.dim()])
    return counter.terms


def main() -> None:
    torch.set_num_threads(1)
    dist.init_process_group("gloo")
    reports = {name: report(case) for name, case in json.loads(sys.argv[1]).items()}
    Path(sys.argv[2]).write_text(json.dumps(reports))
    dist.barrier()
    os._exit(0)


if __name__ == "__main__":
    main()
