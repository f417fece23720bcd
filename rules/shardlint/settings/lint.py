"""Which rules speak, how loud, and where they are silent."""

from __future__ import annotations

from collections.abc import Mapping as MappingType
from typing import NamedTuple

from shardlint.report import Place, Severity
from shardlint.settings.globs import matches

SETTINGS_FAMILY = "SET"


class Named(NamedTuple):
    """A rule somebody names, and where: for the finding about a name no rule has."""

    word: str
    place: Place


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
        """Whether the rule runs at all. Rules about the settings themselves do unless they are ignored: one
        of them says what is wrong with `select`."""
        if any(names_rule(word, code, name) for word in self.ignore):
            return False
        picked = any(names_rule(word, code, name) for word in self.select)
        return not self.select or picked or code.startswith(SETTINGS_FAMILY)

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
    """Whether a word means a rule."""
    return word.strip().upper() in words_for(code, name)


def words_for(code: str, name: str) -> tuple[str, ...]:
    """What a rule is called in capitals: its name, its code, its family (`MEM`) and ALL."""
    return name.upper(), code.upper(), code.rstrip("0123456789").upper(), "ALL"


def _covers(ignored: str, key: str) -> bool:
    return not ignored or key == ignored or key.startswith((f"{ignored}.", f"{ignored}["))
