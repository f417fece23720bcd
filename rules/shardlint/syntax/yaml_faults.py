"""What a YAML fault says: the line that is meant, with the place where the parser noticed as related."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.syntax.document import Fault, Mark
from shardlint.syntax.tree import Span

if TYPE_CHECKING:
    from shardlint.syntax.yaml_places import Line
    from shardlint.syntax.yaml_tree import Stop

_WHAT = {
    "missing-colon": "`{}` has no colon after the key",
    "unclosed-string": "`{}` opens a string that is not closed",
    "missing-comma-or-bracket": "`{}` is followed by another entry without a comma",
    "unclosed-bracket": "`{}` opens a bracket that is not closed",
    "bad-indent": "`{}` is indented differently from the lines around it",
    "tab-indent": "`{}` is indented with a tab, YAML takes only spaces",
    "unreadable-value": "the value in `{}` cannot be read as YAML",
    "unreadable-line": "`{}` cannot be read as YAML where it stands",
}
FLOW_FAULTS = {
    "missing-comma": "there is no comma between two entries",
    "hjson-only": "an entry inside the braces cannot be read as YAML",
}
_LONGEST = 60


def repaired_fault(text: str, line: Line, noticed: int, judged: bool) -> Fault:
    """A line that had to be edited; `judged` tells that the pure parser refused the text as well."""
    span = Span(line.start + line.indent, max(line.start + line.length, line.start + line.indent))
    message = _WHAT[line.repair].format(_shown(text[span.start : span.end]))
    related = None if span.start <= noticed <= span.end else Span(noticed, min(noticed + 1, len(text)))
    return Fault(line.repair, span, message, related, limit=not judged)


def unmended_fault(text: str, at: int, stop: Stop, judged: bool) -> Fault:
    """A fault no edit repairs, at the place the parser gives."""
    return Fault(
        "yaml-syntax", line_span(text, at), f"not readable as YAML: {stop.message}", None, not judged
    )


def flow_fault(mark: Mark) -> Fault:
    """A fault inside braces, found by the JSON scanner: a mark whose kind is in FLOW_FAULTS."""
    code = "missing-comma-or-bracket" if mark.kind == "missing-comma" else "unreadable-value"
    return Fault(code, mark.span, FLOW_FAULTS[mark.kind], mark.related)


def limit_fault(text: str, at: int, stop: Stop) -> Fault:
    return Fault("too-deep", line_span(text, at), f"{stop.message}, the rest is not read", limit=True)


def undefined_alias(span: Span, name: str) -> Fault:
    return Fault(
        "undefined-alias", span, f"`*{_shown(name)}` refers to an anchor that is defined nowhere above it"
    )


def line_span(text: str, at: int) -> Span:
    """From the offset to the end of its line; the last character of the text at its end."""
    at = min(at, len(text))
    ends = [found for mark in "\r\n" if (found := text.find(mark, at)) >= 0]
    end = min(ends, default=len(text))
    return Span(at, end) if end > at else Span(max(at - 1, 0), at)


def _shown(text: str) -> str:
    one_line = " ".join(text.split())
    return one_line if len(one_line) <= _LONGEST else one_line[: _LONGEST - 3] + "..."
