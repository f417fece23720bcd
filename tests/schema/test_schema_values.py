"""Values as the real readers take them: each line was asked of DeepSpeed 0.19.8 or accelerate 1.15.0."""

from __future__ import annotations

import pytest

from shardlint.schema import check_value, expected, table
from shardlint.syntax.view import Template, Value

DEEPSPEED: list[tuple[str, list[Value], list[Value]]] = [
    (
        "fp16.enabled",
        [True, False, "true", "False", "yes", "off", "1", 0, 1, 1.0],
        [None, "x", "", 2, -1, 1.5, "2", [], {}],
    ),
    (
        "zero_optimization.stage",
        [0, 3, "2", 2.0, True, "2.0", " 2 "],
        [None, "two", "", 1.5, 4, -1, "1e3", [], {}],
    ),
    (
        "zero_optimization.allgather_bucket_size",
        [0, 5e8, "500000000", 2.0, True],
        [None, -1, 1.5, "5e8", "x", 1e20, []],
    ),
    ("zero_optimization.overlap_comm", [None, True, "no", 0], ["x", 2, [], {}]),
    ("zero_optimization.offload_param.device", ["none", "cpu", "nvme"], [None, "CPU", "gpu", True, 0, []]),
    ("zero_optimization.offload_param.nvme_path", [None, "/local_nvme", ""], [True, 1, 1.5, []]),
    ("zero_optimization.offload_optimizer.cpuadam_cores_perc", [0, 0.5, "0.5", 1], [None, 1.5, -0.1, "x"]),
    ("zero_optimization.leaf_module.classes", ["a", ["a"], []], [None, [1], 1, {}]),
    ("zero_optimization.zenflow.select_interval", [1, True, 2.0], [None, "2", 1.5, []]),
    ("fp16.loss_scale", [0, 1.5, "1e3", "2"], [None, True, "x", -1, []]),
    ("fp16.loss_scale_window", [0, 2.0, "2"], [None, True, "x", 1.5, "2.5"]),
    ("gradient_accumulation_steps", [None, 1, 1.5, True], ["2", "x", [], {}, 0, -1, False]),
    ("communication_data_type", [None, "fp16", "BF16"], ["float16", "none", True, 1, []]),
    ("gradient_allreduce_op", ["mean", "SUM"], [None, "avg", 1]),
    ("wall_clock_breakdown", [True, False, 0, 7], [None, "true", 1.5, []]),
    ("optimizer.type", [None, "AdamW", "adamw", "ADAM", "SGD"], ["sgd", "FusedLamb", True, 1]),
    ("optimizer.params.lr", [0, 1e-3, True], [None, "3e-4", [], {}]),
    ("scheduler.type", [None, "WarmupLR", "StepLR"], ["warmuplr", True, []]),
    ("scheduler.params.warmup_num_steps", [1, True], [None, 0, -1, 1.5, "2", []]),
    ("data_types.grad_accum_dtype", [None, "fp32", "torch.bfloat16", "half"], ["float64", True, 1]),
    ("checkpoint.parallel_write.pipeline_stage", [True, False, 0, 1], [None, "true", 2, []]),
    ("checkpoint.tag_validation", ["Warn", "FAIL"], [None, "x", True]),
    ("bf16", [None, {}], [True, 1, "x", []]),
    ("fp16", [{}], [None, True, 1, "x", []]),
    ("expert_parallel", [None, False, {}], [True, "x", [1]]),
    ("comms_logger.prof_ops", [[], ["all_reduce"]], [None, "x", 1, {}]),
    ("compile.passes", [None, [], ["z3"]], ["z3", ["z9"], [1], 1]),
    ("weight_quantization.q_type", ["symmetric"], [None, "sym", 1]),
    ("tensor_parallel.dtype", [], ["torch.bfloat16", None, 1]),
]
ACCELERATE: list[tuple[str, list[Value], list[Value]]] = [
    ("mixed_precision", [None, "no", "BF16", "fp8"], ["fp32", False, 16, []]),
    ("distributed_type", ["FSDP", False, None, 3], ["fsdp", "x"]),
    ("gpu_ids", [None, "all", "0,1"], [0, True, []]),
    ("num_machines", [1, True, 1.5], [None, "2", []]),
    ("fsdp_config.fsdp_offload_params", [True, "yes", 0, "off"], [None, "x", 2, 1.5, []]),
    ("fsdp_config.fsdp_version", [1, "2"], [None, 3, True, 1.5, "x"]),
    ("fsdp_config.fsdp_sharding_strategy", ["FULL_SHARD", "full_shard", 5, "2"], [None, "SHARD", 6, True]),
    ("fsdp_config.fsdp_auto_wrap_policy", [None, "no_wrap"], ["WRAP", 1, True, []]),
    ("fsdp_config.fsdp_backward_prefetch", [None, "NO_PREFETCH", 1], [0, 3, "PRE", True]),
    ("deepspeed_config.zero_stage", [None, 3, "2"], ["x", True, 1.5, 4, -1]),
    ("deepspeed_config.gradient_clipping", [None, 1, "1.0", 0.5, -1], [True, "x", []]),
    ("deepspeed_config.zero3_init_flag", [None, True, "yes"], ["x", 2, []]),
    ("parallelism_config.parallelism_config_tp_size", [1, "2"], [None, 0, -1, 1.5, True, "x"]),
    ("parallelism_config.parallelism_config_cp_size", [1, 2], [None, "2", 0, True, 1.5]),
    ("dynamo_config.dynamo_backend", [None, "inductor", "NO"], [False, "x", 1]),
    ("dynamo_config.dynamo_mode", ["default", "anything"], [None, True, 1]),
]


def _refused(stack: str, path: str, value: Value) -> bool:
    key = table(stack).find(path)
    assert key is not None
    problem = check_value(key, value)
    return problem is not None and problem.refused


@pytest.mark.parametrize(
    ("stack", "path", "value"),
    [("deepspeed", path, value) for path, good, _ in DEEPSPEED for value in good]
    + [("accelerate", path, value) for path, good, _ in ACCELERATE for value in good],
)
def test_a_value_the_framework_takes_is_not_refused(stack: str, path: str, value: Value) -> None:
    assert not _refused(stack, path, value)


@pytest.mark.parametrize(
    ("stack", "path", "value"),
    [("deepspeed", path, value) for path, _, bad in DEEPSPEED for value in bad]
    + [("accelerate", path, value) for path, _, bad in ACCELERATE for value in bad],
)
def test_a_value_the_framework_refuses_is_refused(stack: str, path: str, value: Value) -> None:
    assert _refused(stack, path, value)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("fp16.enabled", "auto"),
        ("fp16.enabled", Template("${FP16}")),
        ("zero_optimization.stage", "auto"),
        ("zero_optimization.offload_param.device", Template("{{ device }}")),
        ("optimizer.params.betas", [Template("$BETA1"), 0.999]),
    ],
)
def test_what_another_program_fills_in_is_never_wrong(path: str, value: Value) -> None:
    key = table("deepspeed").find(path)
    assert key is not None and check_value(key, value) is None


@pytest.mark.parametrize(
    ("path", "value", "kind", "since", "until"),
    [
        ("zero_optimization.reduce_bucket_size", 0, "range", "0.19.6", ""),
        ("zero_optimization.reduce_bucket_size", -1, "range", "", ""),
        ("hybrid_engine.max_out_tokens", 0, "range", "0.19.7", ""),
        ("optimizer.type", "OneBitAdam", "word", "0.19.7", ""),
        ("fp16.loss_scale", True, "type", "0.18.9", ""),
        ("scheduler.params.warmup_num_steps", 100.5, "type", "0.19.3", ""),
        ("scheduler.type", "WarmupCosineLR", "word", "", "0.12.4"),
    ],
)
def test_a_problem_names_the_releases_it_holds_for(
    path: str, value: Value, kind: str, since: str, until: str
) -> None:
    key = table("deepspeed").find(path)
    problem = check_value(key, value) if key else None
    assert problem is not None and (problem.kind, problem.since, problem.until) == (kind, since, until)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("zero_allow_untested_optimizer", "false"),
        ("steps_per_print", "10"),
        ("activation_checkpointing.number_checkpoints", 1.5),
        ("flops_profiler.output_file", ["a"]),
        ("autotuning.tuner_type", "grid"),
        ("expert_parallel.autoep_size", "2"),
    ],
)
def test_what_nothing_checks_is_a_problem_but_no_refusal(path: str, value: Value) -> None:
    key = table("deepspeed").find(path)
    problem = check_value(key, value) if key else None
    assert problem is not None and not problem.refused


@pytest.mark.parametrize(
    ("stack", "path", "words"),
    [
        ("deepspeed", "zero_optimization.offload_param.device", "one of none, cpu, nvme"),
        ("deepspeed", "zero_optimization.reduce_bucket_size", "a whole number above 0"),
        ("deepspeed", "zero_optimization.offload_optimizer.ratio", "a number at least 0 and at most 1"),
        ("deepspeed", "fp16.enabled", "true or false"),
        ("deepspeed", "data_types.keep_in_fp32_modules", '"auto" or a list of text'),
        ("deepspeed", "tensor_parallel.dtype", "nothing a file can hold"),
        ("accelerate", "parallelism_config.parallelism_config_cp_backend", "torch"),
    ],
)
def test_what_is_expected_in_words(stack: str, path: str, words: str) -> None:
    key = table(stack).find(path)
    assert key is not None and expected(key) == words
