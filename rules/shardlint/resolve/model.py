"""The model: how many parameters, of what shapes, and who says so."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from shardlint.plan import ASSUMED, DERIVED, GIVEN, Fact, unknown
from shardlint.report import Place
from shardlint.resolve.known import Known
from shardlint.workspace import Workspace

if TYPE_CHECKING:
    from shardlint.catalog.architectures import Layout
    from shardlint.catalog.models import Model

SAME = 0.25
"""Counts that differ by less than this share name the same model: 7B is said of 6.7 and of 7.6 billion."""

OPTIONS = (
    "type",
    "hidden_size",
    "intermediate_size",
    "num_hidden_layers",
    "num_attention_heads",
    "num_key_value_heads",
    "head_dim",
    "vocab_size",
    "num_experts",
    "layer_class",
    "load_dtype",
    "pretrained_dtype",
    "quantized",
    "quantized_bits",
    "lora",
    "lora_rank",
    "lora_targets",
    "largest_param",
    "tied",
    "custom",
    "device_map",
    "no_split_missing",
    "has_hidden_size",
    "moe_intermediate_size",
    "num_experts_per_tok",
    "max_position_embeddings",
)
"""Facts about the model that are handed on under `model.<name>`."""


class ResolvedModel(NamedTuple):
    """`layout` is None where the class or a dimension is not known; `options` are `model.<name>` facts."""

    params: Fact[int]
    layout: Layout | None
    type: str
    options: Mapping[str, Fact[object]]


class Candidate(NamedTuple):
    """One source of the model: its count, tensors and row. `in_job`: a file of the job says it."""

    params: Fact[int]
    layout: Layout | None = None
    model: Model | None = None
    type: str = ""
    in_job: bool = False


def resolve_model(known: Known, workspace: Workspace | None = None) -> ResolvedModel:
    """The model of a job. A config.json decides over a name, both over settings that contradict them."""
    found = _candidate(known, workspace)
    params = _settled(known, found)
    return ResolvedModel(params, found.layout, found.type, _options(known, found))


def _candidate(known: Known, workspace: Workspace | None) -> Candidate:
    """What files say about the model, else what settings say about it."""
    flagged = known.settings.given_by_flag("model.name")
    sources = [_of_file_config, _of_file_name, _of_setting_name, _of_dimensions]
    if flagged:
        sources = [_of_setting_name, _of_file_config, _of_file_name, _of_dimensions]
    first: Candidate | None = None
    for source in sources:
        found = source(known, workspace)
        if found is not None and found.params.known:
            return found
        first = first or found
    return first or Candidate(unknown("set model.params or model.name"))


def _of_file_config(known: Known, workspace: Workspace | None) -> Candidate | None:
    """A config.json among the files of the job: the place of one of its facts leads to it."""
    fact = known.terms.get("model.type") or known.terms.get("model.hidden_size")
    if fact is None or fact.place is None or fact.standing != GIVEN:
        return None
    from shardlint.resolve.configs import config_of_place

    config = config_of_place(fact.place)
    return _counted(config, fact.place.path, fact.place)._replace(in_job=True) if config else None


def _of_file_name(known: Known, workspace: Workspace | None) -> Candidate | None:
    fact = known.terms.get("model.name")
    if fact is None or not isinstance(fact.value, str):
        return None
    return _named(fact.value, fact)._replace(in_job=True)


def _of_setting_name(known: Known, workspace: Workspace | None) -> Candidate | None:
    """`model.name` of the settings: a config.json or its folder, else a row of the table."""
    fact = known.settings.text("model.name")
    if fact.value is None:
        return None
    if workspace is not None:
        from shardlint.resolve.configs import read_config

        base = known.settings.path or known.settings.root
        found = read_config(fact.value, Path(base), workspace)
        if found is not None:
            return _counted(found.config, f"{found.name}, named by {fact.origin}", fact.place)
    return _named(fact.value, Fact(fact.value, fact.origin, fact.standing, fact.place))


def _of_dimensions(known: Known, workspace: Workspace | None) -> Candidate | None:
    """model.type and the sizes, one by one."""
    kind = known.settings.fact("model.type")
    if not kind.known:
        return None
    from shardlint.resolve.configs import config_of_settings

    config = config_of_settings(known.settings)
    return _counted(config, f"the sizes given with {kind.origin}", kind.place) if config else None


def _counted(config: Mapping[str, object], source: str, place: Place | None) -> Candidate:
    from shardlint.catalog.architectures import count_parameters

    kind = config.get("model_type")
    name = kind if isinstance(kind, str) else ""
    layout = count_parameters(config)
    if layout is None:
        reason = f"the parameters of a {name or 'model without model_type'} are not counted; set model.params"
        return Candidate(unknown(reason), type=name)
    return Candidate(Fact(layout.total, f"counted from {source}", DERIVED, place), layout, type=name)


def _named(name: str, fact: Fact[object]) -> Candidate:
    from shardlint.catalog.architectures import count_parameters
    from shardlint.catalog.models import find_model

    model = find_model(name)
    if model is None:
        return Candidate(unknown(f"{name} is in no table; set model.params"))
    layout = count_parameters(model.config)
    if layout is not None and layout.total != model.params:
        layout = None
    origin = f"model table, {model.id} ({fact.origin})"
    return Candidate(Fact(model.params, origin, _standing(model), fact.place), layout, model, model.type)


def _standing(model: Model) -> str:
    """Given where the row is of that very checkpoint; that others have the same dimensions has no source."""
    return GIVEN if model.matched == "id" and not model.partial else ASSUMED


def _settled(known: Known, found: Candidate) -> Fact[int]:
    """`model.params` wins where it means the same model or nothing sure is known; else the file decides."""
    stated, params = known.settings.integer("model.params"), found.params
    if stated.value is None:
        return params
    overrides = known.settings.given_by_flag("model.params") or not found.in_job
    if params.value is None or overrides or not params.certain or _alike(stated.value, params.value):
        return stated
    return params.disagreeing(stated)


def _alike(one: int, other: int) -> bool:
    return abs(one - other) <= SAME * max(one, other)


def _options(known: Known, found: Candidate) -> dict[str, Fact[object]]:
    options: dict[str, Fact[object]] = {}
    for name in OPTIONS:
        fact = known.fact(f"model.{name}")
        if fact.known:
            options[f"model.{name}"] = fact
    for name, value in _row(found).items():
        options.setdefault(f"model.{name}", Fact(value, found.params.origin, found.params.standing))
    return options


def _row(found: Candidate) -> dict[str, object]:
    """What the table or the layout knows beside the count; elements and sizes."""
    row: dict[str, object] = {"type": found.type or None}
    if found.model is not None:
        model = found.model
        row |= {
            "hidden_size": model.hidden,
            "intermediate_size": model.inner,
            "num_hidden_layers": model.layers,
            "num_attention_heads": model.heads,
            "num_key_value_heads": model.kv_heads,
            "head_dim": model.head_dim,
            "vocab_size": model.vocab,
            "num_experts": model.experts,
            "tied": model.tied,
            "max_position_embeddings": model.positions,
            "largest_param": model.largest_tensor_params,
            "largest_block": model.block,
            "embedding": model.embedding,
        }
    elif found.layout is not None:
        row |= {
            "largest_param": found.layout.largest_tensor[1],
            "largest_block": found.layout.largest_block,
            "embedding": found.layout.embedding,
        }
    return {name: value for name, value in row.items() if value is not None}
