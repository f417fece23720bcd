"""Proposals as completion items: the text around them put right, in the words of the editor."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from lsprotocol import types

from shardlint.schema.releases import Releases
from shardlint.syntax.tree import Span
from shardlint_lsp.caret.spot import KEY, VALUE, Spot
from shardlint_lsp.look import Look
from shardlint_lsp.markup_content import markup, plain
from shardlint_lsp.proposals.proposal import Proposal, Topic, explained
from shardlint_lsp.proposals.snippet import has_stops, plain_text, without_choices
from shardlint_lsp.vocabulary import vocabulary

SNIPPET, PLAIN = types.InsertTextFormat.Snippet, types.InsertTextFormat.PlainText
MOST_TEXTS = 2048
"""Texts kept ready: more than all tables have."""

DOCUMENTATION = "documentation"
STACKS = ("deepspeed", "accelerate", "hf-args", "fsdp")
SHORT = (*STACKS, "setting", "section")
"""Topics whose text is sent at once to an editor that does not say it would ask for it."""


class Frame(NamedTuple):
    """Where an item is written and with what: the word it replaces, the indent of its further lines, edits
    elsewhere, and what the word typed is compared with where that is not the label."""

    place: types.Range
    margin: str = ""
    edits: Sequence[types.TextEdit] = ()
    filtered: str | None = None


def items_at(look: Look, spot: Spot, proposals: Sequence[Proposal]) -> list[types.CompletionItem]:
    """Items for a place of a config: commas, spaces and indents are added where they are missing."""
    word = spot.word
    typed = word.typed[:1]
    quote = typed if typed in ("'", '"') and spot.style != "toml" else ""
    before, after, additional = _around(look, spot)
    place = look.positions.range(word.span)
    gap = [*additional, *_gap(look, spot)]
    items: list[types.CompletionItem] = []
    for one in proposals:
        insert = f"{before}{one.insert}{after}"
        if spot.rootless and one.is_key:
            insert = "{\n  " + insert.replace("\n", "\n  ") + "\n}"
        opening = typed if one.insert[:1] == typed == '"' else quote
        filtered = f"{opening}{one.filter or one.label}{opening}" if opening or one.filter else None
        frame = Frame(place, spot.margin, gap if one.insert.startswith("\n") else additional, filtered)
        items.append(_item(look, one, len(items), insert, frame))
    return items


def items_in_comment(look: Look, span: Span, proposals: Sequence[Proposal]) -> list[types.CompletionItem]:
    """Items for a word of a comment."""
    frame = Frame(look.positions.range(span))
    return [_item(look, one, at, one.insert, frame) for at, one in enumerate(proposals)]


def documentation(look: Look, topic: Topic) -> types.MarkupContent | str | None:
    """The text about a proposal, as the editor shows it; None where there is none."""
    known = vocabulary(look)
    versions = known.versions(topic.kind) if known is not None and topic.kind in STACKS else None
    return (_marked_up if look.client.completion_markdown else _plain)(topic, _Releases(versions))


class _Releases:
    """Releases that are equal where they are written alike."""

    def __init__(self, versions: Releases | None) -> None:
        self.versions = versions
        self._text = versions.text if versions is not None else ""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Releases) and other._text == self._text

    def __hash__(self) -> int:
        return hash(self._text)


@lru_cache(maxsize=MOST_TEXTS)
def _marked_up(topic: Topic, releases: _Releases) -> types.MarkupContent | None:
    text = explained(topic, releases.versions)
    return markup(text, types.MarkupKind.Markdown) if text else None


@lru_cache(maxsize=MOST_TEXTS)
def _plain(topic: Topic, releases: _Releases) -> str | None:
    return plain(explained(topic, releases.versions)) or None


def _around(look: Look, spot: Spot) -> tuple[str, str, list[types.TextEdit]]:
    """The text before and after what is written, and edits elsewhere on the way to it."""
    word, text = spot.word, look.document.text
    before, edits = "", list[types.TextEdit]()
    if word.lead == word.span.start:
        before = ", "
    elif word.lead is not None:
        edits.append(types.TextEdit(look.positions.range(Span(word.lead, word.lead)), ","))
    if spot.kind == VALUE and text[: word.span.start].endswith((":", "=")):
        before = " "
    indent = _indent(look, spot)
    if indent is not None:
        edits.append(types.TextEdit(look.positions.range(indent), spot.margin))
    return before, "," if word.trail else "", edits


def _gap(look: Look, spot: Spot) -> list[types.TextEdit]:
    """White space that would be left at the end of the line where a section goes on in the next one."""
    before = look.document.text[: spot.word.span.start]
    gap = Span(len(before.rstrip(" \t")), len(before))
    return [types.TextEdit(look.positions.range(gap), "")] if gap.end > gap.start else []


def _indent(look: Look, spot: Spot) -> Span | None:
    """White space before a key that is not that of the other keys of its section."""
    start = look.document.text.rfind("\n", 0, spot.word.span.start) + 1
    before = look.document.text[start : spot.word.span.start]
    wrong = spot.style == "yaml" and spot.kind == KEY and not before.strip() and before != spot.margin
    return Span(start, spot.word.span.start) if wrong else None


def _item(look: Look, one: Proposal, order: int, insert: str, frame: Frame) -> types.CompletionItem:
    client = look.client
    snippet = client.snippets and has_stops(insert)
    text = plain_text(insert) if not snippet else insert if client.choices else without_choices(insert)
    lines, mode = "\n" in text, None
    if lines and (client.keeps_indent or not client.snippets):
        text = text.replace("\n", f"\n{frame.margin}")
        mode = types.InsertTextMode.AsIs if client.keeps_indent else None
    item = types.CompletionItem(
        one.label,
        kind=one.kind,
        detail=one.detail or None,
        sort_text=f"{one.deprecated:d}{order:03}",
        text_edit=types.TextEdit(frame.place, text),
        insert_text_format=SNIPPET if snippet else PLAIN,
        insert_text_mode=mode,
        filter_text=frame.filtered,
        additional_text_edits=frame.edits or None,
    )
    if one.deprecated and client.completion_tags:
        item.tags = [types.CompletionItemTag.Deprecated]
    if one.topic is not None and one.topic.kind in SHORT and DOCUMENTATION not in client.completion_resolves:
        item.documentation = documentation(look, one.topic)
    elif one.topic is not None:
        item.data = {"uri": look.text.uri, "topic": [*one.topic]}
    return item
