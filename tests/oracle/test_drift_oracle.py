"""The key tables against the installed frameworks: no key we lack, no default that moved.

What a framework looks up only while an engine is built or a script runs is not seen here.
"""

from __future__ import annotations

from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

import pytest

from oracle import drift_deepspeed, drift_huggingface
from oracle.drift_deepspeed import UNSTATED, Known
from shardlint.schema import Key, Table, table
from shardlint.schema.json_values import default_of
from shardlint.schema.releases import NEWEST

pytestmark = pytest.mark.oracle

SAGEMAKER = "compute_environment=AMAZON_SAGEMAKER"
CONFIG_ARGS = "accelerate.commands.config.config_args"
OTHERWISE = {
    "num_processes": "-1 stands for a number the launcher works out",
    "base_job_name": "accelerate-sagemaker-1 holds the number of machines of the class, not of the file",
}
"""Defaults the tables give in words, and why."""


def requires(package: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(find_spec(package) is None, reason=f"{package} is not installed")


def drifted(here: Table, theirs: Known, when: str = "") -> list[str]:
    """What the framework has and the table lacks or says otherwise, one line each."""
    return [line for path, default in theirs.items() for line in _compared(here, path, default, when)]


def _compared(here: Table, path: str, default: Any, when: str) -> list[str]:
    rows = [row for row in here.variants(path) if row.when in ("", when)]
    if not rows:
        return [f"{path} is no key of the table"]
    if all(row.removed for row in rows):
        return [] if default is UNSTATED else [f"{path} is read, though the table calls it removed"]
    row = next((row for row in rows if row.when == when), rows[0])
    if default is UNSTATED or row.is_section or row.name in OTHERWISE or _same(row, default):
        return []
    return [f"{path} has the default {default!r}, not {row.default!r}"]


def _same(row: Key, default: Any) -> bool:
    known, ours = default_of(row)
    if not known:
        return str(default) == row.default or (default is None and not row.default)
    return ours == default and isinstance(ours, bool) == isinstance(default, bool)


def sections() -> frozenset[str]:
    """The sections of the DeepSpeed table a file may hold today."""
    here = table("deepspeed")
    found = ((path, here.find(path)) for path in here.paths() if "[" not in path and "<" not in path)
    return frozenset(path for path, key in found if key is not None and key.is_section and not key.removed)


@requires("deepspeed")
def test_deepspeed_models() -> None:
    found = drift_deepspeed.model_keys()
    assert drifted(table("deepspeed"), found) == []
    assert len(found) > 150


@requires("deepspeed")
def test_no_model_of_deepspeed_is_left_out() -> None:
    assert drift_deepspeed.unreached_models() == set()


@requires("deepspeed")
def test_what_deepspeed_looks_up() -> None:
    found = drift_deepspeed.asked_keys(sections())
    assert drifted(table("deepspeed"), found) == []
    assert len(found) > 100 and {"train_batch_size", "aio.block_size", "checkpoint.tag_validation"} <= set(
        found
    )


@requires("deepspeed")
def test_expert_parallelism_of_deepspeed() -> None:
    found = drift_huggingface.dataclass_keys("deepspeed.module_inject.auto_ep_config", "AutoEPConfig")
    assert (
        drifted(table("deepspeed"), {f"expert_parallel.{name}": value for name, value in found.items()}) == []
    )


@requires("accelerate")
@pytest.mark.parametrize(("name", "when"), [("ClusterConfig", ""), ("SageMakerConfig", SAGEMAKER)])
def test_accelerate_files(name: str, when: str) -> None:
    found = drift_huggingface.dataclass_keys(CONFIG_ARGS, name)
    assert drifted(table("accelerate"), found, when) == []
    assert len(found) > 20


@requires("accelerate")
def test_accelerate_refuses_what_the_table_calls_no_key() -> None:
    theirs = {
        *drift_huggingface.dataclass_keys(CONFIG_ARGS, "ClusterConfig"),
        *drift_huggingface.dataclass_keys(CONFIG_ARGS, "SageMakerConfig"),
    }
    ours = {key.name for key in table("accelerate").children() if not key.removed}
    assert ours - theirs == {"fp16", "dynamo_backend"}, "old forms that are converted before the check"


@requires("accelerate")
def test_arguments_of_accelerate_launch() -> None:
    here, found = table("accelerate"), drift_huggingface.launcher_keys()
    assert [name for name in found if not here.places_of(name)] == []
    assert len(found) > 70


@requires("accelerate")
def test_fp8_recipes_of_accelerate() -> None:
    here = table("accelerate")
    assert [name for name in drift_huggingface.recipe_keys() if here.find(f"fp8_config.{name}") is None] == []


@requires("transformers")
def test_training_arguments() -> None:
    found = drift_huggingface.dataclass_keys("transformers.training_args", "TrainingArguments")
    assert drifted(table("hf-trainer"), found) == []
    ours = {key.name for key in table("hf-trainer").children() if not key.removed}
    assert ours - set(found) == set()


@requires("transformers")
def test_keys_of_fsdp_config() -> None:
    found = drift_huggingface.fsdp_keys()
    assert len(found) > 3
    assert [name for name in sorted(found) if table("fsdp").find(name) is None] == []


@pytest.mark.parametrize("package", NEWEST)
def test_the_newest_release_known_is_the_one_asked(package: str) -> None:
    if find_spec(package) is None:
        pytest.skip(f"{package} is not installed")
    assert version(package) == NEWEST[package]
