"""Single-edit breakage of real files: what of the untouched text does a parser still give?

A case is one edit of one file. "Untouched" are the leaf pairs that stand on no edited line (after a
truncation: those wholly before the cut). Counted is how many keep path, spans and text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from shardlint.syntax.tree import Alias, Mapping, Node, Scalar, Sequence

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator

    from shardlint.syntax.document import Document

Path: TypeAlias = "tuple[str | int, ...]"


class Leaf(NamedTuple):
    """A key with a scalar (or alias) value: its path, the span from key to value end, the value's text."""

    path: Path
    start: int
    end: int
    text: str


class Edit(NamedTuple):
    """Replace `text[start:end]` by `new`; `cut` tells that everything after `start` is gone."""

    name: str
    start: int
    end: int
    new: str
    cut: bool = False

    def apply(self, text: str) -> str:
        return text[: self.start] + self.new + ("" if self.cut else text[self.end :])


class Score:
    """Untouched pairs and how many of them came back right, per kind of edit."""

    def __init__(self) -> None:
        self.pairs: dict[str, int] = {}
        self.right: dict[str, int] = {}
        self.cases = 0

    def add(self, edit: str, pairs: int, right: int) -> None:
        self.cases += 1
        self.pairs[edit] = self.pairs.get(edit, 0) + pairs
        self.right[edit] = self.right.get(edit, 0) + right

    @property
    def share(self) -> float:
        return sum(self.right.values()) / max(sum(self.pairs.values()), 1)

    def table(self) -> str:
        rows = [f"{n}: {100 * self.right[n] / max(self.pairs[n], 1):.1f}" for n in self.pairs]
        return (
            f"{100 * self.share:.2f} % of {sum(self.pairs.values())} pairs in {self.cases} cases; "
            + ", ".join(rows)
        )


def leaves(document: Document) -> Iterator[Leaf]:
    """Every pair with a scalar or alias as its value, in every root."""
    pending: list[tuple[Path, Node]] = [((number,), root) for number, root in enumerate(document.roots)]
    while pending:
        path, node = pending.pop()
        if isinstance(node, Sequence):
            pending.extend(((*path, at), item) for at, item in enumerate(node.items))
        elif isinstance(node, Mapping):
            for pair in node.pairs:
                if isinstance(pair.value, Scalar | Alias):
                    start, end = pair.key.span.start, pair.value.span.end
                    yield Leaf((*path, pair.key.text), start, end, document.text[start:end])
                else:
                    pending.append(((*path, pair.key.text), pair.value))


def score_file(text: str, edits: list[Edit], parse: Callable[[str], Document], score: Score) -> None:
    """Apply each edit to the text and count the untouched pairs that are still there, at their new places."""
    truth = list(leaves(parse(text)))
    for edit in edits:
        first, last = _edited_lines(text, edit)
        shift = len(edit.new) - (edit.end - edit.start)
        wanted = {
            leaf if leaf.end <= first else leaf._replace(start=leaf.start + shift, end=leaf.end + shift)
            for leaf in truth
            if leaf.end <= first or (not edit.cut and leaf.start >= last)
        }
        found = set(leaves(parse(edit.apply(text))))
        score.add(edit.name, len(wanted), len(wanted & found))


def drawn(rng: random.Random, places: list[int], amount: int) -> list[int]:
    return sorted(rng.sample(places, min(amount, len(places))))


def _edited_lines(text: str, edit: Edit) -> tuple[int, int]:
    """The edited lines, from the start of the first to the start of the line after the last."""
    if edit.cut:
        return edit.start, len(text)
    first = text.rfind("\n", 0, edit.start) + 1
    if edit.start == edit.end and edit.new.endswith("\n"):
        return first, first
    after = text.find("\n", max(edit.end - 1, edit.start))
    return first, len(text) if after < 0 else after + 1
