from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from shardlint_cli.excerpt import excerpt
from shardlint_cli.terminal import Screen, columns

SCREEN = Screen()


def under(line: str, start: int, end: int, width: int = 80) -> tuple[str, str]:
    shown = excerpt(line, start, end, SCREEN, width)
    return shown.text, shown.underline


def test_caret_stands_under_the_stretch() -> None:
    assert under('  "stage": 3,', 11, 12) == ('  "stage": 3,', "           ^")


def test_tabs_are_expanded_and_the_caret_moves_along() -> None:
    assert under('\t"stage":\t3', 10, 11) == ('    "stage":    3', "                ^")


def test_wide_and_combining_characters_keep_the_caret_right() -> None:
    assert under('"模型": 3', 6, 7) == ('"模型": 3', "        ^")
    assert under('"e\u0301": 3', 6, 7) == ('"e\u0301": 3', "     ^")
    assert under('"模型": 3', 0, 4) == ('"模型": 3', "^^^^^^")


def test_control_characters_are_shown_escaped() -> None:
    assert under('"\x1b": 3', 5, 6) == (r'"\x1b": 3', "        ^")


def test_an_empty_stretch_gets_one_caret_even_behind_the_line() -> None:
    assert under("abc", 3, 3) == ("abc", "   ^")
    assert under("abc", 99, 120) == ("abc", "   ^")


def test_a_stretch_over_several_lines_ends_with_its_first_line() -> None:
    assert under("zero: {", 6, 500) == ("zero: {", "      ^")


def test_long_lines_are_cut_around_the_caret() -> None:
    line = ", ".join(f'"key{number}": {number}' for number in range(400))
    start = line.index('"key200"')
    text, marks = under(line, start, start + 8, width=60)
    assert len(text) <= 60
    assert text.startswith("...")
    assert text.endswith("...")
    assert text[marks.index("^") :].startswith('"key200"')


def test_a_megabyte_on_one_line_is_cut_without_being_walked() -> None:
    text, marks = under("x" * 4_000_000 + "y" + "x" * 4_000_000, 4_000_000, 4_000_001, width=40)
    assert text[marks.index("^")] == "y"
    assert len(text) <= 40


@given(
    st.text(st.characters(exclude_characters="\r\n"), max_size=120),
    st.integers(-3, 130),
    st.integers(-3, 130),
    st.integers(20, 90),
)
def test_an_excerpt_never_outgrows_its_width(line: str, start: int, end: int, width: int) -> None:
    shown = excerpt(line, start, end, SCREEN, width)
    assert columns(shown.text) <= width
    assert shown.text.isprintable()
    assert shown.underline.count("^") >= 1
    assert shown.underline.index("^") <= columns(shown.text)
