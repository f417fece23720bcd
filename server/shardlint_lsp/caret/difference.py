"""Where two versions of a text differ."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Difference(NamedTuple):
    """`old[start:old_end]` was replaced by `new[start:new_end]`; the text around it is the same."""

    start: int
    old_end: int
    new_end: int

    @property
    def size(self) -> int:
        """Characters taken out or put in, whichever are more."""
        return max(self.old_end, self.new_end) - self.start

    def before(self, offset: int) -> int:
        """The offset in the old text of one in the new text; what was put in stands at its start."""
        if offset <= self.start:
            return offset
        return max(offset - self.new_end + self.old_end, self.start)


def difference(old: str, new: str) -> Difference:
    """The shortest single replacement that makes `new` of `old`; one of no length where they are equal."""
    shorter = min(len(old), len(new))
    if old == new:
        return Difference(shorter, shorter, shorter)
    head = _longest(shorter, lambda count: old[:count] == new[:count])
    tail = _longest(shorter - head, lambda count: old[len(old) - count :] == new[len(new) - count :])
    return Difference(head, len(old) - tail, len(new) - tail)


def _longest(limit: int, alike: Callable[[int], bool]) -> int:
    """The largest count up to a limit for which two ends of texts are alike."""
    least, most = 0, limit
    while least < most:
        middle = (least + most + 1) // 2
        if alike(middle):
            least = middle
        else:
            most = middle - 1
    return least
