"""Deprecated, removed and too new keys, by release."""

from __future__ import annotations

import pytest

from checks.keys.key_files import RUN_BY_DEEPSPEED, ds, zero
from checks.linting import accelerate, facts, keys, only, told

TRAIN = "model_name_or_path: a/b\nlearning_rate: 1.0e-5\noutput_dir: out\n"


class TestDeprecatedKey:
    rule = "deprecated-key"

    @pytest.mark.parametrize(
        ("files", "place"),
        [
            (zero(cpu_offload=True), "zero_optimization.cpu_offload"),
            (zero(cpu_offload_param=False), "zero_optimization.cpu_offload_param"),
            (zero(cpu_offload_use_pin_memory=True), "zero_optimization.cpu_offload_use_pin_memory"),
            (
                zero(stage3_gather_fp16_weights_on_model_save=True),
                "zero_optimization.stage3_gather_fp16_weights_on_model_save",
            ),
            (ds(bfloat16={"enabled": True}), "bfloat16"),
        ],
    )
    def test_an_old_name(self, files: dict[str, str], place: str) -> None:
        assert told(files, self.rule) == [(f"ds.json: {place}", "warning")]

    @pytest.mark.parametrize(
        "files",
        [
            zero(offload_optimizer={"device": "cpu"}),
            zero(stage3_gather_16bit_weights_on_model_save=True),
            zero(cpu_offload=None),
            ds(bf16={"enabled": True}),
        ],
    )
    def test_the_new_names(self, files: dict[str, str]) -> None:
        assert keys(files, self.rule) == []

    def test_an_old_name_beside_the_new_one_is_refused(self) -> None:
        files = {**zero(cpu_offload=False, offload_optimizer={"device": "cpu"}), **RUN_BY_DEEPSPEED}
        assert told(files, self.rule) == [("ds.json: zero_optimization.cpu_offload", "error")]

    def test_bfloat16_beside_bf16_is_ignored(self) -> None:
        found = only(ds(bfloat16={"enabled": True}, bf16={"enabled": True}), self.rule)
        assert "ignored" in found.message and found.fixes == ()

    def test_the_fix_keeps_the_meaning(self) -> None:
        (fix,) = only(zero(cpu_offload=True), self.rule).fixes
        assert fix.safe and [edit.text for edit in fix.edits] == ['"offload_optimizer"', '{"device": "cpu"}']


class TestRemovedKey:
    rule = "removed-key"

    @pytest.mark.parametrize(
        ("version", "severity"),
        [
            ("0.19.8", "error"),
            (">=0.19.8", "error"),
            ("0.19.7", None),
            (">=0.18", "warning"),
            (None, "warning"),
        ],
    )
    def test_severity_follows_the_releases_that_may_run(
        self, version: str | None, severity: str | None
    ) -> None:
        known = {} if version is None else {"versions__deepspeed": version}
        files = {**ds(sparse_gradients=False), **facts(consumer="deepspeed", **known)}
        expected = [] if severity is None else [("ds.json: sparse_gradients", severity)]
        assert told(files, self.rule) == expected

    @pytest.mark.parametrize(
        "files",
        [
            ds(nebula={}),
            ds(compression_training={"layer_reduction": {"enabled": True}}),
            zero(mics_shard_size=8),
        ],
    )
    def test_only_the_section_is_named(self, files: dict[str, str]) -> None:
        assert len(keys(files, self.rule)) == 1

    def test_a_renamed_key_is_ignored_under_its_old_name(self) -> None:
        found = only(ds(aio={"thread_count": 1}), self.rule)
        assert found.severity.word == "warning" and "ignored since DeepSpeed 0.16.4" in found.message
        assert keys({**ds(aio={"thread_count": 1}), **facts(versions__deepspeed="0.16.3")}, self.rule) == []

    @pytest.mark.parametrize("section", [False, {"enabled": False}])
    def test_deleting_what_is_off_is_safe(self, section: object) -> None:
        (fix,) = only(ds(elasticity=section), self.rule).fixes
        assert fix.safe

    def test_deleting_what_is_off_behind_an_alias_is_safe(self) -> None:
        section = "x-off: &off\n  enabled: false\ntp_config: *off\n"
        (fix,) = only(accelerate(section=section), self.rule).fixes
        assert fix.safe

    def test_deleting_what_is_on_is_not_offered(self) -> None:
        assert only(ds(elasticity={"enabled": True}), self.rule).fixes == ()

    @pytest.mark.parametrize(
        ("key", "last", "first"),
        [
            ("warmup_ratio: 0.1", "5.14.1", "5.15.0"),
            ("logging_dir: logs", "5.14.1", "5.15.0"),
            ("evaluation_strategy: 'no'", "4.50.3", "4.51.0"),
            ("group_by_length: true", "5.1.0", "5.2.0"),
            ("use_ipex: false", "4.56.2", "4.57.0"),
            ("no_cuda: false", "4.57.6", "5.0.0"),
        ],
    )
    def test_an_argument_of_the_trainer(self, key: str, last: str, first: str) -> None:
        files = {"train.yaml": TRAIN + f"{key}\n"}
        name = key.partition(":")[0]
        assert keys({**files, **facts(versions__transformers=last)}, self.rule) == []
        gone = only({**files, **facts(versions__transformers=first)}, self.rule)
        assert gone.message == f"{name} is no training argument since transformers {first}"
        open_releases = only(files, self.rule)
        assert open_releases.severity.word == "warning"
        assert f"in transformers {first} and later, which refuse it" in open_releases.message


class TestKeyTooNew:
    rule = "key-too-new"

    @pytest.mark.parametrize(
        ("version", "severity"),
        [("0.18.9", "error"), ("<0.19", "error"), ("0.19.7", None), (">=0.18", None), (None, None)],
    )
    def test_a_strict_section_refuses_what_it_does_not_have_yet(
        self, version: str | None, severity: str | None
    ) -> None:
        known = {} if version is None else {"versions__deepspeed": version}
        files = {**zero(parameter_alignment=True), **facts(consumer="deepspeed", **known)}
        place = "ds.json: zero_optimization.parameter_alignment"
        assert told(files, self.rule) == ([] if severity is None else [(place, severity)])

    def test_a_lax_section_does_not_know_it(self) -> None:
        files = {**ds(data_types={"param_dtype": "fp32"}), **facts(versions__deepspeed="0.18.9")}
        assert told(files, self.rule) == [("ds.json: data_types.param_dtype", "warning")]

    def test_accelerate_refuses_a_section_it_does_not_have_yet(self) -> None:
        section = "parallelism_config:\n  parallelism_config_dp_shard_size: 8\n"
        files = {**accelerate("FSDP", section), **facts(versions__accelerate="1.6.0")}
        assert ("acc.yaml: parallelism_config", "error") in told(files, self.rule)
