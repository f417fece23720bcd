"""Values as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shardlint.settings.values import read, read_word

GIB = 1024**3


@pytest.mark.parametrize(
    ("kind", "written", "value"),
    [
        ("count", "7B", 7_000_000_000),
        ("count", "6.74b", 6_740_000_000),
        ("count", "7e9", 7_000_000_000),
        ("count", 7e9, 7_000_000_000),
        ("count", 8, 8),
        ("count", "8", 8),
        ("count", "350M", 350_000_000),
        ("count", "1.5T", 1_500_000_000_000),
        ("count", "64k", 64_000),
        ("count", "1_000", 1000),
        ("size", "20GiB", 20 * GIB),
        ("size", "1.5 GiB", 3 * GIB // 2),
        ("size", "512MiB", 512 * 1024**2),
        ("size", "20GB", 20_000_000_000),
        ("size", 0, 0),
        ("size", "0GiB", 0),
        ("size", 21474836480, 20 * GIB),
        ("gib", 79.15, 79.15),
        ("gib", "80", 80.0),
        ("gib", "80GiB", 80.0),
        ("gib", "81920MiB", 80.0),
        ("ratio", 0.1, 0.1),
        ("ratio", "10%", 0.1),
        ("ratio", 0, 0.0),
        ("capability", "8.0", 8.0),
        ("capability", 8.6, 8.6),
        ("capability", "sm_90", 9.0),
        ("capability", 120, 12.0),
        ("flag", True, True),
        ("flag", "false", False),
        ("flag", "no", False),
        ("text", "sdpa", "sdpa"),
        ("text", '"sdpa"', "sdpa"),
        ("texts", ["q_proj", "v_proj"], ("q_proj", "v_proj")),
        ("texts", "q_proj,v_proj", ("q_proj", "v_proj")),
        ("texts", "[q_proj, v_proj]", ("q_proj", "v_proj")),
        ("texts", "all-linear", ("all-linear",)),
        ("dtype", "bfloat16", "bf16"),
        ("dtype", "torch.float32", "fp32"),
        ("version", "0.19.8", "0.19.8"),
        ("version", ">=0.14,<0.16", ">=0.14,<0.16"),
        ("version", 0.17, "0.17"),
        ("any", "x", "x"),
        ("any", [1, 2], [1, 2]),
    ],
)
def test_what_people_write_is_read(kind: str, written: object, value: object) -> None:
    found = read(kind, written)
    assert not found.complaint
    assert found.value == value
    assert type(found.value) is type(value)


@pytest.mark.parametrize(
    ("kind", "written"),
    [
        ("count", "lots"),
        ("count", 0),
        ("count", -8),
        ("count", 1.5),
        ("count", True),
        ("count", "7 elephants"),
        ("count", "1e400"),
        ("count", float("nan")),
        ("count", [8]),
        ("size", "lots"),
        ("size", "20"),
        ("size", 20),
        ("size", "-1GiB"),
        ("size", True),
        ("gib", 0),
        ("gib", "huge"),
        ("ratio", 1.5),
        ("ratio", -0.1),
        ("ratio", "ten"),
        ("capability", "ampere"),
        ("capability", 0),
        ("flag", "maybe"),
        ("flag", 1),
        ("text", 5),
        ("text", " "),
        ("texts", []),
        ("texts", [1]),
        ("texts", 5),
        ("dtype", "int4"),
        ("dtype", 16),
        ("version", "newest"),
        ("version", True),
        ("any", None),
    ],
)
def test_what_means_nothing_is_refused_with_a_reason(kind: str, written: object) -> None:
    found = read(kind, written)
    assert found.value is None
    assert found.complaint


def test_a_decimal_unit_is_read_and_remarked() -> None:
    assert read("size", "80GB").remark == "GB is read as 1,000,000,000 bytes, so this is 74.51 GiB"
    assert read("gib", "80GB").value == pytest.approx(74.51, abs=0.01)
    assert not read("size", "80GiB").remark


def test_a_size_without_unit_says_what_to_write() -> None:
    assert read("size", 20).complaint == "has no unit; write 20GiB"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("8", 8),
        ("1e-5", 1e-5),
        ("true", True),
        ("null", None),
        ("7B", "7B"),
        ('"8"', "8"),
        ("nan", "nan"),
        ("x", "x"),
    ],
)
def test_bare_words_are_read_as_what_they_spell(text: str, value: object) -> None:
    found = read_word(text)
    assert found == value
    assert type(found) is type(value)


ANYTHING = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(alphabet="0123456789.eE+-KMGTiB% _", max_size=12),
)


@settings(deadline=None)
@given(
    st.sampled_from(
        ["count", "size", "gib", "ratio", "capability", "flag", "text", "texts", "dtype", "version", "any"]
    ),
    ANYTHING,
)
def test_no_value_raises(kind: str, written: object) -> None:
    found = read(kind, written)
    assert (found.value is None) == bool(found.complaint)


@pytest.mark.parametrize("text", ["1" * 200_000 + "!", " " * 200_000 + "x", "1,5" * 50_000, "9" * 5_000])
def test_long_text_is_refused_at_once(text: str) -> None:
    for kind in ("count", "size", "gib", "ratio", "capability", "version"):
        assert read(kind, text).complaint
    read_word(text)
