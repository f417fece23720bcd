"""The keys of a DeepSpeed file that become options of a plan, and what their values must be (0.19.8)."""

from __future__ import annotations

from shardlint.formats.draft import Convert
from shardlint.formats.values import dtype, lax_integer, lax_number, lax_switch, number, switch, word

FILLED_SIZES = frozenset(
    {"reduce_bucket_size", "stage3_prefetch_bucket_size", "stage3_param_persistence_threshold"}
)
"""Sizes that are worked out from the model where they are `auto`: no default counts then."""

ZERO_KNOBS: dict[str, Convert] = {
    **dict.fromkeys(
        (
            "reduce_bucket_size",
            "allgather_bucket_size",
            "sub_group_size",
            "stage3_prefetch_bucket_size",
            "stage3_param_persistence_threshold",
            "stage3_model_persistence_threshold",
            "stage3_max_live_parameters",
            "stage3_max_reuse_distance",
            "stage3_module_granularity_threshold",
            "zero_hpz_partition_size",
            "mics_shard_size",
        ),
        lax_integer,
    ),
    **dict.fromkeys(
        (
            "overlap_comm",
            "contiguous_gradients",
            "reduce_scatter",
            "use_multi_rank_bucket_allreduce",
            "allgather_partitions",
            "compute_grad_norm",
            "load_from_fp32_weights",
            "elastic_checkpoint",
            "ignore_unused_parameters",
            "legacy_stage1",
            "round_robin_gradients",
            "parameter_alignment",
            "zero_quantized_weights",
            "zero_quantized_nontrainable_weights",
            "zero_quantized_gradients",
            "memory_efficient_linear",
            "stage3_gather_16bit_weights_on_model_save",
            "stage3_use_all_reduce_for_fetch_params",
            "stage3_allgather_sequential",
            "save_muon_momentum_buffer_in_memory",
        ),
        lax_switch,
    ),
}
OFFLOAD_KNOBS: dict[str, Convert] = {
    "buffer_count": lax_integer,
    "buffer_size": lax_integer,
    "max_in_cpu": lax_integer,
    "ratio": lax_number,
    "pin_memory": lax_switch,
    "pipeline_read": lax_switch,
    "pipeline_write": lax_switch,
    "fast_init": lax_switch,
    "super_offload": lax_switch,
    "nvme_path": word,
}
TOP_KNOBS: dict[tuple[str, ...], tuple[str, Convert]] = {
    ("gradient_clipping",): ("gradient_clipping", number),
    ("communication_data_type",): ("communication_data_type", dtype),
    ("prescale_gradients",): ("prescale_gradients", switch),
    ("zero_allow_untested_optimizer",): ("zero_allow_untested_optimizer", switch),
    ("zero_force_ds_cpu_optimizer",): ("zero_force_ds_cpu_optimizer", switch),
    ("bf16", "immediate_grad_update"): ("bf16.immediate_grad_update", lax_switch),
    ("bf16", "bf16_master_weights_and_grads"): ("bf16_master_weights_and_grads", lax_switch),
    ("bf16", "bf16_optimizer_states"): ("bf16_optimizer_states", lax_switch),
    ("fp16", "fp16_master_weights_and_grads"): ("fp16_master_weights_and_grads", lax_switch),
    ("fp16", "loss_scale"): ("fp16.loss_scale", lax_number),
    ("fp16", "auto_cast"): ("fp16.auto_cast", lax_switch),
    ("torch_autocast", "dtype"): ("torch_autocast.dtype", dtype),
    ("compile", "deepcompile"): ("compile.deepcompile", lax_switch),
    ("compile", "offload_opt_states"): ("compile.offload_opt_states", lax_switch),
    ("hybrid_engine", "enabled"): ("hybrid_engine.enabled", lax_switch),
    ("activation_checkpointing", "partition_activations"): (
        "activation_checkpointing.partition_activations",
        switch,
    ),
    ("activation_checkpointing", "cpu_checkpointing"): ("activation_checkpointing.cpu_checkpointing", switch),
}
"""Key path -> (option, what the value must be)."""

ZERO_ALIASES = {
    "stage3_prefetch_bucket_size": "prefetch_bucket_size",
    "stage3_param_persistence_threshold": "param_persistence_threshold",
    "stage3_model_persistence_threshold": "model_persistence_threshold",
    "stage3_max_live_parameters": "max_live_parameters",
    "stage3_max_reuse_distance": "max_reuse_distance",
    "stage3_gather_16bit_weights_on_model_save": "gather_16bit_weights_on_model_save",
    "stage3_module_granularity_threshold": "module_granularity_threshold",
    "stage3_use_all_reduce_for_fetch_params": "use_all_reduce_for_fetch_params",
    "stage3_allgather_sequential": "allgather_sequential",
}
"""The second spelling pydantic takes for a key."""
