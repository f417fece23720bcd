"""TOML 1.0 as tomllib reads it (torchtitan, prime-rl, pyproject tables). Dates and times stay text.

Source: `tomllib/_re.py` of CPython 3.11.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.syntax.expression import expression
from shardlint.syntax.template import is_bare_placeholder, is_template
from shardlint.syntax.view import MAX_INT_BITS, Plain, Refusal, Template

if TYPE_CHECKING:
    from shardlint.syntax.tree import Scalar

_NUMBER = expression(
    r"0(?:x[0-9A-Fa-f](?:_?[0-9A-Fa-f])*|b[01](?:_?[01])*|o[0-7](?:_?[0-7])*)"
    r"|[+-]?(?:0|[1-9](?:_?[0-9])*)(?P<part>(?:\.[0-9](?:_?[0-9])*)?(?:[eE][+-]?[0-9](?:_?[0-9])*)?)"
)
_WORDS: dict[str, bool | float] = {
    "true": True,
    "false": False,
    **{f"{sign}{word}": float(f"{sign}{word}") for sign in ("", "+", "-") for word in ("inf", "nan")},
}


class TomlDialect:
    """Reads what `parse_toml` made: a quoted scalar is text, a plain one a number, a word or a date."""

    name = "TOML"

    def read(self, scalar: Scalar) -> Plain:
        if is_template(scalar.text, scalar.style):
            return Template(scalar.raw)
        if scalar.style == "missing":
            return None
        if scalar.style != "plain":
            return scalar.text
        return _plain(scalar.text)

    def refusal(self, mark: str) -> Refusal | None:
        """Always None: what tomllib refuses is a fault of the document."""
        return None


def _plain(text: str) -> Plain:
    if text in _WORDS:
        return _WORDS[text]
    found = _NUMBER.fullmatch(text)
    if found is None:
        return Template(text) if is_bare_placeholder(text) else text
    try:
        return float(text.replace("_", "")) if found.group("part") else _whole(text)
    except ValueError:  # more digits than int() reads
        return text


def _whole(text: str) -> int:
    number = int(text, 0)
    if number.bit_length() > MAX_INT_BITS:
        raise ValueError("more digits than str() prints")
    return number


TOML = TomlDialect()
