"""YAML text to a Document: ruamel's C events, its pure parser as second opinion, repair of faulty text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.syntax.document import Document, Fault, Mark
from shardlint.syntax.expression import expression
from shardlint.syntax.tree import Mapping, Node, Sequence, Span
from shardlint.syntax.yaml_faults import limit_fault, undefined_alias, unmended_fault
from shardlint.syntax.yaml_marks import comments, duplicates, tabs
from shardlint.syntax.yaml_template import mask, placeholders

if TYPE_CHECKING:
    from shardlint.syntax.yaml_narrow import Narrowed
    from shardlint.syntax.yaml_tree import Tree

MAX_SECOND_OPINION = 40_000
MAX_FAULTS = 100

_UNPRINTABLE = expression("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")


def parse_yaml(name: str, text: str) -> Document:
    """Parse YAML. Never raises: faults are data, and the rest of the tree is still there.

    Marks: duplicate-key, duplicate-anchor, merge-key, alias, tagged, complex-key, multi-document,
    multi-line-plain, huge-int, tab-indent, tab-separator, template, comment. Characters that YAML forbids
    are read, and stand in `Document.text`, as U+FFFD.
    """
    from shardlint.syntax.yaml_events import read_c

    tree = read_c(text)
    if tree.stop is None:
        return _whole(name, text, tree)
    clean = _UNPRINTABLE.sub("\ufffd", text)
    if clean != text:
        return parse_yaml(name, clean)
    if tree.stop.too_deep:
        fault = limit_fault(text, tree.stop.at, tree.stop)
        return _document(
            name, text, tree.roots, [*tree.marks, *duplicates(tree.mappings)], [fault], tree.opaque
        )
    return _with_placeholders(name, text) or _recovered(name, text, tree)


def _whole(name: str, text: str, tree: Tree) -> Document:
    faults = [undefined_alias(alias.span, alias.name) for alias in tree.undefined]
    return _document(name, text, tree.roots, [*tree.marks, *duplicates(tree.mappings)], faults, tree.opaque)


def _with_placeholders(name: str, text: str) -> Document | None:
    """A text that is YAML once its placeholders are filled in; None when it is not, or has none."""
    from shardlint.syntax.yaml_events import read_c
    from shardlint.syntax.yaml_places import Mover

    masked = mask(text)
    tree = read_c(masked) if masked is not None else None
    if tree is None or tree.stop is not None:
        return None
    mover = Mover(text, int, [])
    for root in tree.roots:
        mover.child(root)
    tree.marks.extend(Mark("template", span) for span in placeholders(text))
    return _whole(name, text, tree)


def _recovered(name: str, text: str, first: Tree) -> Document:
    from shardlint.syntax.yaml_narrow import narrowed

    rest = narrowed(first, text) if mask(text) is None else None
    return (rest and _narrowly(name, text, first, rest)) or _mended(name, text, first)


def _narrowly(name: str, text: str, first: Tree, rest: Narrowed) -> Document | None:
    """A text mended without what is complete above the fault; None where that does not fit in any more."""
    from shardlint.syntax.yaml_recover import Recovery

    recovery = Recovery(rest.text, rest.text)
    recovery.run()
    if not recovery.faults or not rest.whole(recovery.roots):
        return None
    marks = [*rest.marks(recovery.marks, first), *duplicates(_mappings(recovery.roots))]
    opaque = rest.spans(recovery.opaque, first)
    return _document(name, text, recovery.roots, marks, rest.faults(recovery.faults), opaque)


def _mended(name: str, text: str, first: Tree) -> Document:
    from shardlint.syntax.yaml_events import read_pure
    from shardlint.syntax.yaml_recover import Recovery
    from shardlint.syntax.yaml_tree import Stop

    parsed = mask(text)
    recovery = Recovery(text, parsed or text, first if parsed is None else None)
    recovery.run()
    if not recovery.faults and not recovery.second_opinion:
        judged = len(text) <= MAX_SECOND_OPINION
        second = read_pure(text) if judged else None
        if second is not None and second.stop is None:
            return _whole(name, text, second)
        stop = first.stop or Stop(0, None, "")
        recovery.faults.append(unmended_fault(text, stop.at, stop, judged))
    marks = [*recovery.marks, *duplicates(_mappings(recovery.roots))]
    if parsed is not None:
        marks.extend(Mark("template", span) for span in placeholders(text))
    return _document(name, text, recovery.roots, marks, recovery.faults, recovery.opaque)


def _document(
    name: str, text: str, roots: list[Node], marks: list[Mark], faults: list[Fault], opaque: list[Span]
) -> Document:
    remarks = comments(text, opaque)
    found = (*marks, *(Mark("comment", span) for span in remarks), *tabs(text, opaque, remarks))
    marks = sorted(dict.fromkeys(found), key=lambda mark: mark.span)
    faults.sort(key=lambda fault: fault.span)
    return Document(
        name, text, "yaml", tuple(roots), tuple(faults[:MAX_FAULTS]), tuple(marks), tuple(remarks)
    )


def _mappings(roots: list[Node]) -> list[Mapping]:
    found: list[Mapping] = []
    pending = list(roots)
    while pending:
        node = pending.pop()
        if isinstance(node, Mapping):
            found.append(node)
            pending.extend(pair.value for pair in node.pairs)
        elif isinstance(node, Sequence):
            pending.extend(node.items)
    return found
