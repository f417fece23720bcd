"""lint(paths, options) -> Report: read, compose, look, judge."""

from shardlint.engine.lint import lint, plans_of
from shardlint.engine.options import Options

__all__ = ["Options", "lint", "plans_of"]
