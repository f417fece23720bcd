"""Models, GPUs and optimizers: tables with sources, and the look-ups by the names people use."""

from shardlint.catalog.optimizers import Optimizer, all_optimizers, find_optimizer, suggest_optimizers

__all__ = ["Optimizer", "all_optimizers", "find_optimizer", "suggest_optimizers"]
