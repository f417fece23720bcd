"""What the event stream does not tell: comments, tabs in the indentation, keys given twice."""

from __future__ import annotations

import re
from bisect import bisect_right

from shardlint.syntax.document import Mark
from shardlint.syntax.expression import expression
from shardlint.syntax.tree import Mapping, Pair, Scalar, Span

_COMMENT = expression(r"(?:(?<=[ \t\r\n\ufeff])|\A)#[^\r\n\x85\u2028\u2029]*")
_NO_STRING = expression(r"[-+.0-9~].*|\Z|(?i:y|n|yes|no|on|off|true|false|null)\Z", re.DOTALL)
_TABS = expression(r"\t+")


def comments(text: str, opaque: list[Span]) -> list[Span]:
    """Every `#` at a line start or after white space that stands in no quoted or block scalar."""
    if "#" not in text:
        return []
    starts, ends = _edges(opaque)
    found: list[Span] = []
    at = 0
    while (hit := _COMMENT.search(text, at)) is not None:
        inside = _scalar_end(hit.start(), starts, ends)
        if inside is None:
            found.append(Span(*hit.span()))
            at = hit.end()
        else:
            at = inside
    return found


def tabs(text: str, opaque: list[Span], remarks: list[Span]) -> list[Mark]:
    """Tabs outside quoted and block scalars and comments: in the indentation, or between tokens.

    The standard allows most of the latter, PyYAML's own scanner (what `yaml.safe_load` runs) none.
    """
    if "\t" not in text:
        return []
    starts, ends = _edges([*opaque, *remarks])
    found: list[Mark] = []
    for run in _TABS.finditer(text):
        if _scalar_end(run.start(), starts, ends) is None:
            line = line_start(text, run.start())
            kind = "tab-separator" if text[line : run.start()].strip(" \t") else "tab-indent"
            found.append(Mark(kind, Span(*run.span())))
    return found


def line_start(text: str, offset: int) -> int:
    """Where the line of an offset begins."""
    return max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1


def duplicates(mappings: list[Mapping]) -> list[Mark]:
    """Keys a mapping holds twice; `related` is the first. `1` and `"1"` are two keys, `a` and `"a"` one."""
    found: list[Mark] = []
    for mapping in mappings:
        if len({pair.key.text for pair in mapping.pairs}) != len(mapping.pairs):
            found.extend(_repeated(mapping.pairs))
    return found


def _repeated(pairs: list[Pair]) -> list[Mark]:
    first: dict[tuple[str, bool], Span] = {}
    found: list[Mark] = []
    for pair in pairs:
        name = (pair.key.text, _may_be_no_string(pair.key))
        if name == ("<<", False) and pair.key.style == "plain":
            continue
        before = first.setdefault(name, pair.key.span)
        if before is not pair.key.span:
            found.append(Mark("duplicate-key", pair.key.span, before))
    return found


def _may_be_no_string(key: Scalar) -> bool:
    return key.style in ("plain", "missing") and _NO_STRING.match(key.text) is not None


def _edges(opaque: list[Span]) -> tuple[list[int], list[int]]:
    ordered = sorted(opaque)
    return [span.start for span in ordered], [span.end for span in ordered]


def _scalar_end(at: int, starts: list[int], ends: list[int]) -> int | None:
    """The end of the scalar that covers the offset; None outside."""
    row = bisect_right(starts, at) - 1
    return ends[row] if row >= 0 and at < ends[row] else None
