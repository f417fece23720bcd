"""Which rules speak, how loud, and where they are silent."""

from __future__ import annotations

from collections.abc import Mapping as MappingType
from typing import NamedTuple

from shardlint.report import Finding, Severity, key_place, value_place
from shardlint.settings.entries import children
from shardlint.settings.globs import matches
from shardlint.settings.problems import WRONG, problem, unknown_name
from shardlint.syntax.document import Document
from shardlint.syntax.tree import Mapping, Sequence, Span
from shardlint.syntax.view import Entry

OPTIONS = ("select", "ignore", "severity", "per-file-ignores")
SEVERITIES = {level.word: level for level in Severity}


class Named(NamedTuple):
    """A rule somebody names, and where: for the finding about a name no rule has."""

    word: str
    path: str
    key: str
    span: Span


class FileIgnore(NamedTuple):
    """Rules that are silent in the files a pattern matches, or at one key of them (`key` not empty)."""

    pattern: str
    key: str
    rules: tuple[str, ...]


class LintSettings(NamedTuple):
    """The `[lint]` section. An empty `select` selects every rule."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: MappingType[str, Severity] = {}
    per_file_ignores: tuple[FileIgnore, ...] = ()
    named: tuple[Named, ...] = ()

    def selects(self, code: str, name: str) -> bool:
        """Whether the rule runs at all."""
        if any(names_rule(word, code, name) for word in self.ignore):
            return False
        return not self.select or any(names_rule(word, code, name) for word in self.select)

    def level(self, code: str, name: str) -> Severity | None:
        """The severity the user gives the rule, or None."""
        return next((level for word, level in self.severity.items() if names_rule(word, code, name)), None)

    def silences(self, path: str, key: str, code: str, name: str) -> bool:
        """Whether that rule is silent at a key of a file; `path` is relative to the settings file."""
        return any(
            matches(ignore.pattern, path)
            and _covers(ignore.key, key)
            and any(names_rule(word, code, name) for word in ignore.rules)
            for ignore in self.per_file_ignores
        )


def names_rule(word: str, code: str, name: str) -> bool:
    """Whether a word means a rule: its name, its code, its family (`MEM`) or ALL."""
    wanted = word.strip().upper()
    return wanted in (name.upper(), code.upper(), code.rstrip("0123456789").upper(), "ALL")


def _covers(ignored: str, key: str) -> bool:
    return not ignored or key == ignored or key.startswith((f"{ignored}.", f"{ignored}["))


def read_lint(document: Document, entry: Entry, problems: list[Finding]) -> LintSettings:
    """The `[lint]` table; what cannot be read is a problem and the rest applies."""
    if not isinstance(entry.node, Mapping):
        problems.append(problem(WRONG, "lint must be a table; write [lint]", key_place(document, entry)))
        return LintSettings()
    return _LintReader(document, problems).read(entry)


class _LintReader:
    def __init__(self, document: Document, problems: list[Finding]) -> None:
        self.document = document
        self.problems = problems
        self.named: list[Named] = []

    def read(self, section: Entry) -> LintSettings:
        lint = LintSettings()
        for entry in children(section):
            option = entry.name.replace("_", "-")
            if option in ("select", "ignore"):
                lint = lint._replace(**{option: self._rules(entry)})
            elif option == "severity":
                lint = lint._replace(severity=self._severities(entry))
            elif option == "per-file-ignores":
                lint = lint._replace(per_file_ignores=self._ignores(entry))
            else:
                self._unknown(entry)
        return lint._replace(named=tuple(self.named))

    def _unknown(self, entry: Entry) -> None:
        from shardlint.catalog.near import nearest

        close = nearest(entry.name, OPTIONS)
        place = key_place(self.document, entry)
        finding = unknown_name(f"lint.{entry.name}", place)
        if close:
            finding = finding._replace(message=f"{finding.message}; did you mean lint.{close}")
        self.problems.append(finding)

    def _rules(self, entry: Entry) -> tuple[str, ...]:
        items = children(entry) if isinstance(entry.node, Sequence) else [entry]
        words: list[str] = []
        for item in items:
            if isinstance(item.value, str):
                words.append(item.value)
                self.named.append(Named(item.value, self.document.name, item.key, item.value_span))
            else:
                self._wrong(item, f"{entry.name} must be a list of rule names")
        return tuple(words)

    def _severities(self, entry: Entry) -> dict[str, Severity]:
        levels: dict[str, Severity] = {}
        for item in children(entry):
            level = SEVERITIES.get(item.value.lower()) if isinstance(item.value, str) else None
            if level is None:
                self._wrong(item, f"severity of {item.name} must be error, warning, info or hint")
                continue
            levels[item.name] = level
            self.named.append(Named(item.name, self.document.name, item.key, item.key_span))
        return levels

    def _ignores(self, entry: Entry) -> tuple[FileIgnore, ...]:
        found: list[FileIgnore] = []
        for item in children(entry):
            pattern, _, key = item.name.partition(":")
            found.append(FileIgnore(pattern, key, self._rules(item)))
        return tuple(found)

    def _wrong(self, entry: Entry, message: str) -> None:
        self.problems.append(problem(WRONG, message, value_place(self.document, entry)))
