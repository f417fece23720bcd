"""From the fixes of a report to changed texts: which edits apply together, and what comes out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from shardlint.report import Edit, Finding, Fix, Report
from shardlint.syntax.document import Document

MAX_ROUNDS = 20


class Change(NamedTuple):
    """A file's text before and after, and the titles of the fixes that make the difference."""

    path: str
    before: str
    after: str
    titles: tuple[str, ...]


Relint = Callable[[Mapping[str, str]], Report]
"""Lint again with these texts, by path, in place of those on the disk."""


def fixpoint(report: Report, relint: Relint, unsafe: bool) -> list[Change]:
    """All that fixing changes: apply fixes and lint the result again until nothing is left to fix."""
    total: dict[str, Change] = {}
    for _ in range(MAX_ROUNDS):
        found = changes(report, unsafe)
        if not found:
            break
        for change in found:
            total[change.path] = _after(total.get(change.path), change)
        report = relint({path: change.after for path, change in total.items()})
    return [total[path] for path in sorted(total) if total[path].before != total[path].after]


def changes(report: Report, unsafe: bool) -> list[Change]:
    """The changes of one round, one a file, in the order of the files' names.

    Each finding gives at most one fix, its first allowed one. A fix applies whole or not at all: it waits
    for the next round where one of its edits meets an edit already taken, or a text the report lacks.
    """
    documents = _documents(report)
    taken: dict[str, list[Edit]] = {}
    titles: dict[str, list[str]] = {}
    for fix in _chosen(report.findings, unsafe):
        if all(_fits(edit, taken.get(edit.path, ()), documents.get(edit.path)) for edit in fix.edits):
            for edit in fix.edits:
                taken.setdefault(edit.path, []).append(edit)
                titles.setdefault(edit.path, []).append(fix.title)
    made: list[Change] = []
    for path in sorted(taken):
        text = documents[path].text
        after = edited(text, taken[path])
        if after != text:
            made.append(Change(path, text, after, tuple(dict.fromkeys(titles[path]))))
    return made


def edited(text: str, edits: Iterable[Edit]) -> str:
    """The text with edits applied that do not overlap."""
    for edit in sorted(edits, key=lambda edit: edit.span, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def _after(earlier: Change | None, later: Change) -> Change:
    if earlier is None:
        return later
    return later._replace(before=earlier.before, titles=(*earlier.titles, *later.titles))


def _chosen(findings: Iterable[Finding], unsafe: bool) -> Iterator[Fix]:
    for finding in findings:
        allowed = [fix for fix in finding.fixes if fix.edits and (fix.safe or unsafe)]
        if allowed:
            yield allowed[0]


def _fits(edit: Edit, taken: Iterable[Edit], document: Document | None) -> bool:
    if document is None or edit.span.end > len(document.text):
        return False
    return not any(_meet(edit, other) for other in taken)


def _meet(one: Edit, other: Edit) -> bool:
    """Whether two edits touch: what lies between two insertions at one place has no order."""
    return one.span.start <= other.span.end and other.span.start <= one.span.end


def _documents(report: Report) -> dict[str, Document]:
    places = [
        place
        for finding in report.findings
        for place in (finding.place, *(other.place for other in finding.related))
    ]
    return {place.path: place.document for place in places if place.document is not None}
