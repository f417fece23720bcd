"""Half-typed JSON: after one edit at least 98 % of the untouched pairs keep path, spans and text."""

from __future__ import annotations

import random
import re

import pytest

from breakage import Edit, Score, drawn, score_file
from corpus import corpus_bytes, manifest, requires_corpus
from json_samples import SAMPLE
from shardlint.syntax.document import Document
from shardlint.syntax.json_parser import parse_json

FILES = 120
DELETED = {"{": r"\{", "}": r"\}", "comma": ",", "colon": r"(?<=\"):", "quote": '"', "any": r"\S"}
NEW_LINES = ['"zero_opt', '"zero_opt"', '"zero_opt": ', '"zero_opt": "au', '"zero_opt": {']


def edits(text: str, rng: random.Random) -> list[Edit]:
    """One place for each kind of edit, drawn from those the text offers."""
    out: list[Edit] = []
    for name, pattern in DELETED.items():
        places = [found.start() for found in re.finditer(pattern, text)]
        out += [Edit(f"delete {name}", at, at + 1, "") for at in drawn(rng, places, 1)]
    line_starts = [found.end() for found in re.finditer(r"\n(?=[ \t]*\")", text)]
    for new in NEW_LINES if line_starts else ():
        at = rng.choice(line_starts)
        out.append(Edit(f"line {new}", at, at, f"{_indentation(text, at)}{new}\n"))
    commas = [found.start() for found in re.finditer(",", text)]
    out += [Edit("second comma", at, at, ",") for at in drawn(rng, commas, 1)]
    cut = rng.randrange(1, len(text))
    out.append(Edit("cut", cut, cut, "", cut=True))
    return out


def _indentation(text: str, at: int) -> str:
    found = re.compile(r"[ \t]*").match(text, at)
    return found.group() if found else ""


def _parse(text: str) -> Document:
    return parse_json("ds.json", text)


def _configs() -> list[str]:
    """A seeded choice of real, ASCII, many-line configs without faults."""
    rows = [row.path for row in manifest() if row.label != "negative" and row.path.endswith(".json")]
    random.Random(20).shuffle(rows)
    texts: list[str] = []
    for path in rows:
        data = corpus_bytes(path)
        if len(texts) < FILES and data.isascii() and b"\r" not in data and 8 < data.count(b"\n") < 400:
            text = data.decode("ascii")
            if not _parse(text).faults:
                texts.append(text)
    return texts


def test_the_built_in_sample_survives_every_edit() -> None:
    score = Score()
    for seed in range(40):
        score_file(SAMPLE, edits(SAMPLE, random.Random(seed)), _parse, score)
    assert score.cases > 500
    assert score.share >= 0.98, score.table()


@requires_corpus
def test_real_files_survive_one_edit(record_property: pytest.RecordProperty) -> None:
    score = Score()
    texts = _configs()
    assert len(texts) == FILES
    for seed, text in enumerate(texts):
        score_file(text, edits(text, random.Random(seed)), _parse, score)
    record_property("kept", score.table())
    assert score.cases > 1500
    assert score.share >= 0.98, score.table()


def test_one_line_of_json_survives_a_lost_quote_comma_or_colon() -> None:
    text = re.sub(r"\s*\n\s*", "", SAMPLE)
    whole = {pair.key.text for pair in _parse(text).roots[0].pairs}  # type: ignore[union-attr]
    for name in ("comma", "colon", "quote"):
        for found in re.finditer(DELETED[name], text):
            broken = text[: found.start()] + text[found.end() :]
            kept = {pair.key.text for pair in _parse(broken).roots[0].pairs}  # type: ignore[union-attr]
            assert len(whole - kept) <= 1, (name, broken)
