from __future__ import annotations

import json

import pytest

from shardlint.plan import Fact
from shardlint.schema import STACKS, table
from shardlint.schema.complete import Completion, Site, complete
from shardlint.settings.versions import VersionSet
from shardlint.syntax.dialects.strict_json import STRICT_JSON
from shardlint.syntax.keypath import KeyPath
from shardlint.syntax.parse import parse
from shardlint.syntax.view import View


def proposed(
    text: str, *path: str | int, stack: str = "deepspeed", language: str = "json", version: str = ""
) -> dict[str, Completion]:
    view = View(parse(text, f"file.{language}", language), STRICT_JSON)
    known = VersionSet(stack, Fact(version)) if version else None
    return {item.label: item for item in complete(stack, Site(view, versions=known), path)}


def test_keys_that_a_file_lacks() -> None:
    found = proposed('{"fp16": {}, }')
    assert "fp16" not in found
    assert found["bf16"].kind == "key"
    assert found["bf16"].path == ("bf16",)


def test_keys_that_a_section_lacks_under_either_spelling() -> None:
    found = proposed('{"zero_optimization": {"stage": 3, "prefetch_bucket_size": 1}}', "zero_optimization")
    assert "stage" not in found and "stage3_prefetch_bucket_size" not in found
    assert "overlap_comm" in found


def test_a_section_that_is_not_there_yet_has_all_its_keys() -> None:
    assert "device" in proposed("{}", "zero_optimization", "offload_optimizer")


def test_removed_keys_are_not_proposed_and_old_ones_are_marked() -> None:
    found = proposed("{}")
    assert "elasticity" not in found
    assert found["allgather_size"].deprecated and not found["bf16"].deprecated


def test_keys_newer_than_the_release_are_not_proposed() -> None:
    assert "torch_autocast" in proposed("{}")
    assert "torch_autocast" not in proposed("{}", version="0.10.0")


def test_parameters_of_the_schedule_that_is_chosen() -> None:
    text = '{"scheduler": {"type": "WarmupLR", "params": {}}}'
    found = proposed(text, "scheduler", "params")
    assert "warmup_num_steps" in found and "total_num_steps" not in found
    undecided = proposed('{"scheduler": {"params": {}}}', "scheduler", "params")
    assert {"total_num_steps", "cycle_min_lr"} <= set(undecided)


@pytest.mark.parametrize(
    ("path", "values"),
    [
        (("zero_optimization", "stage"), ["0", "1", "2", "3", "auto"]),
        (("zero_optimization", "overlap_comm"), ["true", "false"]),
        (("zero_optimization", "offload_param", "device"), ["none", "cpu", "nvme", "auto"]),
        (("zero_optimization", "reduce_bucket_size"), ["500000000", "auto"]),
        (("train_batch_size",), ["auto"]),
        (("csv_monitor", "output_path"), []),
        (("nobody", "knows"), []),
    ],
)
def test_values_of_a_key(path: KeyPath, values: list[str]) -> None:
    assert list(proposed("{}", *path)) == values


def test_the_default_is_named() -> None:
    found = proposed("{}", "zero_optimization", "stage")
    assert [value.label for value in found.values() if value.detail == "default"] == ["0"]


def test_words_no_release_takes_are_not_proposed() -> None:
    assert "IPEX" not in proposed("{}", "dynamo_config", "dynamo_backend", stack="accelerate")
    words = proposed("{}", "distributed_type", stack="accelerate", version="0.20.0")
    assert "MULTI_GPU" in words and "MULTI_NPU" not in words


@pytest.mark.parametrize(
    ("language", "path", "label", "insert"),
    [
        ("json", ("zero_optimization",), "stage", '"stage": ${1|0,1,2,3,"auto"|}'),
        ("json", (), "zero_optimization", '"zero_optimization": {\n  $0\n}'),
        ("json", ("csv_monitor",), "output_path", '"output_path": "$1"'),
        ("json", (), "steps_per_print", '"steps_per_print": ${1:1}'),
        ("yaml", (), "sequence_parallel_size", "sequence_parallel_size: ${1:1}"),
        ("yaml", ("zero_optimization",), "stage", "stage: ${1|0,1,2,3,auto|}"),
        ("yaml", (), "zero_optimization", "zero_optimization:\n  $0"),
        ("yaml", ("csv_monitor",), "output_path", "output_path: $1"),
        (
            "json",
            ("zero_optimization", "offload_param"),
            "device",
            '"device": ${1|"none","cpu","nvme","auto"|}',
        ),
        ("yaml", ("zero_optimization", "offload_param"), "device", 'device: ${1|"none",cpu,nvme,auto|}'),
    ],
)
def test_snippets(language: str, path: KeyPath, label: str, insert: str) -> None:
    text = "{}" if language == "json" else "fp16: {}\n"
    found = proposed(text, *path, language=language)
    assert found[label].insert == insert


@pytest.mark.parametrize("stack", STACKS)
def test_every_value_is_one_the_document_can_hold(stack: str) -> None:
    for path in table(stack).paths():
        key = table(stack).find(path)
        if key is None or key.is_section or "[" in path or "<" in path:
            continue
        for label, item in proposed("{}", *path.split("."), stack=stack).items():
            value = json.loads(item.insert)
            assert value == label or str(value).lower() == label.lower() or json.dumps(value) == label
            assert item.kind == "value"


def site(
    text: str, language: str, base: KeyPath = (), style: str = "", fillers: tuple[str, ...] = ()
) -> Site:
    return Site(View(parse(text, f"file.{language}", language), STRICT_JSON), base, style, None, fillers)


def test_a_table_that_lies_inside_a_document() -> None:
    text = '{"deepspeed": {"zero_optimization": {"stage": 3}}, "bf16": true}'
    inside = site(text, "json", ("deepspeed",))
    assert "bf16" in {item.label for item in complete("deepspeed", inside, ())}
    assert "stage" not in {item.label for item in complete("deepspeed", inside, ("zero_optimization",))}


def test_auto_where_nobody_fills_it_in() -> None:
    alone = site("{}", "json")
    assert "auto" not in {item.label for item in complete("deepspeed", alone, ("train_batch_size",))}
    own = complete("deepspeed", alone, ("zero_optimization", "offload_optimizer", "device"))
    assert {item.label for item in own} >= {"cpu", "nvme"}


@pytest.mark.parametrize(
    ("style", "section", "key"),
    [
        ("flow", "zero_optimization: {$0}", "wall_clock_breakdown: ${1|true,false|}"),
        ("toml", "zero_optimization = { $0 }", "wall_clock_breakdown = ${1|true,false|}"),
    ],
)
def test_snippets_inside_braces_and_tables(style: str, section: str, key: str) -> None:
    found = {item.label: item for item in complete("deepspeed", site("{}", "yaml", style=style), ())}
    assert (found["zero_optimization"].insert, found["wall_clock_breakdown"].insert) == (section, key)
