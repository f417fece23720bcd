"""Commands: their answers, and what wrong arguments are told."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pygls.exceptions import JsonRpcInvalidParams

from lsp.looks import look_at
from lsp.wire import Wire, served
from shardlint.explain import explanation
from shardlint_lsp.features.commands import document_and_show, explained, name_of
from shardlint_lsp.ledgers.document import EMPTY, ledger_page
from shardlint_lsp.refreshing import QUIET

DS = '{"train_micro_batch_size_per_gpu": 1, "bf16": {"enabled": true}, "zero_optimization": {"stage": 3}}'
FACTS = '[facts]\nmodel.params = "7B"\nworld_size = 8\n'
INVALID = -32602


def page(facts: str, text: str = DS, name: str = "ds.json") -> str:
    return ledger_page(look_at({name: text, "shardlint.toml": facts}, name))


def test_the_ledger_of_a_file() -> None:
    told = page(FACTS)
    assert told.startswith("# What each rank holds: ds.json\n\n**ZeRO-3, 13.04 GiB/rank of ")
    assert "| 1.63 | weights | 2P/N | always |\n" in told
    assert "These terms add up to 18.86 GiB at the fullest moment: inside the step." in told
    assert "| params | 7,000,000,000 | shardlint.toml:2 |\n" in told
    assert "- Not counted: activations, temporaries, " in told
    assert "- To compare with a card set gpu.name under \\[facts\\].\n" in told
    assert "world\\_size" not in told


def test_a_ledger_over_the_degree_while_that_is_unknown() -> None:
    told = page('[facts]\nmodel.params = "7B"\n')
    assert "| DP | GiB/rank |\n|---:|---:|\n| 1 | 104.31 |\n" in told
    assert "| 8 | 13.04 |\n" in told
    assert "- For the model states set world\\_size in shardlint.toml under \\[facts\\].\n" in told


def test_a_file_without_a_job_has_no_ledger() -> None:
    assert page(FACTS, "a: 1\n", "notes.yaml") == f"# What each rank holds: notes.yaml\n\n{EMPTY}\n"


def test_names_are_no_markup() -> None:
    told = page(FACTS, DS, "a*b_<i>|c.json")
    assert "# What each rank holds: a\\*b\\_\\<i\\>\\|c.json\n" in told
    assert "| stage | 3 | a\\*b\\_\\<i\\>\\|c.json:1 |\n" in told


@pytest.mark.parametrize(
    "word", ["MEM001", "batch-triangle-mismatch", "zero_optimization.stage", "model.params"]
)
def test_a_rule_a_key_or_a_setting_is_explained(word: str) -> None:
    assert explained(word) == explanation(word) != ""


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("overlap_com", "no rule, key or setting is called overlap_com (did you mean overlap_comm?)"),
        ("?", "no rule, key or setting is called ?"),
        ("x" * 5000, f"no rule, key or setting is called {'x' * 80}..."),
    ],
)
def test_an_unknown_name_is_answered_with_the_nearest(word: str, told: str) -> None:
    with pytest.raises(JsonRpcInvalidParams) as caught:
        explained(word)
    assert caught.value.message == told


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("file:///a",), ("file:///a", False)),
        (("file:///a", {}), ("file:///a", False)),
        (("file:///a", {"show": True}), ("file:///a", True)),
        (("file:///a", {"show": False, "more": 1}), ("file:///a", False)),
    ],
)
def test_the_arguments_of_the_ledger(arguments: tuple[object, ...], expected: tuple[str, bool]) -> None:
    assert document_and_show(arguments) == expected


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        (None,),
        (3,),
        ("a", None),
        ("a", True),
        ("a", {"show": 1}),
        ("a", {}, {}),
        (["a"],),
        ({"uri": "a"},),
    ],
)
def test_wrong_arguments_of_the_ledger(arguments: tuple[object, ...]) -> None:
    with pytest.raises(JsonRpcInvalidParams, match=r"takes the URI of an open document .*, not "):
        document_and_show(arguments)


@pytest.mark.parametrize("arguments", [(), (None,), ("",), (" ",), (1,), ("a", "b"), ({"a": float("nan")},)])
def test_wrong_arguments_of_explain(arguments: tuple[object, ...]) -> None:
    with pytest.raises(JsonRpcInvalidParams, match=r"takes the name of a rule, key or setting, not "):
        name_of(arguments)


SHOWS = {
    "window": {"showDocument": {"support": True}},
    "workspace": {"inlayHint": {"refreshSupport": True}, "codeLens": {"refreshSupport": True}},
}


@pytest.fixture
def wire(tmp_path: Path) -> Iterator[Wire]:
    (tmp_path / "shardlint.toml").write_text(FACTS, encoding="utf-8")
    with served() as wire:
        wire.start(tmp_path, capabilities=SHOWS)
        yield wire


def command(wire: Wire, name: str, *arguments: object) -> dict[str, Any]:
    return wire.ask("workspace/executeCommand", {"command": f"shardlint.{name}", "arguments": [*arguments]})


def test_the_ledger_is_the_answer_and_opened_where_that_is_asked_for(wire: Wire, tmp_path: Path) -> None:
    uri = (tmp_path / "ds é.json").as_uri()
    wire.open(uri, DS)
    told = command(wire, "showLedger", uri)["result"]
    assert "13.04 GiB/rank" in told
    wire.answers["window/showDocument"] = lambda _: {"success": True}
    since = len(wire.heard)
    assert command(wire, "showLedger", uri, {"show": True})["result"] == told
    opened = wire.note("window/showDocument", since=since)
    assert opened["takeFocus"] is True
    assert "/ledger-ds_20_C3_A9.json-" in opened["uri"] and opened["uri"].endswith(".md")


def test_what_is_wrong_is_answered_and_the_server_lives(wire: Wire, tmp_path: Path) -> None:
    uri = (tmp_path / "ds.json").as_uri()
    answer = command(wire, "showLedger", uri)["error"]
    assert answer["code"] == INVALID
    assert answer["message"].endswith(" is not open in the editor")
    for name, arguments in (("showLedger", [7]), ("explain", []), ("explain", [{}]), ("relint", [1])):
        assert command(wire, name, *arguments)["error"]["code"] == INVALID
    assert command(wire, "explain", "MEM001")["result"].startswith("# MEM001 ")
    wire.alive()


def test_nothing_is_asked_after_a_shutdown(wire: Wire, tmp_path: Path) -> None:
    wire.open((tmp_path / "ds.json").as_uri(), DS)
    wire.ask("shutdown")
    since = len(wire.heard)
    time.sleep(2 * QUIET)
    assert wire.ask("shardlint/nothing")["error"]
    assert [said.get("method") for said in wire.heard[since:] if "refresh" in str(said.get("method"))] == []


def test_relint_looks_again_and_has_hints_asked_for_again(wire: Wire, tmp_path: Path) -> None:
    uri = (tmp_path / "ds.json").as_uri()
    wire.open(uri, DS)
    assert "13.04" in str(wire.diagnostics(uri))
    (tmp_path / "shardlint.toml").write_text(FACTS.replace("8", "16"), encoding="utf-8")
    since = len(wire.heard)
    assert command(wire, "relint")["result"] is None
    assert "6.52" in str(wire.diagnostics(uri, lambda said: "6.52" in str(said), since))
    for method in ("workspace/inlayHint/refresh", "workspace/codeLens/refresh"):
        wire.wait(lambda said, method=method: said.get("method") == method, since)
