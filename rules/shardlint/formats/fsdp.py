"""The fsdp_config of the Hugging Face Trainer: a JSON file, or a mapping among its arguments.

Sources: transformers 4.36 to 5.24 `training_args.py`. The Trainer strips a leading `fsdp_` from every key.
Up to 5.9 the version is 1 unless stated, from 5.10 it is 2, so a file without it leaves the version open.
"""

from __future__ import annotations

from shardlint.formats.dialects import dialect_for
from shardlint.formats.draft import Convert, Draft, is_section
from shardlint.formats.keys import Keys
from shardlint.formats.reading import Reading
from shardlint.formats.values import integer, lax_switch, number, switch, texts, upper
from shardlint.plan import ASSUMED, DERIVED, Fact
from shardlint.report import value_place
from shardlint.syntax.document import Document
from shardlint.syntax.view import Dialect, Entry, View

STRATEGIES = ("FULL_SHARD", "SHARD_GRAD_OP", "NO_SHARD", "HYBRID_SHARD", "HYBRID_SHARD_ZERO2")
"""By the number torch gives them, from 1."""

OWN = frozenset(
    {
        "transformer_layer_cls_to_wrap",
        "auto_wrap_policy",
        "limit_all_gathers",
        "cpu_ram_efficient_loading",
        "sync_module_states",
        "use_orig_params",
        "reshard_after_forward",
        "backward_prefetch",
        "forward_prefetch",
        "state_dict_type",
        "xla_fsdp_v2",
        "xla_fsdp_settings",
        "xla_fsdp_grad_ckpt",
    }
)
COMMON = OWN | {
    "version",
    "min_num_params",
    "cpu_offload",
    "offload_params",
    "activation_checkpointing",
    "activation_cpu_offload",
    "sharding_strategy",
    "xla",
}

KNOBS: dict[str, Convert] = {
    "use_orig_params": lax_switch,
    "sync_module_states": lax_switch,
    "cpu_ram_efficient_loading": lax_switch,
    "forward_prefetch": lax_switch,
    "limit_all_gathers": lax_switch,
    "activation_checkpointing": lax_switch,
    "backward_prefetch": upper,
    "state_dict_type": upper,
    "min_num_params": number,
    "transformer_layer_cls_to_wrap": texts,
}


class FsdpFormat:
    """A Trainer fsdp_config in a file of its own, bare or beside an `fsdp` key."""

    name = "fsdp"
    schema = "fsdp"
    rank = 30
    tells = frozenset({"fsdp_config"}) | OWN

    def matches(self, document: Document) -> bool:
        keys = Keys.of(document)
        inner = keys.below("fsdp_config")
        if "fsdp_config" in keys.names:
            others = {name for name in keys.names if not name.startswith("_")} - {"fsdp", "fsdp_config"}
            return not others and _own(inner)
        return _own(keys)

    def read(self, document: Document, dialect: Dialect | None = None) -> Reading:
        from shardlint.syntax.dialects.strict_json import STRICT_JSON

        draft = Draft(View(document, dialect or dialect_for(document, STRICT_JSON)))
        if is_section(draft.view, "fsdp_config"):
            state_fsdp(draft, ("fsdp",), ("fsdp_config",))
        else:
            state_fsdp(draft, None, ())
        return draft.reading(
            self, Fact("hf-trainer", f"{document.name} is an fsdp_config of the Trainer", DERIVED)
        )


FORMAT = FsdpFormat()


def _own(keys: Keys) -> bool:
    """At least one key only an fsdp_config has, and most keys known."""
    names = {name.removeprefix("fsdp_") for name in keys.names if not name.startswith("_")}
    known = len(names & COMMON)
    return bool(names & OWN) and known * 3 >= len(names) * 2


def state_fsdp(draft: Draft, words: tuple[str, ...] | None, base: tuple[str, ...]) -> None:
    """The terms of an `fsdp` word list (at the path `words`) and of an fsdp_config under `base`."""
    chosen = _words(draft, words) if words is not None else []
    version = _version(draft, base, draft.entry(*words) if words is not None else None)
    _sharding(draft, base, words, chosen, version)
    _offload(draft, base, words, chosen)
    _wrap(draft, base, words, chosen)
    draft.take("checkpointing", switch, *_key(draft, base, "activation_checkpointing"))
    for name, convert in KNOBS.items():
        draft.take(f"options.fsdp_{name}", convert, *_key(draft, base, name))


def is_on(draft: Draft, *words: str) -> bool:
    """Whether an `fsdp` key asks for FSDP at all: true, or at least one word."""
    entry = draft.entry(*words)
    return entry is not None and (entry.value is True or bool(_words(draft, words)))


def _words(draft: Draft, path: tuple[str, ...]) -> list[str]:
    """`full_shard auto_wrap` or a list of such words, in lower case."""
    entry = draft.entry(*path)
    value = entry.value if entry is not None else None
    items = value.replace(",", " ").split() if isinstance(value, str) else texts(value) or []
    return [item.lower() for item in items]


def _key(draft: Draft, base: tuple[str, ...], name: str) -> tuple[str, ...]:
    short = (*base, name)
    return short if draft.entry(*short) is not None else (*base, f"fsdp_{name}")


def _version(draft: Draft, base: tuple[str, ...], switched: Entry | None) -> int | None:
    """The stated version; else 2 for `fsdp: true` (5.10 and later only), else 1, assumed."""
    path = _key(draft, base, "version")
    stated = draft.entry(*path)
    if stated is not None:
        version = draft.value(integer, *path)
        if version in (1, 2):
            draft.state("framework", stated, f"fsdp{version}")
            return 2 if version == 2 else 1
        return None
    reshard = draft.value(switch, *_key(draft, base, "reshard_after_forward"))
    modern = reshard is not None or (switched is not None and switched.value is True)
    version, since = (2, "from transformers 5.10") if modern else (1, "up to transformers 5.9")
    place = value_place(draft.view.document, switched) if switched is not None else draft.place(*path)
    draft.terms.setdefault("framework", Fact(f"fsdp{version}", f"Trainer default {since}", ASSUMED, place))
    return version


def _sharding(
    draft: Draft, base: tuple[str, ...], words: tuple[str, ...] | None, chosen: list[str], version: int | None
) -> None:
    reshard = _key(draft, base, "reshard_after_forward")
    strategy = next((name for name in STRATEGIES if name.lower() in chosen), None)
    entry = draft.entry(*words) if words is not None else None
    if version == 2:
        if draft.entry(*reshard) is not None:
            draft.take("reshard", switch, *reshard)
        elif strategy == "SHARD_GRAD_OP" and entry is not None:
            draft.state("reshard", entry, False)
        else:
            draft.default("reshard", True, "Trainer default", *reshard)
    elif version == 1 and strategy is not None and entry is not None:
        draft.state("strategy", entry, strategy)
    elif version == 1:
        draft.default("strategy", "FULL_SHARD", "Trainer default", *_key(draft, base, "sharding_strategy"))


def _offload(draft: Draft, base: tuple[str, ...], words: tuple[str, ...] | None, chosen: list[str]) -> None:
    """`offload` among the words or a true cpu_offload moves parameters, gradients and states to the host."""
    entry = draft.entry(*words) if words is not None and "offload" in chosen else None
    path = _key(draft, base, "cpu_offload")
    if entry is None and draft.value(lax_switch, *path):
        entry = draft.entry(*path)
    for term in ("offload_param", "offload_optimizer"):
        if entry is not None:
            draft.state(term, entry, "cpu")
        elif not draft.opened(*path):
            draft.default(term, "none", "Trainer default", *path)


def _wrap(draft: Draft, base: tuple[str, ...], words: tuple[str, ...] | None, chosen: list[str]) -> None:
    """The stated policy; else what `auto_wrap` means: by size with min_num_params, by layer class without."""
    if draft.take("wrap", upper, *_key(draft, base, "auto_wrap_policy")):
        return
    entry = draft.entry(*words) if words is not None and "auto_wrap" in chosen else None
    if entry is not None:
        smallest = draft.value(number, *_key(draft, base, "min_num_params"))
        by_size = isinstance(smallest, int | float) and smallest > 0
        draft.state("wrap", entry, "SIZE_BASED_WRAP" if by_size else "TRANSFORMER_BASED_WRAP")
