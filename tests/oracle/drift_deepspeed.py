"""The keys and defaults DeepSpeed's own config code has: from its pydantic models, and from what it asks of a
dict while it builds a config.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any, get_args

import pytest

UNSTATED = object()
"""A key without a default of its own."""

Known = dict[str, Any]

MODELS = {
    "zero_optimization": "runtime.zero.config:DeepSpeedZeroConfig",
    "fp16": "runtime.precision_config:DeepSpeedFP16Config",
    "bf16": "runtime.precision_config:DeepSpeedBF16Config",
    "hybrid_engine": "runtime.config:HybridEngineConfig",
    "compile": "compile.config:CompileConfig",
    "comms_logger": "comm.config:CommsLoggerConfig",
    "tensor_parallel": "runtime.tensor_parallel.config:TPTrainingConfig",
    "timers.throughput": "utils.config:DeepSpeedThroughputTimerConfig",
    "tensorboard": "monitor.config:TensorBoardConfig",
    "wandb": "monitor.config:WandbConfig",
    "csv_monitor": "monitor.config:CSVConfig",
    "comet": "monitor.config:CometConfig",
}
"""The section each model reads; the models of their fields follow from them."""

TRAINING = ("runtime", "compile", "comm", "utils", "monitor", "zero", "tensor_parallel")
"""The packages whose models are of training; those of inference are none of ours."""
NO_SECTION = {"DeepSpeedMonitorConfig"}
"""Models no key leads to."""


def load(name: str) -> Any:
    module, _, found = name.partition(":")
    return getattr(importlib.import_module(f"deepspeed.{module}"), found)


def model_keys() -> Known:
    """Every field of the models, by path."""
    found: Known = {}
    for path, name in MODELS.items():
        found.update(_fields(path, load(name)))
    return found


def unreached_models() -> set[str]:
    """Models of training that no section we know leads to."""
    reached = {model.__name__ for name in MODELS.values() for model in _models(load(name))}
    base = load("runtime.config_utils:DeepSpeedConfigModel")
    every = {model.__name__ for model in base.__subclasses__() if _of_training(model.__module__)}
    return every - reached - NO_SECTION


def _of_training(module: str) -> bool:
    return module.split(".")[1] in TRAINING


def _fields(path: str, model: Any) -> Iterator[tuple[str, Any]]:
    for name, field in model.model_fields.items():
        default = UNSTATED if field.default_factory or field.is_required() else plain(field.default)
        inner = _model_of(field.annotation)
        yield f"{path}.{name}", UNSTATED if inner else default
        if field.alias:
            yield f"{path}.{field.alias}", UNSTATED if inner else default
        if inner is not None:
            yield from _fields(f"{path}.{name}", inner)


def _models(model: Any) -> Iterator[Any]:
    yield model
    for field in model.model_fields.values():
        inner = _model_of(field.annotation)
        if inner is not None:
            yield from _models(inner)


def _model_of(annotation: Any) -> Any:
    base = load("runtime.config_utils:DeepSpeedConfigModel")
    options = [annotation, *get_args(annotation)]
    return next((each for each in options if isinstance(each, type) and issubclass(each, base)), None)


def plain(value: Any) -> Any:
    """A default as JSON has it; one JSON does not have is UNSTATED."""
    if isinstance(value, Enum):
        return plain(value.value)
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, int) and type(value) not in (int, bool):
        return int(value)
    try:
        return json.loads(json.dumps(value))
    except (TypeError, ValueError):
        return UNSTATED


class Asked(dict[str, Any]):
    """An empty config that notes what it is asked for. Keys in `sections` are there, and empty."""

    def __init__(self, path: str, sections: frozenset[str], found: Known) -> None:
        super().__init__()
        self.path, self.sections, self.found = path, sections, found

    def _at(self, key: object) -> str:
        return f"{self.path}.{key}" if self.path else str(key)

    def note(self, key: object, default: Any = UNSTATED) -> None:
        at = self._at(key)
        if at not in self.found or self.found[at] is UNSTATED:
            self.found[at] = plain(default)

    def __contains__(self, key: object) -> bool:
        self.note(key)
        return self._at(key) in self.sections

    def __getitem__(self, key: str) -> Any:
        if super().__contains__(key):
            return super().__getitem__(key)
        if key not in self:
            raise KeyError(key)
        return Asked(self._at(key), self.sections, self.found)

    def get(self, key: str, default: Any = None) -> Any:
        if key in self:
            return self[key]
        self.note(key, default)
        return default

    def keys(self) -> Any:
        return self

    def __copy__(self) -> Asked:
        return self


class World:
    """The two questions DeepSpeedConfig asks of `deepspeed.comm`."""

    def get_rank(self) -> int:
        return 0

    def get_world_size(self, group: object = None) -> int:
        return 1


def asked_keys(sections: frozenset[str]) -> Known:
    """Every key DeepSpeedConfig looks up, by path, when all these sections are there and empty; those it
    looks up only to refuse them have no default."""
    found: Known = {}
    module = importlib.import_module("deepspeed.runtime.config")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DS_ACCELERATOR", "cpu")
        patch.setattr(module, "dist", World())
        for name in ("get_scalar_param", "get_list_param", "get_dict_param"):
            for other in [each for key, each in sys.modules.items() if key.startswith("deepspeed")]:
                if hasattr(other, name):
                    patch.setattr(other, name, _noted)
        patch.setattr(module.DeepSpeedConfig, "_configure_train_batch_size", lambda self: None)
        patch.setattr(module.DeepSpeedConfig, "_do_sanity_check", lambda self: None)
        module.DeepSpeedConfig(Asked("", sections, found))
    return found


def _noted(config: dict[str, Any], name: str, default: Any) -> Any:
    if isinstance(config, Asked):
        config.note(name, default)
    return config.get(name, default)
