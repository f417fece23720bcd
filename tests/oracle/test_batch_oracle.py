"""DeepSpeed's own config class against the batch and precision rules, at world sizes of our choice."""

from __future__ import annotations

import importlib
import importlib.util
import json
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from shardlint.engine import Options, lint

pytestmark = [
    pytest.mark.oracle,
    pytest.mark.skipif(importlib.util.find_spec("deepspeed") is None, reason="deepspeed is not installed"),
]

TRAIN, MICRO, STEPS = "train_batch_size", "train_micro_batch_size_per_gpu", "gradient_accumulation_steps"
FAMILIES = ("BAT", "PRC")


class World:
    """The two questions DeepSpeedConfig asks of `deepspeed.comm`."""

    def __init__(self, size: int) -> None:
        self.size = size

    def get_rank(self) -> int:
        return 0

    def get_world_size(self, group: object = None) -> int:
        return self.size


@pytest.fixture(scope="module")
def config_module() -> Iterator[Any]:
    patch = pytest.MonkeyPatch()
    patch.setenv("DS_ACCELERATOR", "cpu")
    yield importlib.import_module("deepspeed.runtime.config")
    patch.undo()


def refused(module: Any, config: dict[str, Any], world: int) -> bool:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "dist", World(world))
        try:
            module.DeepSpeedConfig(json.loads(json.dumps(config)))
        except (AssertionError, TypeError, ValueError, ZeroDivisionError):
            return True
    return False


def errors(config: dict[str, Any], world: int) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ds.json"
        path.write_text(json.dumps(config), encoding="utf-8")
        sets = (f"world_size={world}", "consumer=deepspeed", "versions.deepspeed=0.19.8")
        found = lint([path], Options(root=Path(folder), sets=sets)).findings
    return [f.message for f in found if f.code[:3] in FAMILIES and f.severity.word == "error"]


def drawn(seed: int) -> tuple[dict[str, Any], int]:
    """A config whose batch keys are near a triangle, so that both verdicts are common."""
    pick = random.Random(seed)
    world, micro, steps = pick.choice((1, 2, 4, 6, 7, 8, 16)), pick.randint(1, 6), pick.randint(1, 6)
    batch = micro * steps * world + pick.choice((0, 0, 0, 1, world, -micro))
    keys = {TRAIN: batch, MICRO: pick.choice((micro, micro, 0)), STEPS: steps}
    kept = {name: value for name, value in keys.items() if pick.random() < 0.75}
    config: dict[str, Any] = {"zero_optimization": {"stage": pick.choice((0, 1, 2, 3))}, **kept}
    if pick.random() < 0.2 and world % 2 == 0:
        config["tensor_parallel"] = {"autotp_size": 2}
    elif pick.random() < 0.2 and world % 2 == 0:
        config["sequence_parallel_size"] = 2
    for half in ("bf16", "fp16"):
        if pick.random() < 0.3:
            config[half] = {"enabled": pick.random() < 0.6}
    return config, world


@pytest.mark.parametrize("block", range(10))
def test_an_error_is_a_refusal_and_a_refusal_an_error(config_module: Any, block: int) -> None:
    verdicts = set[bool]()
    for seed in range(block * 40, block * 40 + 40):
        config, world = drawn(seed)
        said = errors(config, world)
        verdicts.add(bool(said))
        assert bool(said) == refused(config_module, config, world), (config, world, said)
    assert verdicts == {True, False}
