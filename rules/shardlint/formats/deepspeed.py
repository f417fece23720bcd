"""DeepSpeed's own config: JSON or hjson, and YAML or TOML with the same keys.

Keys, defaults and coercions are those of DeepSpeed 0.19.8 (`runtime/config.py`, `runtime/zero/config.py`,
`runtime/precision_config.py`). The strict sections are pydantic models in lax mode: they take "3", 3.0
and "true"; the top level is plain Python and does not.
"""

from __future__ import annotations

from shardlint.formats.deepspeed_knobs import FILLED_SIZES, OFFLOAD_KNOBS, TOP_KNOBS, ZERO_ALIASES, ZERO_KNOBS
from shardlint.formats.dialects import dialect_for
from shardlint.formats.draft import Draft, is_section
from shardlint.formats.keys import Keys
from shardlint.formats.reading import Reading
from shardlint.formats.values import (
    count,
    dtype,
    integer,
    lax_integer,
    lax_switch,
    offload_device,
    plain,
    switch,
    word,
)
from shardlint.plan import ASSUMED, Fact
from shardlint.report import value_place
from shardlint.syntax.document import Document
from shardlint.syntax.tree import Mapping
from shardlint.syntax.view import Dialect, View

ORIGIN = "DeepSpeed default"

STRONG = frozenset(
    {
        "zero_optimization",
        "train_micro_batch_size_per_gpu",
        "steps_per_print",
        "wall_clock_breakdown",
        "prescale_gradients",
        "gradient_predivide_factor",
        "zero_allow_untested_optimizer",
        "zero_force_ds_cpu_optimizer",
        "communication_data_type",
        "flops_profiler",
        "comms_logger",
        "csv_monitor",
        "torch_autocast",
        "data_efficiency",
        "compression_training",
        "quantize_training",
        "sparse_attention",
        "progressive_layer_drop",
        "hybrid_engine",
        "activation_checkpointing",
        "offload_optimizer",
        "offload_param",
        "overlap_comm",
        "contiguous_gradients",
        "reduce_bucket_size",
        "allgather_bucket_size",
        "stage3_param_persistence_threshold",
        "stage3_max_live_parameters",
        "stage3_prefetch_bucket_size",
        "stage3_gather_16bit_weights_on_model_save",
    }
)
WEAK = frozenset(
    {
        "train_batch_size",
        "gradient_accumulation_steps",
        "gradient_clipping",
        "optimizer",
        "scheduler",
        "tensorboard",
        "wandb",
        "aio",
        "autotuning",
        "amp",
        "checkpoint",
        "data_types",
        "tensor_parallel",
        "compile",
        "elasticity",
        "eigenvalue",
        "curriculum_learning",
        "sparse_gradients",
        "dump_state",
        "disable_allgather",
        "dataloader_drop_last",
        "sequence_parallel_size",
    }
)
PRECISION_SECTIONS = ("fp16", "bf16", "bfloat16")
SECTION_TELLS = frozenset({"enabled", "loss_scale", "initial_scale_power", "auto_cast"})


class DeepSpeedFormat:
    """A DeepSpeed config that stands in a file of its own."""

    name = "deepspeed"
    schema = "deepspeed"
    rank = 20
    tells = STRONG | {"zero_opt", *PRECISION_SECTIONS}

    def matches(self, document: Document) -> bool:
        keys = Keys.of(document)
        if _has_zero_section(keys) or "train_micro_batch_size_per_gpu" in keys.names:
            return True
        strong = keys.count(STRONG) + len(_precision_sections(keys))
        misspelt = any(name.startswith("zero_opt") and keys.is_mapping(name) for name in keys.names)
        strong += misspelt
        return strong > 0 and strong + keys.count(WEAK) > 1 and "model_name_or_path" not in keys.names

    def read(self, document: Document, dialect: Dialect | None = None) -> Reading:
        from shardlint.syntax.dialects.hjson import HJSON

        draft = Draft(View(document, dialect or dialect_for(document, HJSON)))
        draft.terms["framework"] = Fact("deepspeed", document.name)
        state_deepspeed(draft)
        return draft.reading(self, _consumer(draft))


FORMAT = DeepSpeedFormat()


def state_deepspeed(draft: Draft, *base: str) -> None:
    """The terms of a DeepSpeed config under `base`: the root of a file, or a key of another one."""
    _batch(draft, base)
    _stage(draft, base)
    _offload(draft, base, "offload_optimizer", "cpu_offload")
    _offload(draft, base, "offload_param", "cpu_offload_param")
    _precision(draft, base)
    _degrees(draft, base)
    _optimizer(draft, base)
    draft.take("accum_dtype", dtype, *base, "data_types", "grad_accum_dtype")
    _knobs(draft, base)


def _knobs(draft: Draft, base: tuple[str, ...]) -> None:
    top = draft.names(*base)
    for path, (option, convert) in TOP_KNOBS.items():
        if path[0] in top:
            draft.take(f"options.{option}", convert, *base, *path)
    zero = draft.names(*base, "zero_optimization")
    for key, convert in ZERO_KNOBS.items():
        for spelling in (key, ZERO_ALIASES.get(key, "")):
            if spelling in zero:
                take = draft.take_open if key in FILLED_SIZES else draft.take
                take(f"options.{key}", convert, *base, "zero_optimization", spelling)


def _has_zero_section(keys: Keys) -> bool:
    """A mapping, a bool (the old short form), or the key waits for what is being typed."""
    if "zero_optimization" not in keys.names:
        return False
    return keys.is_mapping("zero_optimization") or keys.text("zero_optimization").lower() in (
        "",
        "true",
        "false",
        "null",
        "0",
        "1",
        "2",
        "3",
    )


def _precision_sections(keys: Keys) -> list[str]:
    return [name for name in PRECISION_SECTIONS if name in keys.names and _is_precision(keys, name)]


def _is_precision(keys: Keys, name: str) -> bool:
    """A mapping with a key of the section, or nothing where one was meant: beside an optimizer that has a
    type, as only DeepSpeed writes it."""
    inner = keys.below(name)
    empty = keys.text(name).lower() in ("null", "auto") or (keys.is_mapping(name) and not inner.names)
    return inner.count(SECTION_TELLS) > 0 or (empty and "type" in keys.below("optimizer").names)


def _batch(draft: Draft, base: tuple[str, ...]) -> None:
    """The batch triangle; accumulation is 1 where only one of the other two keys is there, and stated."""
    micro = draft.take("micro_batch", count, *base, "train_micro_batch_size_per_gpu")
    batch = draft.take("train_batch", count, *base, "train_batch_size")
    draft.take("accumulation", count, *base, "gradient_accumulation_steps")
    keys = ("train_micro_batch_size_per_gpu", "train_batch_size")
    one_stated = micro != batch and sum(draft.entry(*base, key) is not None for key in keys) == 1
    if one_stated and draft.entry(*base, "gradient_accumulation_steps") is None:
        draft.default("accumulation", 1, ORIGIN, *base, "gradient_accumulation_steps")


def _stage(draft: Draft, base: tuple[str, ...]) -> None:
    section = draft.entry(*base, "zero_optimization")
    if section is not None and isinstance(section.value, bool):
        draft.state("stage", section, int(section.value))
        return
    path = (*base, "zero_optimization", "stage")
    if draft.entry(*path) is not None:
        stage = draft.value(lax_integer, *path)
        if stage in (0, 1, 2, 3):
            draft.take("stage", lax_integer, *path)
        return
    if section is None or is_section(draft.view, *base, "zero_optimization"):
        _default_stage(draft, base, () if section is None else ("zero_optimization",))


def _default_stage(draft: Draft, base: tuple[str, ...], section: tuple[str, ...]) -> None:
    """Stage 0; only assumed where a key may be the section or the stage misspelt, and unknown where no key
    of the mapping that would hold it is known: that may be a placeholder."""
    path = (*base, "zero_optimization", "stage")
    names = draft.names(*base, *section)
    odd = _unknown_names(names, section) if names else []
    if odd and len(odd) == len(names):
        return
    slip = next((name for name in odd if section or _is_zero_section(name)), None)
    if slip is None:
        draft.default("stage", 0, ORIGIN, *path)
    else:
        reason = f"{slip} is no key of DeepSpeed and may have been meant to state it"
        draft.terms.setdefault("stage", Fact(0, reason, ASSUMED, draft.place(*path)))


def _unknown_names(names: frozenset[str], section: tuple[str, ...]) -> list[str]:
    from shardlint.schema import table

    return sorted(names.difference(table("deepspeed").names(section)))


def _is_zero_section(name: str) -> bool:
    from shardlint.schema import suggest

    return "zero" in name.lower() or suggest(name, ("zero_optimization",)) is not None


def _offload(draft: Draft, base: tuple[str, ...], name: str, deprecated: str) -> None:
    """Where a section sends its states; as written, also at a stage that ignores it."""
    zero = (*base, "zero_optimization")
    stated = draft.names(*zero, name)
    for key, convert in OFFLOAD_KNOBS.items():
        if key in stated:
            draft.take(f"options.{name}.{key}", convert, *zero, name, key)
    device = (*zero, name, "device")
    if draft.entry(*device) is not None:
        draft.take(name, offload_device, *device)
        return
    old = draft.entry(*zero, deprecated)
    if old is not None:
        moved = draft.value(lax_switch, *zero, deprecated)
        if moved is not None:
            draft.state(name, old, "cpu" if moved else "none")
        return
    section = draft.entry(*zero, name)
    if section is None or section.value is None or is_section(draft.view, *zero, name):
        draft.default(name, "none", ORIGIN, *device)


def _precision(draft: Draft, base: tuple[str, ...]) -> None:
    """fp16 or bf16 where enabled; fp32 only when both are off. Both on is refused and states nothing."""
    bf16 = "bf16" if draft.entry(*base, "bf16") is not None else "bfloat16"
    paths = {"bf16": (*base, bf16, "enabled"), "fp16": (*base, "fp16", "enabled")}
    states = {name: draft.value(lax_switch, *path) for name, path in paths.items()}
    on = [name for name, state in states.items() if state is True]
    if on:
        entry = draft.entry(*paths[on[0]])
        if len(on) == 1 and entry is not None:
            draft.state("precision", entry, on[0])
        return
    undecided = [
        name
        for name, path in paths.items()
        if states[name] is None and (draft.entry(*path) is not None or not _readable(draft, path[:-1]))
    ]
    if undecided:
        return
    if draft.value(switch, *base, "torch_autocast", "enabled"):
        autocast = draft.entry(*base, "torch_autocast", "enabled")
        if autocast is not None:
            draft.state("precision", autocast, "autocast")
        return
    _full_precision(draft, paths)


def _readable(draft: Draft, path: tuple[str, ...]) -> bool:
    """The section is absent, or a mapping that leaves the key out."""
    entry = draft.entry(*path)
    return entry is None or isinstance(entry.node, Mapping)


def _full_precision(draft: Draft, paths: dict[str, tuple[str, ...]]) -> None:
    """fp32: stated where both sections say false, else a default another file of the job may fill."""
    said = [entry for path in paths.values() if (entry := draft.entry(*path)) is not None]
    if len(said) == len(paths):
        draft.state("precision", said[0], "fp32")
    else:
        place = next((path for path in paths.values() if draft.entry(*path) is not None), paths["bf16"][:-1])
        draft.default("precision", "fp32", ORIGIN, *place)


def _degrees(draft: Draft, base: tuple[str, ...]) -> None:
    draft.take_open("tensor", _degree, *base, "tensor_parallel", "autotp_size")
    draft.take_open("sequence", count, *base, "sequence_parallel_size")
    if draft.entry(*base, "sequence_parallel_size") is not None:
        draft.take_open("data", count, *base, "data_parallel_size")
    if draft.value(switch, *base, "expert_parallel", "enabled"):
        draft.take("expert", count, *base, "expert_parallel", "autoep_size")


def _degree(value: object) -> int | None:
    """autotp_size 0 means no tensor parallelism."""
    found = integer(value)
    return None if found is None or found < 0 else max(found, 1)


def _optimizer(draft: Draft, base: tuple[str, ...]) -> None:
    if not draft.take("optimizer", word, *base, "optimizer", "type"):
        return
    for name in sorted(draft.names(*base, "optimizer", "params")):
        draft.take(f"options.optimizer.{name}", plain, *base, "optimizer", "params", name)


def _consumer(draft: Draft) -> Fact[str] | None:
    """The Trainer, assumed, where it fills an `auto`; else the file does not say who reads it."""
    autos = {key: entry for key, entry in draft.auto.items() if entry.value == "auto"}
    if not autos:
        return None
    from shardlint.schema.fills import fills

    filled = fills("hf-trainer")
    entry = next((entry for key, entry in autos.items() if key in filled), None)
    if entry is None:
        return None
    line = draft.view.document.position(entry.value_span.start).line
    origin = f'"auto" at {draft.view.document.name}:{line} is filled by the Trainer'
    return Fact("hf-trainer", origin, ASSUMED, value_place(draft.view.document, entry))
