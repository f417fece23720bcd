"""Comment pragmas: facts and suppressions."""

from __future__ import annotations

import pytest

from shardlint.report import Finding, Place
from shardlint.settings.pragmas import read_pragmas, suppressed, suppressions
from shardlint.syntax.document import Document
from shardlint.syntax.parse import parse
from shardlint.syntax.tree import Span

YAML = """\
# shardlint: world_size=8 model.params=7B
zero_stage: 3  # shardlint: ignore[MEM001] measured elsewhere
# shardlint: ignore[KEY]
num_machines: 1
steps: [1,
  2,  # shardlint: ignore[batch-triangle-mismatch]
  3]
"""


def document(text: str, name: str = "a.yaml") -> Document:
    return parse(text, name)


def finding(
    doc: Document, start: str, end: str | None = None, code: str = "MEM001", rule: str = "x"
) -> Finding:
    first = doc.text.index(start)
    last = doc.text.index(end) + len(end) if end else first + len(start)
    return Finding("m", Place(doc.name, "k", Span(first, last), doc), rule=rule, code=code)


def test_facts_are_read_with_their_place() -> None:
    found = read_pragmas(document(YAML))
    assert {name: fact.value for name, fact in found.facts.values.items()} == {
        "world_size": 8,
        "model.params": 7_000_000_000,
    }
    fact = found.facts.values["model.params"]
    assert fact.origin == "a.yaml:1"
    assert fact.place is not None
    assert YAML[slice(*fact.place.span)] == "model.params=7B"
    assert not found.problems


def test_a_suppression_holds_on_its_line() -> None:
    doc = document(YAML)
    pragma = suppressed(finding(doc, "3  #"), doc, suppressions(doc))
    assert pragma is not None
    assert pragma.reason == "measured elsewhere"
    assert suppressed(finding(doc, "zero_stage", code="MEM002"), doc, suppressions(doc)) is None


def test_a_suppression_on_a_line_of_its_own_holds_on_the_next() -> None:
    doc = document(YAML)
    assert suppressed(finding(doc, "num_machines", code="KEY001"), doc, suppressions(doc))
    assert suppressed(finding(doc, "steps", code="KEY001"), doc, suppressions(doc)) is None


def test_a_suppression_behind_a_value_does_not_hold_on_the_next_line() -> None:
    doc = document("a: 1  # shardlint: ignore[MEM001]\nb: 2\n")
    assert suppressed(finding(doc, "b"), doc, suppressions(doc)) is None


def test_a_suppression_holds_anywhere_in_the_span() -> None:
    doc = document(YAML)
    inside = finding(doc, "[1,", "3]", code="BAT001", rule="batch-triangle-mismatch")
    assert suppressed(inside, doc, suppressions(doc))
    assert (
        suppressed(finding(doc, "3]", code="BAT001", rule="batch-triangle-mismatch"), doc, suppressions(doc))
        is None
    )


def test_stacked_suppressions_hold_below_all_of_them() -> None:
    doc = document("# shardlint: ignore[A001]\n# shardlint: ignore[B001]\nkey: 1\n")
    for code in ("A001", "B001"):
        assert suppressed(finding(doc, "key", code=code), doc, suppressions(doc))


def test_slash_comments_of_hjson_and_comments_of_a_hostfile() -> None:
    hjson = document('{\n  // shardlint: world_size=4\n  "a": 1 /* shardlint: nodes=2 */\n}', "ds.json")
    assert {n: f.value for n, f in read_pragmas(hjson).facts.values.items()} == {"world_size": 4, "nodes": 2}
    hosts = document("# shardlint: gpus_per_node=8\nworker-1 slots=8\n", "hostfile")
    assert read_pragmas(hosts).facts.values["gpus_per_node"].value == 8


def test_a_broken_pragma_is_a_problem_and_the_rest_applies() -> None:
    found = read_pragmas(
        document("# shardlint: world_size=8, wrld=3 nodes=many and so on\n# shardlint: ignore[]\nx: 1\n")
    )
    assert found.facts.values["world_size"].value == 8
    messages = [problem.message for problem in found.problems]
    assert len(messages) == 4
    assert "wrld is not a setting" in messages[0]
    assert messages[1].startswith("nodes = many is no count")
    assert "'and so on' is no pragma" in messages[2]
    assert "names no rule" in messages[3]


def test_words_that_only_mention_the_tool_are_left_alone() -> None:
    found = read_pragmas(document("# see shardlint: it checks this\n# shardlinter: x\nx: 1\n"))
    assert not found.problems and not found.facts.values and not found.suppressions


def test_a_long_comment_is_read_at_once() -> None:
    text = "# shardlint: a" + " " * 200_000 + "b\n# shardlint: ignore[" + "x," * 100_000 + "\nx: 1\n"
    assert len(read_pragmas(document(text)).problems) == 2


@pytest.mark.parametrize(
    ("pragma", "said"),
    [
        ('gpu.name="A100', "'gpu.name=\"A100' is no pragma"),
        ("gpu.name='A100 world_size=8", "is no pragma"),
        ("world_size=8 nodes=2 world_size=16", "world_size is given twice in one pragma"),
        ("world_size=8, world_size=8", ""),
    ],
)
def test_a_pragma_that_would_pass_as_another_one_is_a_problem(pragma: str, said: str) -> None:
    found = read_pragmas(document(f"# shardlint: {pragma}\nx: 1\n")).problems
    assert [problem.code for problem in found] == (["SET005"] if said else [])
    assert all(said in problem.message for problem in found)
