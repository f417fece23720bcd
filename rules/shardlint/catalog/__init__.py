"""Models, GPUs and optimizers: tables with sources, and the look-ups by the names people use."""

from shardlint.catalog.gpus import Gpu, all_gpus, find_gpu, suggest_gpus
from shardlint.catalog.models import Model, all_models, find_model, suggest_models
from shardlint.catalog.optimizers import Optimizer, all_optimizers, find_optimizer, suggest_optimizers

__all__ = [
    "Gpu",
    "Model",
    "Optimizer",
    "all_gpus",
    "all_models",
    "all_optimizers",
    "find_gpu",
    "find_model",
    "find_optimizer",
    "suggest_gpus",
    "suggest_models",
    "suggest_optimizers",
]
