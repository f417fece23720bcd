"""LLaMA-Factory's training file: TrainingArguments with argument classes of its own, in one file.

Source: LLaMA-Factory 0.9 `hparams/parser.py`. It is the Trainer of transformers that trains, so the file is
read as its arguments; releases before 0.9.2 load it with PyYAML, later ones with OmegaConf.
"""

from __future__ import annotations

from shardlint.formats.draft import Draft
from shardlint.formats.keys import Keys
from shardlint.formats.values import count, lower, module_names
from shardlint.plan import DERIVED, Fact

STAGES = frozenset({"pt", "sft", "rm", "ppo", "dpo", "kto"})
TELLS = frozenset({"finetuning_type", "template", "cutoff_len", "stage"})
DEFAULT_RANK = 8


def is_llama_factory(keys: Keys) -> bool:
    """Whether these are the keys of a LLaMA-Factory file (releases before v1)."""
    if "finetuning_type" in keys.names or keys.text("stage") in STAGES:
        return True
    return "model_name_or_path" in keys.names and bool(keys.names & {"template", "cutoff_len"})


def state_llama_factory(draft: Draft) -> Fact[str]:
    """The sample length and the adapters, in its own words; says who reads the file."""
    draft.take("sequence_length", count, "cutoff_len")
    entry, kind = draft.entry("finetuning_type"), draft.value(lower, "finetuning_type")
    if entry is not None and isinstance(kind, str):
        draft.state("model.lora", entry, kind == "lora")
    if kind == "lora":
        _adapters(draft)
    origin = f"{draft.view.document.name} is a training file of LLaMA-Factory"
    return Fact("llamafactory", origin, DERIVED)


def _adapters(draft: Draft) -> None:
    if not draft.take("model.lora_rank", count, "lora_rank") and draft.entry("lora_rank") is None:
        draft.default("model.lora_rank", DEFAULT_RANK, "LLaMA-Factory default", "lora_rank")
    draft.take("model.lora_targets", _targets, "lora_target")


def _targets(value: object) -> object:
    """`all` means every linear layer."""
    return "all-linear" if value == "all" else module_names(value)
