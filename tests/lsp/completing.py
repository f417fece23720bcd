"""Completion as an editor does it: what is offered at a caret, and the text after one of it is taken."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from lsprotocol import types

from lsp.looks import FULL, caret, look_at
from shardlint_lsp.client import Client
from shardlint_lsp.features.completion import complete
from shardlint_lsp.look import Look

PLAIN = Client()
"""An editor that said nothing of what it can do."""


class Offered(NamedTuple):
    """The items at an offset of a look, by label."""

    look: Look
    items: Mapping[str, types.CompletionItem]

    def taken(self, label: str) -> str:
        """The text after the item is taken, a snippet as it is written."""
        item = self.items[label]
        assert isinstance(item.text_edit, types.TextEdit)
        edits = [item.text_edit, *(item.additional_text_edits or ())]
        text = self.look.document.text
        spans = [(self.look.positions.span(edit.range), edit.new_text) for edit in edits]
        for span, new in sorted(spans, reverse=True):
            text = text[: span.start] + new + text[span.end :]
        return text


def offered(
    name: str,
    marked: str,
    client: Client = FULL,
    others: Mapping[str, str] | None = None,
    trigger: str = "",
) -> Offered:
    """What is offered at the `|` of a file."""
    text, offset = caret(marked)
    look = look_at({**(others or {}), name: text}, name, client)
    return at(look, offset, trigger)


def at(look: Look, offset: int, trigger: str = "") -> Offered:
    return Offered(look, {item.label: item for item in complete(look, offset, trigger)})
