"""Readings beside the real frameworks: what DeepSpeed and accelerate make of the same text."""

from __future__ import annotations

import json
import os
from typing import Any

import pytest

from formats.reading_helper import read, values
from shardlint.formats.deepspeed import FORMAT
from shardlint.syntax.parse import parse

pytestmark = pytest.mark.oracle

ZERO = [
    {},
    {"zero_optimization": {"stage": 3}},
    {"zero_optimization": {"stage": "2"}},
    {"zero_optimization": {"stage": 1.0}},
    {"zero_optimization": {"stage": True}},
    {"zero_optimization": True, "train_batch_size": 4},
    {"zero_optimization": {"stage": 2, "cpu_offload": True}},
    {"zero_optimization": {"stage": 3, "cpu_offload_param": True, "offload_optimizer": {}}},
    {
        "zero_optimization": {
            "stage": 3,
            "offload_param": {"device": "nvme", "nvme_path": "/x", "max_in_cpu": 7},
        }
    },
    {
        "zero_optimization": {
            "stage": 3,
            "reduce_bucket_size": 5e8,
            "sub_group_size": "1000",
            "overlap_comm": "no",
        }
    },
    {"zero_optimization": {"stage": 3, "prefetch_bucket_size": 12, "stage3_max_live_parameters": 3.0}},
    {"bf16": {"enabled": "true"}, "fp16": {"enabled": 0}},
    {"fp16": {"enabled": True, "fp16_master_weights_and_grads": False}},
    {"bfloat16": {"enabled": True}},
    {"bf16": {}, "torch_autocast": {"enabled": True, "dtype": "bfloat16"}},
    {"train_batch_size": 12, "gradient_accumulation_steps": 3.0},
]


def _deepspeed(config: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> Any:
    """The DeepSpeedConfig of a dict for one rank."""
    os.environ.setdefault("DS_ACCELERATOR", "cpu")
    module = pytest.importorskip("deepspeed.runtime.config")

    class OneRank:
        def get_rank(self) -> int:
            return 0

        def get_world_size(self, *_: object, **__: object) -> int:
            return 1

    monkeypatch.setattr(module, "dist", OneRank())
    return module.DeepSpeedConfig(config)


def _device(section: Any) -> str:
    """The device of an offload section: an enum member, or the plain default."""
    return "none" if section is None else str(getattr(section.device, "value", section.device))


@pytest.mark.parametrize("config", ZERO, ids=lambda config: json.dumps(config)[:70])
def test_deepspeed_reads_the_same(config: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    if "train_batch_size" not in config:
        config = {"train_micro_batch_size_per_gpu": 1, **config}
    real = _deepspeed(config, monkeypatch)
    reading = FORMAT.read(parse(json.dumps(config), "ds.json"))
    zero = real.zero_config
    precision = (
        "bf16"
        if real.bfloat16_config.enabled
        else "fp16"
        if real.float16_config.enabled
        else "autocast"
        if real.torch_autocast_enabled
        else "fp32"
    )
    assert values(reading, "stage", "precision", "offload_optimizer", "offload_param") == {
        "stage": int(zero.stage),
        "precision": precision,
        "offload_optimizer": _device(zero.offload_optimizer),
        "offload_param": _device(zero.offload_param),
    }
    for term, name in {
        "options.reduce_bucket_size": "reduce_bucket_size",
        "options.sub_group_size": "sub_group_size",
        "options.overlap_comm": "overlap_comm",
        "options.stage3_prefetch_bucket_size": "prefetch_bucket_size",
        "options.stage3_max_live_parameters": "max_live_parameters",
    }.items():
        if term in reading.terms:
            assert reading.terms[term].value == getattr(zero, name)
    for term, name in {
        "micro_batch": "train_micro_batch_size_per_gpu",
        "train_batch": "train_batch_size",
        "accumulation": "gradient_accumulation_steps",
    }.items():
        if term in reading.terms:
            assert reading.terms[term].value == getattr(real, name)


@pytest.mark.parametrize("strategy", ["FULL_SHARD", "shard_grad_op", "3", "4", "_HYBRID_SHARD_ZERO2"])
def test_accelerate_reads_the_same_strategy(strategy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    dataclasses = pytest.importorskip("accelerate.utils.dataclasses")
    monkeypatch.setenv("FSDP_SHARDING_STRATEGY", strategy)
    monkeypatch.setenv("FSDP_VERSION", "1")
    monkeypatch.setenv("FSDP_SYNC_MODULE_STATES", "false")
    real = dataclasses.FullyShardedDataParallelPlugin().sharding_strategy.name.lstrip("_")
    text = f"distributed_type: FSDP\nnum_processes: 4\nfsdp_config:\n  fsdp_sharding_strategy: {strategy}\n"
    assert values(read(text, "acc.yaml"), "strategy") == {"strategy": real}
