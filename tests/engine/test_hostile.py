"""No file, prefix or damaged copy of a file stops a lint, and files of other programs get no finding."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import process_time

import pytest

from corpus import corpus_bytes, corpus_root, manifest, requires_corpus
from shardlint.engine import Options, lint
from shardlint.report import Report

TRAINING = {"deepspeed", "accelerate", "fsdp", "trl", "hostfile", "model_config"}
EDITS = 10_000
EDITS_A_FILE = 25
SLOWEST = 5.0
"""Seconds of CPU no single small text may take."""


def lint_bytes(name: str, data: bytes) -> Report:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        started = process_time()
        report = lint([path], Options(root=Path(folder), overlay={path: data}))
        assert process_time() - started < SLOWEST, name
    assert not [notice for notice in report.notices if "rule" in notice.message], report.notices
    return report


def edited(data: bytes, drawn: random.Random) -> bytes:
    """The bytes with one stretch removed, replaced by random bytes, or repeated."""
    at = drawn.randrange(len(data) + 1)
    length = drawn.choice([1, 1, 1, 2, 8, 40])
    inserted = {
        "delete": b"",
        "replace": drawn.randbytes(length),
        "repeat": data[at : at + length] * 2,
        "odd": drawn.choice(
            [b"\0", b"\xff", b"{", b"}", b'"', b":", b",", b"\t", b"\r", b"- ", b"&a *a ", b"<<: "]
        ),
    }[drawn.choice(["delete", "replace", "repeat", "odd"])]
    return data[:at] + inserted + data[at + length :]


@requires_corpus
def test_no_real_file_stops_a_lint_and_other_programs_files_get_no_finding() -> None:
    root = corpus_root()
    assert root is not None
    report = lint([root], Options(root=root))
    assert not report.notices, report.notices[:5]
    negatives = {row.path for row in manifest() if row.label == "negative"}
    assert len(negatives) > 900
    assert not [f for f in report.findings if f.place.path in negatives]
    assert len([f for f in report.files if f.format == "deepspeed"]) > 300


@requires_corpus
def test_any_prefix_of_real_files_is_linted() -> None:
    drawn = random.Random(11)
    rows = drawn.sample([row for row in manifest() if row.label in TRAINING], 100)
    for row in rows:
        data = corpus_bytes(row.path)
        for _ in range(8):
            lint_bytes(Path(row.path).name, data[: drawn.randrange(len(data) + 1)])


@requires_corpus
@pytest.mark.parametrize("part", range(4))
def test_ten_thousand_damaged_copies_of_real_files_are_linted(part: int) -> None:
    for name, data in damaged(EDITS // 4, seed=part):
        lint_bytes(name, data)


def damaged(count: int, seed: int) -> Iterator[tuple[str, bytes]]:
    drawn = random.Random(seed)
    rows = [row for row in manifest() if row.label in TRAINING]
    for _ in range(count // EDITS_A_FILE):
        row = drawn.choice(rows)
        data = corpus_bytes(row.path)
        for _ in range(EDITS_A_FILE):
            yield Path(row.path).name, edited(data, drawn)


SAMPLES = {
    "ds.json": b'{"train_batch_size": 8, "zero_optimization": {"stage": 3}, "bf16": {"enabled": true}}',
    "acc.yaml": b"distributed_type: FSDP\nnum_processes: 8\nfsdp_config:\n  fsdp_version: 2\n",
    "shardlint.toml": (
        b'[facts]\nworld_size = 8\nmodel.params = "7B"\n[[jobs]]\nfiles = ["ds.json", "acc.yaml"]\n'
    ),
}


def test_damaged_files_of_one_job_are_linted_together() -> None:
    drawn = random.Random(5)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for _ in range(300):
            for name, data in SAMPLES.items():
                root.joinpath(name).write_bytes(edited(data, drawn) if drawn.random() < 0.6 else data)
            report = lint([root], Options(root=root))
            assert not [notice for notice in report.notices if "rule" in notice.message], report.notices


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0" * 1000,
        b"\xff\xfe" + "{}".encode("utf-16-le"),
        b"{" * 100_000,
        b"[" * 100_000,
        b"a: " * 50_000,
        b"- " * 100_000,
        b"zero_optimization: &a\n  stage: *a\n",
        b"zero_optimization: {<<: *b}\n&b x: y\n",
        b'{"zero_optimization": {"stage": ' + b"9" * 5_000 + b"}}",
        b'{"zero_optimization": {"stage": 1e999}, "train_batch_size": -0.0}',
        b'{"zero_optimization": {"stage": NaN}, "bf16": {"enabled": Infinity}}',
        b'{"zero_optimization": [[[]]], "fp16": "x", "bf16": 3}',
        "zero_optimization:\n  stage: 3\u2028  x: 1\n".encode(),
        b"distributed_type: FSDP\nnum_processes: 99999999999999999999\nfsdp_config: 7\n",
        b"\r\rzero_optimization:\r  stage: 3\r",
    ],
    ids=range(16),
)
@pytest.mark.parametrize("name", ["x.json", "x.yaml", "x.toml", "hostfile"])
def test_odd_texts_are_linted(name: str, data: bytes) -> None:
    lint_bytes(name, data)
