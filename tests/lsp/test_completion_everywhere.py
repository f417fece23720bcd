"""Completion and hover at every kind of place of many configs: the documented examples of the rules, which
are whole files of every stack, and the folder of real ones."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from lsprotocol import types

from checks.test_examples import RULES, example
from corpus import corpus_bytes, manifest, requires_corpus
from lsp.completing import PLAIN, Offered, at
from lsp.looks import look_at
from shardlint.formats.hostfile import FORMAT as HOSTFILE
from shardlint.schema.table import table
from shardlint.syntax.view import Entry
from shardlint_lsp.features.hover import hover
from shardlint_lsp.look import Look
from shardlint_lsp.vocabulary import vocabulary

LABELS = ("accelerate", "deepspeed", "fsdp", "trl")
JUNK = ('"', "{", "}", "[", "]", ":", ",", "\n", "  ", "#", "=", "|", "&a", "*a", "- ", "'", "\t", "é", "😀")


def documented() -> list[tuple[str, str]]:
    """(name, text) of the good example of each rule, a config of each kind it shows."""
    files = [one for rule in RULES for one in example(rule, "## Use instead").files.items()]
    return [(name, text) for name, text in dict.fromkeys(files) if name != "shardlint.toml"]


def real(count: int) -> list[tuple[str, str]]:
    """(name, text) of some real configs, each time the same ones."""
    paths = [row.path for row in manifest() if row.label in LABELS]
    chosen = random.Random(4).sample(paths, min(count, len(paths)))
    texts = [(Path(path).name, corpus_bytes(path).decode("utf-8", "replace")) for path in chosen]
    return [(name, text) for name, text in texts if "\r" not in text and "\ufeff" not in text]


CONFIGS = documented()


def opened(name: str, text: str, folder: Path) -> Look:
    return look_at({name: text}, name, PLAIN, folder=folder)


def keys_of(look: Look) -> Iterator[Entry]:
    """The keys the table of the file knows under the name they are written by, each that stands once."""
    known = vocabulary(look)
    if known is None or look.reading is None or look.reading.format is HOSTFILE:
        return
    entries = [entry for entry in look.reading.view.walk() if entry.pair is not None]
    for entry in entries:
        there = known.locate(entry.path)
        key = table(there.stack).find(there.path)
        alone = sum(other.path == entry.path for other in entries) == 1
        if key is not None and not key.removed and key.name == entry.name and alone:
            yield entry


def shortened(look: Look, entry: Entry, folder: Path) -> Offered:
    """What is offered where only the first letter of a key is left."""
    assert entry.pair is not None
    text, span = look.document.text, entry.pair.key.span
    quotes = int(text[span.start] in "\"'")
    left = span.start + quotes + 1
    return at(opened(look.name, text[:left] + text[span.end - quotes :], folder), left)


def removed(look: Look, entry: Entry, folder: Path) -> Offered:
    """What is offered where a key and its value stood."""
    text, span = look.document.text, entry.pair_span
    return at(opened(look.name, text[: span.start] + text[span.end :], folder), span.start)


def unquoted(text: str) -> str:
    return text.replace('"', "").replace("'", "")


def check_keys(name: str, text: str, folder: Path, most: int) -> None:
    look = opened(name, text, folder)
    entries = list(keys_of(look))
    for entry in random.Random(name).sample(entries, min(most, len(entries))):
        found = shortened(look, entry, folder)
        assert entry.name in found.items, entry.key
        assert unquoted(found.taken(entry.name)) == unquoted(text)
        if look.document.faults:
            continue
        found = removed(look, entry, folder)
        assert entry.name in found.items, entry.key
        again = opened(name, found.taken(entry.name), folder)
        assert not again.document.faults, (entry.key, again.document.faults)
        if again.reading is not None:
            assert again.reading.view.get(*entry.path) is not None, entry.key


def test_there_are_enough_configs() -> None:
    assert len([name for name, _ in CONFIGS if name.endswith((".json", ".yaml"))]) >= 60


@pytest.mark.parametrize(("name", "text"), CONFIGS)
def test_a_key_that_is_deleted_is_offered_again(name: str, text: str, tmp_path: Path) -> None:
    check_keys(name, text, tmp_path, most=2)


@requires_corpus
def test_a_key_that_is_deleted_from_a_real_config_is_offered_again(tmp_path: Path) -> None:
    for name, text in real(30):
        check_keys(name, text, tmp_path, most=2)


def disturbed(text: str, chance: random.Random) -> tuple[str, int]:
    """A text cut off, with junk in it, or with a hole, and where."""
    at = chance.randrange(len(text) + 1)
    rest = (text[at:] if chance.random() < 0.5 else text[at + chance.randrange(40) :]) * chance.randrange(2)
    return text[:at] + chance.choice(JUNK) * chance.randrange(2) + rest, at


def check_edits(found: Offered, offset: int) -> None:
    """An edit stays on the line of the caret and around it, and what comes with it does not touch it."""
    for item in [*found.items.values()][:3]:
        assert isinstance(item.text_edit, types.TextEdit)
        place = item.text_edit.range
        span = found.look.positions.span(place)
        assert place.start.line == place.end.line and span.start <= offset <= span.end
        for other in item.additional_text_edits or ():
            beside = found.look.positions.span(other.range)
            assert beside.end <= span.start or beside.start >= span.end


@pytest.mark.parametrize("seed", range(8))
def test_no_text_and_no_offset_is_too_broken(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    for name, whole in chance.sample(CONFIGS, 12):
        text, broken = disturbed(whole, chance)
        look = opened(name, text, tmp_path)
        for offset in (min(broken, len(text)), min(broken + 1, len(text)), chance.randrange(len(text) + 1)):
            check_edits(at(look, offset), offset)
            found = hover(look, offset)
            assert found is None or found.span.start <= offset <= found.span.end
