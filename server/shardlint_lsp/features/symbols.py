"""The outline of a config: its keys, each with its value in short."""

from __future__ import annotations

from itertools import islice
from typing import NamedTuple

from lsprotocol import types

from shardlint.syntax.tree import Alias, Mapping, Node, Pair, Scalar, Sequence, Span
from shardlint.syntax.view import Dialect, Template, View, follow
from shardlint_lsp.look import Look
from shardlint_lsp.positions import Positions
from shardlint_lsp.recognised import recognised_view
from shardlint_lsp.server import ShardlintServer
from shardlint_lsp.tree import children

MOST = 2_000
"""Symbols of one text; a real config has some hundred."""
DEEPEST = 40
"""Levels of keys that are shown: clients and the encoder go down recursively."""
LONGEST = 60
"""Characters of a value that are shown."""


class Symbol(NamedTuple):
    """A key, or an item of a list, with those below it. `selection` is the key."""

    name: str
    kind: types.SymbolKind
    detail: str
    span: Span
    selection: Span
    children: list[Symbol]


class _Visit(NamedTuple):
    """A node whose symbol belongs into `into`."""

    name: str
    pair: Pair | None
    node: Node
    into: list[Symbol]
    depth: int


def symbols(look: Look) -> list[Symbol]:
    """The keys of a recognised file, unless the editor shows them by itself. Items of lists stand in it where
    they have keys of their own; of several YAML documents each is one symbol."""
    view = None if look.client.reads(look.document) else recognised_view(look)
    if view is None:
        return []
    found: list[Symbol] = []
    roots, several = view.document.roots, len(view.document.roots) > 1
    pending = [_Visit(f"#{n}" if several else "", None, root, found, 0) for n, root in enumerate(roots, 1)]
    pending.reverse()
    left = MOST
    while pending and left:
        visit = pending.pop()
        below = visit.into
        if visit.name:
            symbol = _symbol(visit, view)
            visit.into.append(symbol)
            below, left = symbol.children, left - 1
        if visit.depth < DEEPEST:
            pending.extend(reversed(_below(visit, below, left)))
    return found


def _below(visit: _Visit, into: list[Symbol], most: int) -> list[_Visit]:
    return [
        _Visit(pair.key.text or '""' if pair else f"[{at}]", pair, node, into, visit.depth + 1)
        for at, (pair, node) in enumerate(islice(children(visit.node), most))
        if pair is not None or isinstance(node, Mapping | Sequence)
    ]


def _symbol(visit: _Visit, view: View) -> Symbol:
    name, pair, node = visit.name, visit.pair, visit.node
    span = pair.span if pair is not None else node.span
    selection = pair.key.span if pair is not None else Span(span.start, min(span.start + 1, span.end))
    whole = Span(min(span.start, selection.start), max(span.end, selection.end))
    return Symbol(name, _kind(node, view.dialect), _detail(node), whole, selection, [])


def _kind(node: Node, dialect: Dialect) -> types.SymbolKind:
    behind = follow(node)
    if isinstance(behind, Mapping):
        return types.SymbolKind.Object
    if isinstance(behind, Sequence):
        return types.SymbolKind.Array
    value = dialect.read(behind) if behind is not None else None
    for type_, kind in (
        (bool, types.SymbolKind.Boolean),
        (int | float, types.SymbolKind.Number),
        (str, types.SymbolKind.String),
        (Template, types.SymbolKind.Variable),
    ):
        if isinstance(value, type_):
            return kind
    return types.SymbolKind.Null


def _detail(node: Node) -> str:
    if isinstance(node, Alias):
        return f"*{node.name}"
    if isinstance(node, Scalar):
        return _short(node.raw)
    if isinstance(node, Sequence) and all(isinstance(item, Scalar) for item in node.items[:LONGEST]):
        raws = [item.raw for item in node.items[:LONGEST] if isinstance(item, Scalar)]
        return _short(f"[{', '.join(raws)}]")
    return ""


def _short(raw: str) -> str:
    line = " ".join(raw[: 4 * LONGEST].split())
    return line if len(line) <= LONGEST and len(raw) <= 4 * LONGEST else f"{line[: LONGEST - 3]}..."


def _nested(found: list[Symbol], positions: Positions) -> list[types.DocumentSymbol]:
    return [
        types.DocumentSymbol(
            symbol.name,
            symbol.kind,
            positions.range(symbol.span),
            positions.range(symbol.selection),
            symbol.detail or None,
            children=_nested(symbol.children, positions) or None,
        )
        for symbol in found
    ]


def _flat(
    found: list[Symbol], positions: Positions, uri: str, container: str | None = None
) -> list[types.SymbolInformation]:
    flat: list[types.SymbolInformation] = []
    for symbol in found:
        location = types.Location(uri, positions.range(symbol.span))
        flat.append(types.SymbolInformation(location, symbol.name, symbol.kind, container_name=container))
        flat += _flat(symbol.children, positions, uri, symbol.name)
    return flat


def register(server: ShardlintServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def outline(  # pyright: ignore[reportUnusedFunction]
        params: types.DocumentSymbolParams,
    ) -> list[types.DocumentSymbol] | list[types.SymbolInformation] | None:
        uri = params.text_document.uri

        def answer(look: Look) -> list[types.DocumentSymbol] | list[types.SymbolInformation]:
            found = symbols(look)
            if look.client.nested_symbols:
                return _nested(found, look.positions)
            return _flat(found, look.positions, uri)

        return await server.ask(uri, answer)
