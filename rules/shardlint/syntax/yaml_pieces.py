"""How a faulty YAML text is cut: documents, then pieces that begin at keys or items of column 0."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, TypeAlias

from shardlint.syntax.expression import expression
from shardlint.syntax.tree import Mapping, Node, Pair, Sequence

if TYPE_CHECKING:
    from shardlint.syntax.yaml_tree import Stop

Child: TypeAlias = "Pair | Node"
Kind: TypeAlias = "type[Mapping] | type[Sequence] | None"

_BREAK = expression(r"^(?:---|\.\.\.)(?=[ \t\r\n]|\Z)", re.MULTILINE)
_KEY_LINE = expression(
    r"^(?!-[ \t\r\n]|\?[ \t])"
    r"(?:\"[^\"\r\n]*\"[ \t]*|'[^'\r\n]*'[ \t]*|[^\s#\[\]{},&*!|>%@`\"'][^#\r\n]*?):(?=[ \t\r\n]|\Z)",
    re.MULTILINE,
)
_ITEM_LINE = expression(r"^-(?=[ \t\r\n]|\Z)", re.MULTILINE)
_ANCHOR = expression(r"&(?<![^\s,\[\]{}]&)\S")
_FLOW_START = expression(r"^[ \t]*[{\[]", re.MULTILINE)
_FIRST_CONTENT = expression(r"^[ \t]*[^\s#%]", re.MULTILINE)


def holds_anchor(text: str) -> bool:
    """Whether something in a text has a name that aliases may refer to."""
    return _ANCHOR.search(text) is not None


def members(root: Mapping | Sequence) -> list[Child]:
    """The pairs or items of a collection."""
    return list[Child](root.pairs) if isinstance(root, Mapping) else list[Child](root.items)


def sections(text: str) -> list[tuple[int, int]]:
    """The stretches between `---` and `...` lines that hold more than comments and directives."""
    edges = [0]
    for found in _BREAK.finditer(text):
        edges.extend(found.span())
    edges.append(len(text))
    stretches = zip(edges[::2], edges[1::2], strict=True)
    return [(start, end) for start, end in stretches if _FIRST_CONTENT.search(text, start, end)]


def first_content(text: str, start: int, end: int) -> int | None:
    """Where the first line begins that is no comment and no directive."""
    found = _FIRST_CONTENT.search(text, start, end)
    return found.start() if found else None


def cut(text: str, start: int, end: int) -> tuple[Kind, list[int]]:
    """The kind of root and where its pieces begin, the end included; comments go with what follows them."""
    first = _FIRST_CONTENT.search(text, start, end)
    item = first is not None and _ITEM_LINE.match(text, first.start(), end) is not None
    starts = [found.start() for found in (_ITEM_LINE if item else _KEY_LINE).finditer(text, start, end)]
    if not starts:
        return None, [start, end]
    lead = [start] if first is not None and first.start() < starts[0] else []
    if not lead:
        starts[0] = start
    return (Sequence if item else Mapping), [*lead, *starts, end]


def brace_of(text: str, start: int, end: int) -> int | None:
    """Where the brace stands that holds the whole text but for at most one line above it; else None."""
    first = _FIRST_CONTENT.search(text, start, end)
    braces = _FLOW_START.search(text, start, end)
    if first is None or braces is None:
        return None
    between = len(_FIRST_CONTENT.findall(text, first.start(), braces.start()))
    at_margin = braces.group().strip() == braces.group()
    return braces.start() if between == 0 or (between == 1 and at_margin) else None


def first_doubtful(children: list[Child], cuts: list[int], at: int, stop: Stop) -> int:
    """The first piece not to be trusted: one a child reaches out of, else the one before the fault."""
    base = cuts[at]
    doubtful = min(_piece(cuts, base + stop.at) - 1, len(cuts) - 2)
    if stop.opener is not None and children and stop.opener > children[0].span.start:
        doubtful = min(doubtful, _piece(cuts, base + stop.opener))
    for child in children:
        piece = _piece(cuts, base + child.span.start)
        if piece >= doubtful:
            break
        if child.guessed or base + child.span.end > cuts[piece + 1]:
            return max(piece, at)
    return max(doubtful, at)


def _piece(cuts: list[int], offset: int) -> int:
    return bisect_right(cuts, offset) - 1
