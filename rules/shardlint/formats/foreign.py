"""Files of stacks that look like ours by some keys but belong to a program we do not read yet.

A signature here keeps such a file from being taken for one of ours. When a stack gets a format of its
own, its row goes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from shardlint.formats.keys import Keys

SWIFT = frozenset(
    {
        "tuner_type",
        "train_type",
        "sft_type",
        "rlhf_type",
        "split_dataset_ratio",
        "tuner_backend",
        "quant_bits",
    }
)
COMPOSER = frozenset(
    {
        "global_train_batch_size",
        "device_train_microbatch_size",
        "max_duration",
        "train_loader",
        "icl_tasks",
        "device_eval_batch_size",
    }
)
NEMO_RL = frozenset({"dtensor_cfg", "megatron_cfg", "generation", "train_global_batch_size"})
NEOX = frozenset(
    {
        "pipe_parallel_size",
        "model_parallel_size",
        "train_iters",
        "lr_decay_iters",
        "lr_decay_style",
        "eval_iters",
        "tokenizer_type",
        "vocab_file",
        "pos_emb",
        "checkpoint_activations",
        "checkpoint_factor",
        "num_layers",
        "seq_length",
        "global_num_gpus",
        "deepspeed_extra_args",
        "attention_config",
        "use_wandb",
        "hostfile",
    }
)


class Foreign(NamedTuple):
    """A stack and the test of its keys."""

    stack: str
    matches: Callable[[Keys], bool]


def _neox(keys: Keys) -> bool:
    """GPT-NeoX takes dashes for underscores, and splits one job over several files."""
    known = {name.replace("-", "_") for name in keys.names} & NEOX
    return "pipe_parallel_size" in known or len(known) > 1


def _dist_config(keys: Keys) -> bool:
    """The v1 trainer of LLaMA-Factory, which keeps the engine in a section of its own."""
    return keys.is_mapping("dist_config")


def _swift(keys: Keys) -> bool:
    if keys.names & SWIFT:
        return "model_name_or_path" not in keys.names
    return keys.is_scalar("model") and bool(keys.names & {"target_modules", "model_author"})


def _composer(keys: Keys) -> bool:
    inner = keys.below("parameters")
    return any(k.count(COMPOSER) > 0 or keys.is_mapping("composer") for k in (keys, inner))


def _torchtune(keys: Keys) -> bool:
    parts = ("model", "tokenizer", "optimizer", "checkpointer")
    return any("_component_" in keys.below(part).names for part in parts)


def _lightning(keys: Keys) -> bool:
    trainer = keys.below("trainer").names
    return bool(trainer & {"max_epochs", "accelerator", "devices", "num_nodes", "accumulate_grad_batches"})


def _verl(keys: Keys) -> bool:
    return "actor_rollout_ref" in keys.names or keys.text("_target_").startswith("verl.")


def _easy_r1(keys: Keys) -> bool:
    return {"actor", "rollout"} <= keys.below("worker").names


def _nemo_rl(keys: Keys) -> bool:
    return keys.below("policy").count(NEMO_RL) > 0


def _automodel(keys: Keys) -> bool:
    return "recipe" in keys.names and keys.is_mapping("distributed")


def _torchtitan(keys: Keys) -> bool:
    return keys.is_mapping("parallelism") or {"job", "training"} <= keys.names


def _has(name: str) -> Callable[[Keys], bool]:
    def matches(keys: Keys) -> bool:
        return name in keys.names

    return matches


FOREIGN = (
    Foreign("GPT-NeoX", _neox),
    Foreign("axolotl", _has("base_model")),
    Foreign("LLaMA-Factory v1", _dist_config),
    Foreign("ms-swift", _swift),
    Foreign("verl", _verl),
    Foreign("EasyR1", _easy_r1),
    Foreign("NeMo-RL", _nemo_rl),
    Foreign("NeMo Automodel", _automodel),
    Foreign("torchtune", _torchtune),
    Foreign("Composer", _composer),
    Foreign("Lightning", _lightning),
    Foreign("torchtitan", _torchtitan),
    Foreign("ROLL", _has("actor_train")),
    Foreign("Hydra", _has("_target_")),
)


def foreign_stack(keys: Keys) -> str | None:
    """The stack whose file this is, if it is one that we do not read."""
    return next((row.stack for row in FOREIGN if row.matches(keys)), None)
