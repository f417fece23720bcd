"""Which `auto` values of a DeepSpeed file a front end fills in, and from what."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple


class Fill(NamedTuple):
    """One key that is filled. `source` is what it is filled from: names of arguments, or a formula in words.

    `compared`: a value written in the file that differs from the source is refused.
    `stage`: only at this ZeRO stage; empty for all. `until`: first release that no longer fills it.
    """

    path: str
    source: str
    compared: bool
    stage: str
    until: str


@cache
def fills(consumer: str) -> dict[str, Fill]:
    """By key path, what `hf-trainer` or `accelerate` fills; nothing for any other reader."""
    text = (Path(__file__).parent / "fills.tsv").read_text(encoding="utf-8")
    found: dict[str, Fill] = {}
    for line in text.splitlines()[1:]:
        who, path, source, compared, stage, until = line.split("\t")
        if who == consumer:
            found[path] = Fill(path, source, compared == "yes", stage, until)
    return found
