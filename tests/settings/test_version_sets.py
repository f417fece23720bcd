"""Versions as sets of releases."""

from __future__ import annotations

import pytest

from shardlint.plan import Fact
from shardlint.settings.versions import VersionSet, parse_specifier, parse_version


def versions(text: str | None) -> VersionSet:
    return VersionSet("deepspeed", Fact(text, "test"))


ORDER = [
    "0.9",
    "0.17.0.dev1",
    "0.17.0a1",
    "0.17.0b2",
    "0.17.0rc1",
    "0.17.0",
    "0.17.0.post1",
    "0.17.1",
    "0.17.10",
    "1.0",
]


def test_releases_are_in_order() -> None:
    keys = [parse_version(text) for text in ORDER]
    assert None not in keys
    assert keys == sorted(keys)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(("one", "other"), [("0.17", "0.17.0"), ("v2.1", "2.1.0"), ("2.1.0+cu121", "2.1.0")])
def test_spellings_of_one_release_are_equal(one: str, other: str) -> None:
    assert parse_version(one) == parse_version(other)


@pytest.mark.parametrize("text", ["", "newest", "1.x", "1..2", ">=", "a" * 100, "==", "1,", "!!"])
def test_what_is_no_version_is_none(text: str) -> None:
    assert parse_specifier(text) is None


@pytest.mark.parametrize(
    ("text", "version", "every", "some", "exact"),
    [
        ("0.19.8", "0.19.7", True, True, "0.19.8"),
        ("==0.19.8", "0.19.9", False, False, "0.19.8"),
        ("0.19.8", "0.19.8", True, True, "0.19.8"),
        (None, "0.19.7", False, True, None),
        (">=0.14,<0.16", "0.14", True, True, None),
        (">=0.14,<0.16", "0.15.2", False, True, None),
        (">=0.14,<0.16", "0.16", False, False, None),
        (">=0.14", "0.10", True, True, None),
        ("<0.16", "0.16", False, False, None),
        ("<=0.16", "0.16", False, True, None),
        (">0.16", "0.16", True, True, None),
        ("~=0.14.2", "0.15", False, False, None),
        ("~=0.14.2", "0.14.5", False, True, None),
        ("==0.14.*", "0.15", False, False, None),
        ("0.17", "0.17.3", False, True, None),
        ("0.17", "0.18", False, False, None),
        ("0.17", "0.17", True, True, None),
        ("^0.14.2", "0.15", False, False, None),
        ("^1.2", "1.9", False, True, None),
        ("!=0.15.1,>=0.14", "0.14", True, True, None),
    ],
)
def test_what_holds_for_a_set(
    text: str | None, version: str, every: bool, some: bool, exact: str | None
) -> None:
    found = versions(text)
    assert (found.all_at_least(version), found.some_at_least(version), found.exact) == (every, some, exact)
    assert found.none_at_least(version) is not some


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("0.19.8", "DeepSpeed 0.19.8"),
        ("==0.19.8", "DeepSpeed 0.19.8"),
        (">=0.14,<0.16", "DeepSpeed >=0.14,<0.16"),
        (None, "any DeepSpeed version"),
    ],
)
def test_a_set_says_what_it_is(text: str | None, shown: str) -> None:
    assert versions(text).text == shown


def test_a_release_may_be_in_a_set() -> None:
    assert versions(">=0.14,<0.16").includes("0.15.2")
    assert not versions(">=0.14,<0.16").includes("0.16.0")
    assert versions(None).includes("99")
