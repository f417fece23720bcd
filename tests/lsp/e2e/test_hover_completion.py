"""What is shown of a key and what may stand at a place, behind characters of every width."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.capabilities import get_capability

from lsp.e2e.buffer import Buffer
from lsp.e2e.editor import Editor
from lsp.e2e.texts import FACTS, LAUNCHER, TOML, TYPO, UNKNOWN, WIDE, lay


async def _hover(editor: Editor, buffer: Buffer, marked: str) -> types.Hover | None:
    asked = types.HoverParams(buffer.identifier, buffer.at(marked))
    return await editor.within(editor.text_document_hover_async(asked))


async def _completion(editor: Editor, buffer: Buffer, marked: str) -> dict[str, types.CompletionItem]:
    asked = types.CompletionParams(buffer.identifier, buffer.at(marked))
    found = await editor.within(editor.text_document_completion_async(asked))
    items = found.items if isinstance(found, types.CompletionList) else found or ()
    return {item.label: item for item in items}


async def test_a_key_and_its_ledger(editor: Editor, folder: Path) -> None:
    lay(folder, {"shardlint.toml": FACTS})
    buffer = editor.open(folder / "ds.json", TYPO)
    found = await _hover(editor, buffer, '"sta|ge": 3')
    assert found is not None and found.range == buffer.range_of('"stage"')
    assert isinstance(found.contents, types.MarkupContent)
    assert "0 shards nothing" in found.contents.value
    assert "16.30 GiB/rank" in found.contents.value
    formats = get_capability(editor.capabilities, "text_document.hover.content_format", [])
    assert ("**" in found.contents.value) == (types.MarkupKind.Markdown in formats)


async def test_a_key_of_yaml(editor: Editor, folder: Path) -> None:
    buffer = editor.open(folder / "accelerate.yaml", LAUNCHER + f"# {WIDE}\nmixed_precision: bf16 # {WIDE}\n")
    found = await _hover(editor, buffer, "mixed_pre|cision")
    assert found is not None and found.range == buffer.range_of("mixed_precision")


async def test_nothing_is_said_of_nothing(editor: Editor, folder: Path) -> None:
    buffer = editor.open(folder / "ds.json", TYPO)
    assert await _hover(editor, buffer, "|{\n") is None
    far = types.HoverParams(buffer.identifier, types.Position(4000, 7000))
    assert await editor.within(editor.text_document_hover_async(far)) is None


async def test_keys_that_are_absent_so_far(editor: Editor, folder: Path) -> None:
    buffer = editor.open(folder / "ds.json", TYPO)
    items = await _completion(editor, buffer, '"stage": 3, |"overlap_com"')
    assert {"overlap_comm", "contiguous_gradients"} <= items.keys()
    assert not {"stage", "reduce_bucket_size"} & items.keys()


async def test_a_key_that_is_chosen(editor: Editor, folder: Path) -> None:
    """The edit replaces the key it stands in, and says what it means when asked."""
    buffer = editor.open(folder / "ds.json", TYPO)
    item = (await _completion(editor, buffer, '"over|lap_com"'))["overlap_comm"]
    edit = item.text_edit
    assert isinstance(edit, types.TextEdit | types.InsertReplaceEdit)
    where = edit.range if isinstance(edit, types.TextEdit) else edit.replace
    assert buffer.shown(where) == '"overlap_com"'
    editor.tell(buffer, *buffer.apply([types.TextEdit(where, edit.new_text)]))
    assert '"overlap_comm": true' in buffer.text
    messages = [found.message for found in await editor.problems(buffer) if found.code == UNKNOWN]
    assert not any("overlap" in message for message in messages)
    resolved = await editor.within(editor.completion_item_resolve_async(item))
    assert resolved.documentation is not None and "overlap" in str(resolved.documentation).lower()


async def test_a_key_with_its_value(editor: Editor, folder: Path) -> None:
    """Where nothing stands yet a value comes along, with the quotes and the colon of JSON."""
    buffer = editor.open(folder / "ds.json", TYPO.replace('"overlap_com": true, ', ""))
    items = await _completion(editor, buffer, '"stage": 3, |"reduce')
    item = items["overlap_comm"]
    edit = item.text_edit
    assert isinstance(edit, types.TextEdit)
    snippets = get_capability(
        editor.capabilities, "text_document.completion.completion_item.snippet_support", False
    )
    assert snippets or item.insert_text_format is not types.InsertTextFormat.Snippet
    assert edit.new_text.startswith('"overlap_comm": ') or edit.new_text == '"overlap_comm"'


@pytest.mark.parametrize(
    ("old", "new", "values"),
    [
        ('"stage": 3', '"stage": |', {"0", "1", "2", "3"}),
        ('"stage": 3', '"stage": 3, "offload_param": {"device": |}', {'"cpu"', '"nvme"'}),
        ('"stage": 3', '"stage": 3, "overlap_comm": |', {"true", "false"}),
    ],
)
async def test_values_in_broken_text(
    editor: Editor, folder: Path, old: str, new: str, values: set[str]
) -> None:
    buffer = editor.open(folder / "ds.json", TYPO)
    editor.tell(buffer, buffer.swap(old, new.replace("|", "")))
    items = await _completion(editor, buffer, new)
    assert {value.strip('"') for value in values} <= {label.strip('"') for label in items}


async def test_words_of_yaml_and_toml(editor: Editor, folder: Path) -> None:
    yaml = editor.open(folder / "accelerate.yaml", LAUNCHER + f"# {WIDE}\nmixed_precision: \n")
    assert {"bf16", "fp16", "no"} <= {
        label.strip("\"'") for label in await _completion(editor, yaml, "mixed_precision: |")
    }
    toml = editor.open(folder / "shardlint.toml", TOML)
    names = await _completion(editor, toml, 'gpu.name = "|"')
    assert any("A100" in name for name in names)


async def test_every_answer_fits_into_json(editor: Editor, folder: Path) -> None:
    """A key inserted anywhere in an object leaves JSON as good as it was."""
    text = TYPO.replace('"overlap_com": true, ', "")
    buffer = editor.open(folder / "ds.json", text)
    for label, item in (await _completion(editor, buffer, '"stage": 3, |"reduce')).items():
        copy = Buffer(buffer.uri, text, editor.encoding)
        edit = item.text_edit
        assert isinstance(edit, types.TextEdit), label
        if item.insert_text_format is not types.InsertTextFormat.Snippet and ":" in edit.new_text:
            copy.apply([edit, *(item.additional_text_edits or ())])
            json.loads(copy.text)
