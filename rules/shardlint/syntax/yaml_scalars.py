"""What the YAML loaders make of a scalar: resolver expressions and constructors, one `Schema` a loader."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from shardlint.syntax.template import is_template
from shardlint.syntax.view import MAX_INT_BITS, Plain, Refusal, Template

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from shardlint.syntax.tree import Scalar

MAX_INT_DIGITS = 4300
"""More decimal digits than this `int()` refuses since Python 3.11; such a number stays text."""

_NULLS = frozenset(("", "~", "null", "Null", "NULL"))
_CORE_TAG = "tag:yaml.org,2002:"
_STARTS_NUMBER = frozenset("-+0123456789.")


class Schema(NamedTuple):
    """How one loader resolves plain scalars. `bools` maps its words, the expressions match whole scalars."""

    bools: Mapping[str, bool]
    integer: re.Pattern[str]
    decimal: re.Pattern[str]
    old: bool  # YAML 1.1: a leading zero is octal and colons count in base 60

    def plain(self, text: str) -> Plain:
        """The value of a plain scalar without a tag."""
        if text in _NULLS:
            return None
        if text[0] in _STARTS_NUMBER:
            return self._number(text)
        return self.bools.get(text, text)

    def tagged(self, tag: str, text: str) -> Plain:
        """The value of a scalar with an explicit tag; the text where the loader knows no such tag."""
        kind = tag[2:] if tag.startswith("!!") else tag.strip("!<>").removeprefix(_CORE_TAG)
        try:
            if kind == "int":
                return self._integer(text)
            if kind == "float":
                return self._decimal(text)
        except ValueError:
            return text
        if kind == "bool":
            return self.bools.get(text, self.bools.get(text.lower(), text))
        return None if kind == "null" else text

    def _number(self, text: str) -> Plain:
        try:
            if self.decimal.fullmatch(text):
                return self._decimal(text)
            if self.integer.fullmatch(text):
                return self._integer(text)
        except ValueError:  # `0b_`, `0x_`: resolved as a number that the loader then cannot build
            return text
        return text

    def _integer(self, text: str) -> int:
        """The whole number a text spells; ValueError where it has more digits than Python prints."""
        number = self._whole(text)
        if number.bit_length() > MAX_INT_BITS:
            raise ValueError("more digits than str() prints")
        return number

    def _whole(self, text: str) -> int:
        sign, digits = _signed(text.replace("_", ""))
        head = digits[:2]
        if head == "0b":
            return sign * int(digits[2:], 2)
        if head == "0x":
            return sign * int(digits[2:], 16)
        if head == "0o" and not self.old:
            return sign * int(digits[2:], 8)
        if self.old and ":" in digits:
            return sign * int(_base_60(digits, int))
        if self.old and digits != "0" and digits.startswith("0"):
            return sign * int(digits, 8)
        if len(digits) > MAX_INT_DIGITS:
            raise ValueError("more digits than int() reads")
        return sign * int(digits)

    def _decimal(self, text: str) -> float:
        sign, digits = _signed(text.replace("_", "").lower())
        if digits in (".inf", ".nan"):
            return sign * float(digits[1:])
        if self.old and ":" in digits:
            return sign * _base_60(digits, float)
        return sign * float(digits)


class YamlDialect:
    """A loader of YAML: its name, its schema and what it refuses."""

    __slots__ = ("_refusals", "_schema", "name")

    def __init__(self, name: str, schema: Schema, refusals: Mapping[str, str]) -> None:
        self.name = name
        self._schema = schema
        self._refusals = refusals

    def read(self, scalar: Scalar) -> Plain:
        """The value the loader gives; dates stay text, a placeholder is a Template. Never raises."""
        text, style = scalar.text, scalar.style
        if is_template(text, style):
            return Template(scalar.raw)
        if scalar.tag and scalar.tag != "!":
            return self._schema.tagged(scalar.tag, text)
        if style == "plain" or scalar.tag:  # `! "12"` is 12 for these loaders, against the standard
            return self._schema.plain(text)
        return None if style == "missing" else text

    def refusal(self, mark: str) -> Refusal | None:
        effect = self._refusals.get(mark)
        return Refusal(effect) if effect else None


def _signed(text: str) -> tuple[int, str]:
    if text[:1] == "-":
        return -1, text[1:]
    return 1, text[1:] if text[:1] == "+" else text


def _base_60(text: str, part: Callable[[str], float]) -> float:
    value: float = 0
    for digits in text.split(":"):
        value = value * 60 + part(digits)
    return value
