"""Placeholders another program fills in: the value is unknown, never wrong."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from shardlint.syntax.expression import expression

if TYPE_CHECKING:
    from shardlint.syntax.document import Document

_ANYWHERE = expression(r"\$\{[^}]{0,500}\}|\{\{.{0,500}?\}\}|\{%.{0,500}?%\}", re.DOTALL)
_WHOLE = expression(
    r"""<{1,2}[^<>\r\n]+>{1,2}    # <FILL_ME>, <<X>>
    | \$\(?[A-Za-z_]\w*\)?       # $VAR, $(VAR)
    | @{1,2}[A-Za-z_]\w*@{1,2}   # @VAR@, as autoconf and sed scripts write it
    | %[A-Z_][A-Z0-9_]*%
    | %\([A-Za-z_]\w*\)[dfis]     # %(var)s and {var}, as Python fills in
    | \{[A-Za-z_]\w*\}
    | __[A-Z][A-Z0-9_]*__
    | (?:FILL|CHANGE|REPLACE)_?ME | TODO | TBD | XXX+
    """,
    re.VERBOSE,
)
_BARE = expression(r"[A-Z][A-Z0-9_]+")
_BARE_LITERALS = frozenset(
    ("TRUE", "FALSE", "NULL", "NONE", "NAN", "INF", "INFINITY", "YES", "NO", "ON", "OFF", "AUTO", "UNDEFINED")
)
_SIGNS = ("<", "$", "@", "%", "\\", "{{", "__", "FILL", "CHANGE", "REPLACE", "TODO", "TBD", "XXX")
_NAMED = expression(r"\{[A-Za-z_]")
_AT_VALUE = expression(
    r"""(?:\$\{[^}\r\n]{0,500}\} | \{\{[^"\r\n]{0,500}?\}\} | \{%[^\r\n]{0,500}?%\}
        | \$\(?[A-Za-z_]\w{0,200}\)? | @{1,2}[A-Za-z_]\w{0,200}@{1,2} | %[A-Z_]\w{0,200}%
        | %\([A-Za-z_]\w{0,200}\)[dfis] | <{1,2}[^<>"\r\n]{1,500}>{1,2})
        (?:[\w.+\-/%] | \$\{[^}\r\n]{0,500}\} | \{\{[^"\r\n]{0,500}?\}\})*""",
    re.VERBOSE,
)


def may_hold_template(document: Document) -> bool:
    """Whether some scalar of a document can hold a placeholder; false only where none does."""
    text = document.text
    if document.language == "toml" or any(mark.kind == "template" for mark in document.marks):
        return True
    return any(sign in text for sign in _SIGNS) or _NAMED.search(text) is not None


def is_template(text: str, style: str) -> bool:
    """Whether a scalar holds a placeholder: `${X}`, `{{ x }}` or `{% x %}` anywhere in it, or a whole
    text like `<FILL_ME>`, `$VAR`, `@VAR@`, `__VAR__`, `%(var)s`. `style` is that of the scalar; a block
    scalar is judged by the first three only. A bare upper-case word is an enum word here: see
    `is_bare_placeholder`.
    """
    if "{" in text and _ANYWHERE.search(text):
        return True
    if style in ("literal", "folded") or not text or text[0] not in "<$@%_{FCRTX":
        return False
    return _WHOLE.fullmatch(text) is not None


def is_bare_placeholder(word: str) -> bool:
    """Whether an unquoted JSON word is one a script replaces, like `CONFIG_ZERO_STAGE` or `$LR`.

    JSON has no unquoted words, so that any upper-case one other than a misspelt literal counts.
    """
    if _BARE.fullmatch(word):
        return word not in _BARE_LITERALS
    return is_template(word, "plain")


def placeholder_end(text: str, at: int) -> int:
    """Where a placeholder with its own punctuation (`${X}`, `{{ x }}`) ends; `at` if none."""
    found = _AT_VALUE.match(text, at)
    return found.end() if found else at
