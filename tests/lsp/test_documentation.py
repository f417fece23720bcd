"""The pages about editors: what they say can be set can be set, and the table of methods is true."""

from __future__ import annotations

import importlib.util
import json
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import cast

import pytest

from shardlint.syntax.parse import parse
from shardlint_lsp.preferences import FEATURES, HINTS, LINT, preferences_of

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = sorted((DOCS / "editors").glob("*.md"))
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def methods() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate_lsp_methods", DOCS / "generate_lsp_methods.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_what_the_server_registers(methods: ModuleType) -> None:
    assert methods.PAGE.read_text(encoding="utf-8") == methods.page(), (
        "run python docs/generate_lsp_methods.py"
    )


def test_methods_with_notes_exist(methods: ModuleType) -> None:
    page = methods.page()
    assert [method for method in methods.NOTES if f"| `{method}` |" not in page] == []


def test_every_setting_is_in_the_table_and_every_row_can_be_set(methods: ModuleType) -> None:
    rows = {name: default for name, _, default, _ in methods.options()}
    assert {name.partition(".")[0] for name in rows} == set(FEATURES)
    assert {f"inlayHints.{name}" for name in HINTS} | {f"lint.{name}" for name in LINT} <= rows.keys()
    for name, default in rows.items():
        made = preferences_of({name: json.loads(default)})
        assert made == preferences_of(None) and not made.facts, name
        assert preferences_of({name: 0.5}).problems, name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_blocks_parse_and_their_settings_are_known(page: Path) -> None:
    for language, code in BLOCK.findall(page.read_text(encoding="utf-8")):
        if language == "json":
            for found in _settings(json.loads(code)):
                assert preferences_of(found).problems == (), code
        if language == "toml":
            assert not parse(code, "languages.toml").faults, code


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)]+)\)", page.read_text(encoding="utf-8")):
        path, _, anchor = target.partition("#")
        text = (page.parent / path).read_text(encoding="utf-8")
        assert not anchor or re.search(rf"(?im)^#+ {anchor}$", text), target


def test_the_index_names_every_page() -> None:
    index = (DOCS / "editors" / "README.md").read_text(encoding="utf-8")
    assert [page.name for page in PAGES if page.name != "README.md" and f"({page.name})" not in index] == []


def _settings(said: object) -> Iterator[object]:
    """The tables of our settings in an editor's."""
    if not isinstance(said, dict):
        return
    for name, value in cast("dict[str, object]", said).items():
        if name == "shardlint" and isinstance(value, dict) and "command" not in value:
            yield cast("object", value)
        elif name.startswith("shardlint."):
            yield {name.removeprefix("shardlint."): value}
        else:
            yield from _settings(cast("object", value))
