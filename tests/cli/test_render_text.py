from __future__ import annotations

import re

from cli.reports import batch_report, finding_at, place_of
from shardlint.report import ERROR, HINT, INFO, FileReport, Finding, Fix, Place, Report, file_place
from shardlint.syntax.document import Document
from shardlint.syntax.tree import Span
from shardlint_cli.render.text import render
from shardlint_cli.terminal import Screen, columns

WHOLE = """\
ds.json:3:14: info MEM001 activations-not-budgeted (estimated)
  ZeRO-3 state is 13.04 GiB/rank but activations not budgeted
  3 |     "stage": 3
    |              ^
  assumes: mixed-precision Adam

ds.json:5:23: error BAT001 batch-mismatch (fails at config)
  train_batch_size 30 is not micro_batch 1 x accumulation 1 x DP 8 = 8;
  DeepSpeed refuses to start
  5 |   "train_batch_size": 30
    |                       ^^
  see: accelerate.yaml:2:16: 8 processes come from here
  fix: set train_batch_size to 8 (unsafe)
  fix: remove train_batch_size
  help: One of the three numbers must change.

1 error, 1 info in 2 files
"""


NARROW = Screen(80)


def shown(report: Report, screen: Screen = NARROW) -> str:
    return "".join(f"{line}\n" for line in render(report, screen))


def report_of(*findings: Finding) -> Report:
    return Report((FileReport("ds.json", "deepspeed"),), findings)


def test_the_whole_output_at_80_columns() -> None:
    assert shown(batch_report()) == WHOLE


def test_colour_adds_nothing_but_colour() -> None:
    painted = shown(batch_report(), Screen(80, colour=True))
    assert "\x1b[1;31merror\x1b[0m" in painted
    assert re.sub(r"\x1b\[[\d;]*m", "", painted) == WHOLE


def test_a_pipe_gets_each_message_on_one_line() -> None:
    lines = shown(batch_report(), Screen()).splitlines()
    assert any(line.endswith("DP 8 = 8; DeepSpeed refuses to start") for line in lines)


def test_nothing_found_is_said() -> None:
    assert shown(report_of()) == "no findings in 1 file\n"


def test_counts_are_by_severity_worst_first() -> None:
    place = place_of("stage: 3\n", "3")
    several = report_of(*(finding_at(place, severity=severity) for severity in (HINT, ERROR, INFO, ERROR)))
    assert shown(several).splitlines()[-1] == "2 errors, 1 info, 1 hint in 1 file"


def test_a_place_without_a_document_is_its_path() -> None:
    text = shown(report_of(finding_at(Place("shardlint.toml", "", Span(0, 0)))))
    assert text.splitlines()[0] == "shardlint.toml: warning KEY001 some-rule"
    assert "|" not in text


def test_an_empty_file_has_no_source_line() -> None:
    text = shown(report_of(finding_at(file_place(Document("ds.json", "", "json")))))
    assert text.splitlines()[:2] == ["ds.json:1:1: warning KEY001 some-rule", "  a message"]
    assert "|" not in text


def test_text_from_files_cannot_drive_the_terminal() -> None:
    source = 'a: "\x1b[2J"\n'
    place = place_of(source, "a", path="x\x1b[31m.yaml")
    text = shown(report_of(finding_at(place, message="key \x1b[2J\nis odd")))
    assert "\x1b" not in text
    assert r"x\x1b[31m.yaml:1:1: warning" in text
    assert r"key \x1b[2J" in text


def test_facts_missing_is_said_once_for_several_jobs() -> None:
    place = place_of("stage: 3\n", "3")
    gaps = [
        finding_at(place._replace(path=f"{name}.json"), severity=INFO)._replace(
            rule="facts-missing", jobs=(f"{name}.json",)
        )
        for name in "abc"
    ]
    lines = shown(report_of(*gaps), Screen()).splitlines()
    assert [line for line in lines if "facts" in line] == [lines[0]]
    assert lines[0].startswith("info: 3 jobs lack facts for memory figures")
    assert lines[-1] == "3 infos in 1 file"


def test_facts_missing_of_one_job_is_a_finding_like_any_other() -> None:
    gap = finding_at(place_of("stage: 3\n", "3"), severity=INFO)._replace(rule="facts-missing")
    assert shown(report_of(gap)).splitlines()[0] == "ds.json:1:8: info KEY001 facts-missing"


def test_every_line_but_unbreakable_ones_fits_the_screen() -> None:
    source = f'{{"a": "{"模型" * 100}", "stage": 3}}'
    place = place_of(source, "3", at=source.index("stage"))
    finding = finding_at(place, message="wide 模型 words " * 20)._replace(
        help="help text " * 20, fixes=(Fix("a title " * 20),)
    )
    for width in (40, 80, 132):
        lines = shown(report_of(finding), Screen(width)).splitlines()
        assert max(columns(line) for line in lines) <= width


def test_the_gutter_grows_with_the_line_number() -> None:
    source = "\n" * 1233 + "stage: 3\n"
    lines = shown(report_of(finding_at(place_of(source, "3")))).splitlines()
    assert lines[2:4] == ["  1234 | stage: 3", "       |        ^"]
