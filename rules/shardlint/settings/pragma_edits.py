"""A comment pragma written into a file, so that it silences one rule at one place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from shardlint.report import Edit, Finding
from shardlint.settings.pragmas import suppressed, suppressions
from shardlint.syntax.tree import Span
from shardlint.syntax.view import Dialect, to_value

if TYPE_CHECKING:
    from shardlint.syntax.document import Document


def ignore_here(document: Document, dialect: Dialect, finding: Finding) -> Edit | None:
    """The edit that silences the rule of a finding where it stands. None where no comment can: the text is
    read otherwise with it, or the comment would not be one."""
    for at, text in _candidates(document, finding):
        if _silences(document, dialect, finding, at, text):
            return Edit(document.name, Span(at, at), text)
    return None


def _candidates(document: Document, finding: Finding) -> Iterator[tuple[int, str]]:
    """Into a pragma that is there, at the end of the line, on a line of its own above."""
    text, row = document.text, document.position(finding.place.span.start).line
    for pragma in suppressions(document):
        if pragma.named and row - 1 <= pragma.line <= row:
            yield pragma.named[-1].place.span.end, f", {finding.rule}"
    start, line = document.line_starts[row - 1], document.line_text(row)
    mark = "//" if document.language == "json" else "#"
    comment = f"{mark} shardlint: ignore[{finding.rule}]"
    end = start + len(line.rstrip())
    if line.strip() and not any(start <= known.start <= end for known in document.comments):
        yield end, f"  {comment}"
    indent = line[: len(line) - len(line.lstrip())]
    newline = "\r\n" if "\r\n" in text else "\n"
    yield start, f"{indent}{comment}{newline}"


def _silences(document: Document, dialect: Dialect, finding: Finding, at: int, text: str) -> bool:
    """Whether the rule is silent after the insertion, and the text says what it said before."""
    from shardlint.syntax.parse import parse

    whole = document.text[:at] + text + document.text[at:]
    after = parse(whole, document.name, document.language)
    span = finding.place.span
    moved = Span(*(point + len(text) if at <= span.start < span.end else point for point in span))
    shifted = finding._replace(place=finding.place._replace(span=moved, document=after))
    return (
        suppressed(shifted, after, suppressions(after)) is not None
        and len(after.faults) <= len(document.faults)
        and [to_value(root, dialect) for root in after.roots]
        == [to_value(root, dialect) for root in document.roots]
    )
