"""Which fixes apply together, and what comes out."""

from __future__ import annotations

from cli.reports import finding_at
from shardlint.engine.fixing import changes, edited
from shardlint.report import Edit, Fix, Place, Related, Report
from shardlint.syntax.document import Document
from shardlint.syntax.tree import Span

TEXT = '{"a": 1, "b": 2}\n'
DOCUMENT = Document("ds.json", TEXT, "json")
ONE = Edit("ds.json", Span(6, 7), "10")
TWO = Edit("ds.json", Span(14, 15), "20")


def report_of(*fixes: tuple[Fix, ...]) -> Report:
    place = Place("ds.json", "a", Span(6, 7), DOCUMENT)
    return Report((), tuple(finding_at(place)._replace(fixes=each) for each in fixes))


def after(*fixes: tuple[Fix, ...], unsafe: bool = False) -> str:
    found = changes(report_of(*fixes), unsafe)
    return found[0].after if found else TEXT


def test_edits_apply_in_any_order() -> None:
    assert edited(TEXT, (ONE, TWO)) == edited(TEXT, (TWO, ONE)) == '{"a": 10, "b": 20}\n'


def test_only_safe_fixes_unless_asked() -> None:
    assert after((Fix("x", False, (ONE,)),)) == TEXT
    assert after((Fix("x", False, (ONE,)),), unsafe=True) == '{"a": 10, "b": 2}\n'
    assert after((Fix("x", True, (ONE,)),)) == '{"a": 10, "b": 2}\n'


def test_a_finding_gives_its_first_allowed_fix_only() -> None:
    offered = (Fix("unsafe", False, (ONE,)), Fix("safe", True, (TWO,)), Fix("other", True, (ONE,)))
    assert after(offered) == '{"a": 1, "b": 20}\n'


def test_a_fix_applies_whole_or_not_at_all() -> None:
    both = Fix("both", True, (TWO, Edit("ds.json", Span(5, 7), " 7")))
    assert after((Fix("one", True, (ONE,)),), (both,)) == '{"a": 10, "b": 2}\n'


def test_two_insertions_at_one_place_wait_for_each_other() -> None:
    insert = Edit("ds.json", Span(1, 1), '"c": 3, ')
    first, second = Fix("first", True, (insert,)), Fix("second", True, (insert._replace(text='"d": 4, '),))
    assert after((first,), (second,)) == '{"c": 3, "a": 1, "b": 2}\n'


def test_a_fix_in_a_related_file_finds_its_text() -> None:
    other = Document("acc.yaml", "stage: 2\n", "yaml")
    place = Place("acc.yaml", "stage", Span(7, 8), other)
    fix = Fix("set", True, (Edit("acc.yaml", Span(7, 8), "3"),))
    finding = finding_at(Place("ds.json", "a", Span(6, 7), DOCUMENT))._replace(
        fixes=(fix,), related=(Related(place, "here"),)
    )
    (change,) = changes(Report((), (finding,)), unsafe=False)
    assert (change.path, change.after, change.titles) == ("acc.yaml", "stage: 3\n", ("set",))


def test_a_fix_in_a_file_nobody_read_is_left_out() -> None:
    assert after((Fix("x", True, (ONE, Edit("elsewhere.json", Span(0, 0), "x"))),)) == TEXT
