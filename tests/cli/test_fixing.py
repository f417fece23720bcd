from __future__ import annotations

from pathlib import Path

import pytest

from cli.reports import finding_at
from shardlint.report import Edit, Fix, Place, Related, Report
from shardlint.syntax.document import Document
from shardlint.syntax.tree import Span
from shardlint_cli.fixing import changes, edited
from shardlint_cli.storing import store

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


@pytest.mark.parametrize("before", ['{"a": 1}\r\n', '\ufeff{"a": 1}\n', '{"ä模": 1}\n'])
def test_what_is_not_edited_stays_as_it_is(tmp_path: Path, before: str) -> None:
    file = tmp_path / "ds.json"
    file.write_bytes(before.encode())
    file.chmod(0o640)
    text = before.removeprefix("\ufeff")
    start = text.index("1")
    finding = finding_at(Place("ds.json", "a", Span(start, start + 1), Document("ds.json", text, "json")))
    edit = Edit("ds.json", Span(start, start + 1), "2")
    (change,) = changes(Report((), (finding._replace(fixes=(Fix("x", True, (edit,)),)),)), unsafe=False)
    assert store(change, tmp_path) is None
    assert file.read_bytes() == before.replace("1", "2").encode()
    assert file.stat().st_mode & 0o777 == 0o640
    assert [path.name for path in tmp_path.iterdir()] == ["ds.json"]


def test_a_file_that_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "ds.json"
    file.write_text("{}")
    (change,) = changes(report_of((Fix("x", True, (ONE,)),)), unsafe=False)
    notice = store(change, tmp_path)
    assert notice is not None
    assert "not fixed" in notice.message
    assert file.read_text() == "{}"


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.json").write_text(TEXT)
    (tmp_path / "ds.json").symlink_to("real.json")
    (change,) = changes(report_of((Fix("x", True, (ONE,)),)), unsafe=False)
    assert store(change, tmp_path) is None
    assert (tmp_path / "ds.json").is_symlink()
    assert (tmp_path / "real.json").read_text() == '{"a": 10, "b": 2}\n'


def test_a_missing_file_is_a_notice(tmp_path: Path) -> None:
    (change,) = changes(report_of((Fix("x", True, (ONE,)),)), unsafe=False)
    notice = store(change, tmp_path)
    assert notice is not None
    assert notice.path == "ds.json"
