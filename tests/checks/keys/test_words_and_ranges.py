"""Words that are none, numbers beyond the range."""

from __future__ import annotations

import pytest

from checks.keys.key_files import RUN_BY_DEEPSPEED, adam, ds, zero
from checks.linting import accelerate, facts, fsdp, keys, only, told


class TestValueNotAllowed:
    rule = "value-not-allowed"

    @pytest.mark.parametrize(
        ("files", "place", "words"),
        [
            (
                zero(offload_optimizer={"device": "cpuu"}),
                "zero_optimization.offload_optimizer.device",
                "mean cpu",
            ),
            (
                zero(offload_optimizer={"device": "CPU"}),
                "zero_optimization.offload_optimizer.device",
                "mean cpu",
            ),
            (zero(stage=4), "zero_optimization.stage", "one of 0, 1, 2, 3"),
            (ds(communication_data_type="float16"), "communication_data_type", "fp16, bf16, fp32"),
            (ds(scheduler={"type": "warmuplr", "params": {}}), "scheduler.type", "mean WarmupLR"),
            (ds(checkpoint={"tag_validation": "Ignored"}), "checkpoint.tag_validation", "mean IGNORE"),
            (
                ds(optimizer={"type": "OneBitAdam", "params": {}}, zero_optimization={"stage": 0}),
                "optimizer.type",
                "0.19.7 and later",
            ),
        ],
    )
    def test_a_word_that_is_none(self, files: dict[str, str], place: str, words: str) -> None:
        found = only(files, self.rule)
        built_later = place in ("scheduler.type", "optimizer.type")
        assert (found.place.key, found.severity.word) == (place, "warning" if built_later else "error")
        assert words in found.message

    @pytest.mark.parametrize(("device", "safe"), [("cpuu", True), ("gpu", False), ("cuda", False)])
    def test_another_name_for_a_value_is_no_slip(self, device: str, safe: bool) -> None:
        found = only(zero(offload_optimizer={"device": device}), self.rule)
        assert [(fix.title, fix.safe) for fix in found.fixes] == [
            ("Write cpu" if safe else "Write none", safe)
        ]

    @pytest.mark.parametrize(
        "files",
        [
            zero(offload_optimizer={"device": "cpu"}, stage="3"),
            zero(offload_optimizer={"device": "${DEVICE}"}),
            ds(communication_data_type="BF16", checkpoint={"tag_validation": "Warn"}),
            ds(optimizer={"type": "adamw", "params": {"lr": 1}}, log_level="INFO"),
            ds(optimizer={"type": "RMSprop", "params": {"lr": 1}}),
            fsdp(1, sharding_strategy="full_shard", state_dict_type="SHARDED_STATE_DICT"),
            fsdp(1, sharding_strategy=3, backward_prefetch="NO_PREFETCH"),
            accelerate("MULTI_GPU", mixed_precision="BF16"),
        ],
    )
    def test_words_in_the_case_their_reader_takes(self, files: dict[str, str]) -> None:
        assert keys(files, self.rule) == []

    @pytest.mark.parametrize(
        ("files", "place", "fails_at"),
        [
            (accelerate("MULTI_GPU", mixed_precision="fp32"), "mixed_precision", "launch"),
            (accelerate("fsdp"), "distributed_type", "load"),
            (fsdp(1, sharding_strategy="SHARD"), "fsdp_config.fsdp_sharding_strategy", "config"),
            (fsdp(3), "fsdp_config.fsdp_version", "config"),
            (
                accelerate("DEEPSPEED", "deepspeed_config:\n  zero_stage: 4\n"),
                "deepspeed_config.zero_stage",
                "engine",
            ),
        ],
    )
    def test_accelerate_stops_where_it_reads_the_word(
        self, files: dict[str, str], place: str, fails_at: str
    ) -> None:
        found = only({**files, **facts(versions__accelerate="1.15.0")}, self.rule)
        assert (found.place.key, found.severity.word, found.fails_at) == (place, "error", fails_at)

    @pytest.mark.parametrize(("version", "count"), [("0.27.0", 0), ("0.28.0", 1), ("1.0.0", 1)])
    def test_a_word_removed_in_a_release(self, version: str, count: int) -> None:
        files = {**accelerate("TPU"), **facts(versions__accelerate=version)}
        assert len(keys(files, self.rule)) == count

    @pytest.mark.parametrize(("version", "level"), [("0.17.5", "error"), ("0.17.6", None), (None, "warning")])
    def test_a_word_that_came_with_a_release_is_no_slip(self, version: str | None, level: str | None) -> None:
        known = {} if version is None else {"versions__deepspeed": version}
        optimizer = {"type": "muon", "params": {"lr": 1}}
        files = {**ds(optimizer=optimizer), **facts(consumer="deepspeed", **known)}
        assert told(files, self.rule) == ([("ds.json: optimizer.type", level)] if level else [])
        if level:
            assert "mean" not in only(files, self.rule).message

    def test_an_optimizer_of_the_trainer_needs_the_release_that_has_it(self) -> None:
        text = (
            "model_name_or_path: a/b\noutput_dir: o\nbf16: true\nlearning_rate: 1.0e-5\noptim: stable_adamw\n"
        )
        assert keys({"train.yaml": text, **facts(versions__transformers="5.24.0")}, self.rule) == []
        found = only({"train.yaml": text, **facts(versions__transformers="4.44.2")}, self.rule)
        assert "came with transformers 4.54.0" in found.message


class TestValueOutOfRange:
    rule = "value-out-of-range"

    @pytest.mark.parametrize(
        ("files", "place", "severity"),
        [
            (zero(reduce_bucket_size=-1), "zero_optimization.reduce_bucket_size", "error"),
            (zero(reduce_bucket_size=0), "zero_optimization.reduce_bucket_size", "error"),
            (
                zero(offload_optimizer={"cpuadam_cores_perc": 2}),
                "zero_optimization.offload_optimizer.cpuadam_cores_perc",
                "error",
            ),
            (ds(gradient_clipping=-1), "gradient_clipping", "warning"),
            (adam(lr=-1), "optimizer.params.lr", "warning"),
        ],
    )
    def test_numbers_beyond_the_range(self, files: dict[str, str], place: str, severity: str) -> None:
        assert told({**files, **RUN_BY_DEEPSPEED}, self.rule) == [(f"ds.json: {place}", severity)]

    @pytest.mark.parametrize(
        "files",
        [
            zero(reduce_bucket_size=1, allgather_bucket_size=0, sub_group_size="auto"),
            zero(offload_optimizer={"ratio": 1.0, "cpuadam_cores_perc": 0}),
            ds(gradient_clipping=0, hybrid_engine={"max_out_tokens": 1}),
        ],
    )
    def test_numbers_at_the_edge(self, files: dict[str, str]) -> None:
        assert keys(files, self.rule) == []

    def test_a_bound_that_came_later(self) -> None:
        files = {**zero(reduce_bucket_size=0), **facts(versions__deepspeed="0.18.9", consumer="deepspeed")}
        assert told(files, self.rule) == [("ds.json: zero_optimization.reduce_bucket_size", "warning")]

    def test_a_degree_of_zero(self) -> None:
        section = "fsdp_config:\n  fsdp_version: 2\nparallelism_config:\n  parallelism_config_tp_size: 0\n"
        files = {**accelerate("FSDP", section), **facts(versions__accelerate="1.15.0")}
        found = only(files, self.rule)
        assert (found.severity.word, found.fails_at) == ("error", "config")
        assert only(accelerate("FSDP", section), self.rule).severity.word == "warning"
