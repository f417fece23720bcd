"""Bytes to text: encodings, byte-order marks, characters no reader takes, and the size guard."""

from __future__ import annotations

import codecs
import re
from itertools import islice
from typing import NamedTuple

from shardlint.syntax.document import Fault, Mark
from shardlint.syntax.tree import Span

MAX_SIZE = 4 * 1024 * 1024
"""Bytes, or code points of a text already decoded, above which nothing is parsed."""

MAX_REPLACED = 100
"""Characters reported one by one; the rest of a binary file is replaced silently."""

_WIDE_BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROL = "[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]"
_ODD_CHARACTERS = {
    "yaml": "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]",
    "toml": "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]",
}
"""Per language an expression for the characters no reader takes; compiled when the language is met."""


class Decoded(NamedTuple):
    """A text without its byte-order mark, and what had to be noted on the way; offsets are in `text`."""

    text: str
    marks: tuple[Mark, ...] = ()
    faults: tuple[Fault, ...] = ()


def decode(source: bytes | str, language: str = "text") -> Decoded:
    """The text of a file or of an editor's buffer. Never raises.

    UTF-8 with or without a byte-order mark, UTF-16 and UTF-32 with one; anything else is read as UTF-8
    with U+FFFD for each bad byte and a fault `not-utf8`. A byte-order mark is left out of the text and
    noted as a mark `bom` (`utf-16` for the wide encodings). A character that no reader of the language
    takes becomes U+FFFD, one for one, with a mark `replaced-character`. Above `MAX_SIZE` the text is empty.
    """
    if len(source) > MAX_SIZE:
        unit = "characters" if isinstance(source, str) else "bytes"
        return Decoded("", (), (_too_large(len(source), unit),))
    decoded = _from_text(source) if isinstance(source, str) else _from_bytes(source)
    return _without_odd_characters(decoded, re.compile(_ODD_CHARACTERS.get(language, _CONTROL)))


def _too_large(size: int, unit: str) -> Fault:
    limit = f"{MAX_SIZE // (1024 * 1024)} MiB"
    message = f"the file has {size:,} {unit}, above the limit of {limit}; nothing in it was read"
    return Fault("too-large", Span(0, 0), message, limit=True)


def _from_text(text: str) -> Decoded:
    if text.startswith("\ufeff"):
        return Decoded(text[1:], (Mark("bom", Span(0, 0)),))
    return Decoded(text)


def _from_bytes(data: bytes) -> Decoded:
    for bom, encoding in _WIDE_BOMS:
        if data.startswith(bom):
            return _decode_as(data[len(bom) :], encoding, len(bom), (Mark("utf-16", Span(0, 0)),))
    if data.startswith(codecs.BOM_UTF8):
        return _decode_as(data[3:], "utf-8", 3, (Mark("bom", Span(0, 0)),))
    return _decode_as(data, "utf-8", 0, ())


def _decode_as(data: bytes, encoding: str, skipped: int, marks: tuple[Mark, ...]) -> Decoded:
    try:
        return Decoded(data.decode(encoding), marks)
    except UnicodeDecodeError as error:
        before = data[: error.start].decode(encoding, "replace")
        line = before.count("\n") + 1
        name = encoding.upper().removesuffix("-LE").removesuffix("-BE")
        fault = Fault(
            "not-utf8",
            Span(len(before), len(before) + 1),
            f"byte {skipped + error.start + 1} of the file (0x{data[error.start]:02x}, line {line}) "
            f"is not {name}",
        )
        return Decoded(data.decode(encoding, "replace"), marks, (fault,))


def _without_odd_characters(decoded: Decoded, odd: re.Pattern[str]) -> Decoded:
    text, marks, faults = decoded
    if not odd.search(text):
        return decoded
    found = [
        Mark("replaced-character", Span(*hit.span())) for hit in islice(odd.finditer(text), MAX_REPLACED)
    ]
    return Decoded(odd.sub("\ufffd", text), (*marks, *found), faults)
