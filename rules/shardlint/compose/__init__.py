"""Readings -> Jobs -> TrainingPlans: the only place where two files meet."""

from shardlint.compose.job import Job, Link

__all__ = ["Job", "Link"]
