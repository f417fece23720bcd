"""Key: one row of a table."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from shardlint.syntax.expression import expression

DOCUMENTATION = {
    "deepspeed": "https://www.deepspeed.ai/docs/config-json/",
    "accelerate": "https://huggingface.co/docs/accelerate/",
    "hf-trainer": "https://huggingface.co/docs/transformers/main_classes/trainer",
}

_WORD = expression(r"(?P<text>.+?)(?:>=(?P<since>[\d.]+))?(?:<(?P<removed>[\d.]+))?\Z")
_BOUND = expression(r"(?P<operator>>=|<=|>|<)(?P<limit>-?[\d.]+)(?:@(?P<since>[\d.]+))?(?P<soft>\??)\Z")
_ANY_CASE, _EXACT, _SOFT = "~", "=", "?"


class Word(NamedTuple):
    """A value a key takes. `since` and `removed` are the first releases with and without it, or empty."""

    text: str
    any_case: bool = False
    since: str = ""
    removed: str = ""

    def matches(self, text: str) -> bool:
        return text == self.text or (self.any_case and text.lower() == self.text.lower())


class Bound(NamedTuple):
    """A limit of a number: `>` 0. `since` is the first release that checks it, or empty for all.

    `soft`: nothing checks it, but no number beyond it makes sense.
    """

    operator: str
    limit: float
    since: str = ""
    soft: bool = False

    def holds(self, number: float) -> bool:
        if self.operator == ">":
            return number > self.limit
        if self.operator == ">=":
            return number >= self.limit
        return number < self.limit if self.operator == "<" else number <= self.limit

    @property
    def text(self) -> str:
        phrase = {">": "above", ">=": "at least", "<": "below", "<=": "at most"}[self.operator]
        exact = f"{self.limit:.0f}" if self.limit.is_integer() else f"{self.limit:g}"
        return f"{phrase} {exact}"


class When(NamedTuple):
    """What another key must say for a row to count: the value, or with `other` anything but that."""

    path: str
    value: str
    other: bool = False

    def holds(self, stated: str) -> bool:
        return (stated == self.value) != self.other


class Key(NamedTuple):
    """What a stack knows about one key.

    `path`: dotted, `[]` for a list item, `<m>` for a key the user names; empty for the file itself.
    `when`: `path=value` of another key without which this row does not apply (`path!=value`: with which
    it does not), or empty.
    `type`: alternatives joined by `|`: int float bool str path mapping list list[x] null auto any none.
    `default`: JSON text, `required`, or empty where there is none.
    `reads`: how the reader takes a value, see `shardlint.schema.values`.
    `since`, `removed`: first release with it and first without it; empty where our tables end.
    `replaced`: path of the key that replaced it. `unit`: elements, bytes or empty.
    `effective`: when it does anything: empty always, `nowhere` never, else words.
    """

    path: str
    when: str
    type: str
    words_text: str
    range_text: str
    default: str
    reads: str
    fails_text: str
    auto_text: str
    since: str
    removed: str
    replaced: str
    unit: str
    keys_text: str
    alias: str
    effective: str
    anchor: str
    meaning: str

    @property
    def name(self) -> str:
        return self.path.rpartition(".")[2]

    @property
    def section(self) -> str:
        return self.path.rpartition(".")[0]

    @property
    def types(self) -> tuple[str, ...]:
        return tuple(self.type.split("|"))

    @property
    def fails_at(self) -> str:
        """Where the reader refuses a value of a wrong type (a stage of the rule table), or empty: never."""
        return self.fails_text.partition("/")[0]

    @property
    def value_fails_at(self) -> str:
        """Where a value of the right type that is none of the words, or out of range, is refused."""
        return self.fails_text.rpartition("/")[2]

    @property
    def is_section(self) -> bool:
        return "mapping" in self.types

    @property
    def words(self) -> tuple[Word, ...]:
        return _words(self.words_text)

    @property
    def soft_words(self) -> bool:
        """Nothing refuses another word."""
        return self.words_text.startswith(_SOFT)

    @property
    def bounds(self) -> tuple[Bound, ...]:
        return _bounds(self.range_text)

    @property
    def auto(self) -> tuple[str, ...]:
        """Who fills `auto` here, or does without: hf-trainer, accelerate; `own` where auto is a value of the
        key itself."""
        return tuple(self.auto_text.split())

    @property
    def unknown(self) -> str:
        """What a section does with a key it does not know: refused, ignored, stored, free, open or empty.

        stored: kept, but nothing reads it. free: handed on to code that decides. open: others add theirs.
        """
        return self.keys_text.partition("@")[0]

    @property
    def refuses_since(self) -> str:
        """The first release that refuses unknown keys and wrong values here; empty for all."""
        return self.keys_text.partition("@")[2]

    def condition(self) -> When | None:
        """`when`, taken apart."""
        path, equals, value = self.when.partition("=")
        return When(path.removesuffix("!"), value, path.endswith("!")) if equals else None


@cache
def _words(text: str) -> tuple[Word, ...]:
    found: list[Word] = []
    any_case = False
    for token in text.split():
        if token in (_ANY_CASE, _EXACT, _SOFT):
            any_case = token == _ANY_CASE
            continue
        match = _WORD.match(token)
        if match is not None:
            since, removed = match.group("since") or "", match.group("removed") or ""
            found.append(Word(match.group("text"), any_case, since, removed))
    return tuple(found)


@cache
def _bounds(text: str) -> tuple[Bound, ...]:
    matches = (_BOUND.match(token) for token in text.split())
    return tuple(
        Bound(
            found.group("operator"),
            float(found.group("limit")),
            found.group("since") or "",
            bool(found.group("soft")),
        )
        for found in matches
        if found is not None
    )
