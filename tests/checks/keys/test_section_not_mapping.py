"""Sections that are no mapping."""

from __future__ import annotations

import pytest

from checks.keys.key_files import RUN_BY_DEEPSPEED, ds
from checks.linting import accelerate, facts, findings, keys, only, told


class TestSectionNotMapping:
    rule = "section-not-mapping"

    @pytest.mark.parametrize(
        ("top", "place"),
        [
            ({"fp16": True}, "fp16"),
            ({"fp16": None}, "fp16"),
            ({"optimizer": "Adam"}, "optimizer"),
            ({"zero_optimization": None}, "zero_optimization"),
            ({"zero_optimization": 2}, "zero_optimization"),
            ({"bf16": "auto"}, "bf16"),
            ({"data_efficiency": []}, "data_efficiency"),
        ],
    )
    def test_what_deepspeed_refuses(self, top: dict[str, object], place: str) -> None:
        files = {**ds(**top), **RUN_BY_DEEPSPEED}
        assert told(files, self.rule) == [(f"ds.json: {place}", "error")]

    @pytest.mark.parametrize(
        "top",
        [
            {"aio": None},
            {"zero_optimization": False},
            {"fp16": {}},
            {"tensorboard": "auto"},
            {"datastates_ckpt": True},
        ],
    )
    def test_what_deepspeed_takes(self, top: dict[str, object]) -> None:
        assert keys(ds(**top), self.rule) == []

    @pytest.mark.parametrize(
        ("release", "found"),
        [("0.16.9", ["error"]), ("0.19.8", []), (">=0.14", ["warning"])],
    )
    def test_null_for_bf16_is_taken_since_it_is_checked(self, release: str, found: list[str]) -> None:
        files = {**ds(bf16=None), **facts(versions__deepspeed=release, consumer="deepspeed")}
        assert told(files, self.rule) == [("ds.json: bf16", level) for level in found]

    def test_a_release_without_the_section_ignores_it(self) -> None:
        files = {**ds(torch_autocast=True), **facts(versions__deepspeed="0.16.9", consumer="deepspeed")}
        assert told(files, self.rule) == [("ds.json: torch_autocast", "warning")]

    def test_a_bare_true_is_stage_1(self) -> None:
        found = only(ds(zero_optimization=True), self.rule)
        assert found.severity.word == "warning" and "stage 1" in found.message

    @pytest.mark.parametrize(
        ("section", "severity"),
        [
            ("fsdp_config: FULL_SHARD\n", "warning"),
            ("fsdp_config:\n", None),
            ("fsdp_config: {}\n", None),
        ],
    )
    def test_accelerate_ignores_a_single_value(self, section: str, severity: str | None) -> None:
        found = told(accelerate("FSDP", section), self.rule)
        assert found == ([] if severity is None else [("acc.yaml: fsdp_config", severity)])


def test_a_repaired_text_carries_no_error() -> None:
    text = '{"train_micro_batch_size_per_gpu": 1, "zero_optimization": {"stage": 7, "overlap_com": tru'
    loud = [f for f in findings({"ds.json": text, **RUN_BY_DEEPSPEED}) if f.code.startswith("KEY")]
    assert all(finding.severity.word != "error" or not finding.place.guessed for finding in loud)
