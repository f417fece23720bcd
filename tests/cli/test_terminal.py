from __future__ import annotations

import io

import pytest

from shardlint_cli.terminal import Screen, columns, screen_of, wrap


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environ", "terminal", "coloured"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"NO_COLOR": "1"}, True, False),
        ({"NO_COLOR": ""}, True, True),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": "0"}, False, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, True, False),
        ({"TERM": "dumb"}, True, False),
    ],
)
def test_colour(environ: dict[str, str], terminal: bool, coloured: bool) -> None:
    stream = Terminal() if terminal else io.StringIO()
    assert screen_of(stream, environ).colour is coloured


@pytest.mark.parametrize(
    ("environ", "terminal", "width"),
    [
        ({}, False, None),
        ({}, True, 80),
        ({"COLUMNS": "100"}, True, 100),
        ({"COLUMNS": "5"}, True, 40),
        ({"COLUMNS": "wide"}, True, 80),
        ({"COLUMNS": "0"}, False, None),
    ],
)
def test_width(environ: dict[str, str], terminal: bool, width: int | None) -> None:
    stream = Terminal() if terminal else io.StringIO()
    assert screen_of(stream, environ).width == width


def test_what_a_terminal_would_obey_is_written_as_an_escape() -> None:
    assert Screen().safe("a\x1b[31mb\u202ec\x7f\u2028\ud800") == r"a\x1b[31mb\u202ec\x7f\u2028\ud800"


def test_characters_the_encoding_lacks_are_written_as_escapes() -> None:
    assert Screen(encoding="ascii").safe("größe 模") == r"gr\xf6\xdfe \u6a21"
    assert Screen(encoding="utf-8").safe("größe 模") == "größe 模"


def test_columns_count_what_is_seen() -> None:
    assert columns("abc") == 3
    assert columns("模型") == 4
    assert columns("e\u0301") == 1


def test_wrapping_breaks_at_spaces_and_keeps_long_words_whole() -> None:
    assert wrap("one two three", 7) == ["one two", "three"]
    assert wrap("a/very/long/path/indeed x", 8) == ["a/very/long/path/indeed", "x"]
    assert wrap("one two three", None) == ["one two three"]
    assert wrap("模型 模型 模型", 9) == ["模型 模型", "模型"]
