"""Half-typed YAML: after one edit at least 98 % of the untouched pairs keep path, spans and text."""

from __future__ import annotations

import random
import re

import pytest

from breakage import Edit, Score, drawn, score_file
from corpus import corpus_bytes, manifest, requires_corpus
from shardlint.syntax.yaml_parser import parse_yaml

FILES = 80
NEW_LINES = ["zero_opt", "zero_opt:", 'k: "au', "k: [1, 2", "k: {", "k: {{ stage }}", "k: @x"]

SAMPLE = """\
# two nodes, ZeRO-3
compute_environment: LOCAL_MACHINE
distributed_type: 'DEEPSPEED'
deepspeed_config:
  zero_stage: 3
  offload_optimizer_device: "cpu"   # the host has room
  zero3_init_flag: true
  inner:
    betas: [0.9, 0.999]
    lr: 1.0e-5
  tail: {a: 1, b: "two"}
datasets:
  - path: data/one
    type: alpaca
  - path: data/two
    type: chat
note: |
  free text: not a key
  more
num_processes: 16
mixed_precision: bf16
"""


def edits(text: str, rng: random.Random) -> list[Edit]:
    """One to four places for each kind of edit, drawn from those the text offers."""
    line_starts = [0, *(found.end() for found in re.finditer(r"\n", text[:-1]))]
    indented = [start for start in line_starts if re.compile(r" +[^ \n#]").match(text, start)]
    out: list[Edit] = []
    out += [Edit("any", at, at + 1, "") for at in drawn(rng, _where(r"[^\n]", text), 3)]
    out += [Edit("colon", at, at + 1, "") for at in drawn(rng, _where(r":(?=[ \n])", text), 2)]
    out += [Edit("quote", at, at + 1, "") for at in drawn(rng, _where("[\"']", text), 1)]
    out += [Edit("bracket", at, at + 1, "") for at in drawn(rng, _where(r"[\[\]{}]", text), 1)]
    for new in NEW_LINES:
        at = rng.choice(line_starts)
        indent = re.compile(r" *").match(text, at)
        out.append(Edit(f"+{new}", at, at, f"{indent.group() if indent else ''}{new}\n"))
    out += [Edit("space more", at, at, " ") for at in drawn(rng, indented, 1)]
    out += [Edit("space less", at, at + 1, "") for at in drawn(rng, indented, 1)]
    out += [Edit("tab", at, at + _indent(text, at), "\t") for at in drawn(rng, indented, 1)]
    out.append(Edit("cut", cut := rng.randrange(1, len(text)), cut, "", cut=True))
    return out


def _where(pattern: str, text: str) -> list[int]:
    return [found.start() for found in re.finditer(pattern, text)]


def _indent(text: str, at: int) -> int:
    return len(text[at:]) - len(text[at:].lstrip(" "))


def training_configs(suffixes: tuple[str, ...], amount: int) -> list[str]:
    """Seeded choice of real, ASCII, many-line configs without faults."""
    rows = [row.path for row in manifest() if row.label != "negative" and row.path.endswith(suffixes)]
    random.Random(20).shuffle(rows)
    texts: list[str] = []
    for path in rows:
        data = corpus_bytes(path)
        if len(texts) < amount and data.isascii() and b"\r" not in data and 8 < data.count(b"\n") < 400:
            texts.append(data.decode("ascii"))
    return texts


def test_the_built_in_sample_survives_every_edit() -> None:
    score = Score()
    for seed in range(20):
        score_file(SAMPLE, edits(SAMPLE, random.Random(seed)), lambda text: parse_yaml("s.yaml", text), score)
    assert score.cases > 300
    assert score.share >= 0.98, score.table()


@requires_corpus
def test_real_files_survive_one_edit(record_property: pytest.RecordProperty) -> None:
    score = Score()
    texts = training_configs((".yaml", ".yml"), FILES)
    assert len(texts) == FILES
    for seed, text in enumerate(texts):
        score_file(text, edits(text, random.Random(seed)), lambda text: parse_yaml("c.yaml", text), score)
    record_property("kept", score.table())
    assert score.share >= 0.98, score.table()
