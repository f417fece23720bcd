"""What a rule is, and the table of all rules, collected from the modules of this package."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from shardlint.collect import import_modules, import_packages
from shardlint.report import Severity

STAGES = ("load", "launch", "config", "engine", "compile", "first step", "save")
"""Points every run reaches, in order; the values of `fails_at`."""

DEPRECATED, UNNECESSARY = "deprecated", "unnecessary"
"""What the text a rule points at is, as editors show it: on its way out, or without an effect."""

Check = Callable[..., "Iterable[Any]"]
F = TypeVar("F", bound=Check)


class Rule(NamedTuple):
    """A rule: its identity, the highest severity it may report, and the function that looks.

    `needs` are the names of the types of its parameters (Document, Reading, Job, TrainingPlan, Ledger,
    Settings): they decide how often it runs and what it sees. `supersedes` names rules whose finding at
    the same place is dropped when this one fires. `about` are words of which at least one stands in the
    files or settings of every job this rule has anything to say about; none where it may always speak.
    `tag` is DEPRECATED or UNNECESSARY where the text it points at is.
    """

    code: str
    name: str
    severity: Severity
    since: str
    fails_at: str | None
    supersedes: tuple[str, ...]
    check: Check
    needs: tuple[str, ...]
    module: str
    about: tuple[str, ...] = ()
    tag: str = ""

    @property
    def documentation(self) -> str:
        """The docstring of the rule's module: its documentation, in Markdown."""
        return (sys.modules[self.module].__doc__ or "").strip()

    @property
    def family(self) -> str:
        return self.code.rstrip("0123456789")


NOTHING: frozenset[str] = frozenset()

_RULES: dict[str, Rule] = {}


def rule(
    code: str,
    name: str,
    *,
    severity: Severity,
    since: str,
    fails_at: str | None = None,
    supersedes: tuple[str, ...] = (),
    about: tuple[str, ...] = (),
    tag: str = "",
) -> Callable[[F], F]:
    """Register a check. Its parameters are matched by the names of their annotated types."""

    def register(check: F) -> F:
        hints = {key: value for key, value in check.__annotations__.items() if key != "return"}
        needs = tuple(str(getattr(hint, "__name__", hint)) for hint in hints.values())
        if code in _RULES:
            raise ValueError(f"two rules have the code {code}: {_RULES[code].name} and {name}")
        module = check.__module__
        _RULES[code] = Rule(
            code, name, severity, since, fails_at, supersedes, check, needs, module, about, tag
        )
        return check

    return register


def all_rules() -> tuple[Rule, ...]:
    """Every rule of the package, by code."""
    return rules_but(NOTHING)


@lru_cache(maxsize=64)
def rules_but(silent: frozenset[str]) -> tuple[Rule, ...]:
    """Every rule of the package, by code, but those of some modules, which are not imported for it."""
    for family in import_packages("shardlint.checks"):
        import_modules(family.__name__, silent)
    return tuple(_RULES[code] for code in sorted(_RULES) if _RULES[code].module not in silent)


def find_rule(word: str) -> Rule | None:
    """A rule by its name or code, in any case."""
    return _by_word().get(word.strip().lower())


@lru_cache(maxsize=1)
def _by_word() -> dict[str, Rule]:
    return {word: rule for rule in all_rules() for word in (rule.name, rule.code.lower())}
