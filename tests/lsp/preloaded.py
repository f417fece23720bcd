"""Imported once by the process that servers are forked from: a start then costs next to nothing."""

from shardlint_lsp import main
from shardlint_lsp.warming import warm

main.server()
warm()
