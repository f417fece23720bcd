"""Measured runs as plans and as expected bytes: what the ledger tests compare."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from shardlint.ledger import Ledger
from shardlint.plan import Fact, Tensor, TrainingPlan

DATA = Path(__file__).parent / "data"

Bytes = dict[str, int]


def load(name: str) -> dict[str, Any]:
    return json.loads((DATA / f"{name}.json").read_text())


def plan(**facts: Any) -> TrainingPlan:
    """A plan of given facts; `options` is a plain mapping."""
    options = {name: Fact(value) for name, value in facts.pop("options", {}).items()}
    return TrainingPlan(
        options=options, **{name: Fact(value) for name, value in facts.items() if value is not None}
    )


def tensors(model: list[Any], frozen: str | None = None) -> list[Tensor]:
    """`[name, shape]` or `[name, shape, trainable]` rows."""
    rows = [(row[0], tuple(row[1]), row[2] if len(row) > 2 else True) for row in model]
    return [Tensor(name, shape, moves and not (frozen and frozen in name)) for name, shape, moves in rows]


def deepspeed_plan(case: dict[str, Any]) -> TrainingPlan:
    """The plan of a ds_config, as any format reads it, with the world size of the run."""
    config = case["config"]
    zero = dict(config.get("zero_optimization", {}))
    optimizer = config.get("optimizer", {})
    precision = next((word for word in ("bf16", "fp16") if config.get(word, {}).get("enabled")), "fp32")
    options = {**zero, **optimizer.get("params", {}), **config.get("bf16", {}), **config.get("fp16", {})}
    for name in ("communication_data_type",):
        if name in config:
            options[name] = config[name]
    if config.get("torch_autocast", {}).get("enabled"):
        precision = "autocast"
        options["torch_autocast.dtype"] = config["torch_autocast"]["dtype"]
    if "param_groups" in case:
        options["param_groups"] = case["param_groups"]
    offload = zero.get("offload_optimizer", {})
    if "ratio" in offload:
        options["offload_optimizer.ratio"] = offload["ratio"]
    return plan(
        framework="deepspeed",
        stage=zero.get("stage", 0),
        precision=precision,
        accum_dtype=config.get("data_types", {}).get("grad_accum_dtype"),
        optimizer=case.get("client_optimizer") or optimizer.get("type"),
        world=case["dp"],
        shard=case["dp"],
        accumulation=config.get("gradient_accumulation_steps", 1),
        offload_optimizer=offload.get("device"),
        offload_param=zero.get("offload_param", {}).get("device"),
        options={name: value for name, value in options.items() if not isinstance(value, dict)},
    )


def fsdp_arguments(text: str) -> dict[str, str]:
    """`--impl fsdp2 --world 4 --tie` as a mapping; a flag without a value is `true`."""
    words = text.split()
    found: dict[str, str] = {}
    for at, word in enumerate(words):
        if word.startswith("--"):
            following = words[at + 1] if at + 1 < len(words) else "--"
            found[word[2:]] = "true" if following.startswith("--") else following
    return found


FSDP_OPTIMIZERS = {
    "adamw": "AdamW",
    "adamw_fused": "AdamW",
    "adamw_amsgrad": "AdamW",
    "sgd": "SGD",
    "sgdm": "SGD",
    "adagrad": "Adagrad",
    "rmsprop": "RMSprop",
}


def fsdp_plan(arguments: dict[str, str]) -> TrainingPlan:
    """The plan of a run of plain torch: nobody casts parameters unless the run says so."""
    world = int(arguments["world"])
    strategy = arguments.get("strategy", "FULL_SHARD") if arguments["impl"] == "fsdp1" else None
    shard = 1 if strategy == "NO_SHARD" or arguments["impl"] == "ddp" else int(arguments.get("shard", world))
    mixed = arguments.get("mp", "none")
    name = arguments.get("optim", "adamw")
    return plan(
        framework=arguments["impl"],
        strategy=strategy,
        reshard=_reshard(arguments.get("reshard", "default")),
        world=world,
        shard=shard,
        precision=mixed if mixed != "none" else "fp32",
        load_dtype=arguments.get("params", "fp32"),
        optimizer=FSDP_OPTIMIZERS[name],
        wrap="NO_WRAP" if arguments.get("wrap") == "none" else "TRANSFORMER_BASED_WRAP",
        offload_param="cpu" if "offload" in arguments else None,
        options={
            "fsdp_use_orig_params": arguments.get("orig", "true") == "true",
            "upcast": "upcast" in arguments,
            "gradient_as_bucket_view": "bucket-view" in arguments,
            "amsgrad": name == "adamw_amsgrad",
            "momentum": 0.9 if name == "sgdm" else 0,
        },
    )


def _reshard(word: str) -> bool | int | None:
    return {"true": True, "false": False}.get(word, int(word) if word.isdigit() else None)


def of_rank(value: Any, rank: int) -> int:
    return value[rank] if isinstance(value, list) else value


def fsdp_held(found: Ledger, rank: int) -> dict[str, int]:
    """The figures an FSDP run reports, as the ledger has them."""
    before = found.held("boundary", rank)
    return {
        "params": before.get("weights", 0) + before.get("frozen weights", 0),
        "grads": before.get("gradients", 0),
        "optimizer": before.get("optimizer states", 0),
        "counters": before.get("optimizer step counters", 0),
        "after_forward": found.held("forward", rank).get("gathered parameters", 0),
    }
