"""The keys and defaults of accelerate's config files and of TrainingArguments, from their own classes."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import re
from typing import Any

from oracle.drift_deepspeed import UNSTATED, Known, plain

BLOCKS = ("fsdp_", "megatron_lm_", "fp8_", "parallelism_config_", "dynamo_", "mpirun_")
"""Starts of the launcher's arguments that stand in a block of the file."""


def dataclass_keys(module: str, name: str) -> Known:
    """The fields of a dataclass with their defaults."""
    found: Known = {}
    for field in dataclasses.fields(getattr(importlib.import_module(module), name)):
        stated = field.init and field.default is not dataclasses.MISSING
        if field.init:
            found[field.name] = plain(field.default) if stated else UNSTATED
    return found


def launcher_keys() -> Known:
    """The arguments of `accelerate launch` that a file may hold in one of its blocks, without defaults:
    the launcher's own are not those of the file."""
    launch: Any = importlib.import_module("accelerate.commands.launch")
    parser = launch.launch_command_parser()
    groups = {group.title: group for group in parser._action_groups}
    deepspeed = [action.dest for action in groups["DeepSpeed Arguments"]._group_actions]
    others = [action.dest for action in parser._actions if action.dest.startswith(BLOCKS)]
    return dict.fromkeys([*deepspeed, *others], UNSTATED)


def fsdp_keys() -> set[str]:
    """The keys of `fsdp_config` the code of TrainingArguments reads by name."""
    source = inspect.getsource(importlib.import_module("transformers.training_args"))
    return set(re.findall(r"(?<!xla_)fsdp_config(?:\.get\(|\.pop\(|\[)\s*[\"'](\w+)[\"']", source))


def recipe_keys() -> set[str]:
    """The fields of accelerate's fp8 recipes, as the file names them."""
    module = "accelerate.utils.dataclasses"
    recipes = ("TERecipeKwargs", "MSAMPRecipeKwargs")
    names = (name for recipe in recipes for name in dataclass_keys(module, recipe))
    return {name if name.startswith("fp8_") else f"fp8_{name}" for name in names}
