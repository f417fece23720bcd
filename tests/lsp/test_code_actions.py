"""Code actions: after one is applied the finding is gone, nothing new is said, and other text is kept."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from lsprotocol import types

from lsp.looks import FULL, caret, look_at
from shardlint.engine.fixing import edited
from shardlint.report import Edit, Notice
from shardlint.syntax.tree import Span
from shardlint_lsp.actions.action import Action, Outcome
from shardlint_lsp.actions.fix_all import KIND as FIX_ALL
from shardlint_lsp.actions.offered import QUICK_FIX, offered
from shardlint_lsp.actions.presented import APPLY, REVEAL, code_actions, made
from shardlint_lsp.actions.workspace_edit import workspace_edit
from shardlint_lsp.client import Client
from shardlint_lsp.look import Look
from shardlint_lsp.texts import Texts

Files = dict[str, str]
DEEPSPEED = {"shardlint.toml": '[facts]\nconsumer = "deepspeed"  # ours\n'}
ACCELERATE = {"shardlint.toml": '[facts]\nconsumer = "accelerate"\n'}
STAGE = '{\n  "train_micro_batch_size_per_gpu": 1,\n  "zero_optimization": {"stage": |3}\n}\n'
TYPO = '{\n  "train_micro_batch_size_per_gpu": 1,\n  "zero_optimization": {"st|gae": 3, "stage": 2}\n}\n'
ZERO = '{\n  "train_micro_batch_size_per_gpu": 1,\n  "zero_optimization": {"stage": 2}'


def files_of(marked: str, others: Files | None = None, name: str = "ds.json") -> tuple[Files, int]:
    text, at = caret(marked)
    return {**(others or {}), name: text}, at


def actions(look: Look, at: int, only: Sequence[str] | None = None) -> dict[str, Action]:
    return {action.title: action for action in offered(look, Span(at, at), only)}


def after(files: Files, outcome: Outcome | None) -> Files:
    """The files once an outcome is applied."""
    assert outcome is not None
    changed = dict(files)
    for name, document in outcome.documents.items():
        assert document.text == files.get(name, "")
        changed[name] = edited(document.text, [edit for edit in outcome.edits if edit.path == name])
    return changed


def said(files: Files, name: str = "ds.json") -> set[tuple[str, str]]:
    return {(f.rule, f.place.key) for f in look_at(files, name).analysis.report.findings}


def applied(
    marked: str, title: str, others: Files | None = None, name: str = "ds.json"
) -> tuple[Files, Files]:
    """The files before and after the action with that title."""
    files, at = files_of(marked, others, name)
    found = actions(look_at(files, name), at)
    assert title in found, [*found]
    return files, after(files, found[title].make())


# -- fixes -------------------------------------------------------------------------------------


def test_a_fix_puts_its_finding_right_and_is_preferred_where_it_is_safe() -> None:
    marked = ZERO + ',\n  "bf16": {"enabled": true},|,\n  "steps_per_print": 10\n}\n'
    files, at = files_of(marked)
    look = look_at(files, "ds.json")
    found = actions(look, at)
    fix = found["Delete the comma"]
    assert fix.preferred
    assert [each.rule for each in fix.findings] == ["syntax-error"]
    assert said(files) - said(after(files, fix.make())) >= {("syntax-error", "")}
    assert not said(after(files, fix.make())) - said(files)


def test_an_unsafe_fix_is_offered_and_not_preferred() -> None:
    marked = ZERO + ',\n  "bf16": {"enabled": tr|ue},\n  "fp16": {"enabled": true}\n}\n'
    files, at = files_of(marked)
    fixes = [a for a in offered(look_at(files, "ds.json"), Span(at, at)) if a.title.startswith("Switch ")]
    assert [fix.title for fix in fixes] == ["Switch fp16 off", "Switch bf16 off"]
    assert not any(fix.preferred for fix in fixes)
    for fix in fixes:
        changed = after(files, fix.make())
        assert "two-half-precisions" in {rule for rule, _ in said(files) - said(changed)}
        assert "two-half-precisions" not in {rule for rule, _ in said(changed)}


def test_a_place_without_findings_has_no_actions() -> None:
    files, at = files_of(
        '{|\n  "train_micro_batch_size_per_gpu": 1,\n  "zero_optimization": {"stage": 2}\n}\n'
    )
    assert not offered(look_at(files, "ds.json"), Span(at, at))


def test_findings_that_touch_the_range_count() -> None:
    text = TYPO.replace("|", "")
    look = look_at({"ds.json": text}, "ds.json")
    start, end = text.index('"stgae"'), text.index('"stgae"') + len('"stgae"')
    for span in (
        Span(start, start),
        Span(end, end),
        Span(0, start),
        Span(end, len(text)),
        Span(0, len(text)),
    ):
        assert any("unknown-key" in action.title for action in offered(look, span)), span
    assert not any("unknown-key" in action.title for action in offered(look, Span(0, start - 1)))


# -- ignored rules -----------------------------------------------------------------------------


def test_a_key_of_strict_json_is_ignored_in_the_settings() -> None:
    before, changed = applied(TYPO, "Ignore unknown-key here", ACCELERATE)
    added = '\n[lint.per-file-ignores]\n"ds.json:zero_optimization.stgae" = ["unknown-key"]\n'
    assert changed["shardlint.toml"] == before["shardlint.toml"] + added
    assert changed["ds.json"] == before["ds.json"]
    assert said(before) - said(changed) == {("unknown-key", "zero_optimization.stgae")}
    assert not said(changed) - said(before)


def test_a_reader_of_comments_gets_one() -> None:
    before, changed = applied(TYPO, "Ignore unknown-key here", DEEPSPEED)
    assert "  // shardlint: ignore[unknown-key]\n}" in changed["ds.json"]
    assert changed["shardlint.toml"] == before["shardlint.toml"]
    assert said(before) - said(changed) == {("unknown-key", "zero_optimization.stgae")}
    assert not said(changed) - said(before)


def test_an_assumed_reader_of_comments_gets_none_unless_there_are_some() -> None:
    _, changed = applied(TYPO, "Ignore unknown-key here")
    assert "//" not in changed["ds.json"]
    _, commented = applied(TYPO.replace("{\n", "{\n  // ours\n", 1), "Ignore unknown-key here")
    assert "// shardlint: ignore[unknown-key]" in commented["ds.json"]


def test_yaml_gets_a_comment() -> None:
    known = "compute_environment: LOCAL_MACHINE\ndistributed_type: FSDP\nnum_processes: 8\n"
    marked = f"# é模😀\n{known}num_machin|s: 1\n"
    before, changed = applied(marked, "Ignore unknown-key here", name="acc.yaml")
    assert changed["acc.yaml"].endswith("num_machins: 1  # shardlint: ignore[unknown-key]\n")
    gone = said(before, "acc.yaml") - said(changed, "acc.yaml")
    assert gone == {("unknown-key", "num_machins")}


def test_a_rule_is_ignored_in_one_file() -> None:
    others = {"sub/shardlint.toml": "[lint]\n# none\n", "sub/other.json": TYPO.replace("|", "")}
    before, changed = applied(TYPO, "Ignore unknown-key in ds.json", others, "sub/ds.json")
    ignored = '[lint]\n# none\n\n[lint.per-file-ignores]\n"ds.json" = ["unknown-key"]\n'
    assert changed["sub/shardlint.toml"] == ignored
    assert "unknown-key" not in {rule for rule, _ in said(changed, "sub/ds.json")}
    assert "unknown-key" in {rule for rule, _ in said(changed, "sub/other.json")}
    gone = {rule for rule, _ in said(before, "sub/ds.json") - said(changed, "sub/ds.json")}
    assert gone == {"unknown-key"}


def test_a_rule_is_ignored_everywhere_in_a_new_settings_file() -> None:
    before, changed = applied(TYPO, "Ignore unknown-key in all files")
    assert changed["shardlint.toml"] == '[lint]\nignore = ["unknown-key"]\n'
    assert {rule for rule, _ in said(before) - said(changed)} == {"unknown-key"}


def test_a_pyproject_with_settings_takes_them() -> None:
    project = '[project]\nname = "x"\n\n[tool.shardlint.lint]\nignore = ["MEM001"]\n'
    _, changed = applied(TYPO, "Ignore unknown-key in all files", {"pyproject.toml": project})
    assert changed["pyproject.toml"] == project.replace('["MEM001"]', '["MEM001", "unknown-key"]')


def test_a_pyproject_without_settings_is_left_alone() -> None:
    project = '[project]\nname = "x"\n'
    _, changed = applied(TYPO, "Ignore unknown-key in all files", {"pyproject.toml": project})
    assert changed["pyproject.toml"] == project
    assert "shardlint.toml" in changed


def test_a_finding_about_the_settings_is_ignored_in_them() -> None:
    marked = "[facts]\nwrld_s|ize = 8\n"
    _, changed = applied(marked, "Ignore unknown-setting in all files", name="shardlint.toml")
    assert changed["shardlint.toml"] == '[facts]\nwrld_size = 8\n\n[lint]\nignore = ["unknown-setting"]\n'


# -- facts -------------------------------------------------------------------------------------


def test_missing_facts_are_offered_step_by_step() -> None:
    files, at = files_of(STAGE)
    told = {title for title in actions(look_at(files, "ds.json"), at) if title.startswith("Set ")}
    assert told == {
        "Set model.params to 7B in shardlint.toml",
        "Set world_size to 8 in shardlint.toml",
        "Set world_size to 16 in shardlint.toml",
        "Set world_size to 32 in shardlint.toml",
    }
    _, files = applied(STAGE, "Set model.params to 7B in shardlint.toml")
    assert files["shardlint.toml"] == '[facts]\nmodel.params = "7B"\n'
    files = after(
        files, actions(look_at(files, "ds.json"), at)["Set world_size to 8 in shardlint.toml"].make()
    )
    assert files["shardlint.toml"] == '[facts]\nmodel.params = "7B"\nworld_size = 8\n'
    told = {title for title in actions(look_at(files, "ds.json"), at) if title.startswith("Set ")}
    assert told == {
        "Set budget.activations to 20GiB in shardlint.toml",
        "Set gpu.name to A100-SXM4-80GB in shardlint.toml",
        "Set gpu.name to H100 80GB HBM3 in shardlint.toml",
    }


def test_a_budget_is_what_the_gpu_has_beside_the_states() -> None:
    toml = '[facts]\nmodel.params = "7B"\nworld_size = 8\ngpu.memory_gib = 24\n'
    before, changed = applied(
        STAGE, "Set budget.activations to 7GiB in shardlint.toml", {"shardlint.toml": toml}
    )
    assert changed["shardlint.toml"] == f'{toml}\n[budget]\nactivations = "7GiB"\n'
    assert {rule for rule, _ in said(before) - said(changed)} == {"activations-not-budgeted"}
    assert not said(changed) - said(before)


def test_the_size_of_the_model_may_stand_in_a_name() -> None:
    files, at = files_of(STAGE, name="llama-13b/ds.json")
    assert "Set model.params to 13B in shardlint.toml" in actions(look_at(files, "llama-13b/ds.json"), at)


def test_a_fact_answers_the_finding_that_misses_it() -> None:
    files, at = files_of(STAGE)
    action = actions(look_at(files, "ds.json"), at)["Set world_size to 8 in shardlint.toml"]
    assert [found.rule for found in action.findings] == ["facts-missing"]


def test_at_most_six_facts_are_offered() -> None:
    files, at = files_of(STAGE)
    assert sum(title.startswith("Set ") for title in actions(look_at(files, "ds.json"), at)) <= 6


# -- all safe fixes ----------------------------------------------------------------------------


def test_all_safe_fixes_of_the_file_come_as_one() -> None:
    text = ZERO + ',\n  "é": 1,,\n  "bf16": {"enabled": true},,\n  "steps_per_print": 10\n}\n'
    files = {"ds.json": text}
    (action,) = offered(look_at(files, "ds.json"), Span(0, 0), ["source.fixAll"])
    assert action.kind == FIX_ALL
    changed = after(files, action.make())
    assert changed["ds.json"] == text.replace(",,", ",")
    assert not offered(look_at(changed, "ds.json"), Span(0, 0), [FIX_ALL])


def test_what_was_laid_over_the_files_stays() -> None:
    files = {"ds.json": ZERO + ',\n  "a": 1,,\n  "b": 2\n}\n'}
    look = look_at(files, "ds.json")
    before = dict(look.root.workspace.overlay)
    (action,) = offered(look, Span(0, 0), [FIX_ALL])
    assert action.make() is not None
    assert look.root.workspace.overlay == before


def test_unsafe_fixes_alone_are_no_reason_to_fix_all() -> None:
    files, _ = files_of(STAGE)
    assert not offered(look_at(files, "ds.json"), Span(0, 0), [FIX_ALL])


# -- kinds -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("only", "kinds"),
    [
        (None, {QUICK_FIX, FIX_ALL}),
        ([], {QUICK_FIX, FIX_ALL}),
        ([""], {QUICK_FIX, FIX_ALL}),
        (["quickfix"], {QUICK_FIX}),
        (["source"], {FIX_ALL}),
        (["source.fixAll"], {FIX_ALL}),
        ([FIX_ALL], {FIX_ALL}),
        (["source.fixAll.other"], set[str]()),
        (["source.organizeImports", "refactor"], set[str]()),
    ],
)
def test_only_the_kinds_asked_for(only: list[str] | None, kinds: set[str]) -> None:
    marked = ZERO + ',\n  "bf16": {"enabled": true},|,\n  "steps_per_print": 10\n}\n'
    files, at = files_of(marked)
    assert {action.kind for action in offered(look_at(files, "ds.json"), Span(at, at), only)} == kinds


# -- as the editor takes them ------------------------------------------------------------------


def presented(
    marked: str, client: Client, others: Files | None = None
) -> tuple[Look, list[types.CodeAction]]:
    files, at = files_of(marked, others)
    look = look_at(files, "ds.json", client=client)
    position = look.positions.position(at)
    shown = code_actions(look, types.Range(position, position), None, Texts())
    assert all(isinstance(action, types.CodeAction) for action in shown)
    return look, [action for action in shown if isinstance(action, types.CodeAction)]


def named(found: list[types.CodeAction], title: str) -> types.CodeAction:
    return next(action for action in found if action.title == title)


def test_the_diagnostic_is_named() -> None:
    _, found = presented(TYPO, FULL)
    action = named(found, "Ignore unknown-key here")
    assert action.diagnostics is not None
    assert [each.code for each in action.diagnostics] == ["unknown-key"]
    assert action.is_preferred is None


def test_a_new_file_is_created_where_the_editor_can() -> None:
    look, found = presented(STAGE, FULL)
    edit = named(found, "Set world_size to 8 in shardlint.toml").edit
    assert edit is not None
    assert edit.document_changes is not None
    create, change = edit.document_changes
    assert isinstance(create, types.CreateFile)
    assert isinstance(change, types.TextDocumentEdit)
    assert create.uri == change.text_document.uri == (look.root.folder / "shardlint.toml").as_uri()
    assert change.text_document.version is None
    assert change.edits[0].new_text == "[facts]\nworld_size = 8\n"


def test_an_editor_that_knows_no_versions_gets_plain_changes() -> None:
    client = FULL._replace(document_changes=False, creates_files=False, encoding="utf-8")
    look, found = presented(
        TYPO.replace("{\n", '{\n  "é模": 1, ', 1).replace("stgae", "sté"), client, DEEPSPEED
    )
    assert not any(action.edit and action.edit.document_changes for action in found)
    edit = named(found, "Ignore unknown-key here").edit
    assert edit is not None
    assert edit.changes is not None
    assert [*edit.changes] == [look.text.uri]


def test_the_version_of_the_open_text_is_stated() -> None:
    _, found = presented(TYPO, FULL, DEEPSPEED)
    edit = named(found, "Ignore unknown-key here").edit
    assert edit is not None
    assert edit.document_changes is not None
    (change,) = edit.document_changes
    assert isinstance(change, types.TextDocumentEdit)
    assert change.text_document.version == 1


def test_an_outcome_may_change_several_files() -> None:
    files = {"ds.json": "{}\n", "é/acc.yaml": "# 模😀\na: 1\n"}
    look = look_at(files, "ds.json", client=FULL._replace(encoding="utf-8"))
    other = look.root.workspace.read(look.path("é/acc.yaml"))
    assert not isinstance(other, Notice)
    texts, uri = Texts(), look.path("é/acc.yaml").as_uri()
    texts.open(types.TextDocumentItem(uri, "yaml", 7, other.text), look.root.folder)
    edits = (Edit("é/acc.yaml", Span(2, 4), "b"), Edit("ds.json", Span(1, 1), " "))
    outcome = Outcome(edits, {"ds.json": look.document, "é/acc.yaml": other})
    first, second = workspace_edit(look, outcome, texts).document_changes or ()
    assert isinstance(first, types.TextDocumentEdit)
    assert isinstance(second, types.TextDocumentEdit)
    assert (first.text_document.uri, first.text_document.version) == (look.text.uri, 1)
    assert (second.text_document.uri, second.text_document.version) == (uri, 7)
    assert second.edits[0].range == types.Range(types.Position(0, 2), types.Position(0, 9))


def test_edits_are_deferred_where_the_editor_asks_for_them_later() -> None:
    client = FULL._replace(action_data=True, action_resolves=frozenset({"edit"}))
    look, found = presented(TYPO, client, DEEPSPEED)
    action = named(found, "Ignore unknown-key here")
    assert action.edit is None
    resolved = made(look, action.data, Texts())
    assert resolved is not None
    (change,) = resolved.edit.document_changes or ()
    assert isinstance(change, types.TextDocumentEdit)
    assert change.text_document.uri == look.text.uri
    assert [edit.new_text for edit in change.edits] == ["  // shardlint: ignore[unknown-key]"]


def test_what_takes_long_is_worked_out_when_it_is_chosen() -> None:
    marked = ZERO + ',\n  "bf16": {"enabled": true},|,\n  "steps_per_print": 10\n}\n'
    look, found = presented(marked, FULL)
    action = named(found, "Apply all safe fixes")
    assert action.edit is None
    assert action.command is not None
    assert action.command.command == APPLY
    assert action.command.arguments
    resolved = made(look, action.command.arguments[0], Texts())
    assert resolved is not None
    assert resolved.edit.document_changes
    later, deferred = presented(marked, FULL._replace(action_data=True, action_resolves=frozenset({"edit"})))
    assert made(later, named(deferred, "Apply all safe fixes").data, Texts()) is not None


@pytest.mark.parametrize("data", [None, 3, {}, {"start": 0}, {"start": 0, "end": 5, "action": "none"}, [1]])
def test_data_of_nobody_comes_to_nothing(data: object) -> None:
    files, _ = files_of(TYPO)
    assert made(look_at(files, "ds.json"), data, Texts()) is None


def test_an_editor_without_literals_gets_commands() -> None:
    files, at = files_of(TYPO, DEEPSPEED)
    look = look_at(files, "ds.json", client=Client())
    position = look.positions.position(at)
    shown = code_actions(look, types.Range(position, position), None, Texts())
    assert shown
    assert all(isinstance(each, types.Command) and each.command == APPLY for each in shown)
    command = next(each for each in shown if each.title == "Ignore unknown-key here")
    assert isinstance(command, types.Command)
    assert command.arguments
    found = made(look, command.arguments[0], Texts())
    assert found is not None
    assert found.edit.changes


def test_a_fact_that_was_written_is_shown_where_the_editor_can() -> None:
    _, found = presented(STAGE, FULL._replace(shows_documents=True))
    command = named(found, "Set model.params to 7B in shardlint.toml").command
    assert command is not None
    assert command.command == REVEAL
    assert command.arguments is not None
    assert command.arguments[1:] == [1, 15, 1, 19]
    _, plain = presented(STAGE, FULL)
    assert named(plain, "Set model.params to 7B in shardlint.toml").command is None


# -- broken text -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", [STAGE.replace("|", ""), TYPO.replace("|", ""), '{"é模😀": [1,, }', "\x00{", ""]
)
def test_half_typed_text_never_raises(tmp_path: Path, text: str) -> None:
    for end in range(0, len(text) + 1, 3):
        look = look_at({"ds.json": text[:end]}, "ds.json", folder=tmp_path)
        whole = types.Range(types.Position(0, 0), types.Position(9999, 9999))
        for action in code_actions(look, whole, None, Texts()):
            assert action.title


# -- names that resemble known ones ------------------------------------------------------------


def test_a_gpu_of_the_table_is_written_in_place_of_a_misspelt_one() -> None:
    marked = '# é模\n[facts]\ngpu.name = "A100-SX|4-80GB"  # ours\n'
    before, changed = applied(marked, "Write A100-SXM4-80GB", name="shardlint.toml")
    assert changed["shardlint.toml"] == '# é模\n[facts]\ngpu.name = "A100-SXM4-80GB"  # ours\n'
    assert {rule for rule, _ in said(before, "shardlint.toml")} == {"name-in-no-table"}
    assert not said(changed, "shardlint.toml")


def test_a_byte_order_mark_shifts_the_first_line_only() -> None:
    files, at = files_of('{"train_micro_batch_size_per_gpu": 1, "zero_optimization": {"stage": 2},|, "a": 1}')
    files["ds.json"] = "\ufeff" + files["ds.json"]
    look = look_at(files, "ds.json", client=FULL._replace(encoding="utf-32"))
    position = look.positions.position(at)
    found = code_actions(look, types.Range(position, position), None, Texts())
    edit = next(each for each in found if each.title == "Delete the comma")
    assert isinstance(edit, types.CodeAction)
    assert edit.edit is not None
    (change,) = edit.edit.document_changes or ()
    assert isinstance(change, types.TextDocumentEdit)
    assert change.edits[0].range.start.character == files["ds.json"].index(",, ") + 1
