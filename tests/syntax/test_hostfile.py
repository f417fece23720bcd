"""Hostfiles as DeepSpeed's launcher reads them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shardlint.syntax.document import Document
from shardlint.syntax.hostfile import HOSTFILE, parse_hostfile
from shardlint.syntax.view import Template, View, to_value
from wellformed import check_document


def parse(text: str) -> Document:
    document = parse_hostfile("hostfile", text)
    check_document(document, HOSTFILE)
    return document


GOOD = [
    ("worker-0 slots=8\nworker-1 slots=4\n", {"worker-0": 8, "worker-1": 4}),
    ("# two nodes\n\n  10.0.0.1\tslots=08   # fast\n", {"10.0.0.1": 8}),
    ("a slots=2 max_slots=4\r\nb slots=3", {"a": 2, "b": 3}),
    ("a slots=8x\n", {"a": 8}),
]


@pytest.mark.parametrize(("text", "slots"), GOOD)
def test_hosts_and_slots(text: str, slots: dict[str, int]) -> None:
    document = parse(text)
    assert document.language == "text"
    assert document.faults == ()
    assert to_value(document.roots[0], HOSTFILE) == slots


def test_places() -> None:
    text = "# c\n  node-0   slots=16 # d\n"
    document = parse(text)
    entry = View(document, HOSTFILE).get("node-0")
    assert entry is not None
    assert text[slice(*entry.key_span)] == "node-0"
    assert text[slice(*entry.value_span)] == "16"
    assert [text[slice(*span)] for span in document.comments] == ["# c", "# d"]
    assert [mark.kind for mark in document.marks] == ["comment", "comment"]


@pytest.mark.parametrize(
    "line", ["node-0", "node-0:8", "node-0 slots = 8", "slots=8", "node-0 slots=", "a,b"]
)
def test_a_bad_line_is_a_fault_and_the_others_stay(line: str) -> None:
    text = f"a slots=1\n{line}\nb slots=2\n"
    document = parse(text)
    (fault,) = document.faults
    assert (fault.code, text[slice(*fault.span)]) == ("bad-hostfile-line", line)
    assert to_value(document.roots[0], HOSTFILE) == {"a": 1, "b": 2}


def test_a_host_named_twice_is_marked_and_refused() -> None:
    text = "a slots=1\nb slots=1\na slots=2\n"
    (mark,) = parse(text).marks
    assert (mark.kind, mark.span.start) == ("duplicate-key", text.rindex("a"))
    assert mark.related is not None
    assert mark.related.start == 0
    assert HOSTFILE.refusal(mark.kind) is not None
    assert HOSTFILE.refusal("comment") is None


def test_nothing_is_no_root() -> None:
    assert parse("\n# none\n").roots == ()


@settings(deadline=None)
@given(st.text(alphabet="ab0 \t\n\r#=slot\x00\u2028", max_size=50))
def test_any_text(text: str) -> None:
    parse(text)


@pytest.mark.parametrize(
    "slots", ["${SLOTS}", '"${SLOTS}"', "{{ slots }}", "$SLOTS", "@SLOTS@", "<SLOTS>", "TODO"]
)
def test_slots_another_program_fills_in_are_open(slots: str) -> None:
    document = parse(f"worker-0 slots=8\nworker-1 slots={slots}\n")
    assert document.faults == ()
    values = [entry.value for entry in View(document, HOSTFILE).entries()]
    assert values[0] == 8
    assert isinstance(values[1], Template)


def test_a_line_that_is_a_placeholder_stands_for_unknown_hosts() -> None:
    document = parse("{% for host in hosts %}\n{{ host }} slots=8\n{% endfor %}\n")
    assert document.faults == ()
    assert len(View(document, HOSTFILE).entries()) == 3
