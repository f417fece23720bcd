"""Settings written into a TOML text: read back, all other text untouched."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shardlint.settings import SettingsLoader
from shardlint.settings.toml_edits import Written, add, write
from shardlint.syntax.document import Document
from shardlint.syntax.parse import parse

SHARDLINT = ("tool", "shardlint")


def document(text: str, name: str = "shardlint.toml") -> Document:
    return parse(text, name)


def text_of(written: Written | None) -> str:
    assert written is not None
    return written.after.text


def world(text: str, *table: str) -> str:
    return text_of(write(document(text), (*table, "facts"), ("world_size",), 8))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "[facts]\nworld_size = 8\n"),
        ("# ours\n", "# ours\n\n[facts]\nworld_size = 8\n"),
        ("[lint]\nselect = []", "[lint]\nselect = []\n\n[facts]\nworld_size = 8\n"),
        ("[facts]", "[facts]\nworld_size = 8"),
        ("[facts] # known\n\n[budget]\n", "[facts] # known\nworld_size = 8\n\n[budget]\n"),
        (
            "[facts]\nnodes = 1  # one\n\n# about memory\n[budget]\n",
            "[facts]\nnodes = 1  # one\nworld_size = 8\n\n# about memory\n[budget]\n",
        ),
        ("[facts]\n  nodes = 1\n", "[facts]\n  nodes = 1\n  world_size = 8\n"),
        ("[facts]\r\nnodes = 1\r\n", "[facts]\r\nnodes = 1\r\nworld_size = 8\r\n"),
        ("[facts]\nworld_size = 4 # was 2\n", "[facts]\nworld_size = 8 # was 2\n"),
        ("facts = { nodes = 1 }\n", "facts = { nodes = 1, world_size = 8 }\n"),
        ("facts = {}\n", "facts = { world_size = 8 }\n"),
        ("facts.nodes = 1\n[lint]\n", "facts.nodes = 1\nfacts.world_size = 8\n[lint]\n"),
        ("[facts.gpu]\nname = 'T4'\n", "[facts.gpu]\nname = 'T4'\n\n[facts]\nworld_size = 8\n"),
        (
            "[[files]]\nmatch = ['a']\n[files.facts]\nnodes = 1\n",
            "[[files]]\nmatch = ['a']\n[files.facts]\nnodes = 1\n\n[facts]\nworld_size = 8\n",
        ),
        (
            '[facts]\nmodel.lora_targets = [\n  "q",\n] # both\n# end\n',
            '[facts]\nmodel.lora_targets = [\n  "q",\n] # both\nworld_size = 8\n# end\n',
        ),
    ],
)
def test_a_fact_stands_where_its_section_ends(before: str, after: str) -> None:
    assert world(before) == after


def test_a_dotted_fact_stands_below_the_innermost_header() -> None:
    name = ("gpu", "name")
    inner = write(document("[facts.gpu]\nmemory_gib = 80\n"), ("facts",), name, "T4")
    assert text_of(inner) == '[facts.gpu]\nmemory_gib = 80\nname = "T4"\n'
    outer = write(document("[facts]\nnodes = 1\n"), ("facts",), name, "T4")
    assert text_of(outer) == '[facts]\nnodes = 1\ngpu.name = "T4"\n'
    braces = write(document("[facts]\ngpu = { memory_gib = 80 }\n"), ("facts",), name, "T4")
    assert text_of(braces) == '[facts]\ngpu = { memory_gib = 80, name = "T4" }\n'


def test_a_pyproject_gets_a_section_of_its_own() -> None:
    before = "[project]\nname = 'x'\n\n[tool.shardlint]\n\n[tool.ruff]\nline-length = 100\n"
    assert world(before, *SHARDLINT) == f"{before}\n[tool.shardlint.facts]\nworld_size = 8\n"
    dotted = "[tool.shardlint]\nfacts.nodes = 1\n"
    assert world(dotted, *SHARDLINT) == "[tool.shardlint]\nfacts.nodes = 1\nfacts.world_size = 8\n"


@pytest.mark.parametrize("before", ["facts = 3\n", "[facts]\nworld_size.x = 1\n", "[[facts]]\nnodes = 1\n"])
def test_nothing_is_written_where_something_else_stands_in_the_way(before: str) -> None:
    assert write(document(before), ("facts",), ("world_size",), 8) is None


def test_half_typed_text_keeps_its_faults_and_gets_no_new_one() -> None:
    before = "[facts]\nnodes =\n\n[lint]\nselect = [\n"
    written = write(document(before), ("budget",), ("activations",), "20GiB")
    assert written is None or len(written.after.faults) <= len(document(before).faults)


def test_the_place_of_the_value_is_told() -> None:
    written = write(document("# é模\n[budget]\n"), ("budget",), ("activations",), "20GiB")
    assert written is not None
    assert written.after.text[slice(*written.span)] == '"20GiB"'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '[lint]\nignore = ["MEM001"]\n'),
        ("[lint]\nignore = []\n", '[lint]\nignore = ["MEM001"]\n'),
        ("[lint]\nignore = ['a'] # why\n", "[lint]\nignore = ['a', \"MEM001\"] # why\n"),
        ("[lint]\nignore = 'a'\n", "[lint]\nignore = ['a', \"MEM001\"]\n"),
        (
            "[lint]\nignore = [\n  'a',  # why\n]\n",
            "[lint]\nignore = [\n  'a',\n  \"MEM001\",  # why\n]\n",
        ),
        ("[lint]\nignore = [\n  'a'\n]\n", "[lint]\nignore = [\n  'a',\n  \"MEM001\"\n]\n"),
    ],
)
def test_a_rule_more_is_ignored(before: str, after: str) -> None:
    assert text_of(add(document(before), ("lint",), ("ignore",), "MEM001")) == after


def test_a_rule_that_is_ignored_needs_no_edit() -> None:
    assert add(document("[lint]\nignore = ['MEM001']\n"), ("lint",), ("ignore",), "MEM001") is None


def test_a_key_with_dots_and_quotes_is_quoted() -> None:
    written = add(document(""), ("lint", "per-file-ignores"), ('a "b".json:x.y',), "unknown-key")
    assert text_of(written) == '[lint.per-file-ignores]\n"a \\"b\\".json:x.y" = ["unknown-key"]\n'


LINES = st.sampled_from(
    [
        "",
        "# a comment é模😀",
        "[facts]",
        "[facts.gpu]",
        "[budget] # b",
        "[lint]",
        "[lint.per-file-ignores]",
        "[[files]]",
        "[files.facts]",
        "[tool.shardlint.facts]",
        "nodes = 1",
        "gpu.name = 'T4'  # the small one",
        "name = 'x'",
        "ignore = ['a', 'b']",
        "ignore = [\n  'a', # x\n]",
        "facts.nodes = 2",
        "budget = { reserve = '1GiB' }",
        "budget.reserve = '1GiB'",
        "match = ['*.json']",
        'text = """\n[facts]\nworld_size = 9\n"""',
        "broken = [",
        "half",
    ]
)
TEXTS = st.tuples(st.lists(LINES, max_size=12), st.sampled_from(["\n", "\r\n"])).map(
    lambda made: made[1].join(line.replace("\n", made[1]) for line in made[0])
)
SETTINGS = st.sampled_from(
    [
        (("facts",), ("world_size",), 8),
        (("facts",), ("gpu", "name"), "A100-SXM4-80GB"),
        (("facts",), ("model", "params"), "7B"),
        (("budget",), ("activations",), "20GiB"),
    ]
)


@given(TEXTS, SETTINGS)
@settings(max_examples=300, deadline=None)
def test_a_setting_is_read_back_and_all_other_text_is_kept(
    text: str, setting: tuple[tuple[str, ...], tuple[str, ...], int | str]
) -> None:
    table, key, value = setting
    before = document(text)
    written = write(before, table, key, value)
    if written is None:
        return
    start, end = written.edit.span
    assert written.after.text == before.text[:start] + written.edit.text + before.text[end:]
    assert written.after.text[slice(*written.span)] in (str(value), f'"{value}"')
    assert len(written.after.faults) <= len(before.faults)
    path = Path("/nowhere/shardlint.toml")
    loader = SettingsLoader(path.parent, read={path: written.after.text}.get)
    name = ".".join(key if table == ("facts",) else (*table, *key))
    fact = loader.at(path.parent).fact(name)
    assert fact.known
    assert fact.origin.startswith("shardlint.toml:")


@given(TEXTS)
@settings(max_examples=200, deadline=None)
def test_a_text_that_can_be_read_takes_a_fact_unless_something_stands_in_the_way(text: str) -> None:
    before = document(text)
    if before.faults or any(word in text for word in ("[files.facts]", "tool.shardlint")):
        return
    assert write(before, ("facts",), ("world_size",), 8) is not None


@given(TEXTS)
@settings(max_examples=200, deadline=None)
def test_an_ignored_rule_is_ignored(text: str) -> None:
    written = add(document(text), ("lint",), ("ignore",), "unknown-key")
    if written is None:
        return
    path = Path("/nowhere/shardlint.toml")
    lint = SettingsLoader(path.parent, read={path: written.after.text}.get).at(path.parent).lint
    assert not lint.selects("KEY001", "unknown-key")
    assert lint.selects("KEY002", "misplaced-key")
