"""What the protocol asks of answers beyond the checks of pytest-lsp: nothing an editor did not say it shows.

Imported once, these run on every answer of every test.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lsprotocol import types
from pygls.capabilities import get_capability
from pytest_lsp.checks import check_params_of, check_result_for

Said = types.ClientCapabilities
MARKDOWN, PLAIN = types.MarkupKind.Markdown, types.MarkupKind.PlainText


@check_result_for(method=types.TEXT_DOCUMENT_HOVER)
def hover(said: Said, result: types.Hover | None) -> None:
    formats = get_capability(said, "text_document.hover.content_format", [])
    if result is not None:
        assert isinstance(result.contents, types.MarkupContent), "old forms of hovers are not asked for"
        assert result.contents.kind in (formats or [PLAIN]), "a hover in a format that is not shown"


@check_result_for(method=types.TEXT_DOCUMENT_CODE_ACTION)
def code_actions(said: Said, result: list[types.CodeAction | types.Command] | None) -> None:
    can = "text_document.code_action."
    literals = get_capability(said, f"{can}code_action_literal_support", None) is not None
    for action in result or ():
        assert literals or isinstance(action, types.Command), "no action literals"
        if isinstance(action, types.CodeAction):
            _code_action(said, action)


@check_result_for(method=types.CODE_ACTION_RESOLVE)
def code_action(said: Said, result: types.CodeAction) -> None:
    _code_action(said, result)


def _code_action(said: Said, action: types.CodeAction) -> None:
    can = "text_document.code_action."
    assert not action.is_preferred or get_capability(said, f"{can}is_preferred_support", False)
    assert not action.disabled or get_capability(said, f"{can}disabled_support", False)
    assert action.data is None or get_capability(said, f"{can}data_support", False), "no data support"
    if action.edit is not None:
        _edit(said, action.edit)


@check_params_of(method=types.WORKSPACE_APPLY_EDIT)
def apply_edit(said: Said, params: types.ApplyWorkspaceEditParams) -> None:
    assert get_capability(said, "workspace.apply_edit", False), "edits are not applied"
    _edit(said, params.edit)


def _edit(said: Said, edit: types.WorkspaceEdit) -> None:
    able = get_capability(said, "workspace.workspace_edit.document_changes", False)
    assert not edit.document_changes or able, "edits of versioned documents"
    operations = get_capability(said, "workspace.workspace_edit.resource_operations", None) or ()
    for change in edit.document_changes or ():
        kind = getattr(change, "kind", None)
        assert kind is None or kind in operations, f"{kind} of files"


@check_result_for(method=types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
def symbols(said: Said, result: list[Any] | None) -> None:
    can = get_capability(said, "text_document.document_symbol.hierarchical_document_symbol_support", False)
    for symbol in result or ():
        assert can or isinstance(symbol, types.SymbolInformation), "symbols in a tree"
        if isinstance(symbol, types.DocumentSymbol):
            _nested(symbol.children or (), symbol)


def _nested(children: Iterable[types.DocumentSymbol], parent: types.DocumentSymbol) -> None:
    assert _holds(parent.range, parent.selection_range), "a name outside its symbol"
    for child in children:
        assert _holds(parent.range, child.range), "a child outside its parent"
        _nested(child.children or (), child)


@check_result_for(method=types.TEXT_DOCUMENT_DEFINITION)
def definition(said: Said, result: Any) -> None:
    can = get_capability(said, "text_document.definition.link_support", False)
    found = result if isinstance(result, list) else [result] if result else []
    assert can or not any(isinstance(one, types.LocationLink) for one in found), "links as definitions"


@check_result_for(method=types.TEXT_DOCUMENT_FOLDING_RANGE)
def folding(said: Said, result: list[types.FoldingRange] | None) -> None:
    lines = get_capability(said, "text_document.folding_range.line_folding_only", False)
    limit = get_capability(said, "text_document.folding_range.range_limit", None)
    assert limit is None or len(result or ()) <= limit, "more folds than wanted"
    for fold in result or ():
        assert fold.start_line <= fold.end_line, "a fold that ends before it starts"
        assert not lines or fold.start_line < fold.end_line, "a fold of one line"


@check_result_for(method=types.TEXT_DOCUMENT_SELECTION_RANGE)
def selection(_: Said, result: list[types.SelectionRange] | None) -> None:
    for one in result or ():
        while one.parent is not None:
            assert _holds(one.parent.range, one.range), "a selection that is not within its parent"
            one = one.parent


@check_params_of(method=types.CLIENT_REGISTER_CAPABILITY)
def registration(said: Said, params: types.RegistrationParams) -> None:
    names = {
        types.WORKSPACE_DID_CHANGE_CONFIGURATION: "workspace.did_change_configuration",
        types.WORKSPACE_DID_CHANGE_WATCHED_FILES: "workspace.did_change_watched_files",
    }
    for one in params.registrations:
        name = names[one.method]
        assert get_capability(said, f"{name}.dynamic_registration", False), f"registers {one.method}"


def published(said: Said, params: types.PublishDiagnosticsParams) -> None:
    """Diagnostics are sent and not asked for, so the editor of the tests calls this."""
    can = "text_document.publish_diagnostics."
    tags = get_capability(said, f"{can}tag_support.value_set", None) or ()
    for one in params.diagnostics:
        assert set(one.tags or ()) <= set(tags), "tags"
        assert not one.related_information or get_capability(said, f"{can}related_information", False)
        assert not one.code_description or get_capability(said, f"{can}code_description_support", False)


def _holds(outer: types.Range, inner: types.Range) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end
