from __future__ import annotations

import pytest

from shardlint.plan import Fact
from shardlint.schema import STACKS, table
from shardlint.schema.describe import describe
from shardlint.settings.versions import VersionSet


def deepspeed(version: str) -> VersionSet:
    return VersionSet("deepspeed", Fact(version))


def test_all_there_is_to_say_about_a_key() -> None:
    assert describe("deepspeed", "zero_optimization.reduce_bucket_size").splitlines() == [
        "# zero_optimization.reduce_bucket_size (DeepSpeed)",
        "",
        "Gradient elements reduced at once.",
        "",
        "- takes a whole number above 0",
        "- default: 500000000",
        "- unit: elements",
        "- auto is filled in by Hugging Face Trainer and accelerate from hidden size squared",
        "- has an effect: ZeRO stages 1 to 3",
        "- https://www.deepspeed.ai/docs/config-json/#zero-optimizations-for-fp16-training",
    ]


@pytest.mark.parametrize("stack", [*STACKS, "hf-args", "fsdp"])
def test_every_key_has_a_text(stack: str) -> None:
    here = table(stack)
    for key in here.children():
        found = describe(stack, (key.name,))
        assert key.meaning in found and "- https://" in found


def test_a_key_nobody_knows_has_none() -> None:
    assert describe("deepspeed", "zero_optimization.overlap_com") == ""
    with pytest.raises(KeyError):
        describe("megatron", "stage")


def test_every_variant_says_where_it_applies() -> None:
    found = describe("deepspeed", ("scheduler", "params", "warmup_num_steps"))
    assert "Where scheduler.type=WarmupLR or scheduler.type=WarmupDecayLR:" in found
    assert found.count("Where scheduler.type=") == 2


def test_what_variants_share_is_said_once() -> None:
    found = describe("accelerate", "num_processes")
    assert found.count("Processes over all machines") == 1
    assert found.index("Where distributed_type=NO") < found.index("Otherwise:")
    assert "at most 2147483647" in found


def test_a_section_of_another_table_names_its_keys() -> None:
    assert "- keys: version, " in describe("hf-trainer", "fsdp_config")
    assert describe("fsdp", "version").startswith("# fsdp_config.version (Hugging Face Trainer)")


@pytest.mark.parametrize(
    ("path", "version", "line"),
    [
        ("elasticity", "", "- removed in DeepSpeed 0.19.8"),
        ("elasticity", "0.18.9", "- removed in DeepSpeed 0.19.8"),
        ("elasticity", "0.19.8", "- removed in DeepSpeed 0.19.8, and DeepSpeed 0.19.8 does not have it"),
        ("fp16.auto_cast", "0.6.0", "- since DeepSpeed 0.7.0, and DeepSpeed 0.6.0 does not have it"),
        ("fp16.auto_cast", ">=0.6", "- since DeepSpeed 0.7.0"),
    ],
)
def test_releases_that_may_run_and_lack_the_key(path: str, version: str, line: str) -> None:
    assert line in describe("deepspeed", path, deepspeed(version)).splitlines()


def test_words_no_release_takes_are_left_out() -> None:
    words = describe("deepspeed", "optimizer.type", deepspeed("0.19.8"))
    assert "onebitadam" not in words
    assert "onebitadam (until 0.19.7)" in describe("deepspeed", "optimizer.type")
