"""From a name to the file and back, and what a file consists of."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types
from pygls.capabilities import get_capability

from lsp.e2e.buffer import Buffer
from lsp.e2e.editor import Editor
from lsp.e2e.texts import BATCH, LAUNCHER, TOML, WIDE, lay

NAMING = LAUNCHER.replace("{deep", f"{{ # {WIDE}\n '{WIDE}': 1, deep")
"""Wide characters on the line of the name."""


def _two(editor: Editor, folder: Path) -> tuple[Buffer, Buffer]:
    named = lay(folder, {"ds.json": BATCH})
    return editor.open(folder / "accelerate.yaml", NAMING), editor.open(named, BATCH)


async def test_links(editor: Editor, folder: Path) -> None:
    launcher, named = _two(editor, folder)
    asked = types.DocumentLinkParams(launcher.identifier)
    (link,) = await editor.within(editor.text_document_document_link_async(asked)) or ()
    assert link.range == launcher.range_of("ds.json")
    assert link.target == named.uri


async def test_definition(editor: Editor, folder: Path) -> None:
    launcher, named = _two(editor, folder)
    asked = types.DefinitionParams(launcher.identifier, launcher.at("ds|.json"))
    found = await editor.within(editor.text_document_definition_async(asked))
    (target,) = found if isinstance(found, list | tuple) else [found]
    if isinstance(target, types.LocationLink):
        assert target.target_uri == named.uri
        assert target.origin_selection_range == launcher.range_of("ds.json")
    else:
        assert isinstance(target, types.Location) and target.uri == named.uri


async def test_references(editor: Editor, folder: Path) -> None:
    launcher, named = _two(editor, folder)
    context = types.ReferenceContext(include_declaration=False)
    asked = types.ReferenceParams(context, named.identifier, named.position(0))
    found = await editor.within(editor.text_document_references_async(asked))
    assert [(one.uri, one.range) for one in found or ()] == [(launcher.uri, launcher.range_of("ds.json"))]


async def test_symbols(editor: Editor, folder: Path) -> None:
    buffer = editor.open(folder / "ds.yaml", BATCH)
    asked = types.DocumentSymbolParams(buffer.identifier)
    found = await editor.within(editor.text_document_document_symbol_async(asked)) or ()
    nested = get_capability(
        editor.capabilities,
        "text_document.document_symbol.hierarchical_document_symbol_support",
        False,
    )
    names = [symbol.name for symbol in found]
    assert {WIDE, "train_batch_size", "zero_optimization"} <= set(names)
    if nested:
        section = next(one for one in found if one.name == "zero_optimization")
        assert isinstance(section, types.DocumentSymbol)
        assert buffer.shown(section.selection_range) == '"zero_optimization"'
        stage = next(one for one in section.children or () if one.name == "stage")
        assert buffer.shown(stage.range) == '"stage": 3'


async def test_symbols_of_toml(editor: Editor, folder: Path) -> None:
    buffer = editor.open(folder / "shardlint.toml", TOML)
    asked = types.DocumentSymbolParams(buffer.identifier)
    found = await editor.within(editor.text_document_document_symbol_async(asked)) or ()
    assert found and found[0].name == "facts"


async def test_folding(editor: Editor, folder: Path) -> None:
    text = BATCH.replace('"stage": 3}', '"stage": 3,\n "offload_param": {\n  "device": "cpu"\n }\n }')
    buffer = editor.open(folder / "ds.json", text)
    asked = types.FoldingRangeParams(buffer.identifier)
    found = await editor.within(editor.text_document_folding_range_async(asked)) or ()
    starts = {fold.start_line for fold in found}
    assert {0, 4, 5} <= starts


async def test_selection(editor: Editor, folder: Path) -> None:
    buffer = editor.open(folder / "ds.json", BATCH)
    places = [buffer.at('"stage": |3'), buffer.at("25|6")]
    asked = types.SelectionRangeParams(buffer.identifier, places)
    found = await editor.within(editor.text_document_selection_range_async(asked)) or ()
    stage, batch = ([*_outwards(buffer, one)] for one in found)
    assert stage[:2] == ["3", '"stage": 3'] and stage[-1].strip() == BATCH.strip()
    assert batch[:2] == ["256", '"train_batch_size": 256']


def _outwards(buffer: Buffer, selection: types.SelectionRange | None) -> list[str]:
    found: list[str] = []
    while selection is not None:
        found.append(buffer.shown(selection.range))
        selection = selection.parent
    return found
