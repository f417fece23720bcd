"""hjson 3.1.0 as DeepSpeed calls it: comments and loose commas are fine, a duplicate key is not."""

from __future__ import annotations

from shardlint.syntax.dialects.strict_json import NUMBER, number
from shardlint.syntax.template import is_bare_placeholder, is_template
from shardlint.syntax.tree import Scalar
from shardlint.syntax.view import Plain, Refusal, Template

_WORDS = {"true": True, "false": False, "null": None}
_INTEGRAL_BELOW = 1e10
"""A float with an integral value below this becomes an int (`2e8` does, `1e10` does not)."""

_REFUSALS = {
    "duplicate-key": "refuses a key that is given twice",
    "raw-control": "refuses a control character such as a tab inside quotes",
    "replaced-character": "refuses control characters inside quotes",
    "utf-16": "reads UTF-8 only",
    "huge-int": "cannot convert a whole number of more than 4300 digits",
    "overflow-float": "cannot convert a number beyond 1.8e308",
    "hjson-break": "reads an unquoted text to the end of the line and then cannot read on",
}


class Hjson:
    """hjson: an unquoted text runs to the end of its line, commas and brackets included."""

    @property
    def name(self) -> str:
        return "hjson"

    def read(self, scalar: Scalar) -> Plain:
        style, text = scalar.style, scalar.text
        if style != "plain":
            if style == "missing":
                return None
            return Template(scalar.raw) if is_template(text, style) else text
        found = NUMBER.fullmatch(text)
        if found:
            value = number(text, bool(found.group(1)))
            if isinstance(value, float) and abs(value) < _INTEGRAL_BELOW and value.is_integer():
                return int(value)
            return value
        if text in _WORDS:
            return _WORDS[text]
        return Template(scalar.raw) if is_bare_placeholder(scalar.raw) else text

    def refusal(self, mark: str) -> Refusal | None:
        effect = _REFUSALS.get(mark)
        return Refusal(effect) if effect else None


HJSON = Hjson()
