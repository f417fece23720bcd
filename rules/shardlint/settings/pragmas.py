"""Comment pragmas: `# shardlint: world_size=8 model.params=7B` and `# shardlint: ignore[rule] reason`."""

from __future__ import annotations

import re
from typing import NamedTuple

from shardlint.plan import Fact
from shardlint.report import Finding, Place, file_place
from shardlint.settings.layers import PRAGMA, Layer
from shardlint.settings.lint import Named, names_rule
from shardlint.syntax.document import Document
from shardlint.syntax.tree import Span

_PRAGMA = r"[\s#/*;]*shardlint\s*:\s*"
_IGNORE = r"(?s)ignore\s*\[([^\]]*)\]\s*(.*)\Z"
_PAIR = r"""(?a)([A-Za-z_][\w.\-]*)\s*=\s*("[^"]*"|'[^']*'|\[[^\]]*\]|[^\s,"'\[][^\s,]*)[\s,]*"""


class Suppression(NamedTuple):
    """An `ignore[...]` pragma. `own_line` is true where nothing but the comment stands on its line."""

    named: tuple[Named, ...]
    reason: str
    span: Span
    line: int
    own_line: bool

    def names(self, code: str, name: str) -> bool:
        return any(names_rule(rule.word, code, name) for rule in self.named)


class Pragmas(NamedTuple):
    """What the comments of a document tell shardlint."""

    facts: Layer = Layer(PRAGMA, {})
    suppressions: tuple[Suppression, ...] = ()
    problems: tuple[Finding, ...] = ()


def read_pragmas(document: Document) -> Pragmas:
    """Every pragma of a document. One that cannot be read is a problem and the others apply."""
    facts: dict[str, Fact[object]] = {}
    suppressions: list[Suppression] = []
    problems: list[Finding] = []
    for span in _comments(document):
        text = document.text[span.start : span.end]
        found = re.match(_PRAGMA, text)
        if found is None:
            continue
        body = text[found.end() :].rstrip().removesuffix("*/").rstrip()
        ignore = re.match(_IGNORE, body)
        if ignore is not None:
            start = span.start + found.end()
            suppressions.append(_suppression(document, span, start, ignore, problems))
        else:
            _facts(document, span.start + found.end(), body, facts, problems)
    return Pragmas(Layer(PRAGMA, facts), tuple(suppressions), tuple(problems))


def _comments(document: Document) -> tuple[Span, ...]:
    """The comments of a document; a text without a parser (a hostfile) has `#` to the end of the line."""
    if document.language != "text":
        return document.comments
    return tuple(Span(*found.span()) for found in re.finditer(r"#[^\r\n]*", document.text))


def suppressions(document: Document) -> tuple[Suppression, ...]:
    """The `ignore[...]` pragmas of a document."""
    return read_pragmas(document).suppressions


def suppressed(finding: Finding, document: Document, pragmas: tuple[Suppression, ...]) -> Suppression | None:
    """The pragma that silences a finding: on a line of its span, or right above on a line of its own."""
    if not pragmas:
        return None
    first = document.position(finding.place.span.start).line
    last = document.position(max(finding.place.span.start, finding.place.span.end - 1)).line
    alone = {pragma.line for pragma in pragmas if pragma.own_line}
    above = first
    while above - 1 in alone:
        above -= 1
    for pragma in pragmas:
        on_it = first <= pragma.line <= last or (pragma.own_line and above <= pragma.line < first)
        if on_it and pragma.names(finding.code, finding.rule):
            return pragma
    return None


def _suppression(
    document: Document, span: Span, start: int, found: re.Match[str], problems: list[Finding]
) -> Suppression:
    from shardlint.settings.problems import PRAGMA as BROKEN
    from shardlint.settings.problems import problem

    start += found.start(1)
    words = re.finditer(r"[^\s,](?:[^,]*[^\s,])?", found.group(1))
    named = tuple(
        Named(word[0], file_place(document, Span(start + word.start(), start + word.end()))) for word in words
    )
    if not named:
        message = "ignore[] names no rule, so nothing is silenced; write ignore[RULE]"
        problems.append(problem(BROKEN, message, file_place(document, span)))
    line = document.position(span.start).line
    before = document.text[document.line_starts[line - 1] : span.start]
    return Suppression(named, found.group(2).strip(), span, line, not before.strip())


def _facts(
    document: Document, start: int, body: str, facts: dict[str, Fact[object]], problems: list[Finding]
) -> None:
    from shardlint.settings.problems import PRAGMA as BROKEN
    from shardlint.settings.problems import problem, understood
    from shardlint.settings.values import read_word

    at, pair, given = 0, re.compile(_PAIR), dict[str, object]()
    origin = f"{document.name}:{document.position(start).line}"
    while at < len(body):
        found = pair.match(body, at)
        if found is None:
            message = f"{body[at : at + 40]!r} is no pragma; write NAME=VALUE or ignore[RULE]"
            problems.append(
                problem(BROKEN, message, file_place(document, Span(start + at, start + len(body))))
            )
            return
        place = Place(document.name, "", Span(start + found.start(), start + found.end(2)), document)
        name = found.group(1).removeprefix("facts.")
        fact, finding = understood(name, read_word(found.group(2)), found.group(2), origin, place)
        if fact is not None:
            if given.setdefault(name, fact.value) != fact.value:
                message = (
                    f"{name} is given twice in one pragma, and the last value, {found.group(2)}, applies"
                )
                problems.append(problem(BROKEN, message, place))
            facts[name] = fact
        if finding is not None:
            problems.append(finding)
        at = found.end()
