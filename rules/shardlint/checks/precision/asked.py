"""Which low-precision format a file asks for, and where."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.judging import is_on, word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.formats.reading import Reading
    from shardlint.syntax.view import Entry

OLD_BF16 = "bfloat16"
"""Read only where there is no bf16."""

_SWITCHES = {
    "deepspeed": (
        ("bf16", ("bf16", "enabled")),
        ("bf16", (OLD_BF16, "enabled")),
        ("fp16", ("fp16", "enabled")),
    ),
    "hf-args": (("bf16", ("bf16",)), ("fp16", ("fp16",))),
}


def asked(reading: Reading) -> Iterator[tuple[str, Entry]]:
    """(bf16, fp16 or fp8, its entry) for each format the file switches on."""
    for name, path in _SWITCHES.get(reading.format.name, ()):
        entry = reading.view.get(*path)
        if path[0] == OLD_BF16 and reading.view.value("bf16") is not None:
            continue
        if entry is not None and is_on(entry):
            yield name, entry
    if reading.format.name == "accelerate":
        entry = reading.view.get("mixed_precision")
        name = word(entry)
        if entry is not None and name in ("bf16", "fp16", "fp8"):
            yield name, entry
