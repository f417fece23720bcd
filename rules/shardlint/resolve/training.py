"""What is trained: everything, a stated number of parameters, or adapters on a frozen base."""

from __future__ import annotations

from shardlint.plan import ASSUMED, DERIVED, Fact, ParameterGroup, unknown
from shardlint.resolve.known import Known
from shardlint.resolve.model import ResolvedModel

Groups = tuple[ParameterGroup, ...]

SEQUENCE_LENGTHS = ("max_seq_length", "max_length", "cutoff_len", "model_max_length")
"""Arguments that bound the tokens of a sample, by trainer."""


def trained(known: Known, model: ResolvedModel) -> tuple[Fact[int], Groups]:
    """How many parameters get gradients, and the groups held alike; no groups where P is not known."""
    stated = known.integer("model.trainable_params")
    total = model.params.value
    adapters = adapted(known).value is True
    trainable = stated if stated.known else (_adapters(known, model) if adapters else _all(model.params))
    if total is None:
        return trainable, ()
    if adapters:
        return trainable, _adapted(total, trainable, _stored(known))
    count = min(total, trainable.get(total))
    frozen = ParameterGroup("frozen", total - count, False, _stored(known))
    return trainable, (ParameterGroup("trained", count), *((frozen,) if frozen.count else ()))


def adapted(known: Known) -> Fact[object]:
    """Whether adapters train: stated, or, where nothing states it, implied by a setting about them."""
    stated = known.fact("model.lora")
    about = (known.settings.fact(name) for name in ("model.lora_rank", "model.lora_targets"))
    implying = next((fact for fact in about if fact.known), None)
    if stated.known or implying is None:
        return stated
    return Fact(True, f"adapters are described ({implying.origin})", DERIVED, implying.place)


def sequence_length(known: Known) -> Fact[int]:
    """Tokens of a sample, from the setting or the arguments of the trainer."""
    found = known.integer("sequence_length")
    for name in SEQUENCE_LENGTHS:
        if not found.known:
            found = known.integer(f"training_args.{name}")
    return found if found.known else unknown("set sequence_length")


def _all(params: Fact[int]) -> Fact[int]:
    if params.value is None:
        return unknown(params.origin)
    standing = ASSUMED if params.standing == ASSUMED else DERIVED
    return Fact(params.value, f"all parameters train ({params.origin})", standing, params.place)


def _adapted(total: int, trainable: Fact[int], stored: str | None) -> Groups:
    """A frozen base and adapters, which peft makes in fp32 on a 16-bit base."""
    base = ParameterGroup("base", total, False, stored)
    return (base, ParameterGroup("adapters", trainable.value, True, "fp32")) if trainable.value else (base,)


def _adapters(known: Known, model: ResolvedModel) -> Fact[int]:
    rank, targets = known.integer("model.lora_rank"), _targets(known, model)
    if rank.value is None:
        return unknown(
            "the rank of the adapters is not stated; set model.lora_rank or model.trainable_params"
        )
    if model.layout is None or not targets.value:
        return unknown("the layers with adapters are not known; set model.trainable_params")
    from shardlint.catalog.lora import lora_parameters

    count = lora_parameters(model.layout, rank.value, targets.value)
    if count is None:
        return unknown(f"adapters on {', '.join(targets.value)} are not counted; set model.trainable_params")
    origin = f"rank {rank.value} adapters on {', '.join(targets.value)} ({rank.origin})"
    doubtful = ASSUMED in (model.params.standing, targets.standing)
    return Fact(count, origin, ASSUMED if doubtful else DERIVED, rank.place)


def _targets(known: Known, model: ResolvedModel) -> Fact[tuple[str, ...]]:
    from shardlint.catalog.lora import ALL_LINEAR, DEFAULT_TARGETS

    fact = known.fact("model.lora_targets")
    value = fact.value
    if isinstance(value, str):
        return Fact((ALL_LINEAR,) if value in (ALL_LINEAR, "all") else (value,), fact.origin, fact.standing)
    if isinstance(value, list | tuple):
        words = tuple(str(word) for word in value)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        return Fact((ALL_LINEAR,) if words == ("all",) else words, fact.origin, fact.standing)
    default = DEFAULT_TARGETS.get(model.type)
    return (
        Fact(default, f"peft default for {model.type}", ASSUMED)
        if default
        else unknown("set model.lora_targets")
    )


def _stored(known: Known) -> str | None:
    """The dtype a frozen base is held in where it is quantised; None leaves it to the load dtype."""
    if known.flag("training_args.load_in_4bit"):
        return _four_bit(known)
    if known.flag("training_args.load_in_8bit"):
        return "int8"
    word = known.fact("model.quantized").value
    if not isinstance(word, str):
        return None
    if "4" in word or known.integer("model.quantized_bits").value == 4:
        return "4bit"
    return "int8" if "8" in word or known.integer("model.quantized_bits").value == 8 else None


def _four_bit(known: Known) -> str:
    kind = known.text("training_args.bnb_4bit_quant_type").value or "nf4"
    double = known.flag("training_args.bnb_4bit_use_double_quant") is True
    return "nf4-double" if double and kind == "nf4" else kind if kind in ("nf4", "fp4") else "4bit"
