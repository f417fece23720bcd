"""Keys and values of a config, from the key table of the stack that reads it."""

from __future__ import annotations

from lsprotocol.types import CompletionItemKind as Kind

from shardlint.schema.complete import KEY as IS_KEY
from shardlint.schema.complete import Completion, Site, complete
from shardlint.schema.places import Located
from shardlint.schema.snippets import escaped, key_text, value_text
from shardlint.schema.table import table
from shardlint_lsp.caret.spot import KEY, VALUE, Spot
from shardlint_lsp.look import Look
from shardlint_lsp.proposals.files import CONFIGS, HOSTFILES, files
from shardlint_lsp.proposals.proposal import Proposal, Topic
from shardlint_lsp.vocabulary import Vocabulary, reader_view, vocabulary

FILES = {
    ("hf-args", "deepspeed"): CONFIGS,
    ("hf-args", "fsdp_config"): CONFIGS,
    ("accelerate", "deepspeed_config.deepspeed_config_file"): CONFIGS,
    ("accelerate", "deepspeed_config.deepspeed_hostfile"): HOSTFILES,
}
"""Keys that name a file."""

WORDS = "word-list"
"""How a key is read that takes several words, as a list or in one text."""

ANY = "key"
"""A step that stands for any key of a section."""


def names_file(line: str) -> bool:
    """Whether a line may hold one of these keys."""
    return any(path.rpartition(".")[2] in line for _, path in FILES)


def key_proposals(look: Look, spot: Spot) -> list[Proposal]:
    """What the table knows to write at a spot of a config; nothing where no table fits the text."""
    known = vocabulary(look, spot.view.document)
    if known is None:
        return []
    if spot.kind == KEY:
        section = known.locate((*spot.path, ANY))
        found = _found(known, section._replace(path=section.path[:-1]), spot)
        return found or _values(look, known, spot)
    return _values(look, known, spot) if spot.kind == VALUE else []


def _values(look: Look, known: Vocabulary, spot: Spot) -> list[Proposal]:
    """Values of a key, or of the list it holds; for a section, what opens it."""
    there = known.locate(spot.path)
    here = table(there.stack)
    while there.path and isinstance(there.path[-1], int) and here.find(there.path) is None:
        there = there._replace(path=there.path[:-1])
    if not there.path:
        return []
    kind = FILES.get((there.stack, ".".join(map(str, there.path))))
    named = files(look, spot.word.typed, kind, spot.style) if kind else []
    if spot.kind == KEY:
        spot = spot._replace(view=reader_view(look))
    found = _found(known, there, spot)
    if any(one.is_key for one in found):
        return [*named, *_opened(spot, found)]
    key = here.find(there.path)
    several = key is not None and key.reads == WORDS
    return [*named, *(_further(spot, found) if several else found)]


def _further(spot: Spot, words: list[Proposal]) -> list[Proposal]:
    """The words a list, or a text of several words, still lacks; in a text behind those it has."""
    begun = spot.word.typed.strip("\"'").split(" ")[:-1]
    there = spot.view.get(*spot.path[:-1]) if spot.path else None
    listed = there.value if there is not None and isinstance(there.value, list) else []
    left = [one for one in words if one.label not in (*begun, *listed)]
    if not begun:
        return left
    texts = [" ".join((*begun, one.label)) for one in left]
    return [
        one._replace(insert=escaped(value_text(text, spot.style)), filter=text)
        for one, text in zip(left, texts, strict=True)
    ]


def _opened(spot: Spot, keys: list[Proposal]) -> list[Proposal]:
    """A section where its value goes: braces, or in YAML its first key on the next line."""
    if spot.style == "yaml":
        return [one._replace(insert="\n  " + one.insert.replace("\n", "\n  ")) for one in keys]
    inside = "\n  $0\n" if spot.style == "json" else "$0" if spot.style == "flow" else " $0 "
    return [Proposal("{}", Kind.Struct, f"{{{inside}}}", "mapping")]


def _found(known: Vocabulary, there: Located, spot: Spot) -> list[Proposal]:
    site = Site(spot.view, there.base, spot.style, known.versions(there.stack), known.fillers)
    return [_proposal(one, there.stack, spot) for one in complete(there.stack, site, there.path)]


def _proposal(one: Completion, stack: str, spot: Spot) -> Proposal:
    topic = Topic(stack, ".".join(map(str, one.path)))
    if one.kind == IS_KEY:
        insert = escaped(key_text(one.label, spot.style)) if spot.followed else one.insert
        section = one.insert.endswith(("$0", "}")) and "$0" in one.insert
        kind = Kind.Module if section else Kind.Property
        return Proposal(one.label, kind, insert, one.detail, topic, one.deprecated, is_key=True)
    return Proposal(one.label, Kind.EnumMember, escaped(one.insert), one.detail, topic)
