"""lint(paths, options) -> Report: read, compose, look, judge."""

from shardlint.engine.export import job_data
from shardlint.engine.lint import Analysis, analyse, jobs_of, lint, plans_of
from shardlint.engine.options import Options

__all__ = ["Analysis", "Options", "analyse", "job_data", "jobs_of", "lint", "plans_of"]
