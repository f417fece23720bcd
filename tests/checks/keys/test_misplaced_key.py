"""Known keys at the wrong level."""

from __future__ import annotations

import pytest

from checks.keys.key_files import ds, zero
from checks.linting import accelerate, findings, keys, only


class TestMisplacedKey:
    rule = "misplaced-key"

    @pytest.mark.parametrize(
        ("files", "place", "words"),
        [
            (ds(offload_optimizer={"device": "cpu"}), "offload_optimizer", "zero_optimization"),
            (ds(stage=3), "stage", "zero_optimization"),
            (ds(stage3_prefetch_bucket_size=1), "stage3_prefetch_bucket_size", "zero_optimization"),
            (ds(autotp_size=2), "autotp_size", "tensor_parallel"),
            (zero(gradient_clipping=1.0), "zero_optimization.gradient_clipping", "at the top level"),
            (zero(nvme_path="/x"), "zero_optimization.nvme_path", "offload_param"),
        ],
    )
    def test_a_known_key_at_the_wrong_level(self, files: dict[str, str], place: str, words: str) -> None:
        found = only(files, self.rule)
        severity = "error" if place.startswith("zero_optimization.") else "warning"
        assert found.place.key == place and found.severity.word == severity
        assert words in found.message
        assert keys(files, "unknown-key") == []

    @pytest.mark.parametrize(
        "files",
        [
            zero(offload_optimizer={"device": "cpu"}),
            ds(enabled=True),
            ds(device="cpu"),
            ds(bf16={"enabled": True, "loss_scale": 0}),
            ds(offload_optimizer="${WHERE}"),
            accelerate("DEEPSPEED", "deepspeed_config:\n  zero_stage: 2\n"),
            accelerate("DEEPSPEED", "deepspeed_config:\n  zero_stage: 2\n  mixed_precision: bf16\n"),
        ],
    )
    def test_what_belongs_nowhere_else_or_where_it_is(self, files: dict[str, str]) -> None:
        assert [f for f in findings(files, self.rule) if f.place.key != "offload_optimizer"] == []

    def test_a_deepspeed_key_in_accelerates_block(self) -> None:
        section = "deepspeed_config:\n  zero_stage: 3\n  zero_force_ds_cpu_optimizer: false\n"
        found = only(accelerate("DEEPSPEED", section), self.rule)
        assert found.place.key == "deepspeed_config.zero_force_ds_cpu_optimizer"
        assert found.severity.word == "warning" and "ignored" in found.message
        assert found.help is not None and "deepspeed_config_file" in found.help

    def test_an_fsdp_key_at_the_top_is_refused(self) -> None:
        found = only(accelerate("FSDP", "fsdp_offload_params: true\n"), self.rule)
        assert (found.severity.word, found.fails_at) == ("error", "load")
        assert "fsdp_config" in found.message
