"""Outlines, folds, selections, links and definitions of real configs, whole and cut off in the middle."""

from __future__ import annotations

from itertools import pairwise

from corpus import corpus_root, manifest, requires_corpus
from lsp.looks import FULL, look_at
from shardlint_lsp.features.definition import definition
from shardlint_lsp.features.folding import ranges
from shardlint_lsp.features.references import references
from shardlint_lsp.features.selection import selections
from shardlint_lsp.features.symbols import symbols
from shardlint_lsp.look import Look
from shardlint_lsp.navigation.mentions import mentions

pytestmark = requires_corpus
SAMPLED = 150
STEPS = 12


def test_all_of_them_answer_for_real_files() -> None:
    root = corpus_root()
    assert root is not None
    rows = list(manifest())
    for row in rows[:: max(1, len(rows) // SAMPLED)]:
        text = (root / row.path).read_text(encoding="utf-8", errors="replace")
        name = (root / row.path).name
        for part in (text, text[: len(text) * 2 // 3]):
            _check(look_at({name: part}, name, client=FULL._replace(line_folding=True)), row.path)


def _check(look: Look, path: str) -> None:
    text = look.document.text
    pending = symbols(look)
    while pending:
        symbol = pending.pop()
        for inner in (symbol.selection, *(child.span for child in symbol.children)):
            assert symbol.span.start <= inner.start <= inner.end <= symbol.span.end, (path, symbol.name)
        pending += symbol.children
    rows = text.count("\n") + text.count("\r") + 1
    folds = ranges(look)
    assert all(0 <= fold.start_line < fold.end_line < rows for fold in folds), path
    assert [fold.start_line for fold in folds] == sorted({fold.start_line for fold in folds}), path
    for mention in mentions(look):
        assert look.root.workspace.exists(mention.path), path
    for offset in range(0, len(text) + 1, max(1, len(text) // STEPS)):
        for outer, inner in pairwise(selections(look, offset)):
            assert outer != inner and outer.start <= inner.start <= inner.end <= outer.end, (path, offset)
        definition(look, offset)
        references(look, offset, declaration=True)
