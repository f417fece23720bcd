"""Sizes that DeepSpeed counts in elements, in bytes: `0.93 GiB (bf16)`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from shardlint.checks.deepspeed import ZERO, config_of
from shardlint.checks.judging import whole
from shardlint.ledger.deepspeed.sizes import SIZES, UNSTATED, size_of_key
from shardlint.report import GIB, gib, value_place
from shardlint_lsp.hints.hint import Hint, agreed, behind
from shardlint_lsp.hints.sharing import Part, parts
from shardlint_lsp.look import Look

PREFIX = "stage3_"
"""What the older spelling of a key leaves out."""
LEAST = 0.005 * GIB
"""Bytes: less than that is 0.00 GiB."""


class Bytes(NamedTuple):
    """A size in bytes: `2 x 0.93 GiB`, the dtype of its elements, and the formula in Markdown."""

    figure: str
    dtype: str
    why: str


def bucket_hints(look: Look) -> Iterator[Hint]:
    return agreed(hint for part in parts(look) for hint in _of_part(look, part))


def in_bytes(part: Part, name: str, elements: int) -> Bytes | None:
    """What a size takes on the GPU; None for nothing worth a word."""
    size = size_of_key(part.plan, name)
    if size is None:
        return None
    all_of_it = 0 < size.there < elements
    elements = size.there if all_of_it else elements
    if size.unit * size.copies * elements < LEAST:
        return None
    copies = f"{size.copies} x " if size.copies > 1 else ""
    figure = f"{'at most ' if size.limit else ''}{copies}{gib(size.unit * elements)}"
    assumed = "; the precision is not stated, 16 bit is assumed" if UNSTATED in size.dtype else ""
    counted = f"{elements:,} elements{', all there are,' if all_of_it else ''}"
    formula = f"**{figure}** = {copies}{counted} x {size.unit} B ({size.dtype}{assumed})"
    return Bytes(figure, size.dtype, formula)


def _of_part(look: Look, part: Part) -> Iterator[Hint]:
    config = config_of(part.reading, part.job)
    if config is None or part.plan.framework.value != "deepspeed":
        return
    for name in SIZES:
        for spelling in dict.fromkeys((name, name.removeprefix(PREFIX))):
            entry = config.get(ZERO, spelling)
            elements = whole(entry) or 0
            at = behind(look, value_place(part.reading.document, entry)) if entry is not None else None
            told = in_bytes(part, name, elements) if at is not None and elements > 0 else None
            if at is not None and told is not None:
                yield Hint(at, f"{told.figure} ({told.dtype})", told.why)
