"""Measured runs as the files people write, through the whole pipeline: text -> plan -> bytes."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from ledger.labels import assert_equal
from ledger.measured import fsdp_arguments, fsdp_held, load, of_rank, tensors
from shardlint.engine import plans_of
from shardlint.ledger import Ledger, ledger

FILES = Path(__file__).parent / "files"


class Row(NamedTuple):
    file: str
    kind: str
    case: str


ROWS = [Row(*line.split("\t")) for line in (FILES / "manifest.tsv").read_text().splitlines()[1:]]
DEEPSPEED = load("deepspeed")
FSDP = load("fsdp")


def rows(kind: str) -> list[Row]:
    return [row for row in ROWS if row.kind == kind]


def test_twenty_files_of_each():
    assert len(rows("deepspeed")) >= 20
    assert len(rows("fsdp")) >= 20


@pytest.mark.parametrize("row", rows("deepspeed"), ids=lambda row: row.file)
def test_deepspeed(row: Row):
    case = next(case for case in DEEPSPEED["cases"] if case["id"] == row.case)
    (plan,) = plans_of(FILES / row.file)
    found = ledger(plan, tensors(DEEPSPEED["models"][case["model"]]))
    for point, terms in case["points"].items():
        for rank in range(case["dp"]):
            assert_equal(found, point, terms, rank)


@pytest.mark.parametrize("row", rows("fsdp"), ids=lambda row: row.file)
def test_fsdp(row: Row):
    case = next(case for case in FSDP["cases"] if case["args"] == row.case)
    (plan,) = plans_of(FILES / row.file)
    found: Ledger = ledger(plan, tensors(FSDP["models"][case["model"]]))
    for rank in range(int(fsdp_arguments(case["args"])["world"])):
        actual = fsdp_held(found, rank)
        assert actual == {name: of_rank(case[name], rank) for name in actual}, f"rank {rank}"
