"""The data files: every row says something a rule, a hover text and a JSON Schema can use."""

from __future__ import annotations

import json
import re

import pytest

from shardlint.checks.registry import STAGES
from shardlint.schema import STACKS, Key, fills, table
from shardlint.schema.takes import READS
from shardlint.settings.versions import parse_version

each_stack = pytest.mark.parametrize("stack", STACKS)


def rows(stack: str) -> list[Key]:
    here = table(stack)
    return [key for path in ("", *here.paths()) for key in here.variants(path)]


TYPES = {
    *("int", "float", "bool", "str", "path", "mapping", "list", "null", "auto", "any", "none"),
    *("list[str]", "list[int]", "list[float]", "list[bool]"),
}
UNKNOWN = {"refused", "ignored", "stored", "free", "open", ""}


@pytest.mark.parametrize(("stack", "keys"), [("deepspeed", 526), ("accelerate", 139), ("hf-trainer", 147)])
def test_a_table_holds_every_key_of_its_stack(stack: str, keys: int) -> None:
    assert sum(1 for key in rows(stack) if key.path) >= keys


@each_stack
def test_rows_are_made_of_known_words(stack: str) -> None:
    for key in rows(stack):
        assert set(key.types) <= TYPES, key
        assert key.reads in READS, key
        assert {key.fails_at, key.value_fails_at} <= {*STAGES, ""}, key
        assert key.unknown in UNKNOWN and (not key.unknown or key.is_section), key
        assert key.unit in ("", "elements", "bytes"), key
        assert set(key.auto) <= {"hf-trainer", "accelerate", "own"}, key


@each_stack
def test_no_row_stands_twice(stack: str) -> None:
    found = [(key.path, key.when) for key in rows(stack)]
    assert len(found) == len(set(found))


@each_stack
def test_releases_are_releases_in_order(stack: str) -> None:
    for key in rows(stack):
        limits = [key.since, key.removed, key.refuses_since, *(bound.since for bound in key.bounds)]
        limits += [version for word in key.words for version in (word.since, word.removed)]
        assert all(parse_version(version) for version in limits if version), key
        since, removed = parse_version(key.since or "0"), parse_version(key.removed or "999")
        assert since is not None and removed is not None and since < removed, key


@each_stack
def test_every_row_explains_itself_in_one_line(stack: str) -> None:
    for key in rows(stack):
        assert re.fullmatch(r"\S.*[.]", key.meaning), key
        assert table(stack).link(key).startswith("https://"), key


@each_stack
def test_rows_point_at_rows_that_exist(stack: str) -> None:
    here = table(stack)
    for key in rows(stack):
        condition = key.condition()
        assert not key.replaced or here.find(key.replaced) is not None, key
        assert condition is None or (here.find(condition[0]) is not None and condition[1]), key
        section = here.section(key.path) if key.path else key
        assert key.path.endswith("[]") or (section is not None and section.is_section), key


@each_stack
def test_words_and_bounds_are_read_whole(stack: str) -> None:
    for key in rows(stack):
        tokens = [token for token in key.words_text.split() if token not in ("~", "=", "?")]
        assert [word.text for word in key.words] == [re.split(r">=|<", token)[0] for token in tokens], key
        assert len(key.bounds) == len(key.range_text.split()), key


@pytest.mark.parametrize(
    ("stack", "path", "default"),
    [
        ("deepspeed", "gradient_clipping", 1.0),
        ("deepspeed", "zero_optimization.offload_optimizer.pin_memory", True),
        ("deepspeed", "bf16.check_grad_overflow", True),
        ("deepspeed", "zero_optimization.reduce_bucket_size", 500_000_000),
        ("accelerate", "fsdp_config.fsdp_version", 1),
        ("hf-trainer", "fsdp_config.version", 2),
        ("hf-trainer", "max_grad_norm", 1.0),
    ],
)
def test_defaults_that_moved_between_releases(stack: str, path: str, default: object) -> None:
    key = table(stack).find(path)
    assert key is not None and json.loads(key.default) == default


@pytest.mark.parametrize(
    ("path", "unit"),
    [
        ("zero_optimization.reduce_bucket_size", "elements"),
        ("zero_optimization.stage3_prefetch_bucket_size", "elements"),
        ("zero_optimization.offload_param.buffer_size", "elements"),
        ("aio.block_size", "bytes"),
        ("checkpoint.writer.io_buffer_size", "bytes"),
        ("compile.free_activation_threshold", "elements"),
    ],
)
def test_units_say_elements_or_bytes(path: str, unit: str) -> None:
    key = table("deepspeed").find(path)
    assert key is not None and key.unit == unit


@pytest.mark.parametrize(
    ("path", "unknown"),
    [
        ("", "ignored"),
        ("zero_optimization", "refused"),
        ("zero_optimization.offload_param", "refused"),
        ("fp16", "refused"),
        ("activation_checkpointing", "ignored"),
        ("optimizer.params", "free"),
        ("scheduler.params", "refused"),
        ("pipeline", "stored"),
        ("data_efficiency", "ignored"),
        ("wandb", "refused"),
    ],
)
def test_sections_of_deepspeed_are_strict_or_lax(path: str, unknown: str) -> None:
    key = table("deepspeed").find(path)
    assert key is not None and key.unknown == unknown


def test_precision_sections_are_strict_since_0_17_1() -> None:
    found = [table("deepspeed").find(name) for name in ("fp16", "bf16")]
    assert [key.refuses_since for key in found if key] == ["0.17.1", "0.17.1"]


@pytest.mark.parametrize("consumer", ["hf-trainer", "accelerate"])
def test_every_fill_is_of_a_key_that_accepts_auto_from_it(consumer: str) -> None:
    here = table("deepspeed")
    for path, fill in fills(consumer).items():
        key = here.find(path)
        assert key is not None and fill.source
        overridden = path == "checkpoint.use_node_local_storage"
        assert key.removed or overridden or consumer in key.auto, path


def test_nobody_else_fills_anything() -> None:
    assert fills("deepspeed") == {}
