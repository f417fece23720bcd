"""Look-ups: paths of documents find rows, names find places."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import shardlint.schema
from shardlint.schema import Table, table


@pytest.fixture
def deepspeed() -> Table:
    return table("deepspeed")


@pytest.mark.parametrize(
    ("path", "row"),
    [
        (("zero_optimization", "stage"), "zero_optimization.stage"),
        ("zero_optimization.stage", "zero_optimization.stage"),
        (("zero_optimization", "prefetch_bucket_size"), "zero_optimization.stage3_prefetch_bucket_size"),
        (("bfloat16", "enabled"), "bf16.enabled"),
        (("bfloat16",), "bfloat16"),
        (
            ("tensor_parallel", "partition_config", "layer_specs", 3, "patterns"),
            "tensor_parallel.partition_config.layer_specs[].patterns",
        ),
        (
            (
                "data_efficiency",
                "data_sampling",
                "curriculum_learning",
                "curriculum_metrics",
                "seqlen",
                "min_difficulty",
            ),
            "data_efficiency.data_sampling.curriculum_learning.curriculum_metrics.<m>.min_difficulty",
        ),
        (("amp", "opt_level"), "amp.<any>"),
        (("zero_optimization", "stagee"), None),
        (("zero_optimization", "stage", "deeper"), None),
        (("zero_optimization.stage",), None),
        (("nowhere", "at", "all"), None),
    ],
)
def test_a_path_of_a_document_finds_its_row(
    deepspeed: Table, path: tuple[str, ...] | str, row: str | None
) -> None:
    found = deepspeed.find(path)
    assert (found.path if found else None) == row


def test_a_key_may_have_a_row_for_each_condition(deepspeed: Table) -> None:
    rows = deepspeed.variants("scheduler.params.warmup_num_steps")
    assert [row.when for row in rows] == [
        "scheduler.type=WarmupLR",
        "scheduler.type=WarmupDecayLR",
        "scheduler.type=WarmupCosineLR",
    ]


def test_names_of_a_section_include_second_spellings(deepspeed: Table) -> None:
    names = deepspeed.names("zero_optimization")
    assert {"stage", "stage3_prefetch_bucket_size", "prefetch_bucket_size"} <= set(names)
    assert "<m>" not in deepspeed.names(
        "data_efficiency.data_sampling.curriculum_learning.curriculum_metrics"
    )


def test_the_children_of_a_section_are_its_own_only(deepspeed: Table) -> None:
    children = [key.name for key in deepspeed.children("zero_optimization.offload_param")]
    assert children == ["device", "nvme_path", "buffer_count", "buffer_size", "max_in_cpu", "pin_memory"]
    assert deepspeed.children("nowhere") == ()


def test_places_of_a_name_are_all_it_has(deepspeed: Table) -> None:
    assert deepspeed.places_of("offload_optimizer") == ("zero_optimization.offload_optimizer",)
    assert deepspeed.places_of("nvme_path") == (
        "zero_optimization.offload_param.nvme_path",
        "zero_optimization.offload_optimizer.nvme_path",
    )
    assert deepspeed.places_of("nothing_of_the_kind") == ()


def test_the_section_of_a_top_level_key_is_the_file(deepspeed: Table) -> None:
    section = deepspeed.section("train_batch_size")
    assert section is not None and section.path == "" and section.unknown == "ignored"


def test_an_fsdp_config_is_one_section_of_the_trainers_table() -> None:
    here = table("fsdp")
    assert here.find(("fsdp_version",)) == here.find(("version",))
    assert "transformer_layer_cls_to_wrap" in here.names()
    assert here.places_of("min_num_params") == ("min_num_params",)
    assert here.find(("output_dir",)) is None


def test_short_names_of_the_launchers_sections_are_second_spellings() -> None:
    here = table("accelerate")
    assert here.find(("fsdp_config", "sharding_strategy")) == here.find("fsdp_config.fsdp_sharding_strategy")
    assert here.find(("parallelism_config", "dp_shard_size")) is None


def test_links_lead_to_the_section_of_the_documentation(deepspeed: Table) -> None:
    key = deepspeed.find("zero_optimization.offload_param.device")
    assert key is not None
    assert deepspeed.link(key) == "https://www.deepspeed.ai/docs/config-json/#parameter-offloading"


def test_a_name_that_is_no_stack_is_an_error() -> None:
    with pytest.raises(KeyError):
        table("deepsped")


def _asked(here: Table) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return here.names(), here.places_of("enabled")


def test_several_threads_ask_one_table() -> None:
    rows = (Path(shardlint.schema.__file__).parent / "deepspeed.tsv").read_text(encoding="utf-8")
    wanted = _asked(table("deepspeed"))
    switched = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            for _ in range(20):
                fresh = Table("deepspeed", rows)
                asked = [pool.submit(_asked, fresh) for _ in range(4)]
                assert all(one.result() == wanted for one in asked)
    finally:
        sys.setswitchinterval(switched)
