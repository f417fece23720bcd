"""Write docs/lsp.md: which methods of the Language Server Protocol the server knows, and what can be set.

`python docs/generate_lsp_methods.py` asks the server itself. A request or notification of the editor is
answered where a feature is registered for it or pygls does so by itself; one of the server is sent where the
sources call it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol, cast

from lsprotocol import types

import shardlint_lsp
from shardlint.settings.names import OPEN_PREFIXES, all_settings
from shardlint_lsp.main import server
from shardlint_lsp.preferences import DELIVERY, SYNTAX, Preferences

PAGE = Path(__file__).resolve().parent / "lsp.md"

NEWER = frozenset(
    {
        "textDocument/inlineCompletion",
        "textDocument/rangesFormatting",
        "workspace/foldingRange/refresh",
        "workspace/textDocumentContent",
        "workspace/textDocumentContent/refresh",
    }
)
"""Methods of LSP 3.18."""
LIBRARY = frozenset(
    {"$/cancelRequest", "$/setTrace", "exit", "initialized", "window/workDoneProgress/cancel"}
)
"""What pygls answers by itself; commands it hands to those registered."""
CALLED = {
    "$/progress": "work_done_progress",
    "window/workDoneProgress/create": "work_done_progress",
    "workspace/configuration": "workspace_configuration",
}
"""What a method is called by in the sources, where it is not its own name."""

NOTES = {
    "codeLens/resolve": "lenses come whole",
    "documentLink/resolve": "links come whole",
    "textDocument/codeAction": "fixes, suppressions, facts to tell, source.fixAll.shardlint",
    "textDocument/codeLens": "off by default",
    "textDocument/completion": "JSON, YAML and TOML, in half-typed text too",
    "textDocument/declaration": "definition says all there is",
    "textDocument/definition": "files that are named, YAML anchors, keys that another file fills",
    "textDocument/diagnostic": "with result ids",
    "textDocument/didChange": "incremental",
    "textDocument/documentColor": "configs have no colours",
    "textDocument/documentLink": "in configs and settings files",
    "textDocument/documentSymbol": "nested where the editor takes it",
    "textDocument/foldingRange": "sections, lists, comments",
    "textDocument/formatting": "left to formatters",
    "textDocument/rangeFormatting": "left to formatters",
    "textDocument/onTypeFormatting": "left to formatters",
    "textDocument/inlayHint": "each kind can be switched off",
    "textDocument/publishDiagnostics": "to editors that do not pull",
    "textDocument/references": "places that name the file, aliases, keys that are filled",
    "textDocument/rename": "keys belong to the frameworks",
    "textDocument/prepareRename": "keys belong to the frameworks",
    "textDocument/semanticTokens/full": "colours are left to the editor",
    "textDocument/semanticTokens/full/delta": "colours are left to the editor",
    "textDocument/semanticTokens/range": "colours are left to the editor",
    "workspace/diagnostic": "off by default",
    "workspace/configuration": "settings of each folder",
    "workspace/didCreateFiles": "files are watched instead",
    "workspace/didDeleteFiles": "files are watched instead",
    "workspace/didRenameFiles": "files are watched instead",
    "workspace/executeCommand": "the ledger as a document, a rule or key explained, look at everything again",
    "textDocument/hover": "keys, the ledger, the rule behind a finding",
    "textDocument/selectionRange": "value, pair, section, text",
    "workspace/didChangeWatchedFiles": "configs, settings and requirements",
    "workspace/didChangeWorkspaceFolders": "each folder has its own settings",
    "telemetry/event": "nothing is collected",
}

INTRODUCTION = """\
# The language server

`shardlint lsp` speaks the Language Server Protocol 3.17. [How to set up an editor](editors/README.md). This
page is written by `python docs/generate_lsp_methods.py`.
"""

SETTINGS = """\
## Settings

As `initializationOptions`, and as the section `shardlint` of the editor's settings, which wins and may differ
between folders. `inlayHints.stage` may be written with a dot or as a table in a table.
"""

FACTS = """\
### Facts

Every fact of `shardlint.toml` may stand beside them, nested or with dots: `"world_size": 8`,
`"model": {"params": "7B"}`. What a comment in a config says wins over it, and it wins over `shardlint.toml`.
"""


COMMANDS = (
    ("command", "arguments", "answer"),
    ("---", "---", "---"),
    (
        "`shardlint.showLedger`",
        'the URI of an open document, then perhaps `{"show": true}`',
        "its ledger as Markdown; with the second, the editor is asked to open it too",
    ),
    (
        "`shardlint.explain`",
        "the name or code of a rule, or a key",
        "what `shardlint explain` says, as Markdown",
    ),
    ("`shardlint.relint`", "none", "nothing; everything is read and looked at again"),
)


def commands() -> list[str]:
    rows = [f"| {' | '.join(row)} |" for row in COMMANDS]
    internal = "`shardlint.applyFix` and `shardlint.reveal` stand in code actions and are not called by hand."
    return ["## Commands", "", "By `workspace/executeCommand`:", "", *rows, "", internal]


class Registered(Protocol):
    """What pygls keeps of the features and commands of a server, by name."""

    features: dict[str, object]
    commands: dict[str, object]


def options() -> list[tuple[str, str, str, str]]:
    """Name, type, default and meaning of each feature that can be set."""
    default = Preferences()
    hints = {
        "stage": "GiB a rank must hold, at the ZeRO stage or sharding strategy",
        "batch": "the third of micro batch, accumulation and ranks, at the batch values",
        "buckets": "GiB of a bucket, at its size in elements",
        "auto": "what an `auto` will become and from where",
    }
    assert hints.keys() == default.hints
    syntax, delivery = (", ".join(f'"{word}"' for word in words) for words in (SYNTAX, DELIVERY))
    return [
        ("inlayHints", "true or false", "true", "inlay hints, all of them"),
        ("inlayHints.enabled", "true or false", "true", "the same, where kinds are set too"),
        *((f"inlayHints.{name}", "true or false", "true", meaning) for name, meaning in hints.items()),
        (
            "codeLens",
            "true or false",
            _word(default.code_lens),
            "the headline of the ledger above the stage or strategy",
        ),
        (
            "workspaceDiagnostics",
            "true or false",
            _word(default.workspace_diagnostics),
            "findings in files that are not open, where the editor asks for them",
        ),
        (
            "maxWorkspaceFiles",
            "a number",
            str(default.max_workspace_files),
            "files of a folder that are looked at for workspaceDiagnostics, at most",
        ),
        (
            "syntax",
            syntax,
            f'"{default.syntax}"',
            "whether faults of plain syntax are told; auto leaves them to an editor that reads the language "
            "by itself",
        ),
        (
            "diagnostics",
            delivery,
            f'"{default.diagnostics}"',
            "whether findings are sent or asked for, in an editor that can ask; auto has it ask where it can "
            "be told to ask again; counts as an initialization option only",
        ),
        ("lint.select", "a list of rules", "[]", "only these rules, by code, name or letters of the code"),
        ("lint.ignore", "a list of rules", "[]", "all but these rules"),
    ]


def page() -> str:
    lines = [INTRODUCTION, SETTINGS, *_options(), "", FACTS, *_facts(), "", *commands(), "", "## Methods", ""]
    lines += ["### From the editor", "", *_methods(False), "", "### From the server", "", *_methods(True)]
    return "\n".join(lines) + "\n"


def answered() -> frozenset[str]:
    """The methods of the editor that the server does something with."""
    known = cast("Registered", server().protocol.fm)
    commands = [types.WORKSPACE_EXECUTE_COMMAND] if known.commands else []
    return frozenset([*known.features, *LIBRARY, *commands])


def sent() -> frozenset[str]:
    """The methods of the server that its sources call."""
    folder = Path(str(shardlint_lsp.__file__)).parent
    sources = "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.py")))
    return frozenset(m for m in types.METHOD_TO_TYPES if re.search(rf"\.{_call(m)}(_async)?\b", sources))


def _call(method: str) -> str:
    """How pygls calls a method: `window/logMessage` is `window_log_message`."""
    plain = re.sub(r"(?<=[a-z])([A-Z])", lambda found: f"_{found.group().lower()}", method)
    return CALLED.get(method, plain.replace("/", "_").strip("$_"))


def _options() -> Iterator[str]:
    yield "| setting | value | default | meaning |"
    yield "|---|---|---|---|"
    for name, kind, default, meaning in options():
        yield f"| `{name}` | {kind} | `{default}` | {meaning} |"


def _facts() -> Iterator[str]:
    yield "| fact | unit | meaning |"
    yield "|---|---|---|"
    for setting in all_settings().values():
        yield f"| `{setting.name}` | {setting.unit} | {setting.meaning} |"
    for prefix, (_, meaning) in OPEN_PREFIXES.items():
        yield f"| `{prefix}NAME` | | {meaning.format('NAME')} |"


def _methods(ours: bool) -> Iterator[str]:
    """The methods the server sends, or those it is sent, in alphabetical order."""
    known = sent() if ours else answered()
    wanted = ("serverToClient", "both") if ours else ("clientToServer", "both")
    yield "| method | | note |"
    yield "|---|---|---|"
    for method in sorted(types.METHOD_TO_TYPES, key=str.lower):
        if types.message_direction(method) in wanted and method not in NEWER:
            yield f"| `{method}` | {'yes' if method in known else 'no'} | {NOTES.get(method, '')} |"


def _word(value: bool) -> str:
    return "true" if value else "false"


def main() -> None:
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
