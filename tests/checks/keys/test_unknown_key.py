"""Keys the stack does not know, and those somebody knows."""

from __future__ import annotations

import pytest

from checks.keys.key_files import RUN_BY_DEEPSPEED, ds, zero
from checks.linting import accelerate, facts, fsdp, keys, only


class TestUnknownKey:
    rule = "unknown-key"

    def test_many_keys_that_are_ignored_are_one_finding(self) -> None:
        found = only(ds(**{f"my_key_{at}": at for at in range(500)}, gradient_clipping=1.0), self.rule)
        assert found.message.endswith(
            "my_key_7 and 492 more are no keys that DeepSpeed knows; it ignores them"
        )
        assert (found.severity.word, found.place.key) == ("info", "my_key_0")

    def test_many_keys_that_are_refused_name_only_the_first(self) -> None:
        found = only(zero(**{f"my_key_{at}": at for at in range(500)}), self.rule)
        assert "my_key_7 and 492 more are no keys of zero_optimization" in found.message
        assert len(found.related) == 30

    @pytest.mark.parametrize(
        "wrong", [{"cpu_offload_params": True}, {"offload_parm": True}, {"overlap_com": {}}]
    )
    def test_a_rename_to_a_key_that_does_not_take_the_value_is_not_offered(
        self, wrong: dict[str, object]
    ) -> None:
        found = only(zero(**wrong), self.rule)
        assert "did you mean" in found.message
        assert found.fixes == ()

    @pytest.mark.parametrize(
        ("files", "place", "severity", "words"),
        [
            (ds(gradient_clip=1), "gradient_clip", "warning", "did you mean gradient_clipping?"),
            (ds(gradient_cliping=1), "gradient_cliping", "warning", "did you mean gradient_clipping"),
            (ds(my_setting=1), "my_setting", "info", "ignores"),
            (zero(overlap_com=True), "zero_optimization.overlap_com", "error", "did you mean overlap_comm"),
            (
                zero(overlap_com="auto"),
                "zero_optimization.overlap_com",
                "warning",
                'drops it for the value "auto"',
            ),
            (ds(aio={"blocksize": 1}), "aio.blocksize", "warning", "did you mean block_size"),
            (ds(fp16={"enabled": True, "opt_level": 2}), "fp16.opt_level", "warning", "0.17.1 and later"),
            (ds(bf16={"enabled": True, "loss_scale": 0}), "bf16.loss_scale", "warning", "no key of bf16"),
            (
                ds(optimizer={"type": "Muon", "params": {"lr": 1e-4, "weight_deca": 0.1}}),
                "optimizer.params.weight_deca",
                "warning",
                "did you mean weight_decay",
            ),
            (
                ds(
                    optimizer={"type": "AdamW", "params": {"lr": 1e-4}},
                    scheduler={"type": "WarmupLR", "params": {"total_num_steps": 5}},
                ),
                "scheduler.params.total_num_steps",
                "warning",
                "only WarmupDecayLR and WarmupCosineLR take it",
            ),
        ],
    )
    def test_what_is_unknown(self, files: dict[str, str], place: str, severity: str, words: str) -> None:
        found = only(files, self.rule)
        assert (found.place.key, found.severity.word) == (place, severity)
        assert words in found.message

    @pytest.mark.parametrize(
        "files",
        [
            ds(_comment="x", **{"x-anchor": 1, "//": "y"}),
            ds(comment="what this file is for"),
            ds(activation_checkpointing={"comment": "x", "profile": False}),
            zero(prefetch_bucket_size=1, strict=True),
            ds(bfloat16={"enabled": True}),
            ds(optimizer={"type": "SGD", "params": {"lr": 0.1, "nesterov": True, "dampening": 0}}),
            ds(scheduler={"type": "CosineAnnealingLR", "params": {"T_max": 10}}),
            ds(pipeline={"stages": "auto", "anything": 1}),
            ds(amp={"enabled": True, "opt_level": "O1"}),
            ds(weight_quantization={"post_init_quant": {"fc": {"num_bits": 4}}}),
            fsdp(2, reshard_after_forward=True),
            accelerate("FSDP", "fsdp_config:\n  sharding_strategy: FULL_SHARD\n"),
            accelerate("MULTI_GPU", "fsdp_config:\n  nonsense: 1\n"),
        ],
    )
    def test_what_somebody_knows(self, files: dict[str, str]) -> None:
        assert keys(files, self.rule) == []

    def test_a_refused_key_is_an_error_where_reader_and_release_are_known(self) -> None:
        files = {**zero(overlap_com=True), **RUN_BY_DEEPSPEED}
        found = only(files, self.rule)
        assert (found.severity.word, found.fails_at) == ("error", "config")
        assert [fix.safe for fix in found.fixes] == [True]

    def test_a_release_before_the_check_only_ignores_the_key(self) -> None:
        files = {
            **ds(fp16={"enabled": True, "zzz": 1}),
            **facts(versions__deepspeed="0.16.9", consumer="deepspeed"),
        }
        found = only(files, self.rule)
        assert found.severity.word == "warning" and "ignores" in found.message

    def test_accelerate_refuses_unknown_keys_at_the_top(self) -> None:
        found = only(accelerate("MULTI_GPU", "num_procesess: 8\n"), self.rule)
        assert (found.severity.word, found.fails_at) == ("error", "load")
        assert "num_processes" in found.message

    def test_accelerate_ignores_unknown_keys_of_a_section(self) -> None:
        section = "fsdp_config:\n  fsdp_auto_wrap_polcy: NO_WRAP\n"
        found = only(accelerate("FSDP", section), self.rule)
        assert found.severity.word == "warning" and "fsdp_auto_wrap_policy" in found.message

    @pytest.mark.parametrize(
        ("key", "fires"),
        [("per_device_train_batch_sizes", True), ("my_script_argument", False), ("logging_step", True)],
    )
    def test_arguments_of_scripts_are_only_checked_for_slips(self, key: str, fires: bool) -> None:
        text = f"model_name_or_path: a/b\nlearning_rate: 1.0e-5\noutput_dir: out\nbf16: true\n{key}: 4\n"
        assert keys({"train.yaml": text}, self.rule) == ([f"train.yaml: {key}"] if fires else [])

    def test_many_strangers_of_a_section_are_told_at_once(self) -> None:
        bf16 = {"enabled": True, "loss_scale": 0, "initial_scale_power": 16, "hysteresis": 2}
        found = only(ds(bf16=bf16), self.rule)
        assert found.place.key == "bf16.loss_scale"
        assert "loss_scale, initial_scale_power and hysteresis are no keys of bf16" in found.message
        assert [other.place.key for other in found.related] == ["bf16.initial_scale_power", "bf16.hysteresis"]
        assert found.help == "loss_scale is a key of fp16."

    def test_a_rename_is_not_offered_where_the_name_is_taken(self) -> None:
        found = only(zero(overlap_com=True, overlap_comm=True), self.rule)
        assert found.fixes == ()

    def test_an_inline_deepspeed_mapping_is_checked_like_a_file(self) -> None:
        text = (
            "model_name_or_path: a/b\nlearning_rate: 1.0e-5\noutput_dir: out\nbf16: true\n"
            "deepspeed:\n  zero_optimization:\n    stage: 2\n    overlap_com: true\n"
        )
        assert keys({"train.yaml": text}, self.rule) == [
            "train.yaml: deepspeed.zero_optimization.overlap_com"
        ]


def test_a_key_that_resembles_nothing_may_be_of_a_newer_release_until_the_release_is_stated() -> None:
    files = zero(quantum_allgather=True)
    assert only(files, "unknown-key").severity.word == "warning"
    assert only({**files, **RUN_BY_DEEPSPEED}, "unknown-key").severity.word == "error"
