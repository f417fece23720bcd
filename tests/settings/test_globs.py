"""Path patterns."""

from __future__ import annotations

import pytest

from shardlint.settings.globs import matches


@pytest.mark.parametrize(
    ("pattern", "path", "meant"),
    [
        ("*.json", "a/b/ds.json", True),
        ("ds.json", "a/ds.json", True),
        ("./ds.json", "ds.json", True),
        ("configs/7b/**", "configs/7b/a/ds.json", True),
        ("configs/7b/**", "configs/13b/ds.json", False),
        ("configs/7b/", "configs/7b/ds.json", True),
        ("configs/*.json", "configs/a/ds.json", False),
        ("configs/**/ds.json", "configs/ds.json", True),
        ("configs/**/ds.json", "configs/a/b/ds.json", True),
        ("ds?.json", "ds1.json", True),
        ("ds?.json", "ds10.json", False),
        ("ds[1].json", "ds[1].json", True),
        ("*.json", "ds.yaml", False),
    ],
)
def test_patterns(pattern: str, path: str, meant: bool) -> None:
    assert matches(pattern, path) is meant
