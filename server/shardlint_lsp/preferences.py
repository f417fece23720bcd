"""What the user sets in the editor: facts of the job, and what the server shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, cast

from shardlint.catalog.near import nearest
from shardlint.report import listing
from shardlint.settings.flags import written
from shardlint.settings.names import is_fact, nearest_setting

SECTION = "shardlint"
SYNTAX = ("auto", "always", "never")
DELIVERY = ("auto", "push", "pull")
FEATURES = (
    "inlayHints",
    "codeLens",
    "workspaceDiagnostics",
    "maxWorkspaceFiles",
    "syntax",
    "diagnostics",
    "lint",
)
"""Every other name is a fact, in the words of shardlint.toml."""
CLIENT = ("command", "trace")
"""What extensions of editors keep for themselves in the same section."""
LINT = ("select", "ignore")
HINTS = ("stage", "batch", "buckets", "auto")


class Preferences(NamedTuple):
    """The settings of one workspace folder.

    `facts` are settings in the words of shardlint.toml; `syntax` says whether plain syntax is spoken of:
    `auto` leaves it to an editor that reads the language by itself. `hints` are the inlay hints shown.
    `diagnostics` says whether the server sends them or waits to be asked, and counts at the start only:
    `auto` waits where the editor can be told to ask again.
    """

    facts: Mapping[str, object] = {}
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    syntax: str = "auto"
    diagnostics: str = "auto"
    hints: frozenset[str] = frozenset(HINTS)
    code_lens: bool = False
    workspace_diagnostics: bool = False
    max_workspace_files: int = 2000
    problems: tuple[str, ...] = ()


def preferences_of(said: object) -> Preferences:
    """What an editor sent, with or without the name of the section around it. Anything wrong in it is one
    of `problems`, and the rest still holds."""
    if said is None:
        return Preferences()
    if not isinstance(said, Mapping):
        return Preferences(problems=(f"settings of shardlint are a table of names, not {written(said)}",))
    table = cast("Mapping[str, object]", said)
    inner = table.get(SECTION, table)
    if not isinstance(inner, Mapping):
        return Preferences(problems=(f"{SECTION} is a table of names, not {written(inner)}",))
    known = _nested(cast("Mapping[str, object]", inner))
    problems: list[str] = []
    for name, meant in _misspelt(known):
        problems.append(f"{name} is no setting; did you mean {meant}?")
        del known[name]
    made = Preferences(facts={name: value for name, value in known.items() if name not in FEATURES})
    for change in _changes(known, problems):
        made = made._replace(**change)
    return made._replace(problems=tuple(problems))


def _nested(said: Mapping[str, object]) -> dict[str, object]:
    """Dotted names of our own features as tables: `inlayHints.stage` is `inlayHints: {stage}`. What is the
    editor's own, and what is null, which is not set, is left out."""
    found: dict[str, object] = {}
    for name, value in said.items():
        first, dot, rest = name.partition(".")
        if first in CLIENT or value is None:
            continue
        if dot and first in FEATURES:
            table = found.setdefault(first, {})
            if isinstance(table, dict):
                cast("dict[str, object]", table)[rest] = value
        else:
            found[name] = value
    return found


def _misspelt(said: Mapping[str, object]) -> list[tuple[str, str]]:
    """Names that are nearly one of a feature, and which."""
    unknown = [name for name in said if name not in FEATURES and not is_fact(name)]
    unknown = [name for name in unknown if nearest_setting(name) is None]
    return [(name, meant) for name in unknown if (meant := nearest(name, FEATURES)) is not None]


def _changes(said: Mapping[str, object], problems: list[str]) -> Iterator[dict[str, Any]]:
    lint = _table(said, "lint", LINT, problems)
    for name in LINT:
        words = lint.get(name, [])
        listed = cast("list[object]", words) if isinstance(words, list) else [None]
        if all(isinstance(word, str) for word in listed):
            yield {name: tuple(map(str, listed))}
        else:
            problems.append(f"lint.{name} is a list of rules, not {written(cast('object', words))}")
    yield {"hints": _hints(said, problems)}
    for name, field in (("codeLens", "code_lens"), ("workspaceDiagnostics", "workspace_diagnostics")):
        if isinstance(said.get(name, False), bool):
            yield {field: said.get(name, False)}
        else:
            problems.append(f"{name} is true or false, not {written(said[name])}")
    most = said.get("maxWorkspaceFiles", Preferences().max_workspace_files)
    if isinstance(most, int) and not isinstance(most, bool) and most >= 0:
        yield {"max_workspace_files": most}
    else:
        problems.append(f"maxWorkspaceFiles is a number of files, not {written(most)}")
    for name, words in (("syntax", SYNTAX), ("diagnostics", DELIVERY)):
        word = said.get(name, "auto")
        if word in words:
            yield {name: word}
        else:
            problems.append(f"{name} is {listing(words)}, not {written(word)}")


def _hints(said: Mapping[str, object], problems: list[str]) -> frozenset[str]:
    given = said.get("inlayHints", True)
    if isinstance(given, bool):
        return frozenset(HINTS if given else ())
    table = _table(said, "inlayHints", ("enabled", *HINTS), problems)
    for name, value in table.items():
        if not isinstance(value, bool):
            problems.append(f"inlayHints.{name} is true or false, not {written(value)}")
    if table.get("enabled", True) is False:
        return frozenset()
    return frozenset(name for name in HINTS if table.get(name, True) is not False)


def _table(
    said: Mapping[str, object], name: str, known: tuple[str, ...], problems: list[str]
) -> Mapping[str, object]:
    table = said.get(name, {})
    if not isinstance(table, Mapping):
        problems.append(f"{name} is a table of {', '.join(known)}, not {written(table)}")
        return {}
    found = cast("Mapping[str, object]", table)
    problems += [
        f"{name}.{key} is no setting; it has {', '.join(known)}" for key in found if key not in known
    ]
    return {key: value for key, value in found.items() if key in known and value is not None}
