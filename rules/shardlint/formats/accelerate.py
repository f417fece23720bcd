"""The file `accelerate launch --config_file` takes: YAML, or JSON.

Sources: accelerate 1.15 `commands/config/config_args.py`, `commands/launch.py`, `utils/launch.py`,
`utils/dataclasses.py`; each key's versions are in the accelerate key table.
"""

from __future__ import annotations

from shardlint.formats.dialects import dialect_for
from shardlint.formats.draft import Convert, Draft
from shardlint.formats.fsdp import STRATEGIES
from shardlint.formats.keys import Keys
from shardlint.formats.reading import Reading, Reference, given
from shardlint.formats.values import (
    lax_count,
    lax_integer,
    lax_number,
    lax_switch,
    lower,
    offload_device,
    scalar,
    upper,
    word,
)
from shardlint.plan import DERIVED, Fact
from shardlint.syntax.document import Document
from shardlint.syntax.view import Dialect, View

ORIGIN = "accelerate default"

BESIDE = frozenset(
    {
        "compute_environment",
        "num_processes",
        "num_machines",
        "mixed_precision",
        "fsdp_config",
        "deepspeed_config",
    }
)
"""One of these stands beside `distributed_type` in every file `accelerate config` ever wrote."""

OWN = frozenset(
    {
        "compute_environment",
        "downcast_bf16",
        "main_training_function",
        "machine_rank",
        "num_processes",
        "num_machines",
        "main_process_ip",
        "main_process_port",
        "rdzv_backend",
        "same_network",
        "tpu_use_cluster",
        "tpu_use_sudo",
        "tpu_env",
        "mixed_precision",
        "use_cpu",
        "deepspeed_config",
        "fsdp_config",
        "megatron_lm_config",
        "dynamo_config",
        "parallelism_config",
    }
)
ENOUGH_OWN = 4
"""Own keys that show the file even without its required `distributed_type`."""

ENVIRONMENTS = ("LOCAL_MACHINE", "AMAZON_SAGEMAKER")
"""Words for `compute_environment` that no other program has: one shows the file by itself."""

FRAMEWORKS = {
    "NO": "single",
    "DEEPSPEED": "deepspeed",
    "MEGATRON_LM": "megatron",
    **{
        f"MULTI_{device}": "ddp"
        for device in ("CPU", "GPU", "NPU", "MLU", "SDAA", "MUSA", "XPU", "HPU", "NEURON")
    },
}
PRECISIONS = {"no": "fp32", "fp16": "fp16", "bf16": "bf16", "fp8": "fp8"}

FSDP_KNOBS: dict[str, Convert] = {
    "fsdp_use_orig_params": lax_switch,
    "fsdp_sync_module_states": lax_switch,
    "fsdp_cpu_ram_efficient_loading": lax_switch,
    "fsdp_forward_prefetch": lax_switch,
    "fsdp_offload_params": lax_switch,
    "fsdp_activation_checkpointing": lax_switch,
    "fsdp_activation_checkpointing_offload": lax_switch,
    "fsdp_backward_prefetch": upper,
    "fsdp_state_dict_type": upper,
    "fsdp_min_num_params": lax_number,
    "fsdp_transformer_layer_cls_to_wrap": word,
}
FSDP_DEFAULTS = {
    "fsdp_cpu_ram_efficient_loading": (True, True),
    "fsdp_use_orig_params": (True, None),
    "fsdp_sync_module_states": (True, None),
    "fsdp_state_dict_type": ("FULL_STATE_DICT", "SHARDED_STATE_DICT"),
}
"""What the launcher exports for an absent key, under version 1 and 2; None where it has no effect."""
PARALLELISM = {
    "parallelism_config_tp_size": "tensor",
    "parallelism_config_cp_size": "context",
    "parallelism_config_sp_size": "sequence",
    "parallelism_config_dp_shard_size": "shard",
    "parallelism_config_dp_replicate_size": "replicate",
}
MEGATRON = {
    "megatron_lm_tp_degree": "tensor",
    "megatron_lm_pp_degree": "pipeline",
    "megatron_lm_context_parallel_size": "context",
    "megatron_lm_expert_model_parallel_size": "expert",
}


class AccelerateFormat:
    """An accelerate launcher config, for a machine of one's own or for SageMaker."""

    name = "accelerate"
    schema = "accelerate"
    rank = 10
    tells = frozenset({"distributed_type"}) | OWN

    def matches(self, document: Document) -> bool:
        keys = Keys.of(document)
        if "distributed_type" in keys.names and not keys.is_mapping("distributed_type"):
            return bool(keys.names & BESIDE)
        return keys.text("compute_environment") in ENVIRONMENTS or keys.count(OWN) >= ENOUGH_OWN

    def read(self, document: Document, dialect: Dialect | None = None) -> Reading:
        from shardlint.syntax.dialects.strict_json import STRICT_JSON

        draft = Draft(View(document, dialect or dialect_for(document, STRICT_JSON)))
        kind = _kind(draft)
        _ranks(draft, kind)
        _precision(draft)
        if kind == "DEEPSPEED":
            _deepspeed(draft)
        elif kind == "FSDP":
            _fsdp(draft)
        elif kind == "MEGATRON_LM":
            _megatron(draft)
        if kind in ("DEEPSPEED", "FSDP") or kind.startswith("MULTI_"):
            _parallelism(draft)
        origin = f"{document.name} is a config of accelerate launch"
        return draft.reading(self, Fact("accelerate", origin, DERIVED))


FORMAT = AccelerateFormat()


def _kind(draft: Draft) -> str:
    """distributed_type as accelerate takes it; an unquoted NO arrives as false. Empty where unknown.

    On SageMaker the word means something else, and the machines are rented by another key.
    """
    entry = draft.entry("distributed_type")
    if draft.value(word, "compute_environment") == "AMAZON_SAGEMAKER":
        return ""
    kind = "" if entry is None else "NO" if entry.value is False else word(entry.value) or ""
    if entry is not None and kind in FRAMEWORKS:
        draft.state("framework", entry, FRAMEWORKS[kind])
    return kind


def _ranks(draft: Draft, kind: str) -> None:
    """num_processes counts all machines, each of which starts as many; distributed_type NO starts one process
    whatever it says."""
    entry = draft.entry("distributed_type")
    if kind == "NO" and entry is not None:
        draft.state("world", entry, 1)
    elif draft.value(word, "compute_environment") != "AMAZON_SAGEMAKER":
        draft.take("world", lax_count, "num_processes")
        _drop_rest(draft)
    draft.take("nodes", lax_count, "num_machines")


def _drop_rest(draft: Draft) -> None:
    """The launcher starts num_processes // num_machines on each machine."""
    total, machines = draft.value(lax_count, "num_processes"), draft.value(lax_count, "num_machines")
    if not isinstance(total, int) or not isinstance(machines, int) or total % machines == 0:
        return
    each = total // machines
    origin = f"{each} processes on each of {machines} machines ({draft.terms['world'].origin})"
    draft.terms["world"] = Fact(each * machines or None, origin, DERIVED, draft.place("num_processes"))


def _precision(draft: Draft) -> None:
    """mixed_precision; an unquoted no (false) stops the launcher, so it states nothing."""
    entry = draft.entry("mixed_precision")
    if entry is None or entry.value is None:
        draft.default("precision", "fp32", ORIGIN, "mixed_precision")
    else:
        draft.take("precision", _precision_word, "mixed_precision")


def _precision_word(value: object) -> str | None:
    return PRECISIONS.get(lower(value) or "")


def _deepspeed(draft: Draft) -> None:
    """The keys of the DeepSpeed block. With a DeepSpeed file of its own no default of the block applies."""
    section = "deepspeed_config"
    linked = _refers(draft)
    draft.refer("hostfile", section, "deepspeed_hostfile")
    draft.take("stage", _stage, section, "zero_stage")
    draft.take("offload_optimizer", offload_device, section, "offload_optimizer_device")
    draft.take("offload_param", offload_device, section, "offload_param_device")
    draft.take("accumulation", lax_count, section, "gradient_accumulation_steps")
    draft.take("options.gradient_clipping", lax_number, section, "gradient_clipping")
    draft.take("options.zero3_init_flag", lax_switch, section, "zero3_init_flag")
    draft.take("options.zero3_save_16bit_model", lax_switch, section, "zero3_save_16bit_model")
    draft.take("options.deepspeed_moe_layer_cls_names", word, section, "deepspeed_moe_layer_cls_names")
    if linked:
        return
    for term, value, key in (
        ("stage", 2, "zero_stage"),
        ("offload_optimizer", "none", "offload_optimizer_device"),
        ("offload_param", "none", "offload_param_device"),
    ):
        if _unset(draft, section, key):
            draft.default(term, value, ORIGIN, section, key)


def _refers(draft: Draft) -> bool:
    """Whether the block names a DeepSpeed file: any text does, blanks included, but the word none, which is
    the launcher's own way to say that there is none; auto and the empty text are names like others."""
    entry = draft.entry("deepspeed_config", "deepspeed_config_file")
    if entry is None or entry.value in (None, "none"):
        return False
    if isinstance(entry.value, str):
        draft.references.append(Reference("deepspeed", entry.value, entry))
    return True


def _stage(value: object) -> int | None:
    found = lax_integer(value)
    return found if found in (0, 1, 2, 3) and not isinstance(value, bool) else None


def _unset(draft: Draft, *path: str) -> bool:
    """The key is absent or null, so that the launcher's own default applies."""
    entry = draft.entry(*path)
    return entry is None or entry.value is None


def _fsdp(draft: Draft) -> None:
    version = _version(draft)
    if version == 1:
        _strategy(draft)
    elif version == 2:
        _reshard(draft)
    offload = _key(draft, "offload_params")
    if not _unset(draft, *offload):
        for term in ("offload_param", "offload_optimizer"):
            draft.take(term, _offload, *offload)
    else:
        for term in ("offload_param", "offload_optimizer"):
            draft.default(term, "none", ORIGIN, *offload)
    policy = _key(draft, "auto_wrap_policy")
    if _unset(draft, *policy):
        draft.default("wrap", "NO_WRAP", ORIGIN, *policy)
    else:
        draft.take("wrap", upper, *policy)
    draft.take("checkpointing", lax_switch, *_key(draft, "activation_checkpointing"))
    for name, convert in FSDP_KNOBS.items():
        draft.take(f"options.{name}", convert, *_key(draft, name.removeprefix("fsdp_")))
    for name, defaults in FSDP_DEFAULTS.items():
        path = _key(draft, name.removeprefix("fsdp_"))
        value = defaults[version - 1] if version is not None else None
        if value is not None and _unset(draft, *path):
            draft.default(f"options.{name}", value, ORIGIN, *path)


def _key(draft: Draft, name: str) -> tuple[str, ...]:
    """A key of fsdp_config; the launcher adds a missing `fsdp_` itself."""
    short = ("fsdp_config", name)
    return short if draft.entry(*short) is not None else ("fsdp_config", f"fsdp_{name}")


def _version(draft: Draft) -> int | None:
    """FSDP 1 where fsdp_version is absent, 2 where it says so, else unknown."""
    kind, path = draft.entry("distributed_type"), _key(draft, "version")
    stated = draft.entry(*path)
    if stated is None or stated.value is None:
        if kind is not None:
            draft.state("framework", kind, "fsdp1")
        return 1
    version = draft.value(lax_integer, *path)
    if version not in (1, 2):
        return None
    draft.state("framework", stated, f"fsdp{version}")
    return 2 if version == 2 else 1


def _strategy(draft: Draft) -> None:
    """FSDP 1 reads fsdp_sharding_strategy only: the launcher exports FULL_SHARD where it is absent."""
    path = _key(draft, "sharding_strategy")
    if _unset(draft, *path):
        draft.default("strategy", "FULL_SHARD", ORIGIN, *path)
    else:
        draft.take("strategy", _strategy_name, *path)


def _strategy_name(value: object) -> str | None:
    """A name in any case, with or without the underscore of torch, or its number 1 to 5."""
    found = str(value).strip().upper().removeprefix("_") if isinstance(value, str | int) else ""
    numbered = {str(at): name for at, name in enumerate(STRATEGIES, 1)}
    found = numbered.get(found, found)
    return found if found in STRATEGIES else None


def _reshard(draft: Draft) -> None:
    path = _key(draft, "reshard_after_forward")
    if _unset(draft, *path):
        draft.default("reshard", True, ORIGIN, *path)
    else:
        draft.take("reshard", lax_switch, *path)


def _offload(value: object) -> str | None:
    found = lax_switch(value)
    return None if found is None else "cpu" if found else "none"


def _parallelism(draft: Draft) -> None:
    for key, term in PARALLELISM.items():
        draft.take_open(term, lax_count, "parallelism_config", key)


def _megatron(draft: Draft) -> None:
    for key, term in MEGATRON.items():
        draft.take(term, lax_count, "megatron_lm_config", key)
    for entry in draft.view.entries("megatron_lm_config"):
        value = scalar(entry.value)
        if value is not None and value != "auto":
            draft.terms.setdefault(f"options.{entry.name}", given(draft.view.document, entry, value))
