"""What a text is read as before it was checked again: as much as matters to what is typed there."""

from __future__ import annotations

import asyncio
import json
import random
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from lsp.looks import FULL, caret, look_at
from shardlint.syntax.document import Document
from shardlint.syntax.tree import Span
from shardlint_lsp.caret.difference import difference
from shardlint_lsp.caret.excerpt import Cut, Excerpt
from shardlint_lsp.draft import LONGEST, MOST_LEFT, MOST_TYPED, Draft, draft
from shardlint_lsp.features.completion import complete, may_list_files
from shardlint_lsp.look import Look
from shardlint_lsp.main import server
from shardlint_lsp.positions import Positions
from shardlint_lsp.worker import Priority

SOURCES = "sources:\n" + "".join(
    f"  - path: part_{at}.jsonl # é\n    split: train\n    weight: 0.{at}\n" for at in range(200)
)
ARGUMENTS = """\
model_name_or_path: meta-llama/Llama-2-7b-hf
output_dir: out
per_device_train_batch_size: 4
fsdp_config:
  version: 2
"""
GROUPS = {f"group_{at}": {"params": {"bits": 8}, "modules": ["a", "b"]} for at in range(100)}
FIRST = '{\n"compression_training": ' + json.dumps(GROUPS, indent=2) + ",\n"
LAST = '"train_batch_size": 16,\n"zero_optimization": {\n  "stage": 3\n}\n}\n'
LONG = {"train.yaml": ARGUMENTS + SOURCES + "learning_rate: 1.0e-4\n", "ds.json": FIRST + LAST}
PIECES = ("", "\n", " ", "a", "ze", '"', '"st', ":", ": ", ",", "  ", "\n  ", "é", "😀", "#")
"""What people type, a keystroke at a time."""

text_of = st.text("ab\n", max_size=12)


@given(text_of, text_of)
def test_the_difference_of_two_texts(old: str, new: str) -> None:
    start, old_end, new_end = difference(old, new)
    assert old[:start] + new[start:new_end] + old[old_end:] == new
    assert old[:start] == new[:start] and old[old_end:] == new[new_end:]
    changed = old[start:old_end], new[start:new_end]
    assert not all(changed) or (changed[0][0] != changed[1][0] and changed[0][-1] != changed[1][-1])


def test_offsets_in_an_excerpt() -> None:
    whole = "a: {x: 1, y: 2}\nb: [1, 2, 3]\nc: 4\n"
    part = Excerpt(whole, [Cut(span_of(whole, "{x: 1, y: 2}"), "{}")])
    assert part.text == "a: {}\nb: [1, 2, 3]\nc: 4\n"
    for offset in (0, 2, *range(whole.index("b"), len(whole) + 1)):
        inner = part.inner(offset)
        assert part.outer(inner) == offset
        assert part.text[inner : inner + 1] == whole[offset : offset + 1]
    assert part.inner(whole.index("y")) == part.text.index("{}")
    assert part.outer(part.text.index("{}") + 2) == whole.index("\nb")


def span_of(text: str, piece: str) -> Span:
    return Span(text.index(piece), text.index(piece) + len(piece))


def typed(look: Look, now: str, offset: int) -> tuple[Look | None, types.Position]:
    """The draft of a text that was `look` before, and the position of an offset in it."""
    position = Positions(Document("", now, "text"), FULL.encoding).position(offset)
    return draft(look, look.text._replace(text=now), position), position


def offered(look: Look, position: types.Position) -> list[Any]:
    items = complete(look, look.positions.offset(position))
    return [(item.label, item.text_edit, item.additional_text_edits, item.filter_text) for item in items]


@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize("seed", range(3))
def test_a_draft_offers_what_the_whole_text_does(name: str, seed: int, tmp_path: Path) -> None:
    chance, long = random.Random(seed), LONG[name]
    look = look_at({name: long}, name, folder=tmp_path)
    lines = [at for at, char in enumerate(long) if char == "\n"]
    asked = 0
    for _ in range(25):
        at = chance.choice((*lines[:6], *lines[-6:], chance.choice(lines), chance.randrange(len(long))))
        piece = chance.choice(PIECES)
        now, offset = long[:at] + piece + long[at:], at + len(piece)
        drafted, position = typed(look, now, offset)
        fresh = look_at({name: now}, name, folder=tmp_path)
        if drafted is not None and fresh.reading is not None:
            assert len(drafted.document.text) < MOST_LEFT
            assert offered(drafted, position) == offered(fresh, position), (piece, now[offset - 40 : offset])
            asked += 1
    assert asked > 10


@pytest.mark.parametrize(
    ("name", "marked", "label"),
    [
        ("train.yaml", ARGUMENTS + "learn|\n" + SOURCES, "learning_rate"),
        ("train.yaml", ARGUMENTS + SOURCES + "learn|", "learning_rate"),
        ("train.yaml", ARGUMENTS + "  resh|\n" + SOURCES, "reshard_after_forward"),
        ("train.yaml", ARGUMENTS + SOURCES + "bf16: true\n  |\n", "learning_rate"),
        ("ds.json", FIRST + '"gradient_cl|\n' + LAST, "gradient_clipping"),
        ("ds.json", FIRST + LAST.replace("3\n", '3\n  "overlap_c|\n'), "overlap_comm"),
    ],
)
def test_a_half_typed_key_in_a_long_text(name: str, marked: str, label: str) -> None:
    now, offset = caret(marked)
    before = now[: offset - 1] + now[offset:]
    look = look_at({name: before}, name)
    drafted, position = typed(look, now, offset)
    assert isinstance(drafted, Draft) and len(drafted.document.text) < len(now) / 4
    item = next(one for one in complete(drafted, drafted.positions.offset(position)) if one.label == label)
    assert isinstance(item.text_edit, types.TextEdit)
    assert item.text_edit.range.start.line == position.line
    assert item.text_edit.range.end == position


def test_what_stands_behind_an_alias_stays() -> None:
    base = "big: &big\n" + "".join(f"  key_{at}: {{a: 1, b: 2}}\n" for at in range(200))
    text = ARGUMENTS + base + "other:\n  <<: *big\n"
    look = look_at({"train.yaml": text}, "train.yaml")
    assert typed(look, text, len(ARGUMENTS))[0] is None


def test_no_draft_where_the_last_look_says_nothing() -> None:
    look = look_at({"ds.json": "{\n" + LAST}, "ds.json")
    text = look.text.text
    assert typed(look, text, 3)[0] is look
    assert isinstance(typed(look, text + " ", 3)[0], Draft)
    assert typed(look, text + " " * (MOST_TYPED + 1), 3)[0] is None
    assert typed(look, text[: len(text) // 4], 3)[0] is None
    unknown = look_at({"package.json": '{"name": "x"}'}, "package.json")
    assert typed(unknown, unknown.text.text, 3)[0] is None
    huge = look_at({"ds.json": "{\n" + LAST + " " * LONGEST}, "ds.json")
    assert typed(huge, huge.text.text, 3)[0] is None


def test_a_mark_before_the_text_is_seen() -> None:
    look = look_at({"ds.json": "{\n" + LAST}, "ds.json")
    marked = look.text._replace(text="\ufeff" + look.text.text)
    drafted = draft(look, marked, types.Position(0, 2))
    assert drafted is not None and drafted is not look
    assert drafted.positions.offset(types.Position(0, 2)) == 1


def test_far_remarks_do_not_hold_up(tmp_path: Path) -> None:
    text = ARGUMENTS + "# a remark\n" * 20_000 + "bf16: true\n"
    look = look_at({"train.yaml": text}, "train.yaml", folder=tmp_path)
    began = time.process_time()
    assert typed(look, text, len(text) - 11)[0] is None
    assert time.process_time() - began < 0.1


def test_a_draft_of_windows_lines_and_wide_characters() -> None:
    now, offset = caret((ARGUMENTS + SOURCES.replace("# é", "# 😀") + "lear|").replace("\n", "\r\n"))
    look = look_at({"train.yaml": now[:-1]}, "train.yaml")
    drafted, position = typed(look, now, offset)
    assert isinstance(drafted, Draft)
    items = {item.label: item for item in complete(drafted, drafted.positions.offset(position))}
    found = items["learning_rate"].text_edit
    assert isinstance(found, types.TextEdit)
    assert (found.range.start, found.range.end) == (types.Position(position.line, 0), position)


def test_words_that_stand_in_the_list_are_not_offered_again() -> None:
    words = "fsdp:\n  - full_shard\n  - auto_wrap\n  - offload\n  - hybrid_shard\n  - n|\n"
    now, offset = caret(ARGUMENTS + words + SOURCES)
    drafted, position = typed(look_at({"train.yaml": now}, "train.yaml"), now, offset)
    assert isinstance(drafted, Draft)
    assert "auto_wrap" not in [label for label, *_ in offered(drafted, position)]


def test_a_fact_told_in_a_comment_needs_a_look() -> None:
    told = "# shardlint: versions.deepspeed=0.9.0\n"
    look = look_at({"train.yaml": ARGUMENTS + told}, "train.yaml")
    now = look.text.text.replace("0.9.0", "0.18.0")
    assert typed(look, now, 3)[0] is None
    assert typed(look, look.text.text + "\n", 3)[0] is not None


def test_lines_that_may_name_a_file() -> None:
    look = look_at({"train.yaml": ARGUMENTS + "deepspeed: \n# shardlint: \n"}, "train.yaml")
    text = look.text.text
    assert may_list_files(look, text.index("deepspeed")) and may_list_files(look, text.index("# shard"))
    assert not may_list_files(look, text.index("output_dir"))


async def test_the_last_look_says_nothing_once_settings_changed(tmp_path: Path) -> None:
    made = server()
    made.client = made.client._replace(pulls=True)
    uri = (tmp_path / "ds.json").as_uri()
    text = made.texts.open(types.TextDocumentItem(uri, "json", 1, "{\n" + LAST), tmp_path)
    await made.ask(uri, lambda look: look.name)
    assert made.last_look(uri) is not None
    made.changed(text)
    assert made.last_look(uri) is not None
    beside = (tmp_path / "shardlint.toml").as_uri()
    facts = made.texts.open(types.TextDocumentItem(beside, "toml", 1, ""), tmp_path)
    made.changed(facts)
    assert made.last_look(uri) is None
    await made.ask(uri, lambda look: look.name)
    assert made.last_look(uri) is not None
    made.renewed()
    assert made.last_look(uri) is None and made.draft(uri, types.Position(1, 1)) is None
    made.worker.stop()


async def test_completion_does_not_wait_for_a_check(tmp_path: Path) -> None:
    made = server()
    made.roots.add(tmp_path)
    uri, text = (tmp_path / "ds.json").as_uri(), '{\n"zero_optimization": {"stage": 3},\n"train_b\n}'
    opened = made.texts.open(types.TextDocumentItem(uri, "json", 1, text.replace("_b", "_")), tmp_path)
    await made.ask(uri, lambda look: look.name)
    made.texts.open(types.TextDocumentItem(uri, "json", 2, text), tmp_path)
    made.changed(opened)
    under_way = threading.Event()
    check = asyncio.ensure_future(made.worker.run(Priority.CHANGE, under_way.wait))
    asked = types.CompletionParams(types.TextDocumentIdentifier(uri), types.Position(2, 8))
    complete_at: Any = made.protocol.fm.features[types.TEXT_DOCUMENT_COMPLETION]
    try:
        found = await asyncio.wait_for(complete_at(asked), 20)
        assert "train_batch_size" in [item.label for item in found.items]
        assert not check.done()
    finally:
        under_way.set()
        await check
        made.worker.stop()
