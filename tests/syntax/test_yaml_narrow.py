"""A fault in a long section is mended by the lines around it, and as it would be in a short one."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from shardlint.syntax.dialects.yaml12 import YAML12
from shardlint.syntax.document import Document
from shardlint.syntax.parse import parse
from shardlint.syntax.view import View
from shardlint.syntax.yaml_events import read_c
from shardlint.syntax.yaml_narrow import KEPT, narrowed
from shardlint.syntax.yaml_pieces import holds_anchor

FULL, SHORT = 400, 10
ITEM = "  - path: part_{}.jsonl\n    split: train\n"
DASHED = "- name: part_{}\n  columns:\n    text: a\n    # a remark\n    label: b\n"
KEY = "  part_{}:\n    path: a.jsonl\n    columns: [a, b]\n"
FAULTS = (
    "  - path: x\n    spl\n",
    "   x: 1\n",
    "learning_ra\n",
    "  - path: 'x\n",
    "  - path: [x\n",
    "\tx: 1\n",
    "  x: a: b\n",
)


def listed(item: str, names: Iterable[int], fault: str = "", below: int = 3) -> str:
    entries = [item.format(at) for at in names]
    tail = [item.format(f"late_{at}") for at in range(below)]
    return "".join(("output_dir: out\nsources:\n", *entries, fault, *tail, "bf16: true\n"))


def said(document: Document, lines: int) -> list[tuple[str, int, int]]:
    """The faults, with lines counted from the end of the text."""
    places = [(fault.code, document.position(fault.span.start)) for fault in document.faults]
    return [(code, place.line - lines, place.column) for code, place in places]


def size(document: Document) -> int:
    """How many entries the second key holds."""
    return len(View(document, YAML12).entries("sources"))


@pytest.mark.parametrize("item", [ITEM, DASHED, KEY])
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("below", [0, 3])
def test_a_long_section_is_mended_like_a_short_one(item: str, fault: str, below: int) -> None:
    long, short = (listed(item, range(count), fault, below) for count in (FULL, SHORT))
    found, wanted = parse(long, "t.yaml"), parse(short, "t.yaml")
    assert wanted.faults
    assert said(found, long.count("\n")) == said(wanted, short.count("\n"))
    assert size(found) - size(wanted) == FULL - SHORT


@pytest.mark.parametrize("item", [ITEM, DASHED, KEY])
def test_whole_entries_are_left_out_and_put_back(item: str) -> None:
    text = listed(item, range(FULL), "  'x\n", below=0)
    first = read_c(text)
    rest = narrowed(first, text)
    assert rest is not None
    assert rest.text == listed(item, (0, *range(FULL - KEPT, FULL)), "  'x\n", below=0)
    for name in ("bf16", "'x", f"part_{FULL - 1}", "part_0", "output_dir"):
        assert rest.original(rest.text.index(name)) == text.index(name)
    roots = read_c(rest.text).roots
    assert rest.whole(roots)
    view = View(Document("t.yaml", text, "yaml", tuple(roots)), YAML12)
    for entry in view.entries("sources"):
        assert text[entry.pair_span.start :].startswith(("path", "name", "part"))
    assert len(view.entries("sources")) == len(
        View(Document("", text, "yaml", tuple(first.roots)), YAML12).entries("sources")
    )


def test_entries_that_begin_unlike_one_another_stay() -> None:
    entries = (f"  -\n    x: {at}\n" if at % 2 else f"  - x: {at}\n" for at in range(63))
    text = "a:\n" + "".join(entries) + "  'x\n"
    assert narrowed(read_c(text), text) is None


def test_what_an_alias_may_refer_to_stays() -> None:
    text = listed("  - &part_{} path\n", range(FULL), "  - *part_7\n  'x\n")
    assert narrowed(read_c(text), text) is None


def test_entries_that_a_repair_moves_are_read_again() -> None:
    text = listed(ITEM, range(FULL), "  'x\n", below=0)
    rest = narrowed(read_c(text), text)
    assert rest is not None
    assert not rest.whole(read_c("other: 1\n").roots)


def test_a_section_read_again_is_not_reported_twice() -> None:
    text = "a:\n  x: {a: 1,\n- y}\n  z: 1\nb: 2\n  c\n: {d: 1}\n"
    document = parse(text, "t.yaml")
    places = [fault.span for fault in document.faults]
    assert places and len({*places}) == len(places)
    marks = [(mark.kind, mark.span) for mark in document.marks]
    assert len({*marks}) == len(marks)


def test_a_section_read_again_leaves_the_documents_before_it() -> None:
    document = parse("a: 1\n---\ny: 1\nx:\n}\nspl\n", "t.yaml")
    assert len(document.roots) == 2
    assert [mark.span.start for mark in document.marks if mark.kind == "multi-document"] == [8]


def test_a_complete_brace_is_no_suspect() -> None:
    document = parse("sources:\n  - {}\nlearning_rate: 1.0e-4\n  warmup:\n", "t.yaml")
    assert [fault.code for fault in document.faults] == ["bad-indent"]
    assert document.position(document.faults[0].span.start).line == 4


def test_a_sign_in_a_url_is_no_anchor() -> None:
    assert not holds_anchor("url: http://a/b?c=1&d=2\ntext: a & b\n")
    assert all(map(holds_anchor, ("a: &b\n", "- &b c\n", "[&a b]", "&a b: 1", "{a: &b 1}", "[x,&a b]")))


@pytest.mark.parametrize("named", ["&one", "!!set"])
def test_what_stands_beside_a_dash_stays_with_its_item(named: str) -> None:
    items = [f"  -\n    k: value number {at} of a long list of sources\n" for at in range(60)]
    items[1] = items[1].replace("-", f"- {named}")
    text = f"a:\n{''.join(items)}  'x\n"
    assert narrowed(read_c(text), text) is None


@pytest.mark.parametrize("text", ["lr: 1\n? k\n: v\nb: 2\n  c: 3\n", "a: {a: []}\r4:\nk: X\r 1:"])
def test_a_piece_of_several_keys_is_read_again_as_a_whole(text: str) -> None:
    document = parse(text, "t.yaml")
    names = [entry.name for entry in View(document, YAML12).entries()]
    assert len({*names}) == len(names)
    assert not [mark for mark in document.marks if mark.kind == "duplicate-key"]


def test_no_mark_stands_twice() -> None:
    marks = parse("x: 1\n{{ t }}\n", "t.yaml").marks
    assert len({*marks}) == len(marks)
