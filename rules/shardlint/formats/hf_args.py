"""Generic Hugging Face TrainingArguments in a YAML or JSON file: example scripts, TRL, recipes.

Sources: transformers 4.36 to 5.24 `training_args.py` and `HfArgumentParser`, TRL `ModelConfig`. Every key
of the file is also a term `training_args.<key>`, because scripts add argument classes of their own.
"""

from __future__ import annotations

from shardlint.formats.deepspeed import state_deepspeed
from shardlint.formats.dialects import dialect_for
from shardlint.formats.draft import Convert, Draft, is_section
from shardlint.formats.fsdp import is_on, state_fsdp
from shardlint.formats.keys import Keys
from shardlint.formats.llama_factory import TELLS, is_llama_factory, state_llama_factory
from shardlint.formats.reading import Reading, is_open
from shardlint.formats.values import (
    count,
    dtype,
    integer,
    lax_number,
    lax_switch,
    lower,
    module_names,
    number,
    plain,
    switch,
    word,
)
from shardlint.plan import DERIVED, Fact
from shardlint.syntax.document import Document
from shardlint.syntax.tree import Mapping, Sequence
from shardlint.syntax.view import Dialect, Entry, View, follow

ORIGIN = "Trainer default"

MARKS = frozenset(
    {
        "per_device_train_batch_size",
        "per_device_eval_batch_size",
        "auto_find_batch_size",
        "lr_scheduler_type",
        "num_train_epochs",
        "gradient_checkpointing",
        "gradient_checkpointing_kwargs",
        "evaluation_strategy",
        "eval_strategy",
        "save_strategy",
        "logging_strategy",
        "ddp_find_unused_parameters",
        "load_best_model_at_end",
        "hub_model_id",
    }
)
"""Names only TrainingArguments has."""

COMMON = MARKS | {
    "gradient_accumulation_steps",
    "learning_rate",
    "weight_decay",
    "adam_beta1",
    "adam_beta2",
    "adam_epsilon",
    "max_grad_norm",
    "max_steps",
    "warmup_ratio",
    "warmup_steps",
    "logging_steps",
    "save_steps",
    "eval_steps",
    "save_total_limit",
    "output_dir",
    "overwrite_output_dir",
    "report_to",
    "do_train",
    "do_eval",
    "bf16",
    "fp16",
    "tf32",
    "bf16_full_eval",
    "fp16_full_eval",
    "optim",
    "optim_args",
    "deepspeed",
    "fsdp",
    "fsdp_config",
    "ddp_timeout",
    "dataloader_num_workers",
    "remove_unused_columns",
    "push_to_hub",
    "group_by_length",
    "torch_compile",
    "use_liger_kernel",
    "dataset_name",
    "dataset_mixer",
    "dataset_mixture",
    "use_peft",
}
ENGINES = frozenset({"deepspeed", "fsdp"})
WRITTEN_BY_A_RUN = frozenset({"log_history", "global_step", "best_metric", "is_world_process_zero"})
"""Keys of trainer_state.json, which repeats some arguments."""

TYPES: dict[str, Convert] = {
    **dict.fromkeys(
        (
            "per_device_train_batch_size",
            "per_device_eval_batch_size",
            "gradient_accumulation_steps",
            "max_steps",
            "num_generations",
            "generation_batch_size",
            "steps_per_generation",
            "max_length",
            "max_seq_length",
            "max_prompt_length",
            "max_completion_length",
            "lora_r",
            "ddp_timeout",
            "torch_empty_cache_steps",
        ),
        integer,
    ),
    **dict.fromkeys(
        (
            "learning_rate",
            "weight_decay",
            "adam_beta1",
            "adam_beta2",
            "adam_epsilon",
            "max_grad_norm",
            "warmup_steps",
            "warmup_ratio",
            "num_train_epochs",
        ),
        lax_number,
    ),
    **dict.fromkeys(
        (
            "bf16",
            "fp16",
            "tf32",
            "bf16_full_eval",
            "fp16_full_eval",
            "gradient_checkpointing",
            "activation_checkpointing",
            "auto_find_batch_size",
            "use_cpu",
            "torch_compile",
            "save_only_model",
            "load_best_model_at_end",
            "load_in_4bit",
            "load_in_8bit",
            "use_peft",
            "use_liger_kernel",
            "use_vllm",
            "adafactor",
        ),
        switch,
    ),
    **dict.fromkeys(("optim", "lr_scheduler_type", "optim_args", "half_precision_backend"), word),
}
"""What the value of an argument must be; any scalar or list is taken for the others."""

DEFAULTS = (
    ("micro_batch", 8, "per_device_train_batch_size"),
    ("accumulation", 1, "gradient_accumulation_steps"),
    ("checkpointing", False, "gradient_checkpointing"),
    ("optimizer", "adamw_torch", "optim"),
)
SEQUENCE_KEYS = ("max_seq_length", "max_length", "model_max_length", "block_size")
LOAD_KEYS = ("torch_dtype", "dtype", "model_dtype")
LORA_SWITCHES = ("use_peft", "use_lora")
LORA_DEFAULT_RANK = 16
HUB_ID_SLASHES = 1
"""A name with more slashes is no hub id."""


class HfArgsFormat:
    """TrainingArguments, with whatever argument classes the script adds."""

    name = "hf-args"
    schema = "hf-args"
    rank = 40
    tells = MARKS | ENGINES | TELLS | {"model_name_or_path"}

    def matches(self, document: Document) -> bool:
        keys = Keys.of(document)
        if is_llama_factory(keys):
            return True
        if keys.names & WRITTEN_BY_A_RUN or keys.is_mapping("bf16") or keys.is_mapping("fp16"):
            return False
        known = keys.count(COMMON)
        if "per_device_train_batch_size" in keys.names:
            return known > 1
        if "model_name_or_path" in keys.names:
            return known - ("fsdp_config" in keys.names) > 0
        if keys.names & ENGINES:
            return known > 2 and not keys.is_list("deepspeed")
        return known > 4 and keys.count(MARKS) > 1

    def read(self, document: Document, dialect: Dialect | None = None) -> Reading:
        from shardlint.syntax.dialects.strict_json import STRICT_JSON

        draft = Draft(View(document, dialect or dialect_for(document, STRICT_JSON)))
        state_arguments(draft)
        if is_llama_factory(Keys.of(document)):
            return draft.reading(self, state_llama_factory(draft))
        _lora(draft)
        if is_path(draft.value(word, "accelerate_config")):
            draft.refer("accelerate", "accelerate_config")
        return draft.reading(self, Fact("hf-trainer", f"{document.name} holds TrainingArguments", DERIVED))


FORMAT = HfArgsFormat()


def state_arguments(draft: Draft) -> None:
    """What TrainingArguments say of a run, with the Trainer's defaults, and the model's name and dtype."""
    _arguments(draft)
    _batch(draft)
    _engine(draft)
    _precision(draft)
    _model(draft)
    for term, value, key in DEFAULTS:
        if draft.entry(key) is None:
            draft.default(term, value, ORIGIN, key)


def _arguments(draft: Draft) -> None:
    for entry in draft.view.entries():
        if not is_section(draft.view, entry.name) and not _holds_sections(entry):
            draft.take(f"training_args.{entry.name}", TYPES.get(entry.name, plain), entry.name)


def _holds_sections(entry: Entry) -> bool:
    """Whether a value is a list of sections: data sources, which are no argument and may be long."""
    node = follow(entry.node)
    return isinstance(node, Sequence) and any(isinstance(follow(item), Mapping) for item in node.items)


def _batch(draft: Draft) -> None:
    draft.take("micro_batch", count, "per_device_train_batch_size")
    draft.take("accumulation", count, "gradient_accumulation_steps")
    draft.take("tensor", count, "tp_size")
    draft.take("options.gradient_clipping", number, "max_grad_norm")
    draft.take("optimizer", lower, "optim")
    _optimizer_arguments(draft)
    for key in ("gradient_checkpointing", "activation_checkpointing"):
        draft.take("checkpointing", switch, key)
    _sequence(draft)


def _optimizer_arguments(draft: Draft) -> None:
    """`optim_args: momentum=0.9,amsgrad=true` as options of the optimizer."""
    entry, text = draft.entry("optim_args"), draft.value(word, "optim_args")
    if entry is None or not isinstance(text, str):
        return
    for part in text.split(","):
        name, _, written = part.partition("=")
        numeric = lax_number(written)
        value = lax_switch(written) if numeric is None else numeric
        if name.strip() and value is not None:
            draft.state(f"options.optimizer.{name.strip()}", entry, value)


def _sequence(draft: Draft) -> None:
    """The stated length of a sample; for a policy that generates, prompt plus completion."""
    for key in SEQUENCE_KEYS:
        if draft.take("sequence_length", count, key):
            return
    prompt, completion = (draft.value(count, f"max_{part}_length") for part in ("prompt", "completion"))
    entry = draft.entry("max_completion_length")
    if isinstance(prompt, int) and isinstance(completion, int) and entry is not None:
        draft.state("sequence_length", entry, prompt + completion)


def _engine(draft: Draft) -> None:
    """The engine the file names. Both named is refused, so nothing is stated beyond the references."""
    deepspeed = draft.entry("deepspeed")
    named = deepspeed is not None and bool(deepspeed.value) and not is_open(deepspeed.value)
    if named and deepspeed is not None and not is_on(draft, "fsdp"):
        draft.state("framework", deepspeed, "deepspeed")
        if is_section(draft.view, "deepspeed"):
            state_deepspeed(draft, "deepspeed")
    if deepspeed is not None and not _is_json(deepspeed):
        draft.refer("deepspeed", "deepspeed")
    if not named and is_on(draft, "fsdp"):
        state_fsdp(draft, ("fsdp",), ("fsdp_config",))
    config = draft.entry("fsdp_config")
    if config is not None and not _is_json(config):
        draft.refer("fsdp", "fsdp_config")


def _is_json(entry: Entry) -> bool:
    """A config written into the argument as JSON text."""
    return isinstance(entry.value, str) and entry.value.lstrip().startswith("{")


def _precision(draft: Draft) -> None:
    """bf16 or fp16 where true; fp32 a default the launcher's file may still change."""
    states = {name: draft.value(switch, name) for name in ("bf16", "fp16")}
    on = [name for name, state in states.items() if state is True]
    entry = draft.entry(on[0]) if on else None
    if len(on) == 1 and entry is not None:
        draft.state("precision", entry, on[0])
    elif not on and all(draft.entry(name) is None or states[name] is False for name in states):
        draft.default("precision", "fp32", ORIGIN, "bf16")


def _model(draft: Draft) -> None:
    draft.take("model.name", word, "model_name_or_path")
    if is_path(draft.value(word, "model_name_or_path")):
        draft.refer("model", "model_name_or_path")
    for key in LOAD_KEYS:
        draft.take("load_dtype", dtype, key)


def is_path(value: object) -> bool:
    """Text that can only be a path: by its start, a config suffix, or more slashes than a hub id has."""
    if not isinstance(value, str):
        return False
    return (
        value.startswith(("/", "./", "../", "~"))
        or value in (".", "..")
        or value.endswith((".yaml", ".yml", ".json"))
        or value.count("/") > HUB_ID_SLASHES
        or "\\" in value
    )


def _lora(draft: Draft) -> None:
    """LoRA facts, where the file switches it on: TRL ignores lora_* without use_peft."""
    for key in LORA_SWITCHES:
        draft.take("model.lora", switch, key)
    if not (fact := draft.terms.get("model.lora")) or fact.value is not True:
        return
    if not draft.take("model.lora_rank", count, "lora_r") and draft.entry("lora_r") is None:
        draft.default("model.lora_rank", LORA_DEFAULT_RANK, "TRL default", "lora_r")
    draft.take("model.lora_targets", module_names, "lora_target_modules")
