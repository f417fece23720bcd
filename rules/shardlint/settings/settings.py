"""Settings: what the user says beside the config files, for a folder, a file, a job or a role."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from shardlint.plan import Fact, unknown
from shardlint.report import Finding, Notice
from shardlint.settings.globs import matches
from shardlint.settings.layers import FLAG, Layer, find, stacked
from shardlint.settings.lint import LintSettings
from shardlint.settings.spec import JobSpec, Source
from shardlint.syntax.document import Document

if TYPE_CHECKING:
    from shardlint.settings.pins import Pin
    from shardlint.settings.pragmas import Suppression
    from shardlint.settings.versions import VersionSet

T = TypeVar("T")


class Budget(NamedTuple):
    """Memory of a rank beside the model states: bytes, bytes, share of the whole."""

    activations: Fact[int]
    reserve: Fact[int]
    fragmentation: Fact[float]


class Pins(Protocol):
    """Where version requirements of the project come from."""

    def __call__(self, package: str) -> Fact[str]: ...

    def stated(self, package: str) -> tuple[Pin, ...]: ...

    def at(self, folder: Path) -> Pins: ...


class Settings:
    """Facts by name, strongest layer first: --set, pragma, editor, [[jobs]], [[files]], [facts].

    `root` is the folder of the settings file (of the lint where there is none), `path` that file.
    Settings do not change: `for_file`, `for_member`, `for_role`, `with_problems` and `with_pragmas` give
    new ones.
    """

    __slots__ = (
        "_layers",
        "_pins",
        "_role",
        "_source",
        "notices",
        "path",
        "problems",
        "root",
        "suppressions",
    )

    def __init__(
        self,
        root: Path,
        path: Path | None = None,
        source: Source | None = None,
        outside: tuple[Layer, ...] = (),
        notices: tuple[Notice, ...] = (),
        pins: Pins | None = None,
    ) -> None:
        self.root = root
        self.path = path
        self._source = source or Source()
        self.problems: tuple[Finding, ...] = self._source.problems
        self.notices = notices
        self.suppressions: tuple[Suppression, ...] = ()
        self._layers = stacked((self._source.facts,), outside)
        self._pins = pins
        self._role = ""

    def fact(self, name: str) -> Fact[object]:
        """The value of a setting, or an unknown fact whose origin says how to set it."""
        found = self._find(name)
        return found[1] if found else unknown(f"set {name}")

    def text(self, name: str) -> Fact[str]:
        fact = self.fact(name)
        return _typed(fact, fact.value if isinstance(fact.value, str) else None)

    def integer(self, name: str) -> Fact[int]:
        fact = self.fact(name)
        whole = isinstance(fact.value, int) and not isinstance(fact.value, bool)
        return _typed(fact, int(fact.value) if whole else None)  # pyright: ignore[reportArgumentType]

    def number(self, name: str) -> Fact[float]:
        fact = self.fact(name)
        usable = isinstance(fact.value, int | float) and not isinstance(fact.value, bool)
        return _typed(fact, float(fact.value) if usable else None)  # pyright: ignore[reportArgumentType]

    def flag(self, name: str) -> Fact[bool]:
        fact = self.fact(name)
        return _typed(fact, fact.value if isinstance(fact.value, bool) else None)

    def given_by_flag(self, name: str) -> bool:
        """Whether `--set` states it: only then does a setting override what a file says."""
        found = self._find(name)
        return found is not None and found[0] == FLAG

    def names(self) -> tuple[str, ...]:
        """Every name some layer states, sorted."""
        return tuple(sorted({name for layer in self._layers for name in layer.values}))

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles that have settings of their own."""
        return tuple(sorted({name.split(".")[1] for name in self.names() if name.startswith("roles.")}))

    def said(self, rule: str) -> list[Finding]:
        """The problems of the settings that a rule is named after."""
        return [finding for finding in self.problems if finding.rule == rule]

    @property
    def jobs(self) -> tuple[JobSpec, ...]:
        return self._source.jobs

    @property
    def lint(self) -> LintSettings:
        return self._source.lint

    @property
    def budget(self) -> Budget:
        return Budget(
            self.integer("budget.activations"),
            self.integer("budget.reserve"),
            self.number("budget.fragmentation"),
        )

    def versions(self, package: str) -> VersionSet:
        """The releases of a package that may be installed: from settings, else from requirements near by."""
        from shardlint.settings.versions import VersionSet

        fact = self.text(f"versions.{package}")
        if not fact.known and self._pins is not None:
            fact = self._pins(package)
        return VersionSet(package, fact)

    def pinned(self, package: str) -> tuple[Pin, ...]:
        """What project files near by say about a package, the most telling first."""
        return self._pins.stated(package) if self._pins is not None else ()

    def for_file(self, path: Path) -> Settings:
        """With the facts of the `[[files]]` that match a path and the `[[jobs]]` that list it, and the
        project files near it."""
        return self._near(path, self.jobs_of(path))

    def for_member(self, path: Path, spec: JobSpec) -> Settings:
        """As `for_file`, with the facts of only one of the `[[jobs]]` that list the path."""
        return self._near(path, (spec,))

    def _near(self, path: Path, jobs: Sequence[JobSpec]) -> Settings:
        name = self.relative(path)
        layers = [
            spec.facts for spec in self._source.files if any(matches(glob, name) for glob in spec.match)
        ]
        made = self._with(*layers, *(spec.facts for spec in jobs))
        made._pins = self._pins.at((self.root / path).parent) if self._pins is not None else None
        return made

    def jobs_of(self, path: Path) -> tuple[JobSpec, ...]:
        """The `[[jobs]]` that list a path."""
        name = self.relative(path)
        return tuple(spec for spec in self._source.jobs if name in (_clean(file) for file in spec.files))

    def for_role(self, role: str) -> Settings:
        """As one role sees it: `roles.<role>.<name>` wins over `<name>` within its layer and below."""
        made = self._with()
        made._role = f"roles.{role}."
        return made

    def with_pragmas(self, document: Document) -> Settings:
        """With what the comments of a document say, its suppressions and its broken pragmas."""
        if "shardlint" not in document.text:
            return self
        from shardlint.settings.pragmas import read_pragmas

        pragmas = read_pragmas(document)
        if not (pragmas.facts.values or pragmas.suppressions or pragmas.problems):
            return self
        made = self._with(pragmas.facts)
        made.suppressions = (*self.suppressions, *pragmas.suppressions)
        made.problems = (*self.problems, *pragmas.problems)
        return made

    def with_problems(self, problems: Sequence[Finding]) -> Settings:
        """With more that is wrong with them."""
        if not problems:
            return self
        made = self._with()
        made.problems = (*self.problems, *problems)
        return made

    def relative(self, path: Path) -> str:
        """A path relative to the settings file, with `/`: how `[[files]]`, `[[jobs]]` and ignores name it."""
        full = path if path.is_absolute() else self.root / path
        return os.path.relpath(full, self.root).replace(os.sep, "/")

    def _with(self, *layers: Layer) -> Settings:
        made = Settings(self.root, self.path, self._source, (), self.notices, self._pins)
        made.problems = self.problems
        made.suppressions = self.suppressions
        made._layers = stacked(self._layers, layers)
        made._role = self._role
        return made

    def _find(self, name: str) -> tuple[int, Fact[object]] | None:
        general = find(self._layers, name)
        own = find(self._layers, self._role + name) if self._role else None
        if own is None or general is None:
            return own or general
        return own if own[0] <= general[0] else general

    def __repr__(self) -> str:
        return f"Settings({self.path or self.root}, {len(self.names())} facts)"


def _typed(fact: Fact[object], value: T | None) -> Fact[T]:
    if value is None:
        return unknown(fact.origin)
    return Fact(value, fact.origin, fact.standing, fact.place)


def _clean(file: str) -> str:
    return os.path.normpath(file).replace(os.sep, "/")
