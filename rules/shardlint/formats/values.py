"""What a value means to the loader that takes it: the value, or None where it is none."""

from __future__ import annotations

from typing import cast

TRUE_WORDS = frozenset({"y", "yes", "t", "true", "on", "1"})
FALSE_WORDS = frozenset({"n", "no", "f", "false", "off", "0"})

DTYPES = {
    "fp32": "fp32",
    "float32": "fp32",
    "float": "fp32",
    "fp16": "fp16",
    "float16": "fp16",
    "half": "fp16",
    "bf16": "bf16",
    "bfloat16": "bf16",
    "int8": "int8",
}
"""Names DeepSpeed's DtypeEnum and the `torch_dtype` of transformers share, without `torch.`."""


MAX_BITS = 128
"""What is worked out of a few larger numbers fits no float and is not printed; no setting is near it."""


def integer(value: object) -> int | None:
    """A whole number of at most 128 bits; 5e8 counts, true and "5" do not."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value if value.bit_length() <= MAX_BITS else None
    return int(value) if isinstance(value, float) and value.is_integer() else None


def count(value: object) -> int | None:
    """A whole number above zero."""
    found = integer(value)
    return found if found is not None and found > 0 else None


def number(value: object) -> int | float | None:
    if isinstance(value, float):
        return value
    return integer(value)


def switch(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def word(value: object) -> str | None:
    return value.strip() or None if isinstance(value, str) else None


def upper(value: object) -> str | None:
    found = word(value)
    return found.upper() if found else None


def lower(value: object) -> str | None:
    found = word(value)
    return found.lower() if found else None


def offload_device(value: object) -> str | None:
    """Where states can go; any other word is refused and sends them nowhere."""
    text = lower(value)
    return text if text in ("none", "cpu", "nvme") else None


def scalar(value: object) -> object | None:
    """Any value that is neither a mapping nor a list."""
    return value if isinstance(value, bool | int | float | str) else None


def dtype(value: object) -> str | None:
    """`torch.bfloat16`, `bfloat16` or `bf16` as `bf16`."""
    found = lower(value)
    return DTYPES.get(found.removeprefix("torch.")) if found else None


def lax_integer(value: object) -> int | None:
    """As pydantic's lax mode takes an int: also true, "3" and 3.0."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, str):
        return _digits(value)
    return integer(value)


def lax_number(value: object) -> int | float | None:
    """A number, also written as text ("2e-5"): what a typed parser makes of it."""
    if not isinstance(value, str):
        return number(value)
    try:
        return float(value)
    except ValueError:
        return None


def lax_switch(value: object) -> bool | None:
    """As pydantic's lax mode and `strtobool` take a bool: also 0, 1 and words."""
    if isinstance(value, bool):
        return value
    text = str(value).strip().lower() if isinstance(value, str | int) else ""
    if text in TRUE_WORDS:
        return True
    return False if text in FALSE_WORDS else None


def lax_count(value: object) -> int | None:
    """A whole number above zero, also written as text."""
    found = _digits(value) if isinstance(value, str) else integer(value)
    return found if found is not None and found > 0 else None


def texts(value: object) -> list[str] | None:
    """A list of words; one word stands for a list of one."""
    if isinstance(value, str):
        return [value] if value.strip() else None
    if not isinstance(value, list):
        return None
    items = cast("list[object]", value)
    found = [item for item in items if isinstance(item, str)]
    return found if found and len(found) == len(items) else None


def module_names(value: object) -> object:
    """Module names; `all-linear` stays a word, a comma list becomes a list."""
    if isinstance(value, str) and "," in value:
        return [part.strip() for part in value.split(",") if part.strip()]
    return texts(value)


def plain(value: object) -> object:
    """Any value but null, a mapping or a placeholder; a list stays a list."""
    return cast("object", value) if isinstance(value, list) else scalar(value)


def _digits(text: str) -> int | None:
    stripped = text.strip()
    return int(stripped) if stripped.isascii() and stripped.isdigit() and len(stripped) < 20 else None
