"""Changed texts written over their files: modes, marks, links and what must not be overwritten."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.reports import finding_at
from shardlint.engine.fixing import changes
from shardlint.report import Edit, Fix, Place, Report
from shardlint.syntax.document import Document
from shardlint.syntax.tree import Span
from shardlint_cli.storing import store

TEXT = '{"a": 1, "b": 2}\n'
PLACE = Place("ds.json", "a", Span(6, 7), Document("ds.json", TEXT, "json"))
FIX = Fix("x", True, (Edit("ds.json", Span(6, 7), "10"),))
REPORT = Report((), (finding_at(PLACE)._replace(fixes=(FIX,)),))


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
    (change,) = changes(REPORT, unsafe=False)
    notice = store(change, tmp_path)
    assert notice is not None
    assert "not fixed" in notice.message
    assert file.read_text() == "{}"


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.json").write_text(TEXT)
    (tmp_path / "ds.json").symlink_to("real.json")
    (change,) = changes(REPORT, unsafe=False)
    assert store(change, tmp_path) is None
    assert (tmp_path / "ds.json").is_symlink()
    assert (tmp_path / "real.json").read_text() == '{"a": 10, "b": 2}\n'


def test_a_missing_file_is_a_notice(tmp_path: Path) -> None:
    (change,) = changes(REPORT, unsafe=False)
    notice = store(change, tmp_path)
    assert notice is not None
    assert notice.path == "ds.json"
