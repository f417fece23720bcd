"""What files and settings say under one name: the file decides, a setting fills in, a flag overrides."""

from __future__ import annotations

from collections.abc import Mapping

from shardlint.plan import GIVEN, Fact, unknown
from shardlint.settings import Settings


class Known:
    """Look-ups over the terms of a job and its settings."""

    def __init__(self, settings: Settings, terms: Mapping[str, Fact[object]]) -> None:
        self.settings = settings
        self.terms = terms

    def fact(self, name: str) -> Fact[object]:
        """The fact of that name; a setting that differs from a file is kept in `against`."""
        stated, setting = self.terms.get(name), self.settings.fact(name)
        if stated is None or not stated.known or stated.standing != GIVEN:
            return setting if setting.known else (stated or setting)
        if not setting.known or setting.value == stated.value or setting in stated.against:
            return stated
        return setting if self.settings.given_by_flag(name) else stated.disagreeing(setting)

    def text(self, name: str) -> Fact[str]:
        fact = self.fact(name)
        if not isinstance(fact.value, str):
            return unknown(fact.origin)
        return Fact(fact.value, fact.origin, fact.standing, fact.place)

    def integer(self, name: str) -> Fact[int]:
        fact = self.fact(name)
        if isinstance(fact.value, bool) or not isinstance(fact.value, int):
            return unknown(fact.origin)
        return Fact(fact.value, fact.origin, fact.standing, fact.place)

    def flag(self, name: str) -> bool | None:
        value = self.fact(name).value
        return value if isinstance(value, bool) else None
