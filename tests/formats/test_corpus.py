"""Recognition over a corpus of real files: recall, silence on foreign files, the raw-text test, no crash."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from time import process_time
from typing import NamedTuple

import pytest

from corpus import corpus_bytes, manifest, requires_corpus
from shardlint.formats.foreign import foreign_stack
from shardlint.formats.keys import Keys
from shardlint.formats.registry import recognise, sniff
from shardlint.plan import ASSUMED
from shardlint.syntax.document import Document
from shardlint.syntax.parse import parse

pytestmark = requires_corpus

DISPUTED = Path(__file__).with_name("disputed_labels.tsv")
RECALL = 0.99
WANTED = {"deepspeed": "deepspeed", "accelerate": "accelerate", "fsdp": "fsdp", "hostfile": "hostfile"}
OURS_UNDER_LABEL = {**WANTED, "trl": "hf-args", "llamafactory": "hf-args", "model_config": "model-config"}
UNRECOGNISED = "-"


class Seen(NamedTuple):
    path: str
    label: str
    document: Document
    found: str
    sniffed: bool


@cache
def seen() -> tuple[Seen, ...]:
    return tuple(_see(row.path, row.label) for row in manifest())


def _see(path: str, label: str) -> Seen:
    content = corpus_bytes(path)
    document = parse(content, path)
    format = recognise(document)
    return Seen(path, label, document, format.name if format else UNRECOGNISED, sniff(_text(content), path))


def _text(content: bytes) -> str:
    return content.decode("utf-8", "replace").replace("\0", "")


def disputed() -> dict[str, str]:
    """Path -> why its label is wrong."""
    lines = DISPUTED.read_text(encoding="utf-8").splitlines()[1:]
    return dict(line.split("\t", 1) for line in lines)


def test_confusion_matrix(capsys: pytest.CaptureFixture[str]) -> None:
    table: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for file in seen():
        stack = foreign_stack(Keys.of(file.document)) if file.found == UNRECOGNISED else None
        table[file.label][f"({stack})" if stack else file.found] += 1
    with capsys.disabled():
        print("\nlabel -> recognised as (stacks we know and do not read stand in brackets)")
        for label in sorted(table):
            print(f"  {label:14}", ", ".join(f"{name} {count}" for name, count in table[label].most_common()))
    mixed = [
        f"{label} as {name}"
        for label, row in table.items()
        for name in row
        if name != UNRECOGNISED and not name.startswith("(") and name != OURS_UNDER_LABEL.get(label)
    ]
    assert mixed == []


@pytest.mark.parametrize("label", WANTED)
def test_recall(label: str) -> None:
    known_wrong = disputed()
    files = [file for file in seen() if file.label == label and file.path not in known_wrong]
    missed = [file.path for file in files if file.found != WANTED[label]]
    assert len(missed) <= (1 - RECALL) * len(files), missed


def test_recall_over_every_label_as_given() -> None:
    files = [file for file in seen() if file.label in WANTED]
    found = sum(file.found == WANTED[file.label] for file in files)
    assert found >= RECALL * len(files), f"{found} of {len(files)}"


def test_each_disputed_label_is_a_file_we_do_not_take_for_that() -> None:
    by_path = {file.path: file for file in seen()}
    for path, reason in disputed().items():
        assert by_path[path].found != WANTED[by_path[path].label], path
        assert reason


def test_no_negative_is_recognised() -> None:
    assert [file.path for file in seen() if file.label == "negative" and file.found != UNRECOGNISED] == []


def test_the_raw_text_test_rejects_nothing_that_is_recognised() -> None:
    assert [file.path for file in seen() if file.found != UNRECOGNISED and not file.sniffed] == []


def test_the_raw_text_test_spares_most_foreign_files() -> None:
    negatives = [file for file in seen() if file.label == "negative"]
    assert sum(file.sniffed for file in negatives) < len(negatives) / 5


def test_the_raw_text_test_is_cheap() -> None:
    texts = [(_text(corpus_bytes(row.path)), row.path) for row in manifest()]
    started = process_time()
    for text, path in texts:
        sniff(text, path)
    assert process_time() - started < 1


def test_every_recognised_file_is_read() -> None:
    for file in seen():
        format = recognise(file.document)
        if format is not None:
            reading = format.read(file.document)
            for fact in reading.terms.values():
                assert fact.origin
                assert fact.known or fact.standing == ASSUMED


def test_any_prefix_of_a_file_is_read() -> None:
    recognised = [file for file in seen() if file.found != UNRECOGNISED]
    for file in recognised[:: max(1, len(recognised) // 100)]:
        text = file.document.text
        for end in range(0, len(text), max(1, len(text) // 12)):
            document = parse(text[:end], file.path)
            format = recognise(document)
            if format is not None:
                format.read(document)
