"""Bytes of a stored element, by the names configs and model files use for dtypes."""

from __future__ import annotations

SIZES: dict[str, float] = {
    "fp32": 4,
    "float32": 4,
    "float": 4,
    "autocast": 4,
    "no": 4,
    "tf32": 4,
    "fp16": 2,
    "float16": 2,
    "half": 2,
    "bf16": 2,
    "bfloat16": 2,
    "fp8": 1,
    "int8": 1,
    "8bit": 1,
    "nf4": 0.5625,
    "fp4": 0.5625,
    "4bit": 0.5625,
    "nf4-double": 0.515925,
}
"""4-bit: blocks of 64 with one fp32 scale = 4.5 bits; with double quantisation 4.1274 bits, as measured on
bitsandbytes 0.50.2."""


def size_of(word: str | None, default: float) -> float:
    """Bytes an element; the default for an unknown or absent name. `torch.` in front is ignored."""
    if word is None:
        return default
    return SIZES.get(word.lower().removeprefix("torch."), default)


def is_quantised(word: str | None) -> bool:
    """Stored below 16 bit: frameworks leave such weights as they are instead of casting them."""
    return size_of(word, 4) < 2
