"""Commands: show the ledger of a document, explain a rule or key, look at everything again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams

from shardlint.explain import explanation, nearest
from shardlint_lsp.features.code_lens import SHOW_LEDGER
from shardlint_lsp.ledgers.document import ledger_page
from shardlint_lsp.ledgers.pages import Pages
from shardlint_lsp.server import ShardlintServer
from shardlint_lsp.worker import Priority

EXPLAIN = "shardlint.explain"
RELINT = "shardlint.relint"
LONGEST = 80
"""Characters of a wrong argument that are said back."""


def register(server: ShardlintServer) -> None:
    pages = Pages()

    @server.command(SHOW_LEDGER)
    async def show_ledger(*arguments: Any) -> str:  # pyright: ignore[reportUnusedFunction]
        """The Markdown; with `{"show": true}` the editor is asked to open it too."""
        uri, show = document_and_show(arguments)
        page = await server.ask(uri, ledger_page)
        if page is None:
            raise JsonRpcInvalidParams(f"{SHOW_LEDGER}: {_said(uri)} is not open in the editor")
        if show and server.client.shows_documents:
            await _open(server, pages.write(uri, page))
        return page

    @server.command(EXPLAIN)
    async def explain(*arguments: Any) -> str:  # pyright: ignore[reportUnusedFunction]
        word = name_of(arguments)
        return await server.worker.run(Priority.REQUEST, lambda: explained(word))

    @server.command(RELINT)
    async def relint(*arguments: Any) -> None:  # pyright: ignore[reportUnusedFunction]
        if arguments:
            raise JsonRpcInvalidParams(f"{RELINT} takes nothing, not {_said(arguments[0])}")
        roots = server.roots.known
        await server.worker.run(Priority.REQUEST, lambda: [root.workspace.forget() for root in roots])
        server.renewed()


def document_and_show(arguments: Sequence[object]) -> tuple[str, bool]:
    """The document a command is about, and whether its answer is opened too."""
    uri, show = arguments[0] if arguments else None, _show(arguments[1:])
    if not isinstance(uri, str) or show is None:
        wanted = 'the URI of an open document and, if it is to be opened, {"show": true}'
        raise JsonRpcInvalidParams(f"{SHOW_LEDGER} takes {wanted}, not {_all(arguments)}")
    return uri, show


def _show(options: Sequence[object]) -> bool | None:
    """What the options after a document say; None where they are none."""
    if not options:
        return False
    if len(options) > 1 or not isinstance(options[0], Mapping):
        return None
    show = cast("Mapping[str, object]", options[0]).get("show", False)
    return show if isinstance(show, bool) else None


def name_of(arguments: Sequence[object]) -> str:
    if len(arguments) != 1 or not isinstance(arguments[0], str) or not arguments[0].strip():
        raise JsonRpcInvalidParams(
            f"{EXPLAIN} takes the name of a rule, key or setting, not {_all(arguments)}"
        )
    return arguments[0].strip()


def explained(word: str) -> str:
    """The same text as `shardlint explain` prints."""
    text = explanation(word)
    if text:
        return text
    near = nearest(word[:LONGEST])
    meant = f" (did you mean {near}?)" if near else ""
    raise JsonRpcInvalidParams(f"no rule, key or setting is called {_said(word)}{meant}")


async def _open(server: ShardlintServer, path: Path) -> None:
    """An editor that does not open it after all has the text as the answer."""
    try:
        await server.window_show_document_async(types.ShowDocumentParams(path.as_uri(), take_focus=True))
    except JsonRpcException as error:
        server.tell_once(f"the editor did not open {path.name}: {error.message}")


def _all(arguments: Sequence[object]) -> str:
    return ", ".join(map(_said, arguments)) or "nothing"


def _said(argument: object) -> str:
    text = argument if isinstance(argument, str) else json.dumps(argument, default=str)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
