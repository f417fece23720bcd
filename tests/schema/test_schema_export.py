"""The exported JSON Schemas: valid, as strict as the frameworks and no stricter."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from corpus import corpus_root, manifest, requires_corpus
from shardlint.compose.shelf import Shelf
from shardlint.engine import Options, lint
from shardlint.formats.reading import Reading
from shardlint.plan import Fact
from shardlint.schema import STACKS, Key, Problem, check_value, table
from shardlint.schema.export import export
from shardlint.schema.json_reads import DEFINITIONS
from shardlint.schema.json_values import value_schema
from shardlint.settings.versions import VersionSet
from shardlint.workspace import Workspace

jsonschema = pytest.importorskip(
    "jsonschema", reason="jsonschema is not installed; it comes with the extra test"
)

NEWEST = {"deepspeed": "0.19.8", "accelerate": "1.15.0"}
each_stack = pytest.mark.parametrize("stack", STACKS)


def releases(package: str, version: str) -> VersionSet:
    return VersionSet(package, Fact(version))


@cache
def validator(stack: str, version: str = "") -> Any:
    known = releases(stack, version) if version else None
    return jsonschema.Draft202012Validator(export(stack, known))


def refused(stack: str, config: object, version: str = "") -> list[str]:
    """The paths at which a config is refused."""
    errors = validator(stack, version).iter_errors(config)
    return sorted(".".join(map(str, error.absolute_path)) for error in errors)


@each_stack
def test_a_schema_is_one_of_2020_12(stack: str) -> None:
    schema = export(stack)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    jsonschema.Draft202012Validator.check_schema(schema)
    assert json.loads(json.dumps(schema, allow_nan=False)) == schema


@each_stack
def test_every_key_is_described(stack: str) -> None:
    schema: Any = export(stack)
    for key in table(stack).children():
        found = schema["properties"][key.name]
        assert key.meaning in found["description"], key
    assert not [name for name in schema["properties"] if not schema["properties"][name].get("description")]


SAMPLES: list[Any] = [
    *(True, False, 0, 1, 2, 3, 5, -1, 0.5, 2.0, -0.5, 1e9, 1e18, None),
    *("", "auto", "true", "False", "yes", "maybe", "2", " 3 ", "2.0", "1_000", "0.5", "1e3", "-4", "nan"),
    *("cpu", "CPU", "nvme", "none", "fp16", "BF16", "Adam", "adamw", "WarmupLR", "mean", "FULL_SHARD"),
    *([], ["a"], [1], [0.5, 0.9], ["auto"], [None], {}, {"a": 1}),
]


def leaves(stack: str) -> list[Key]:
    here = table(stack)
    rows = [key for path in here.paths() for key in here.variants(path)]
    return [key for key in rows if not key.is_section and not key.removed]


@each_stack
def test_a_value_is_refused_where_the_rules_say_that_the_framework_does(stack: str) -> None:
    known = releases("deepspeed", "0.19.8") if stack == "deepspeed" else None
    for key in leaves(stack):
        schema = {**value_schema(key, known), "$defs": DEFINITIONS}
        accepts = jsonschema.Draft202012Validator(schema)
        for value in SAMPLES:
            if value == "auto":
                continue
            problem = check_value(key, value)
            ours = problem is not None and problem.refused and not problem.until
            if _beyond_json_schema(key, value, problem):
                continue
            assert ours == (not accepts.is_valid(value)), (key.path, key.when, value, problem)


def _beyond_json_schema(key: Key, value: object, problem: Problem | None) -> bool:
    """What a schema cannot tell apart: 2.0 and 2, a spelt number out of range, a word that older releases
    take."""
    if problem is None:
        return False
    spelt = problem.kind == "range" and isinstance(value, str)
    return (
        (isinstance(value, float) and value.is_integer())
        or spelt
        or (problem.kind == "word" and bool(problem.since))
    )


@each_stack
def test_auto_is_taken_where_somebody_fills_it_or_nobody_minds(stack: str) -> None:
    for key in leaves(stack):
        schema = {**value_schema(key, None), "$defs": DEFINITIONS}
        taken = jsonschema.Draft202012Validator(schema).is_valid("auto")
        if key.auto or key.reads.startswith("pydantic") or not key.fails_text:
            assert taken, key
        elif key.reads in ("number", "whole", "bitwise", "member"):
            assert not taken, key


@pytest.mark.parametrize(
    ("config", "paths"),
    [
        ({}, []),
        ({"train_batch_size": "auto", "anything": 1, "gradient_clipping": 1.0}, []),
        ({"zero_optimization": {"stage": 3, "overlap_comm": "yes", "reduce_bucket_size": 5e8}}, []),
        ({"zero_optimization": {"stage": 4}}, ["zero_optimization.stage"]),
        ({"zero_optimization": {"stage": "3"}}, []),
        ({"zero_optimization": {"overlap_com": True}}, ["zero_optimization"]),
        (
            {"zero_optimization": {"stage3_max_live_parameters": -1}},
            ["zero_optimization.stage3_max_live_parameters"],
        ),
        ({"zero_optimization": {"prefetch_bucket_size": 10}}, []),
        ({"train_batch_size": 0}, ["train_batch_size"]),
        ({"train_batch_size": "8"}, ["train_batch_size"]),
        ({"fp16": {"enabled": True, "los_scale": 0}}, ["fp16"]),
        ({"optimizer": {"type": "AdamW", "params": {"lr": 1e-4, "own": 1}}}, []),
        ({"optimizer": {"type": "AdamV"}}, ["optimizer.type"]),
        ({"optimizer": {"type": "ADAMW"}}, []),
        ({"scheduler": {"type": "WarmupLR", "params": {"warmup_num_steps": 10}}}, []),
        ({"scheduler": {"type": "WarmupLR", "params": {"total_num_steps": 10}}}, ["scheduler.params"]),
        ({"scheduler": {"type": "WarmupDecayLR", "params": {}}}, ["scheduler.params"]),
        ({"scheduler": {"type": "WarmupDecayLR"}}, ["scheduler"]),
        ({"scheduler": {"type": "StepLR", "params": {"step_size": 10}}}, []),
        ({"elasticity": {"enabled": False}}, []),
    ],
)
def test_deepspeed_files(config: object, paths: list[str]) -> None:
    assert refused("deepspeed", config) == paths


@pytest.mark.parametrize(
    ("config", "paths"),
    [
        ({"distributed_type": "NO"}, []),
        ({}, [""]),
        ({"distributed_type": "NO", "num_procesess": 2}, [""]),
        ({"distributed_type": "MULTI_GPUS"}, ["distributed_type"]),
        ({"distributed_type": "FSDP", "fsdp_config": {"fsdp_sharding_strategy": "full_shard"}}, []),
        (
            {"distributed_type": "FSDP", "fsdp_config": {"fsdp_sharding_strategy": "FULL"}},
            ["fsdp_config.fsdp_sharding_strategy"],
        ),
        ({"distributed_type": "DEEPSPEED", "fsdp_config": {"fsdp_sharding_strategy": "FULL"}}, []),
        (
            {
                "distributed_type": "FSDP",
                "fsdp_config": {"fsdp_version": 2, "fsdp_reshard_after_forward": "maybe"},
            },
            ["fsdp_config.fsdp_reshard_after_forward"],
        ),
        (
            {"distributed_type": "DEEPSPEED", "deepspeed_config": {"zero_stage": 5}},
            ["deepspeed_config.zero_stage"],
        ),
        ({"distributed_type": "DEEPSPEED", "deepspeed_config": {"zero_stage": "2", "own": 1}}, []),
        ({"distributed_type": "NO", "ec2_instance_type": "ml.p3"}, [""]),
        ({"compute_environment": "AMAZON_SAGEMAKER", "distributed_type": "NO"}, ["", ""]),
        (
            {
                "compute_environment": "AMAZON_SAGEMAKER",
                "distributed_type": "NO",
                "ec2_instance_type": "ml.p3",
                "iam_role_name": "r",
            },
            [],
        ),
    ],
)
def test_accelerate_files(config: object, paths: list[str]) -> None:
    assert refused("accelerate", config) == paths


def test_trainer_files_may_hold_arguments_of_the_script() -> None:
    config = {
        "own_argument": 1,
        "fsdp": "full_shard auto_wrap",
        "fsdp_config": {"version": 2},
        "optim": "adamw_torch",
    }
    assert refused("hf-trainer", config) == []
    assert refused("hf-trainer", {"optim": "adamw_torsch"}) == ["optim"]


def test_a_release_narrows_what_is_taken() -> None:
    assert refused("deepspeed", {"elasticity": {}}, "0.19.8") == ["elasticity"]
    assert refused("deepspeed", {"elasticity": {}}, "0.18.9") == []
    assert refused("deepspeed", {"fp16": {"los_scale": 0}}, "0.16.9") == []
    newer = {"zero_optimization": {"parameter_alignment": True}}
    assert refused("deepspeed", newer, "0.18.9") == ["zero_optimization"]


def test_what_is_old_is_marked() -> None:
    properties: Any = export("deepspeed")["properties"]
    assert properties["elasticity"]["deprecated"] and "deprecated" not in properties["zero_optimization"]
    assert (
        "0.19.7" in properties["elasticity"]["description"]
        or "0.19.8" in properties["elasticity"]["description"]
    )
    assert properties["gradient_clipping"]["default"] == 1.0
    bucket = properties["zero_optimization"]["properties"]["reduce_bucket_size"]
    assert bucket["default"] == 500_000_000 and "elements" in bucket["description"]


def settled(reading: Reading) -> bool:
    """Whether a real file can be compared: nothing in it is a placeholder or had to be repaired."""
    root = reading.view.get()
    return not reading.document.faults and root is not None and "Template" not in repr(root.value)


@requires_corpus
def test_real_files_pass_where_the_rules_have_no_error_and_fail_where_they_have_one() -> None:
    root = corpus_root()
    assert root is not None
    shelf = Shelf(Workspace(root))
    agreed, differing = 0, list[str]()
    for row in manifest():
        reading = shelf.reading(root / row.path) if row.label in (*NEWEST, "fsdp") else None
        if not isinstance(reading, Reading) or reading.format.name not in NEWEST or not settled(reading):
            continue
        entry, stack = reading.view.get(), reading.format.name
        config = json.loads(json.dumps(entry.value if entry else None, default=str))
        if errors_of(root / row.path, reading) == bool(refused(stack, config, NEWEST[stack])):
            agreed += 1
        else:
            differing.append(row.path)
    whole = agreed + len(differing)
    print(f"schema and KEY errors agree on {agreed} of {whole} real files; not on {differing}")
    assert agreed > 300 and len(differing) <= 3


def errors_of(path: Path, reading: Reading) -> bool:
    """Whether a KEY rule has an error in a file of the newest release, read by who would read it."""
    stack = reading.format.name
    reader = {"deepspeed": "hf-trainer" if reading.auto else "deepspeed"}.get(stack, stack)
    sets = (f"versions.{stack}={NEWEST[stack]}", f"consumer={reader}")
    report = lint([path], Options(root=path.parent, sets=sets, select=("KEY",)))
    return any(found.severity.word == "error" and found.place.path == path.name for found in report.findings)
