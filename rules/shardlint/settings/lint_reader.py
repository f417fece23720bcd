"""Read the `[lint]` table of a settings file."""

from __future__ import annotations

from shardlint.report import Finding, Severity, key_place, value_place
from shardlint.settings.entries import children
from shardlint.settings.lint import FileIgnore, LintSettings, Named
from shardlint.settings.problems import WRONG, problem, unknown_name
from shardlint.syntax.document import Document
from shardlint.syntax.tree import Mapping, Sequence
from shardlint.syntax.view import Entry

OPTIONS = ("select", "ignore", "severity", "per-file-ignores")
SEVERITIES = {level.word: level for level in Severity}


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
            finding = finding._replace(message=f"{finding.message}; did you mean lint.{close}?")
        self.problems.append(finding)

    def _rules(self, entry: Entry) -> tuple[str, ...]:
        items = children(entry) if isinstance(entry.node, Sequence) else [entry]
        words: list[str] = []
        for item in items:
            if isinstance(item.value, str):
                words.append(item.value)
                self.named.append(Named(item.value, value_place(self.document, item)))
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
            self.named.append(Named(item.name, key_place(self.document, item)))
        return levels

    def _ignores(self, entry: Entry) -> tuple[FileIgnore, ...]:
        found: list[FileIgnore] = []
        for item in children(entry):
            pattern, _, key = item.name.partition(":")
            found.append(FileIgnore(pattern, key, self._rules(item)))
        return tuple(found)

    def _wrong(self, entry: Entry, message: str) -> None:
        self.problems.append(problem(WRONG, message, value_place(self.document, entry)))
