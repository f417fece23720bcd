"""What DeepSpeed refuses or ignores because two keys, or a key and a fact, do not go together."""

from __future__ import annotations

from typing import Any

import pytest

from checks.linting import deepspeed, facts, only, told

MICRO = {"train_micro_batch_size_per_gpu": 1}
ADAM = {"type": "AdamW", "params": {"lr": 1e-4}}
BF16 = {"enabled": True}
NEWEST = {"versions__deepspeed": "0.19.8", "consumer": "deepspeed"}
CPU = {"device": "cpu"}
EXPERTS = {"enabled": True, "autoep_size": 2}

Config = dict[str, Any]


def lint(rule: str, config: Config, **stated: Any) -> list[tuple[str, str]]:
    """(key, severity) of each finding of a rule about one DeepSpeed file."""
    top = {**MICRO, **config}
    zero = top.pop("zero_optimization", None)
    files = (
        deepspeed(None, **top)
        if zero is None
        else deepspeed(**{"stage": None, **top, "zero_optimization": zero})
    )
    return [
        (place.removeprefix("ds.json: "), severity)
        for place, severity in told({**files, **facts(**{**NEWEST, **stated})}, rule)
    ]


def zero(stage: Any, **keys: Any) -> Config:
    return {"zero_optimization": {"stage": stage, **keys}}


def sampling(**keys: Any) -> Config:
    return {"data_efficiency": {"enabled": False, "data_sampling": keys}}


def ltd(**keys: Any) -> Config:
    return {"data_efficiency": {"data_routing": {"random_ltd": {"enabled": True, **keys}}}}


def zenflow(stage: int = 2, states: Config | None = CPU, **keys: Any) -> Config:
    return zero(stage, offload_optimizer=states, zenflow=keys)


def schedule(kind: str, **params: Any) -> Config:
    return {"scheduler": {"type": kind, "params": params}}


def optimizer(kind: str, **params: Any) -> Config:
    return {"optimizer": {"type": kind, "params": {"lr": 1e-4, **params}}}


MASTER = "low-precision-master-weights"
MASTERS = {"bf16_master_weights_and_grads": True}
STATES = {**MASTERS, "bf16_optimizer_states": True}
SUM = {"gradient_allreduce_op": "sum"}
PIPELINE = {"code__pipeline_module": True}

REFUSED: list[tuple[str, Config, Config, str]] = [
    (MASTER, {"fp16": {"fp16_master_weights_and_grads": True}}, {}, "fp16.fp16_master_weights_and_grads"),
    (MASTER, {**zero(0), "bf16": MASTERS}, {}, "bf16.bf16_master_weights_and_grads"),
    (MASTER, {**zero(2), "bf16": {"bf16_optimizer_states": True}}, {}, "bf16.bf16_optimizer_states"),
    (MASTER, {**zero(2), "bf16": MASTERS}, {}, "bf16.bf16_master_weights_and_grads"),
    (MASTER, {**zero(2), "bfloat16": MASTERS}, {}, "bfloat16.bf16_master_weights_and_grads"),
    (
        MASTER,
        {**zero(2), "bf16": STATES, "fp16": {"fp16_master_weights_and_grads": True}},
        {},
        "fp16.fp16_master_weights_and_grads",
    ),
    (
        MASTER,
        {**zero(2, offload_optimizer=CPU), "bf16": MASTERS, **optimizer("Adam", torch_adam=True)},
        {},
        "bf16.bf16_master_weights_and_grads",
    ),
    ("param-dtype-against-precision", {"data_types": {"param_dtype": "half"}}, {}, "data_types.param_dtype"),
    (
        "accumulation-dtype-without-zero",
        {"data_types": {"grad_accum_dtype": "bf16"}},
        {},
        "data_types.grad_accum_dtype",
    ),
    (
        "dynamic-loss-scale-out-of-range",
        {"fp16": {"enabled": True, "min_loss_scale": -1}},
        {},
        "fp16.min_loss_scale",
    ),
    (
        "lamb-with-static-loss-scale",
        {**optimizer("LAMB"), "fp16": {"loss_scale": 64}},
        {},
        "fp16.loss_scale",
    ),
    (
        "scaled-gradients-with-reduce-scatter",
        {**zero(2), "prescale_gradients": True, **SUM},
        {"versions__deepspeed": "0.19.5"},
        "prescale_gradients",
    ),
    ("sum-reduction-unsupported", {**zero(3), **SUM}, {}, "gradient_allreduce_op"),
    ("sum-reduction-unsupported", {**zenflow(), **SUM}, {}, "gradient_allreduce_op"),
    ("sum-reduction-unsupported", {"compile": {"deepcompile": True}, **SUM}, {}, "gradient_allreduce_op"),
    (
        "scaled-gradients-with-reduce-scatter",
        {**zero(3), "gradient_predivide_factor": 2},
        {},
        "gradient_predivide_factor",
    ),
    (
        "scaled-gradients-with-reduce-scatter",
        {**zero(2, reduce_scatter=True), "prescale_gradients": True},
        {},
        "prescale_gradients",
    ),
    ("gradient-norm-needed", zero(3, compute_grad_norm=False), {}, "zero_optimization.compute_grad_norm"),
    ("gradient-norm-needed", zero(1, compute_grad_norm=False), {}, "zero_optimization.compute_grad_norm"),
    (
        "gradient-norm-needed",
        {**zero(1, compute_grad_norm=False, offload_optimizer=CPU), "gradient_clipping": 0},
        {},
        "zero_optimization.compute_grad_norm",
    ),
    (
        "gradient-norm-needed",
        {
            **zero(1, compute_grad_norm=False),
            "gradient_clipping": 0,
            "bf16": BF16,
            "data_types": {"grad_accum_dtype": "fp32"},
        },
        {},
        "zero_optimization.compute_grad_norm",
    ),
    (
        "partial-offload-below-stage-3",
        zero(1, offload_optimizer={"ratio": 0.2}),
        {},
        "zero_optimization.offload_optimizer.ratio",
    ),
    (
        "nvme-offload-without-path",
        zero(3, offload_optimizer={"device": "nvme", "nvme_path": None}),
        {},
        "zero_optimization.offload_optimizer",
    ),
    (
        "odd-allgather-bucket",
        zero(1, allgather_bucket_size=3),
        {},
        "zero_optimization.allgather_bucket_size",
    ),
    ("zenflow-prerequisite-missing", zenflow(1, None), {}, "zero_optimization.zenflow"),
    ("zenflow-prerequisite-missing", zenflow(offload=True), {}, "zero_optimization.zenflow.offload"),
    (
        "zenflow-interval-conflict",
        zenflow(select_interval=3),
        {},
        "zero_optimization.zenflow.select_interval",
    ),
    ("zenflow-interval-conflict", zenflow(select_strategy="epoch"), {}, "zero_optimization.zenflow"),
    (
        "zenflow-interval-conflict",
        zenflow(select_strategy="step", select_interval=2, update_interval=4),
        {},
        "zero_optimization.zenflow.select_interval",
    ),
    (
        "quantized-gradients-without-reduce-scatter",
        zero(3, zero_quantized_gradients=True, reduce_scatter=False),
        {},
        "zero_optimization.reduce_scatter",
    ),
    ("muon-with-reduce-scatter", {**zero(3), **optimizer("muon")}, {}, "zero_optimization"),
    (
        "unmanaged-accumulation-conflict",
        {"managed_gradient_accumulation": False, "compile": {"deepcompile": True}},
        {},
        "managed_gradient_accumulation",
    ),
    (
        "unmanaged-accumulation-conflict",
        {"managed_gradient_accumulation": False},
        PIPELINE,
        "managed_gradient_accumulation",
    ),
    ("legacy-stage-1", zero(1, legacy_stage1=True), {}, "zero_optimization.legacy_stage1"),
    (
        "expert-parallel-size",
        {"expert_parallel": {**EXPERTS, "expert_tensor_parallel_size": 2}},
        {},
        "expert_parallel.expert_tensor_parallel_size",
    ),
    (
        "expert-parallel-size",
        {"expert_parallel": {"enabled": True, "autoep_size": 16}},
        {"world_size": 8},
        "expert_parallel.autoep_size",
    ),
    (
        "expert-parallel-conflict",
        {"expert_parallel": EXPERTS, "tensor_parallel": {"autotp_size": 2}, **zero(1, offload_optimizer=CPU)},
        {},
        "zero_optimization.offload_optimizer",
    ),
    (
        "expert-parallel-conflict",
        {"expert_parallel": {**EXPERTS, "num_limited_groups": 4, "num_expert_groups": 2}},
        {},
        "expert_parallel.num_limited_groups",
    ),
    (
        "expert-parallel-conflict",
        {"expert_parallel": {**EXPERTS, "gate_up_impl": "fused", "use_grouped_mm": False}},
        {},
        "expert_parallel.gate_up_impl",
    ),
    (
        "expert-parallel-value",
        {"expert_parallel": {**EXPERTS, "preset_model": "mixtrall"}},
        {},
        "expert_parallel.preset_model",
    ),
    (
        "expert-parallel-value",
        {"expert_parallel": {**EXPERTS, "comm_num_sm": 0}},
        {},
        "expert_parallel.comm_num_sm",
    ),
    (
        "tensor-parallel-size-mismatch",
        {"tensor_parallel": {"autotp_size": 2, "tensor_parallel": {"tp_size": 8}}},
        {},
        "tensor_parallel.tensor_parallel.tp_size",
    ),
    (
        "autotp-with-stage-3",
        {**zero(3), "tensor_parallel": {"autotp_size": 2}},
        {"versions__deepspeed": "0.19.3"},
        "zero_optimization.stage",
    ),
    (
        "data-efficiency-key-missing",
        sampling(curriculum_learning={"enabled": True}),
        {},
        "data_efficiency.data_sampling.curriculum_learning",
    ),
    (
        "data-efficiency-key-missing",
        ltd(total_layer_num=4, random_ltd_layer_num=2),
        {},
        "data_efficiency.data_routing.random_ltd",
    ),
    ("amsgrad-unsupported", optimizer("Lamb", amsgrad=True), {}, "optimizer.params.amsgrad"),
    ("unknown-optimizer-argument", optimizer("SGD", betas=[0.9, 0.9]), {}, "optimizer.params.betas"),
    (
        "pipeline-setting-conflict",
        {"pipeline": {"grad_partitioned": 1}},
        PIPELINE,
        "pipeline.grad_partitioned",
    ),
]


@pytest.mark.parametrize(("rule", "config", "stated", "key"), REFUSED)
def test_what_the_newest_release_refuses_is_an_error(
    rule: str, config: Config, stated: Config, key: str
) -> None:
    assert lint(rule, config, **stated) == [(key, "error")]


ACCEPTED: list[tuple[str, Config, Config]] = [
    (MASTER, {**zero(2), "bf16": STATES}, {}),
    (MASTER, {**zero(2, offload_optimizer=CPU), "bf16": MASTERS}, {}),
    (MASTER, {**zero("${STAGE}"), "bf16": MASTERS}, {}),
    (MASTER, {**zero(0), "bf16": MASTERS}, {"versions__deepspeed": "0.16.9"}),
    ("param-dtype-against-precision", {"data_types": {"param_dtype": "fp32"}}, {}),
    (
        "param-dtype-against-precision",
        {"data_types": {"param_dtype": "bf16"}, "bf16": {"enabled": "auto"}},
        {"consumer": "hf-trainer"},
    ),
    ("accumulation-dtype-without-zero", {**zero(1), "data_types": {"grad_accum_dtype": "bf16"}}, {}),
    (
        "accumulation-dtype-without-zero",
        {"bf16": BF16, "data_types": {"grad_accum_dtype": "fp32"}},
        {"versions__deepspeed": "0.16.9"},
    ),
    (
        "dynamic-loss-scale-out-of-range",
        {"fp16": {"enabled": True, "loss_scale": 8, "min_loss_scale": 0}},
        {},
    ),
    ("dynamic-loss-scale-out-of-range", {"fp16": {"loss_scale_window": 0}}, {}),
    ("lamb-with-static-loss-scale", {**optimizer("Adam"), "fp16": {"loss_scale": 64}}, {}),
    ("sum-reduction-unsupported", {**zero(3), **SUM}, {"versions__deepspeed": "0.19.5"}),
    ("scaled-gradients-with-reduce-scatter", {**zero(1), "prescale_gradients": True}, {}),
    ("scaled-gradients-with-reduce-scatter", {**zero(2), "prescale_gradients": True, **SUM}, {}),
    ("gradient-norm-needed", {**zero(1, compute_grad_norm=False), "gradient_clipping": "auto"}, {}),
    ("partial-offload-below-stage-3", zero(2, offload_optimizer={"ratio": 1.0}), {}),
    ("nvme-offload-without-path", zero(2, offload_optimizer={"device": "nvme"}), {}),
    ("odd-allgather-bucket", zero(3, allgather_bucket_size=3), {}),
    ("zenflow-prerequisite-missing", zenflow(3, None), {}),
    ("zenflow-interval-conflict", zenflow(select_strategy="step", select_interval=4, update_interval=4), {}),
    (
        "quantized-gradients-without-reduce-scatter",
        zero(2, zero_quantized_gradients=True, reduce_scatter=False),
        {},
    ),
    ("muon-with-reduce-scatter", {**zero(2), **optimizer("muon")}, {}),
    (
        "unmanaged-accumulation-conflict",
        {"managed_gradient_accumulation": False, **zero(3, overlap_comm=True)},
        {},
    ),
    ("legacy-stage-1", zero(1, legacy_stage1=False), {}),
    ("expert-parallel-size", {"expert_parallel": {"enabled": True, "autoep_size": 3}}, {}),
    (
        "expert-parallel-conflict",
        {"expert_parallel": {**EXPERTS, "enabled": False, "comm_backend": "deepep"}},
        {},
    ),
    ("expert-parallel-value", {"expert_parallel": {"enabled": False, "comm_num_sm": 0}}, {}),
    ("tensor-parallel-size-mismatch", {"tensor_parallel": {"autotp_size": 0, "tp": {"tp_size": 4}}}, {}),
    ("autotp-with-stage-3", {**zero(3), "tensor_parallel": {"autotp_size": 2}}, {}),
    ("data-efficiency-key-missing", sampling(dynamic_batching={"enabled": False}), {}),
    ("amsgrad-unsupported", optimizer("AdamW", amsgrad=True, torch_adam=True), {}),
    ("unknown-optimizer-argument", optimizer("SGD", momentum=0.9, nesterov=True), {}),
    ("unknown-optimizer-argument", optimizer("NAdam", momentum_decay=0.9), {}),
    ("pipeline-setting-conflict", {"pipeline": {"grad_partitioned": 1}}, {}),
    ("batch-counted-by-tensor-ranks", {"tensor_parallel": {"autotp_size": 1}}, {}),
    ("deepcompile-conflict", {"compile": {"deepcompile": True, "passes": ["autotp"]}, **zero(1)}, {}),
    ("fractional-batch", {"sequence_parallel_size": 2, "data_parallel_size": 4}, {"world_size": 8}),
    ("bytes-for-elements", zero(2, reduce_bucket_size=500_000_000), {}),
    ("key-idle-at-stage", zero(2, stage3_prefetch_bucket_size="auto"), {}),
    ("key-idle-at-stage", zero(2, sub_group_size=1_000_000_000, stage3_max_live_parameters=1e9), {}),
    ("key-idle-at-stage", zero(0, stage3_max_live_parameters=1), {}),
    (
        "warmup-longer-than-training",
        schedule("WarmupDecayLR", warmup_num_steps="auto", total_num_steps=10),
        {},
    ),
    ("adam-runs-adamw", optimizer("Adam", weight_decay=0.1, adam_w_mode=False), {}),
    ("checkpointing-enabled-by-section", {"datastates_ckpt": {"host_cache_size": 16}}, {}),
]


@pytest.mark.parametrize(("rule", "config", "stated"), ACCEPTED)
def test_near_it_nothing_is_said(rule: str, config: Config, stated: Config) -> None:
    assert lint(rule, config, **stated) == []


IDLE = "key-idle-at-stage"
COMPILE = {"deepcompile": True, "offload_opt_states": True}
TOLD: list[tuple[str, Config, Config, str, str]] = [
    (
        IDLE,
        zero(2, stage3_max_live_parameters=1),
        {},
        "zero_optimization.stage3_max_live_parameters",
        "info",
    ),
    (IDLE, zero(1, zero_quantized_weights=True), {}, "zero_optimization.zero_quantized_weights", "warning"),
    (IDLE, zero(3, elastic_checkpoint=True), {}, "zero_optimization.elastic_checkpoint", "warning"),
    (
        "batch-counted-by-tensor-ranks",
        {"tensor_parallel": {"autotp_size": 4}},
        {},
        "tensor_parallel.autotp_size",
        "info",
    ),
    ("deepcompile-conflict", {"compile": {"deepcompile": True}}, {}, "compile.deepcompile", "warning"),
    (
        "deepcompile-conflict",
        {**zero(1), "compile": {"deepcompile": True, "passes": ["autotp", "z1"]}},
        {},
        "compile.passes",
        "warning",
    ),
    (
        "deepcompile-conflict",
        {**zero(3, offload_optimizer=CPU), "compile": COMPILE},
        {},
        "compile.offload_opt_states",
        "warning",
    ),
    (
        "deepcompile-conflict",
        {**zero(3), "compile": {"autoep_non_moe": True}},
        {},
        "compile.autoep_non_moe",
        "warning",
    ),
    (
        "fractional-batch",
        {"train_micro_batch_size_per_gpu": 1.5},
        {},
        "train_micro_batch_size_per_gpu",
        "warning",
    ),
    (
        "fractional-batch",
        {"sequence_parallel_size": 2, "data_parallel_size": 3},
        {"world_size": 8},
        "sequence_parallel_size",
        "warning",
    ),
    (
        "data-efficiency-key-missing",
        sampling(
            curriculum_learning={"enabled": True, "curriculum_metrics": {"seqlen": {"min_difficulty": 8}}}
        ),
        {},
        "data_efficiency.data_sampling.curriculum_learning.curriculum_metrics.seqlen",
        "warning",
    ),
    (
        "bytes-for-elements",
        zero(2, allgather_bucket_size=2**30),
        {},
        "zero_optimization.allgather_bucket_size",
        "info",
    ),
    (
        "warmup-longer-than-training",
        schedule("WarmupCosineLR", total_num_steps=10),
        {},
        "scheduler.params",
        "warning",
    ),
    ("adam-runs-adamw", optimizer("Adam", weight_decay=0.1), {}, "optimizer.type", "info"),
    ("checkpointing-enabled-by-section", {"datastates_ckpt": {}}, {}, "datastates_ckpt", "warning"),
    (
        "pipeline-setting-conflict",
        {**zero(1, overlap_comm=True), "bf16": BF16},
        PIPELINE,
        "zero_optimization.overlap_comm",
        "warning",
    ),
    ("pipeline-setting-conflict", {"bf16": BF16}, PIPELINE, "bf16.enabled", "warning"),
    (
        "zenflow-interval-conflict",
        {**zenflow(update_interval=4), "gradient_accumulation_steps": 8},
        {},
        "zero_optimization.zenflow.update_interval",
        "warning",
    ),
]


@pytest.mark.parametrize(("rule", "config", "stated", "key", "severity"), TOLD)
def test_what_runs_otherwise_than_written_is_told(
    rule: str, config: Config, stated: Config, key: str, severity: str
) -> None:
    assert lint(rule, config, **stated) == [(key, severity)]


@pytest.mark.parametrize("stated", [{"versions__deepspeed": ">=0.19.0"}, {"consumer": "custom"}])
def test_what_some_release_or_reader_may_take_is_a_warning(stated: Config) -> None:
    config = {**zero(3), **SUM}
    assert lint("sum-reduction-unsupported", config, **stated) == [("gradient_allreduce_op", "warning")]


def test_a_config_inside_training_arguments() -> None:
    text = (
        "output_dir: out\nper_device_train_batch_size: 1\nnum_train_epochs: 1\ndeepspeed:\n"
        "  train_micro_batch_size_per_gpu: 1\n  gradient_allreduce_op: sum\n"
        "  zero_optimization:\n    stage: 3\n"
    )
    files = {"train.yaml": text, **facts(versions__deepspeed="0.19.8")}
    assert told(files, "sum-reduction-unsupported") == [
        ("train.yaml: deepspeed.gradient_allreduce_op", "error")
    ]


def test_the_samples_of_a_tensor_group_are_counted_once() -> None:
    files = deepspeed(2, train_batch_size=64, tensor_parallel={"autotp_size": 4})
    assert only(files, "batch-counted-by-tensor-ranks").message == (
        "train_batch_size counts each sample 4 times, because the 4 ranks of a tensor group (autotp_size) "
        "read the same ones: 16 different samples a step instead of 64"
    )
