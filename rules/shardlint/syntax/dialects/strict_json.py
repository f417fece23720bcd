"""Python's `json` module: what accelerate, transformers and most launchers read JSON with."""

from __future__ import annotations

import re

from shardlint.syntax.template import is_bare_placeholder, is_template
from shardlint.syntax.tree import Scalar
from shardlint.syntax.view import MAX_INT_BITS, Plain, Refusal, Template

_WORDS: dict[str, Plain] = {
    "true": True,
    "false": False,
    "null": None,
    "NaN": float("nan"),
    "Infinity": float("inf"),
    "-Infinity": float("-inf"),
    "True": True,
    "False": False,
    "None": None,
}
_REFUSALS = {
    "comment": "refuses comments",
    "trailing-comma": "refuses a comma before a closing bracket",
    "missing-comma": "wants a comma between two values",
    "unquoted-key": "wants every key in double quotes",
    "stray-quote": "wants every key in double quotes",
    "single-quoted": "wants double quotes",
    "triple-quoted": "refuses ''' texts",
    "quoteless-string": "wants texts in double quotes",
    "python-literal": "knows true, false and null, not True, False and None",
    "no-root-braces": "wants braces around the whole file",
    "odd-number": "refuses this way of writing a number",
    "odd-escape": "refuses the escape \\'",
    "raw-control": "refuses a control character such as a tab inside quotes",
    "replaced-character": "refuses control characters",
    "bom": "refuses a byte-order mark at the start of the file",
    "utf-16": "reads UTF-8 only",
    "huge-int": "refuses whole numbers of more than 4300 digits",
    "empty": "refuses an empty file",
    "hjson-only": "refuses what stands here",
}
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)((?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)")
"""A JSON number; group 1 is its fraction and exponent."""


class StrictJson:
    """Python's json: NaN and Infinity are numbers, the last of duplicate keys wins."""

    @property
    def name(self) -> str:
        return "Python's json"

    def read(self, scalar: Scalar) -> Plain:
        """The value json gives; for a text it refuses, the value that was meant as far as that is plain."""
        style = scalar.style
        if style != "plain":
            if style == "missing":
                return None
            return Template(scalar.raw) if is_template(scalar.text, style) else scalar.text
        raw = scalar.raw
        found = NUMBER.fullmatch(raw)
        if found:
            return number(raw, bool(found.group(1)))
        if raw in _WORDS:
            return _WORDS[raw]
        if is_bare_placeholder(raw):
            return Template(raw)
        return _meant_number(raw)

    def refusal(self, mark: str) -> Refusal | None:
        effect = _REFUSALS.get(mark)
        return Refusal(effect) if effect else None


def json_text(value: object) -> str:
    """The value as JSON writes it, non-ASCII characters as they are."""
    from json import dumps

    return dumps(value, ensure_ascii=False)


def number(raw: str, is_float: bool) -> int | float:
    """The value of a JSON number; an int Python refuses to convert is infinite."""
    if is_float:
        return float(raw)
    try:
        return int(raw)
    except ValueError:
        return float(raw)


def _meant_number(raw: str) -> Plain:
    try:
        meant = int(raw, 0)
        return meant if meant.bit_length() <= MAX_INT_BITS else raw
    except ValueError:
        pass
    try:
        return float(raw)
    except ValueError:
        return raw


STRICT_JSON = StrictJson()
