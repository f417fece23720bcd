"""Sections, names and values of shardlint.toml and of [tool.shardlint]."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lsprotocol.types import CompletionItemKind as Kind

from shardlint.explain.sections import BUDGET
from shardlint.report import Severity
from shardlint.schema.releases import NEWEST
from shardlint.schema.snippets import escaped
from shardlint.settings.lint_reader import OPTIONS
from shardlint.settings.names import Setting, all_settings, find_setting, role_and_name
from shardlint.syntax.keypath import KeyPath
from shardlint.syntax.tree import Scalar
from shardlint_lsp.caret.spot import HEADER, KEY, MARK, Spot
from shardlint_lsp.look import Look
from shardlint_lsp.proposals.files import CONFIGS, files
from shardlint_lsp.proposals.proposal import Proposal, Topic, quoted
from shardlint_lsp.proposals.values import rules, setting_values
from shardlint_lsp.setting_texts import setting_name

TABLES = ("facts", "budget", "lint", "lint.severity", "lint.per-file-ignores")
LISTS = ("jobs", "files")
OWN = {"jobs": "files", "files": "match"}
"""The key of an item that lists files."""

STYLE = "toml"
_IN_ROLE = re.compile(r"roles\.[\w-]+\.")


def setting_proposals(look: Look, spot: Spot, table: tuple[str, ...]) -> list[Proposal]:
    """What can be written at a spot of a settings file, whose settings stand below `table`."""
    if spot.kind == HEADER:
        return list(_headers(look, spot, table))
    if spot.path[: len(table)] != table:
        return []
    path = spot.path[len(table) :]
    if spot.kind == KEY:
        return _keys(look, spot, path)
    return _values(look, spot, path)


def named_settings(prefix: str, present: Iterable[str] = ()) -> Iterator[Setting]:
    """The settings whose names begin with a prefix, but those present; versions of known packages only."""
    taken = set(present)
    packages = (*NEWEST, "torch")
    open_ones = (find_setting(f"versions.{package}") for package in packages)
    for setting in (*all_settings().values(), *open_ones):
        if setting is not None and setting.name.startswith(prefix) and setting.name not in taken:
            yield setting


def _headers(look: Look, spot: Spot, table: tuple[str, ...]) -> Iterator[Proposal]:
    text = look.document.text
    doubled = text[: spot.word.span.start].endswith("[[")
    prefix = ".".join((*table, ""))
    closed = text[spot.word.span.end :].lstrip(" \t")[:1] == "]"
    for name in LISTS if doubled else TABLES:
        end = "" if closed else "]]" if doubled else "]"
        yield Proposal(prefix + name, Kind.Module, escaped(prefix + name) + end, "", _section(name))


def _keys(look: Look, spot: Spot, path: KeyPath) -> list[Proposal]:
    present = set(_present(spot))
    match path:
        case ():
            return [_opening(name) for name in (*TABLES[:3], *LISTS) if name not in present]
        case ("lint",):
            return [_option(name) for name in OPTIONS if name not in present]
        case ("lint", "severity"):
            found = rules(spot.word.typed, escaped)
            words = ",".join(level.word for level in reversed(Severity))
            return [_pair(one, f'"${{1|{words}|}}"', spot) for one in found if one.label not in present]
        case ("lint", "per-file-ignores"):
            found = files(look, spot.word.typed, CONFIGS, STYLE)
            return [_pair(one, '["$1"]', spot) for one in found if one.label not in present]
        case ("jobs" | "files" as kind, int()):
            own = Proposal(OWN[kind], Kind.Property, _value(OWN[kind], '["$1"]', spot), "", _section(kind))
            facts = Proposal("facts", Kind.Module, _value("facts", "{ $0 }", spot), "", _section("facts"))
            return [one._replace(is_key=True) for one in (own, facts) if one.label not in present]
        case _:
            return _facts(spot, path, present)


def _facts(spot: Spot, path: KeyPath, present: set[str]) -> list[Proposal]:
    """Names of settings, from the table they are written in on."""
    begun = setting_name(path)
    if begun is None:
        return []
    role, plain = role_and_name(begun)
    typed = _IN_ROLE.match(spot.word.typed) if not role else None
    shown = typed.group() if typed else ""
    prefix = f"{plain}." if plain and not plain.endswith(".") else plain
    taken = {prefix + name for name in present}
    found = [one for one in named_settings(prefix, taken) if prefix or not one.name.startswith(BUDGET)]
    made: list[Proposal] = []
    for setting in found:
        name = shown + setting.name[len(prefix) :]
        insert = _value(name, f"${{1:{escaped(setting.example)}}}", spot)
        detail = setting.unit or setting.kind
        made.append(
            Proposal(name, Kind.Property, insert, detail, Topic("setting", setting.name), is_key=True)
        )
    if not prefix and not role and not shown:
        made.append(Proposal("roles", Kind.Module, "roles.${1:actor}.$0", "", _section("facts"), is_key=True))
    return made


def _values(look: Look, spot: Spot, path: KeyPath) -> list[Proposal]:
    match path:
        case ("lint", "select" | "ignore", *_) | ("lint", "per-file-ignores", _, *_):
            found = rules(spot.word.typed, quoted)
            return found if isinstance(path[-1], int) else [_listed(one) for one in found]
        case ("lint", "severity", _):
            words = [level.word for level in reversed(Severity)]
            return [Proposal(word, Kind.EnumMember, quoted(word), "", _section("lint")) for word in words]
        case ("jobs", int(), "files", *_) | ("files", int(), "match", *_):
            found = files(look, spot.word.typed, CONFIGS, STYLE)
            return found if isinstance(path[-1], int) else [_listed(one) for one in found]
        case _:
            name = setting_name(path)
            return setting_values(look, name, spot.word.typed, quoted, STYLE) if name else []


def _present(spot: Spot) -> Iterator[str]:
    """The dotted names of the section that is written in."""
    for entry in spot.view.walk(*spot.path):
        steps = [str(step) for step in entry.path[len(spot.path) :]]
        if steps and steps[-1] != MARK and (isinstance(entry.node, Scalar) or len(steps) == 1):
            yield ".".join(steps)


def _opening(name: str) -> Proposal:
    header = f"[[{name}]]" if name in LISTS else f"[{name}]"
    return Proposal(name, Kind.Module, f"{header}\n$0", "", _section(name))


def _option(name: str) -> Proposal:
    value = '["$1"]' if name in ("select", "ignore") else "{ $0 }"
    return Proposal(name, Kind.Property, f"{name} = {value}", "", _section("lint"), is_key=True)


def _pair(one: Proposal, value: str, spot: Spot) -> Proposal:
    return one._replace(insert=_value(one.insert, value, spot), is_key=True)


def _value(name: str, value: str, spot: Spot) -> str:
    """A key with its value, or without where that is there."""
    return name if spot.followed else f"{name} = {value}"


def _listed(one: Proposal) -> Proposal:
    return one._replace(insert=f"[{one.insert}]")


def _section(name: str) -> Topic:
    return Topic("section", name)
