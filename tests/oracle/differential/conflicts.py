"""Keys that do not go together, and keys that releases took away or brought: data for two mutation kinds."""

from __future__ import annotations

from typing import Any, NamedTuple

from oracle.differential.texts import Pairs, Raw


class Conflict(NamedTuple):
    """Values that are put side by side, one drawn of each list, and keys that are taken away first.

    Some drawings clash and some do not: the framework decides.
    """

    name: str
    values: dict[str, list[Any]]
    without: tuple[str, ...] = ()


TB, MB, GAS = "train_batch_size", "train_micro_batch_size_per_gpu", "gradient_accumulation_steps"
ZERO = "zero_optimization"
STAGES = [0, 1, 2, 3]
CPU = Pairs([["device", "cpu"]])
NVME = Pairs([["device", "nvme"]])
ADAMW = Pairs([["type", "AdamW"], ["params", Pairs([["lr", 0.0001]])]])
METRICS = Pairs([["seqlen", Pairs([["min_difficulty", 8], ["max_difficulty", 64]])]])
CURRICULUM = "data_efficiency.data_sampling.curriculum_learning"
BATCHING = "data_efficiency.data_sampling.dynamic_batching"
BATCHES = [8, 16, 24, 32, 48, 64, 96, 100, 7]
FEW = [1, 2, 3, 4, 6, 8]


def _optimizer(kind: str, **params: Any) -> Pairs:
    return Pairs([["type", kind], ["params", Pairs([["lr", 0.001], *([k, v] for k, v in params.items())])]])


def _scheduler(kind: str, **params: Any) -> Pairs:
    return Pairs([["type", kind], ["params", Pairs([k, v] for k, v in params.items())]])


DEEPSPEED = [
    Conflict("both half precisions", {"fp16.enabled": [True, False], "bf16.enabled": [True, True, False]}),
    Conflict("batch triangle", {TB: BATCHES, MB: FEW, GAS: FEW}),
    Conflict("batch without micro batch", {TB: BATCHES, GAS: FEW}, (MB,)),
    Conflict("batch without accumulation", {TB: BATCHES, MB: FEW}, (GAS,)),
    Conflict("total batch alone", {TB: [1, 2, 3, 4, 5, 6, 9, 12, *BATCHES]}, (MB, GAS)),
    Conflict("accumulation alone", {GAS: [*FEW, 16, 32, 64, 128, 12, 24]}, (MB, TB)),
    Conflict(
        "fp16 master weights", {"fp16.fp16_master_weights_and_grads": [True, False], f"{ZERO}.stage": STAGES}
    ),
    Conflict(
        "bf16 master weights", {"bf16.bf16_master_weights_and_grads": [True, False], f"{ZERO}.stage": STAGES}
    ),
    Conflict(
        "bf16 states",
        {
            "bf16.bf16_optimizer_states": [True, True, False],
            "bf16.bf16_master_weights_and_grads": [True, False],
            f"{ZERO}.stage": STAGES,
        },
    ),
    Conflict("gradient norm", {f"{ZERO}.compute_grad_norm": [False], f"{ZERO}.stage": STAGES}),
    Conflict(
        "gradient norm and clipping",
        {f"{ZERO}.compute_grad_norm": [False], "gradient_clipping": [0.0, 1.0], f"{ZERO}.stage": [1, 2]},
    ),
    Conflict(
        "offload ratio",
        {
            f"{ZERO}.offload_optimizer.device": ["cpu"],
            f"{ZERO}.offload_optimizer.ratio": [0.3, 0.5, 1.0, 1, 0],
            f"{ZERO}.stage": STAGES,
        },
    ),
    Conflict(
        "old and new optimizer offload",
        {f"{ZERO}.cpu_offload": [True, False], f"{ZERO}.offload_optimizer": [CPU]},
    ),
    Conflict(
        "old and new parameter offload",
        {f"{ZERO}.cpu_offload_param": [True, False], f"{ZERO}.offload_param": [CPU]},
    ),
    Conflict(
        "old and new gathering",
        {
            f"{ZERO}.stage3_gather_fp16_weights_on_model_save": [True, False],
            f"{ZERO}.stage3_gather_16bit_weights_on_model_save": [True, False],
        },
    ),
    *(
        Conflict(
            f"two spellings of {name}",
            {f"{ZERO}.stage3_{name}": [value], f"{ZERO}.{name}": [value, value // 2]},
        )
        for name, value in (
            ("prefetch_bucket_size", 50000000),
            ("param_persistence_threshold", 100000),
            ("max_live_parameters", 1000000),
            ("max_reuse_distance", 1000000),
        )
    ),
    Conflict("summed gradients", {"gradient_allreduce_op": ["sum", "SUM", "mean"], f"{ZERO}.stage": STAGES}),
    Conflict(
        "summed gradients and compile",
        {"gradient_allreduce_op": ["sum"], "compile.deepcompile": [True, False]},
    ),
    Conflict(
        "dynamic loss scale",
        {
            "fp16.enabled": [True, False],
            "bf16.enabled": [False],
            "fp16.loss_scale": [0, 128, 0.0],
            "fp16.loss_scale_window": [0, -5, 500],
            "fp16.min_loss_scale": [0, 1, -1],
        },
    ),
    Conflict("bf16 under two names", {"bf16.enabled": [True, False], "bfloat16.enabled": [True, "maybe"]}),
    Conflict(
        "curriculum without metrics",
        {f"{CURRICULUM}.enabled": [True, False]},
        (f"{CURRICULUM}.curriculum_metrics",),
    ),
    Conflict(
        "curriculum with metrics",
        {f"{CURRICULUM}.enabled": [True], f"{CURRICULUM}.curriculum_metrics": [METRICS]},
    ),
    Conflict(
        "batches of tokens without a number",
        {f"{BATCHING}.enabled": [True, False]},
        (f"{BATCHING}.max_tokens",),
    ),
    Conflict("sequence parallel batch", {"sequence_parallel_size": [1, 2, 4], TB: BATCHES, MB: FEW}, (GAS,)),
    Conflict(
        "mesh",
        {"sequence_parallel_size": [1, 2, 4], "data_parallel_size": [1, 2, 4], TB: BATCHES, MB: FEW},
        (GAS,),
    ),
    Conflict("bool for zero", {ZERO: [True, False], "allgather_size": [500000000]}),
    Conflict("nvme without a path", {f"{ZERO}.offload_param": [NVME, CPU], f"{ZERO}.stage": [3, 2]}),
    Conflict(
        "optimizer nvme without a path", {f"{ZERO}.offload_optimizer": [NVME, CPU], f"{ZERO}.stage": [3]}
    ),
    Conflict("no optimizer", {f"{ZERO}.stage": STAGES}, ("optimizer", "scheduler")),
    Conflict(
        "untested optimizer",
        {
            "optimizer": [
                _optimizer(kind) for kind in ("SGD", "Lamb", "Adagrad", "RMSprop", "Lion", "NAdam")
            ],
            "zero_allow_untested_optimizer": [True, False],
            f"{ZERO}.stage": STAGES,
        },
    ),
    Conflict(
        "prescaled gradients",
        {"prescale_gradients": [True], f"{ZERO}.reduce_scatter": [True, False], f"{ZERO}.stage": STAGES},
    ),
    Conflict(
        "predivided gradients",
        {
            "gradient_predivide_factor": [2.0, 1.0],
            f"{ZERO}.reduce_scatter": [True, False],
            f"{ZERO}.stage": STAGES,
        },
    ),
    Conflict(
        "unmanaged accumulation",
        {
            "managed_gradient_accumulation": [False],
            f"{ZERO}.overlap_comm": [True, False],
            f"{ZERO}.stage": STAGES,
        },
    ),
    Conflict(
        "accumulation dtype",
        {"data_types.grad_accum_dtype": ["fp32", "bf16", "fp16", "float16"], f"{ZERO}.stage": STAGES},
    ),
    Conflict(
        "parameter dtype",
        {
            "data_types.param_dtype": ["fp32", "bf16", "fp16"],
            "bf16.enabled": [True, False],
            "fp16.enabled": [False],
        },
    ),
    Conflict(
        "secondary shards", {f"{ZERO}.zero_hpz_partition_size": [2, 3, 4, 5, 8, 16], f"{ZERO}.stage": [3, 2]}
    ),
    Conflict(
        "lamb and a fixed scale",
        {"optimizer": [_optimizer("Lamb"), _optimizer("lamb")], "fp16.loss_scale": [0, 64]},
    ),
    Conflict(
        "amsgrad",
        {
            "optimizer": [
                _optimizer(kind, amsgrad=on) for kind in ("Adam", "AdamW", "adamw") for on in (True, False)
            ]
        },
    ),
    Conflict(
        "norm in the optimizer",
        {"optimizer": [_optimizer("AdamW", max_grad_norm=n) for n in (1.0, 0, 0.5, -1)]},
    ),
    Conflict(
        "stray optimizer argument",
        {"optimizer": [_optimizer("Adam", momentum=0.9), _optimizer("SGD", betas=[0.9, 0.99])]},
    ),
    Conflict("odd bucket", {f"{ZERO}.allgather_bucket_size": [5000001, 5000000, 1], f"{ZERO}.stage": STAGES}),
    Conflict("old stage 1", {f"{ZERO}.legacy_stage1": [True], f"{ZERO}.stage": STAGES}),
    Conflict("log level", {"log_level": ["debug", "loud", "INFO", "warn", "warning", "trace"]}),
    Conflict(
        "warm-up",
        {
            "scheduler": [
                _scheduler("WarmupLR", warmup_num_steps=steps) for steps in (0, 1, 100, 1e2, 2.5, -3)
            ]
            + [
                _scheduler("WarmupDecayLR", warmup_num_steps=10),
                _scheduler("WarmupCosineLR", total_num_steps=100),
            ]
        },
    ),
    Conflict(
        "scheduler",
        {
            "scheduler": [
                _scheduler("warmuplr"),
                _scheduler("CosineAnnealingLR", T_max=10),
                _scheduler("OneCycle", cycle_min_lr=0.1),
                _scheduler("LinearWarmup", steps=3),
                _scheduler("LRRangeTest", lr_range_test_step_size=0),
                _scheduler("WarmupLR", total_num_steps=3),
                Pairs([["type", "WarmupLR"]]),
                Pairs([["params", Pairs()]]),
            ]
        },
    ),
    Conflict(
        "tensor parallel sizes",
        {"tensor_parallel.autotp_size": [1, 2], "tensor_parallel.tensor_parallel.tp_size": [1, 2, 4]},
    ),
    Conflict(
        "zenflow without offload",
        {f"{ZERO}.zenflow": [Pairs([["topk_ratio", 0.1]])], f"{ZERO}.stage": STAGES},
    ),
    Conflict(
        "zenflow intervals",
        {
            f"{ZERO}.zenflow": [
                Pairs([["select_strategy", word], ["select_interval", often], ["update_interval", update]])
                for word in ("auto", "step", "epoch")
                for often in ("auto", 1, 10)
                for update in ("auto", 4)
            ],
            f"{ZERO}.offload_optimizer": [CPU],
            f"{ZERO}.stage": [2],
        },
    ),
    Conflict(
        "expert parallel",
        {"expert_parallel.enabled": [True], "expert_parallel.load_balance_coeff": [None, 0.1]},
    ),
]

REMOVED: dict[str, list[Any]] = {
    "nebula": [Pairs([["enabled", False]])],
    "compression_training": [Pairs(), Pairs([["layer_reduction", Pairs([["enabled", False]])]])],
    "quantize_training": [Pairs([["enabled", False]])],
    "sparse_attention": [Pairs([["mode", "dense"], ["block", 16]])],
    "amp": [Pairs([["enabled", False]]), Pairs([["enabled", False], ["opt_level", "O1"]])],
    "sparse_gradients": [False, True],
    "eigenvalue": [Pairs([["enabled", False]])],
    "elasticity": [Pairs([["enabled", False]])],
    "graph_harvesting": [False, True],
    "curriculum_learning": [Pairs([["enabled", False]])],
    "progressive_layer_drop": [Pairs([["enabled", False]]), Pairs([["enabled", True], ["theta", 0.5]])],
    "zero_optimization.mics_shard_size": [-1, 4],
    "zero_optimization.mics_hierarchical_params_gather": [False, True],
    "zero_optimization.zeropp_loco_param": [Pairs([["err_beta", 0.8], ["reset_T", 1024]])],
    "compile.backend": ["inductor"],
    "compile.enabled": [True, False],
    "aio.thread_count": [1, 4],
    "zero_optimization.legacy_stage1": [False],
    "optimizer": [_optimizer(kind) for kind in ("OneBitAdam", "ZeroOneAdam", "OneBitLamb")],
    "gradient_allreduce_op": ["mean"],
    "compile.passes": [["z1"], ["z3"]],
    "bf16.bf16_master_weights_and_grads": [False],
    "zero_optimization.leaf_module": [Pairs([["names", []]])],
    "hybrid_engine.enable_cuda_graph": [False],
    "zero_optimization.offload_optimizer.super_offload": [False],
    "zero_optimization.enable_sanity_checks": [False],
}
"""Keys that came or went between the releases that are asked, with values they take or took."""

REMOVED_ACCELERATE: dict[str, list[Any]] = {
    "ipex_config": [Pairs([["ipex", False]]), Pairs()],
    "tp_config": [Pairs([["tp_size", 2]]), Pairs()],
    "parallelism_config": [Pairs(), Pairs([["parallelism_config_dp_replicate_size", 1]])],
    "use_xpu": [True, False],
    "fp16": [True, False],
    "distributed_type": ["TPU", "TP", "MULTI_NEURON", "MULTI_HPU", "MULTI_SDAA", "MULTI_MUSA", "MULTI_XPU"],
    "dynamo_config.dynamo_backend": [
        "IPEX",
        "NVFUSER",
        "AOT_NVFUSER",
        "FX2TRT",
        "HPU_BACKEND",
        "NEURON",
        "TVM",
    ],
    "dynamo_backend": ["INDUCTOR", "NO", "IPEX", "NVFUSER", "NEURON"],
    "fsdp_config.fsdp_backward_prefetch_policy": ["BACKWARD_PRE"],
    "fsdp_config.fsdp_activation_checkpointing_offload": [False, True],
    "fsdp_config.fsdp_ignored_modules": ["lm_head"],
    "mpirun_config": [Pairs([["mpirun_ccl", "1"]]), Pairs()],
    "fp8_config": [Pairs([["backend", "TE"]]), Pairs()],
    "tpu_vm": [["a"], []],
}

CORES = "deepspeed_config"
NOT_BESIDE_A_FILE = (
    "mixed_precision",
    *(
        f"{CORES}.{name}"
        for name in (
            "gradient_accumulation_steps",
            "gradient_clipping",
            "zero_stage",
            "offload_optimizer_device",
            "offload_param_device",
            "offload_optimizer_nvme_path",
            "offload_param_nvme_path",
            "zero3_save_16bit_model",
        )
    ),
)
FSDP = "fsdp_config"
SIZES = "parallelism_config.parallelism_config_"
FILES = ["ds_zero3.json", "ds_zero2.json"]

ACCELERATE = [
    *(
        Conflict(
            f"file and {field}",
            {f"{CORES}.deepspeed_config_file": FILES, f"{CORES}.{field}": values},
            NOT_BESIDE_A_FILE,
        )
        for field, values in {
            "gradient_accumulation_steps": [1, 4],
            "gradient_clipping": [1.0, 0.5],
            "zero_stage": [2, 3],
            "offload_optimizer_device": ["none", "cpu"],
            "offload_param_device": ["none", "cpu"],
            "offload_optimizer_nvme_path": ["/nvme"],
            "zero3_save_16bit_model": [True, False],
            "zero3_init_flag": [True, False],
            "deepspeed_multinode_launcher": ["standard"],
            "deepspeed_hostfile": ["hosts"],
        }.items()
    ),
    Conflict(
        "file and precision",
        {f"{CORES}.deepspeed_config_file": FILES, "mixed_precision": ["no", "fp16", "bf16", None]},
    ),
    Conflict(
        "missing file", {f"{CORES}.deepspeed_config_file": ["ds_zero5.json", "configs/ds.json", *FILES]}
    ),
    Conflict(
        "loading on one rank",
        {
            f"{FSDP}.fsdp_cpu_ram_efficient_loading": [True, False, "false"],
            f"{FSDP}.fsdp_sync_module_states": [True, False],
            f"{FSDP}.fsdp_version": [1, 2],
        },
    ),
    Conflict(
        "not synchronised",
        {f"{FSDP}.fsdp_sync_module_states": [False, True, "false"]},
        (f"{FSDP}.fsdp_cpu_ram_efficient_loading",),
    ),
    Conflict(
        "resharding",
        {
            f"{FSDP}.fsdp_reshard_after_forward": [True, False, "FULL_SHARD", 4],
            f"{FSDP}.fsdp_version": [1, 2],
        },
    ),
    Conflict(
        "strategy",
        {
            f"{FSDP}.fsdp_sharding_strategy": ["FULL_SHARD", "HYBRID_SHARD", "ZERO3", 1, 6, "full_shard"],
            f"{FSDP}.fsdp_version": [1, 2],
        },
    ),
    Conflict(
        "state dict",
        {
            f"{FSDP}.fsdp_state_dict_type": ["LOCAL_STATE_DICT", "FULL_STATE_DICT", "sharded_state_dict", 2],
            f"{FSDP}.fsdp_version": [1, 2],
        },
    ),
    Conflict(
        "checkpointed offload",
        {
            f"{FSDP}.fsdp_activation_checkpointing_offload": [True, False],
            f"{FSDP}.fsdp_activation_checkpointing": [True, False],
            f"{FSDP}.fsdp_version": [1, 2],
        },
    ),
    Conflict(
        "units by size",
        {
            f"{FSDP}.fsdp_auto_wrap_policy": ["SIZE_BASED_WRAP", "TRANSFORMER_BASED_WRAP"],
            f"{FSDP}.fsdp_min_num_params": [Raw("1e8"), Raw("1.0e+8"), 100000000, "many", Raw("1_000_000")],
        },
    ),
    Conflict(
        "product of degrees",
        {
            f"{SIZES}dp_shard_size": [1, 2, 4, 8],
            f"{SIZES}tp_size": [1, 2, 4],
            f"{SIZES}cp_size": [1, 2],
            "num_processes": [8, 16],
        },
    ),
    Conflict("context and sequence", {f"{SIZES}cp_size": [1, 2], f"{SIZES}sp_size": [1, 2]}),
    Conflict(
        "replicas without shards",
        {
            f"{SIZES}dp_replicate_size": [2, 4],
            f"{SIZES}dp_shard_size": [1, 2],
            f"{SIZES}tp_size": [1, 2],
            "num_processes": [8],
        },
    ),
    Conflict(
        "only replicas",
        {f"{SIZES}dp_replicate_size": [8], f"{SIZES}dp_shard_size": [1], "num_processes": [8]},
        (f"{SIZES}tp_size", f"{SIZES}cp_size"),
    ),
    Conflict(
        "one GPU",
        {"gpu_ids": ["0", "0,1", "all", 0, "3"], "num_machines": [1, 2], "main_process_ip": ["10.0.0.1"]},
    ),
    Conflict("machines", {"num_machines": [2, 3, 4], "num_processes": [8, 7, 1, "8"]}),
    Conflict(
        "machines without an address", {"num_machines": [2, 3]}, ("main_process_ip", "main_process_port")
    ),
    Conflict(
        "many processes of one",
        {"distributed_type": ["NO", Raw("NO"), Raw("no")], "num_processes": [1, 4, 8]},
    ),
    Conflict("no number of processes", {"machine_rank": [0, 1]}, ("num_processes",)),
    Conflict(
        "fp8 and loading",
        {
            "mixed_precision": ["fp8"],
            "fp8_config.backend": ["AO", "TE", "MSAMP"],
            f"{FSDP}.fsdp_cpu_ram_efficient_loading": [True, False],
        },
    ),
    Conflict(
        "fp8 library and stage",
        {
            "mixed_precision": ["fp8"],
            "fp8_config.backend": ["MSAMP", "TE"],
            "fp8_config.opt_level": ["O1", "O3"],
            f"{CORES}.zero_stage": [2, 3],
        },
    ),
    Conflict("two precisions", {"fp16": [True, False], "mixed_precision": ["bf16", "fp16", "no"]}),
    Conflict(
        "two compilers",
        {
            "dynamo_backend": ["INDUCTOR", "NO", "EAGER"],
            "dynamo_config.dynamo_backend": ["INDUCTOR", "nothing"],
        },
    ),
    Conflict("version under two names", {f"{FSDP}.fsdp_version": [1, 2], f"{FSDP}.version": [1, 2, 3]}),
    Conflict(
        "launcher",
        {
            f"{CORES}.deepspeed_multinode_launcher": ["pdsh", "standard", "nossh", "ssh"],
            "num_machines": [1, 2],
            "main_process_ip": ["10.0.0.1"],
            "main_process_port": [29500],
        },
    ),
    Conflict(
        "other kind",
        {"distributed_type": ["FSDP", "DEEPSPEED", "MULTI_GPU", "NO", "MEGATRON_LM", "fsdp", "DDP"]},
    ),
]

CONFLICTS = {"deepspeed": DEEPSPEED, "accelerate": ACCELERATE}
CAME_AND_WENT = {"deepspeed": REMOVED, "accelerate": REMOVED_ACCELERATE}
