"""Merge what the files of a job state in the stacks' order of precedence; settings fill the gaps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from shardlint.formats.reading import Reading
from shardlint.plan import GIVEN, Fact
from shardlint.settings import Settings

Terms = dict[str, Fact[object]]

PRECEDENCE = ("deepspeed", "hf-args", "fsdp", "accelerate", "hostfile", "model-config")
"""DeepSpeed's own file decides over the TrainingArguments it is filled from, those over the launcher's."""

NEVER_DISAGREE = frozenset({"framework", "strategy", "reshard"})
"""Terms several files of one job name in their own way: the first one speaks for the job."""


def merge(readings: Iterable[Reading]) -> Terms:
    """One fact a term. A stated value beats a default; stated values that differ are kept in `against`."""
    merged: Terms = {}
    for reading in sorted(readings, key=_rank):
        for term, fact in reading.terms.items():
            merged[term] = _joined(term, merged[term], fact) if term in merged else fact
    return merged


def _rank(reading: Reading) -> int:
    name = reading.format.name
    return PRECEDENCE.index(name) if name in PRECEDENCE else len(PRECEDENCE)


def _joined(term: str, first: Fact[object], second: Fact[object]) -> Fact[object]:
    if first.standing != GIVEN or not first.known:
        return second if second.standing == GIVEN or not first.known else first
    if second.standing != GIVEN or second.value == first.value or term in NEVER_DISAGREE:
        return first
    return first.disagreeing(second)


def fill(terms: Terms, settings: Settings) -> Terms:
    """Settings fill in what files leave open; a flag overrides; one that differs is kept in `against`."""
    filled = dict(terms)
    for term, names in SETTINGS.items():
        for name in names:
            fact = settings.fact(name)
            if fact.known:
                filled[term] = _settled(filled.get(term), fact, settings.given_by_flag(name))
                break
    precision = _precision(settings)
    if precision.known:
        filled["precision"] = _settled(filled.get("precision"), precision, False)
    return filled


SETTINGS: Mapping[str, tuple[str, ...]] = {
    "world": ("world_size", "launch.num_processes"),
    "nodes": ("nodes",),
    "gpus_per_node": ("gpus_per_node",),
    "micro_batch": ("micro_batch_size", "training_args.per_device_train_batch_size"),
    "accumulation": ("training_args.gradient_accumulation_steps",),
    "tensor": ("parallel.tensor",),
    "pipeline": ("parallel.pipeline", "code.pipeline_stages"),
    "context": ("parallel.context",),
    "sequence": ("parallel.sequence",),
    "expert": ("parallel.expert",),
    "replicate": ("parallel.replicate",),
    "sequence_length": ("sequence_length",),
    "checkpointing": ("gradient_checkpointing", "training_args.gradient_checkpointing"),
    "load_dtype": ("model.load_dtype",),
    "optimizer": ("code.optimizer", "training_args.optim"),
}
"""The settings that fill a term, most telling first."""


def _settled(stated: Fact[object] | None, setting: Fact[object], by_flag: bool) -> Fact[object]:
    if stated is None or stated.standing != GIVEN or not stated.known or by_flag:
        return setting
    return stated if stated.value == setting.value else stated.disagreeing(setting)


def _precision(settings: Settings) -> Fact[object]:
    switches = {word: settings.fact(f"training_args.{word}") for word in ("bf16", "fp16")}
    for word, fact in switches.items():
        if fact.value is True:
            return fact.meaning(word)
    off = next((fact for fact in switches.values() if fact.value is False), None)
    return off.meaning("fp32") if off else Fact()
