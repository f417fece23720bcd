"""Models by the names people use: parameter counts and dimensions."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from shardlint.catalog.near import near
from shardlint.catalog.tables import rows, whole

ID, ALIAS, NAME, VARIANT, PATH = "id", "alias", "name", "variant", "path"
"""How a name met a row: its id; an alias; the same name of another or no owner; a tuned variant
(`-Instruct`, `-chat`) of the same owner; the last part of a path. Only the id has a source."""

_TUNED = frozenset({"hf", "instruct", "chat", "it", "base", "pt", "meta"})


class Model(NamedTuple):
    """A row of the model table; counts in elements, None where the row has no such number.

    `partial` is true where the row counts a part of the model (the text tower of a multimodal one).
    `matched` says how the name met the row: id, alias, name, variant or path.
    """

    id: str
    type: str
    model_class: str
    params: int
    tied: bool | None
    hidden: int | None
    layers: int | None
    heads: int | None
    kv_heads: int | None
    head_dim: int | None
    inner: int | None
    vocab: int | None
    experts: int | None
    experts_per_token: int | None
    block: int
    embedding: int
    largest_tensor: str
    largest_tensor_params: int
    tensors: int
    positions: int | None
    counted_by: str
    partial: bool
    note: str
    source: str
    aliases: tuple[str, ...]
    matched: str = ID

    @property
    def config(self) -> dict[str, object]:
        """The dimensions as a config.json of the llama kind names them; unknown ones are absent."""
        named = {
            "hidden_size": self.hidden,
            "num_hidden_layers": self.layers,
            "num_attention_heads": self.heads,
            "num_key_value_heads": self.kv_heads,
            "head_dim": self.head_dim,
            "intermediate_size": self.inner,
            "vocab_size": self.vocab,
            "max_position_embeddings": self.positions,
            "tie_word_embeddings": self.tied,
        }
        return {"model_type": self.type, **{key: value for key, value in named.items() if value is not None}}


def find_model(name: str) -> Model | None:
    """The row for a model name or path, in any case; None where the table has none with these dimensions."""
    wanted = name.strip().rstrip("/").lower()
    if not wanted:
        return None
    ids, names, variants = _index()
    found = ids.get(wanted)
    if found is not None:
        return found if wanted == found.id.lower() else found._replace(matched=ALIAS)
    last = wanted.replace("\\", "/").rpartition("/")[2]
    if _is_path(wanted):
        found = names.get(last)
        return found._replace(matched=PATH) if found else None
    if last in names:
        return names[last]._replace(matched=NAME)
    return _variant(wanted, last, variants)


def all_models() -> tuple[Model, ...]:
    return _read()


def suggest_models(name: str, count: int = 3) -> tuple[str, ...]:
    """Ids close to a misspelt one, closest first."""
    wanted = name.strip()
    by_word = {word: model.id for model in _read() for word in (model.id, model.id.rpartition("/")[2])}
    return tuple(dict.fromkeys(by_word[word] for word in near(wanted, by_word, 2 * count)))[:count]


def _variant(wanted: str, last: str, variants: dict[str, Model]) -> Model | None:
    found = variants.get(_plain(last))
    if found is None:
        return None
    owner = wanted.rpartition("/")[0]
    same = not owner or owner == found.id.rpartition("/")[0].lower()
    return found._replace(matched=VARIANT if same else NAME)


def _is_path(name: str) -> bool:
    return name.startswith((".", "/", "~")) or "\\" in name or name.count("/") > 1 or name[1:2] == ":"


def _plain(name: str) -> str:
    words = [word for word in re.split(r"[-_ ]", name) if word not in _TUNED]
    return "-".join(words)


@cache
def _index() -> tuple[dict[str, Model], dict[str, Model], dict[str, Model]]:
    """(by id or alias, by last part of it, by that without the words for tuning)."""
    ids: dict[str, Model] = {}
    names: dict[str, Model] = {}
    variants: dict[str, Model] = {}
    for model in _read():
        for word in (model.id, *model.aliases):
            lowered = word.lower()
            last = lowered.rpartition("/")[2]
            ids.setdefault(lowered, model)
            names.setdefault(last, model)
            variants.setdefault(_plain(last), model)
    return ids, names, variants


@cache
def _read() -> tuple[Model, ...]:
    return tuple(_model(row) for row in rows("models.tsv"))


def _model(row: dict[str, str]) -> Model:
    return Model(
        id=row["id"],
        type=row["type"],
        model_class=row["class"],
        params=int(row["params"]),
        tied={"yes": True, "no": False}.get(row["tied"]),
        hidden=whole(row["hidden"]),
        layers=whole(row["layers"]),
        heads=whole(row["heads"]),
        kv_heads=whole(row["kv_heads"]),
        head_dim=whole(row["head_dim"]),
        inner=whole(row["inner"]),
        vocab=whole(row["vocab"]),
        experts=whole(row["experts"]),
        experts_per_token=whole(row["experts_per_token"]),
        block=int(row["block"]),
        embedding=int(row["embedding"]),
        largest_tensor=row["largest_tensor"],
        largest_tensor_params=int(row["largest_tensor_params"]),
        tensors=int(row["tensors"]),
        positions=whole(row["positions"]),
        counted_by=row["counted_by"],
        partial=row["partial"] == "yes",
        note=row["note"],
        source=row["source"],
        aliases=tuple(row["aliases"].split()),
    )
