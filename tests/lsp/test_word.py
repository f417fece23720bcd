"""The half-typed word at the caret."""

from __future__ import annotations

import time

from shardlint.syntax.parse import parse
from shardlint_lsp.caret.word import word_at


def test_a_comma_is_missing_above_thousands_of_comment_lines() -> None:
    text = "a: [1\n" + "   # a comment\n" * 5_000 + "   x]\n"
    began = time.process_time()
    word = word_at(parse(text, "train.yaml", "yaml"), text.index("x]") + 1)
    assert (word.typed, word.flow, word.lead) == ("x", True, text.index("\n"))
    assert time.process_time() - began < 2.0


def test_what_stands_before_the_caret_is_read_once_on_a_line_of_one_word() -> None:
    line = "a." * 20_000 + "b=1"
    began = time.process_time()
    word = word_at(parse(f"[facts]\n{line}", "shardlint.toml", "toml"), len("[facts]\n") + len(line))
    assert word.typed == "1"
    assert time.process_time() - began < 2.0
