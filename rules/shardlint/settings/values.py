"""Values people write, as the kind of a setting reads them: `7B`, `20GiB`, `8.0`, `true`."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import isfinite
from typing import NamedTuple

from shardlint.report import GIB


class Read(NamedTuple):
    """A value as read. `complaint` ends the sentence `NAME = VALUE ...` where it could not be read;
    `remark` is a sentence about a value that was read but is easily misunderstood."""

    value: object = None
    complaint: str = ""
    remark: str = ""


_SCALES = {"": 1, "k": 10**3, "m": 10**6, "b": 10**9, "g": 10**9, "t": 10**12}
_BINARY = {"": 1, "b": 1, "kib": 1024, "mib": 1024**2, "gib": GIB, "tib": 1024**4}
_DECIMAL = {"kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12}
_QUANTITY = r"(?a)([+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*([A-Za-z]*)\Z"
_WORDS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
_DTYPES = {
    "float32": "fp32", "float": "fp32", "fp32": "fp32",
    "float16": "fp16", "half": "fp16", "fp16": "fp16",
    "bfloat16": "bf16", "bf16": "bf16",
    "float64": "fp64", "double": "fp64", "fp64": "fp64",
    "float8": "fp8", "fp8": "fp8", "auto": "auto",
}  # fmt: skip
MIB = 1024**2
MAX_LENGTH = 100
"""Longer text is no quantity."""


def read(kind: str, value: object) -> Read:
    """The value of a setting of that kind. Never raises."""
    return _READERS[kind](value)


def read_word(text: str) -> object:
    """A bare word of a flag or pragma as the plain value it spells: true, 8, 1e-5, null or text."""
    unquoted = _unquoted(text)
    if unquoted != text:
        return unquoted
    lowered = text.lower()
    if lowered in ("true", "false"):
        return lowered == "true"
    if lowered in ("null", "none"):
        return None
    for convert in (int, float):
        try:
            number = convert(text)
        except ValueError:
            continue
        return number if isfinite(number) else text
    return text


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'" else text


def _quantity(value: object) -> tuple[float, str] | None:
    """(number, suffix in lower case) of `7e9` or `20GiB`."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if not isinstance(value, str):
        return (value, "") if -1e30 < value < 1e30 else None
    found = re.match(_QUANTITY, value.strip()) if len(value) <= MAX_LENGTH else None
    if found is None:
        return None
    number = float(found.group(1).replace("_", ""))
    return (number, found.group(2).lower()) if isfinite(number) else None


def _count(value: object) -> Read:
    parts = _quantity(value)
    if parts is None or parts[1] not in _SCALES:
        return Read(complaint="is no count; write 8, 7e9 or 7B")
    number = parts[0] * _SCALES[parts[1]]
    whole = round(number)
    if whole < 1 or abs(number - whole) > 1e-6 * whole:
        return Read(complaint="must be a whole number of at least 1")
    return Read(whole)


def _size(value: object) -> Read:
    parts = _quantity(value)
    if parts is None or parts[1] not in _BINARY | _DECIMAL:
        return Read(complaint="is no size; write 20GiB or 512MiB")
    number, unit = parts
    if number < 0:
        return Read(complaint="must not be negative")
    if unit == "" and 0 < number < MIB:
        return Read(complaint=f"has no unit; write {number:g}GiB")
    size = round(number * (_BINARY | _DECIMAL)[unit])
    return Read(size, remark=_decimal_remark(size, unit))


def _gib(value: object) -> Read:
    parts = _quantity(value)
    if parts is None or parts[1] not in _BINARY | _DECIMAL:
        return Read(complaint="is no memory size in GiB; write 80 or 80GiB")
    number, unit = parts
    if number <= 0:
        return Read(complaint="must be above 0")
    size = number * GIB if unit == "" else number * (_BINARY | _DECIMAL)[unit]
    return Read(size / GIB, remark=_decimal_remark(size, unit))


def _decimal_remark(size: float, unit: str) -> str:
    if unit not in _DECIMAL:
        return ""
    return f"{unit.upper()} is read as {_DECIMAL[unit]:,} bytes, so this is {size / GIB:.2f} GiB"


def _ratio(value: object) -> Read:
    text = value.strip() if isinstance(value, str) else value
    percent = isinstance(text, str) and text.endswith("%")
    parts = _quantity(text[:-1] if isinstance(text, str) and percent else text)
    if parts is None or parts[1]:
        return Read(complaint="is no share; write 0.1 or 10%")
    number = parts[0] / 100 if percent else parts[0]
    if not 0 <= number < 1:
        return Read(complaint="must be at least 0 and below 1")
    return Read(float(number))


def _capability(value: object) -> Read:
    text = value.lower().removeprefix("sm_") if isinstance(value, str) else value
    parts = _quantity(text)
    if parts is None or parts[1]:
        return Read(complaint="is no compute capability; write 8.0")
    number = parts[0] / 10 if parts[0] >= 20 else parts[0]
    if not 1 <= number < 100:
        return Read(complaint="is no compute capability; write 8.0")
    return Read(round(float(number), 1))


def _flag(value: object) -> Read:
    if isinstance(value, bool):
        return Read(value)
    word = _WORDS.get(value.strip().lower()) if isinstance(value, str) else None
    return Read(complaint="must be true or false") if word is None else Read(word)


def _text(value: object) -> Read:
    if isinstance(value, str) and value.strip():
        return Read(_unquoted(value.strip()))
    return Read(complaint="must be text in quotes")


def _dtype(value: object) -> Read:
    word = value.strip().lower().removeprefix("torch.") if isinstance(value, str) else ""
    known = _DTYPES.get(word)
    return Read(known) if known else Read(complaint="is no dtype; write float32, bfloat16 or float16")


def _texts(value: object) -> Read:
    items = value.strip("[]").split(",") if isinstance(value, str) else value
    if not isinstance(items, list) or not items:
        return Read(complaint="must be a list of names")
    words = [item.strip().strip("\"'") for item in items if isinstance(item, str)]  # pyright: ignore[reportUnknownVariableType]
    if len(words) != len(items) or not all(words):  # pyright: ignore[reportUnknownArgumentType]
        return Read(complaint="must be a list of names")
    return Read(tuple(words))


def _version(value: object) -> Read:
    from shardlint.settings.versions import parse_specifier

    text = str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value
    if isinstance(text, str) and parse_specifier(_unquoted(text)) is not None:
        return Read(_unquoted(text).strip())
    return Read(complaint="is no version; write 0.19.8 or >=0.14,<0.16")


def _any(value: object) -> Read:
    if value is None:
        return Read(complaint="has no value")
    return Read(value)


_READERS: dict[str, Callable[[object], Read]] = {
    "count": _count,
    "size": _size,
    "gib": _gib,
    "ratio": _ratio,
    "capability": _capability,
    "flag": _flag,
    "text": _text,
    "texts": _texts,
    "dtype": _dtype,
    "version": _version,
    "any": _any,
}
