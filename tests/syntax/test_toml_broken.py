"""Half-typed TOML: after one edit at least 98 % of the untouched pairs keep path, spans and text."""

from __future__ import annotations

import random
import re

import pytest

from breakage import Edit, Score, drawn, score_file
from corpus import corpus_bytes, manifest, requires_corpus
from shardlint.syntax.toml_parser import parse_toml

FILES = 40
NEW_LINES = ["zero_opt", 'k = "au', "k = [1, 2", "k = auto", "k =", "k = {a = 1"]

SAMPLE = '''\
# two nodes
[job]
dump_folder = "./outputs"
description = """
a = not a key
"""

[training]
seq_len = 8192          # tokens
steps = 10_000
dtype.params = "bf16"
dtype.reduce = 'fp32'
datasets = [
    "c4",   # the small one
    "wiki",
]

[parallelism]
data_parallel_shard_degree = -1
inline = { tensor = 1, "pipeline" = 2 }

[[stages]]
name = "warm"
[[stages]]
name = "main"
betas = [[0.9, 0.95], [0.9, 0.999]]
'''


def edits(text: str, rng: random.Random) -> list[Edit]:
    """One to three places for each kind of edit, drawn from those the text offers."""
    line_starts = [0, *(found.end() for found in re.finditer(r"\n", text[:-1]))]
    out: list[Edit] = []
    out += [Edit("any", at, at + 1, "") for at in drawn(rng, _where(r"[^\n]", text), 3)]
    out += [Edit("equals", at, at + 1, "") for at in drawn(rng, _where("=", text), 1)]
    out += [Edit("quote", at, at + 1, "") for at in drawn(rng, _where("[\"']", text), 1)]
    out += [Edit("bracket", at, at + 1, "") for at in drawn(rng, _where(r"[\[\]{}]", text), 1)]
    for new in NEW_LINES:
        at = rng.choice(line_starts)
        out.append(Edit(f"+{new}", at, at, f"{new}\n"))
    out.append(Edit("cut", cut := rng.randrange(1, len(text)), cut, "", cut=True))
    return out


def _where(pattern: str, text: str) -> list[int]:
    return [found.start() for found in re.finditer(pattern, text)]


def configs(amount: int) -> list[str]:
    rows = [row.path for row in manifest() if row.path.endswith(".toml")]
    random.Random(20).shuffle(rows)
    rows.sort(key=lambda path: path.startswith("negative/"))
    texts: list[str] = []
    for path in rows:
        data = corpus_bytes(path)
        if len(texts) < amount and data.isascii() and b"\r" not in data and 8 < data.count(b"\n") < 400:
            texts.append(data.decode("ascii"))
    return texts


def test_the_built_in_sample_survives_every_edit() -> None:
    score = Score()
    for seed in range(40):
        score_file(SAMPLE, edits(SAMPLE, random.Random(seed)), lambda text: parse_toml("s.toml", text), score)
    assert score.cases > 400
    assert score.share >= 0.95, score.table()


@requires_corpus
def test_real_files_survive_one_edit(record_property: pytest.RecordProperty) -> None:
    score = Score()
    texts = configs(FILES)
    assert len(texts) == FILES
    for seed, text in enumerate(texts):
        score_file(text, edits(text, random.Random(seed)), lambda text: parse_toml("c.toml", text), score)
    record_property("kept", score.table())
    assert score.share >= 0.98, score.table()
