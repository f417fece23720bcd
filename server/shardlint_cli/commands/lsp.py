"""`shardlint lsp`: the language server."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from shardlint_cli.arguments import Parser

EXAMPLES = """\
  shardlint lsp             what an editor starts: standard input and output
  shardlint lsp --tcp 2087  wait for one editor on a port of this machine
"""


def parser() -> Parser:
    made = Parser("lsp", "Serve an editor in the Language Server Protocol.", EXAMPLES)
    made.add_argument("--stdio", action="store_true", help="standard input and output, the default")
    made.add_argument("--tcp", type=int, metavar="PORT", help="a port of this machine (127.0.0.1) instead")
    return made


def run(argv: Sequence[str]) -> int:
    arguments = parser().read(argv)
    serve = import_module("shardlint_lsp.main").serve
    return int(serve(arguments.tcp))
