"""What the editor can do, read once from what it said at the start."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import NamedTuple, cast

from lsprotocol import types

from shardlint.syntax.document import Document

VSCODE = ("visual studio code", "vscode", "vscodium", "code-server", "code - oss", "cursor", "windsurf")
"""What VS Code and what is built from it call themselves."""
CHOOSING = ("neovim", "zed")
"""Other editors whose snippets take `${1|a,b|}`; Kate and the yasnippet of Emacs write it as it stands."""
MARKDOWN = types.MarkupKind.Markdown


class Client(NamedTuple):
    """Flat answers about the editor; `name` is what it calls itself."""

    name: str = ""
    encoding: str = types.PositionEncodingKind.Utf16
    pulls: bool = False
    related_documents: bool = False
    related_information: bool = False
    diagnostic_tags: bool = False
    diagnostic_links: bool = False
    diagnostic_refresh: bool = False
    hint_refresh: bool = False
    lens_refresh: bool = False
    configuration: bool = False
    configuration_registration: bool = False
    watching: bool = False
    progress: bool = False
    snippets: bool = False
    choices: bool = False
    completion_markdown: bool = False
    completion_resolves: frozenset[str] = frozenset()
    keeps_indent: bool = False
    completion_tags: bool = False
    hover_markdown: bool = False
    action_literals: bool = False
    action_preferred: bool = False
    action_data: bool = False
    action_resolves: frozenset[str] = frozenset()
    hint_resolves: frozenset[str] = frozenset()
    document_changes: bool = False
    creates_files: bool = False
    nested_symbols: bool = False
    definition_links: bool = False
    link_tooltips: bool = False
    line_folding: bool = False
    shows_documents: bool = False

    def reads(self, document: Document) -> bool:
        """Whether the editor itself tells of faults of the syntax there and shows an outline."""
        return self.is_vscode and document.language == "json" and not document.name.endswith(".hjson")

    @property
    def hovers_findings(self) -> bool:
        """Whether the editor itself shows the diagnostics at a place above the hover."""
        return self.is_vscode

    @property
    def is_vscode(self) -> bool:
        """VS Code and what is built from it."""
        return self.name.lower().startswith(VSCODE)


def client_of(params: types.InitializeParams, encoding: str) -> Client:
    said = params.capabilities

    def has(path: str) -> bool:
        return bool(_at(said, path))

    return Client(
        name=params.client_info.name if params.client_info else "",
        encoding=encoding,
        pulls=_at(said, "text_document.diagnostic") is not None,
        related_documents=has("text_document.diagnostic.related_document_support"),
        related_information=has("text_document.publish_diagnostics.related_information")
        or has("text_document.diagnostic.related_information"),
        diagnostic_tags=has("text_document.publish_diagnostics.tag_support")
        or has("text_document.diagnostic.tag_support"),
        diagnostic_links=has("text_document.publish_diagnostics.code_description_support")
        or has("text_document.diagnostic.code_description_support"),
        diagnostic_refresh=has("workspace.diagnostics.refresh_support"),
        hint_refresh=has("workspace.inlay_hint.refresh_support"),
        lens_refresh=has("workspace.code_lens.refresh_support"),
        configuration=has("workspace.configuration"),
        configuration_registration=has("workspace.did_change_configuration.dynamic_registration"),
        watching=has("workspace.did_change_watched_files.dynamic_registration"),
        progress=has("window.work_done_progress"),
        snippets=has("text_document.completion.completion_item.snippet_support"),
        choices=_is(params, *VSCODE, *CHOOSING),
        completion_markdown=_markdown(
            _at(said, "text_document.completion.completion_item.documentation_format")
        ),
        completion_resolves=_words(
            _at(said, "text_document.completion.completion_item.resolve_support.properties")
        ),
        completion_tags=has("text_document.completion.completion_item.tag_support"),
        keeps_indent=str(types.InsertTextMode.AsIs.value)
        in _words(_at(said, "text_document.completion.completion_item.insert_text_mode_support.value_set")),
        hover_markdown=_markdown(_at(said, "text_document.hover.content_format")),
        action_literals=_at(said, "text_document.code_action.code_action_literal_support") is not None,
        action_preferred=has("text_document.code_action.is_preferred_support"),
        action_data=has("text_document.code_action.data_support"),
        action_resolves=_words(_at(said, "text_document.code_action.resolve_support.properties")),
        hint_resolves=_words(_at(said, "text_document.inlay_hint.resolve_support.properties")),
        document_changes=has("workspace.workspace_edit.document_changes"),
        creates_files=types.ResourceOperationKind.Create.value
        in _words(_at(said, "workspace.workspace_edit.resource_operations")),
        nested_symbols=has("text_document.document_symbol.hierarchical_document_symbol_support"),
        definition_links=has("text_document.definition.link_support"),
        link_tooltips=has("text_document.document_link.tooltip_support"),
        line_folding=has("text_document.folding_range.line_folding_only"),
        shows_documents=has("window.show_document.support"),
    )


def _is(params: types.InitializeParams, *names: str) -> bool:
    return params.client_info is not None and params.client_info.name.lower().startswith(names)


def _at(said: object, path: str) -> object:
    return reduce(lambda node, name: getattr(node, name, None), path.split("."), said)


def _markdown(formats: object) -> bool:
    return MARKDOWN in formats if isinstance(formats, list | tuple) else False


def _words(said: object) -> frozenset[str]:
    words = cast("Iterable[object]", said) if isinstance(said, list | tuple) else ()
    return frozenset(str(getattr(word, "value", word)) for word in words)
