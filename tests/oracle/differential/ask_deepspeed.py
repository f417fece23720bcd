"""A worker that asks the installed DeepSpeed what it makes of a config file.

It runs `deepspeed.initialize` on a model of two layers in a process that passes for rank 0 of the job:
torch's fake process group for the engine, and for a question about the config only an engine that is not
built. The machine is taken for one that has what configs ask for: half precision is supported and the
compiled operators load, which here are stand-ins.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import tempfile
from math import prod
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from oracle.differential.question import Question
from oracle.differential.serve import Refused, in_child, learn, own_output, serve

os.environ.setdefault("DS_ACCELERATOR", "cpu")
os.environ.update(LOCAL_RANK="0", RANK="0", MASTER_ADDR="127.0.0.1", MASTER_PORT="29533")
os.environ.update(CROSS_RANK="0", CROSS_SIZE="1", LOCAL_SIZE="1")  # the deepspeed launcher sets these
os.environ["TORCH_EXTENSIONS_DIR"] = f"{tempfile.gettempdir()}/no_extensions_{os.getpid()}"

CHANNEL = own_output()

import torch  # noqa: E402

torch.set_num_threads(1)
import deepspeed  # noqa: E402
from deepspeed.accelerator import get_accelerator  # noqa: E402
from deepspeed.utils import logger  # noqa: E402

WIDTH = 8


class Reached(Exception):
    """The engine would be built now."""


class Operator:
    """A compiled operator that does nothing."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Operator()

    def __call__(self, *_: Any, **__: Any) -> Any:
        return Operator()

    def create_adam(self, number: int, *values: Any) -> None:
        """What pybind demands of the arguments of DeepSpeed's CPU optimizers: numbers."""
        for value in values:
            if not isinstance(value, int | float):
                raise TypeError("incompatible function arguments")

    create_adagrad = create_lion = create_adam

    def aio_handle(self, **values: Any) -> Any:
        """What pybind demands of the arguments of asynchronous I/O."""
        numbers = ("block_size", "queue_depth", "intra_op_parallelism")
        for name, value in values.items():
            if not isinstance(value, int | Operator if name in numbers else int | float | None | Operator):
                raise TypeError("incompatible function arguments")
        return Operator()

    def __mul__(self, other: Any) -> int:
        return 1


class World:
    """What `deepspeed.initialize` asks of `deepspeed.comm` before it builds an engine."""

    def __init__(self, size: int) -> None:
        self.size = size

    def init_distributed(self, **_: Any) -> None:
        pass

    def is_initialized(self) -> bool:
        return True

    def get_rank(self, group: Any = None) -> int:
        return 0

    def get_world_size(self, group: Any = None) -> int:
        return self.size if group is None else group

    def initialize_mesh_device(self, shape: tuple[int, int], names: tuple[str, str]) -> Any:
        if prod(shape) > self.size:
            raise RuntimeError("Mesh should not be bigger than default world size")
        return SimpleNamespace(get_group=lambda mesh_dim: shape[names.index(mesh_dim)])


def have_everything() -> None:
    """Half precision, and every compiled operator."""
    kind = type(get_accelerator())
    kind.is_fp16_supported = lambda self: True
    builders = importlib.import_module("deepspeed.ops.op_builder.builder")
    missing = importlib.import_module("deepspeed.ops.op_builder.cpu.no_impl")
    for builder in (builders.OpBuilder, missing.NotImplementedBuilder):
        builder.load = lambda self, verbose=True: Operator()


def model() -> torch.nn.Module:
    return torch.nn.Sequential(torch.nn.Linear(WIDTH, WIDTH), torch.nn.Linear(WIDTH, WIDTH))


def load(path: Path) -> Any:
    """The file as `deepspeed.initialize` loads it: a mapping, or the path in releases that pass it on."""
    hjson = importlib.import_module("hjson")
    utils = importlib.import_module("deepspeed.runtime.config_utils")
    with path.open() as file:
        try:
            read = hjson.load(file, object_pairs_hook=utils.dict_raise_error_on_duplicate_keys)
        except Exception as error:
            raise Refused("load", error) from error
    return read if hasattr(deepspeed, "load_ds_config") else str(path)


def ask_config(question: Question, path: Path) -> None:
    config = load(path)
    if question.layer == "load":
        return
    comm, dist = deepspeed.comm, deepspeed.runtime.config.dist
    kept = {name: getattr(deepspeed, name) for name in ("DeepSpeedEngine", "DeepSpeedHybridEngine")}
    world = World(question.world)
    try:
        for name in kept:
            setattr(deepspeed, name, _not_built)
        deepspeed.comm = deepspeed.runtime.config.dist = world
        deepspeed.initialize(model=TINY, model_parameters=TINY.parameters(), config=config)
    except Reached:
        return
    except BaseException as error:
        raise Refused("config", error) from error
    finally:
        deepspeed.comm, deepspeed.runtime.config.dist = comm, dist
        for name, value in kept.items():
            setattr(deepspeed, name, value)


def _not_built(*_: Any, **__: Any) -> None:
    raise Reached


def ask_engine(question: Question, path: Path) -> None:
    """Meant for a process of its own: groups and the state of the engine are left behind."""
    config = load(path)
    join(question.world)
    reached: list[bool] = []
    for kind in (deepspeed.DeepSpeedEngine, deepspeed.DeepSpeedHybridEngine):
        _noted(kind, reached)
    try:
        tiny = model()
        deepspeed.initialize(
            model=tiny, model_parameters=tiny.parameters(), config=config, dist_init_required=False
        )
    except BaseException as error:
        raise Refused("engine" if reached else "config", error) from error


def _noted(kind: Any, reached: list[bool]) -> None:
    build = kind.__init__

    def noted(self: Any, *arguments: Any, **named: Any) -> None:
        reached.append(True)
        build(self, *arguments, **named)

    kind.__init__ = noted


def join(world: int) -> None:
    """Pass for rank 0 of the job. Collectives do nothing."""
    fake = importlib.import_module("torch.testing._internal.distributed.fake_pg")
    os.environ["WORLD_SIZE"] = str(world)
    comm = importlib.import_module("deepspeed.comm.torch")
    if hasattr(comm, "build_shm_op"):
        comm.build_shm_op = lambda: None
    torch.distributed.init_process_group("fake", store=fake.FakeStore(), rank=0, world_size=world)


def ask_everything(question: Question, path: Path) -> None:
    if question.layer == "engine":
        ENGINE(question, path)
    else:
        ask_config(question, path)


def warm() -> None:
    """Have ready what engines import when they are built."""
    config = {
        "train_micro_batch_size_per_gpu": 1,
        "bf16": {"enabled": True},
        "optimizer": {"type": "AdamW", "params": {"lr": 1e-3}},
        "scheduler": {"type": "WarmupLR", "params": {}},
    }
    for stage in (1, 3):
        text = json.dumps({**config, "zero_optimization": {"stage": stage}})
        learn(ask_engine, Question({"ds.json": text}, "ds.json", 2, "engine"))


have_everything()
logger.setLevel("CRITICAL")
TINY = model()
ENGINE = in_child(ask_engine)

if __name__ == "__main__":
    if "--engine" in sys.argv:
        warm()
    serve(ask_everything, CHANNEL)
