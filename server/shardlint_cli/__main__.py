"""`python -m shardlint_cli`: the same as the `shardlint` command."""

from shardlint_cli.main import run

run()
