"""Values of another type than the key takes."""

from __future__ import annotations

import pytest

from checks.keys.key_files import RUN_BY_DEEPSPEED, adam, ds, training, zero
from checks.linting import accelerate, facts, fsdp, keys, only


class TestWrongType:
    rule = "wrong-type"

    @pytest.mark.parametrize(
        ("files", "place", "severity", "words"),
        [
            (ds(zero_allow_untested_optimizer="false"), "zero_allow_untested_optimizer", "warning", "string"),
            (ds(zero_allow_untested_optimizer="flase"), "zero_allow_untested_optimizer", "warning", "false?"),
            (ds(fp16={"enabled": "true"}), "fp16.enabled", "warning", "boolean"),
            (ds(steps_per_print="10"), "steps_per_print", "warning", "whole number"),
            (adam(lr="3e-4"), "optimizer.params.lr", "warning", "first step"),
            (adam(lr=1e-4, betas="0.9"), "optimizer.params.betas", "warning", "list of numbers"),
            (
                zero(reduce_bucket_size=1.5),
                "zero_optimization.reduce_bucket_size",
                "error",
                "refuses to start",
            ),
            (
                zero(reduce_bucket_size=[1]),
                "zero_optimization.reduce_bucket_size",
                "error",
                "is a list where",
            ),
            (
                zero(contiguous_gradients=None),
                "zero_optimization.contiguous_gradients",
                "error",
                "is null where",
            ),
            (ds(fp16={"enabled": True, "min_loss_scale": 0.1}), "fp16.min_loss_scale", "warning", "0.17.1"),
        ],
    )
    def test_a_value_of_another_type(
        self, files: dict[str, str], place: str, severity: str, words: str
    ) -> None:
        found = only(files, self.rule)
        assert (found.place.key, found.severity.word) == (place, severity)
        assert words in found.message

    @pytest.mark.parametrize(
        "files",
        [
            zero(stage="2", reduce_bucket_size=5e8, allgather_bucket_size="200000000", overlap_comm="yes"),
            zero(overlap_comm=None, stage3_prefetch_bucket_size="auto", offload_param=None),
            ds(fp16={"enabled": "auto", "loss_scale": "${SCALE}", "initial_scale_power": 16.0}),
            ds(steps_per_print=None, wall_clock_breakdown=False, gradient_clipping=1, dump_state=0),
            adam(lr=1, betas=[0.9, 0.999], eps="auto", weight_decay=0),
            ds(
                gradient_clipping="auto",
                optimizer={"type": "AdamW", "params": {"lr": "auto", "betas": "auto"}},
            ),
            fsdp(2, offload_params="false", cpu_ram_efficient_loading=True),
            accelerate("DEEPSPEED", "deepspeed_config:\n  zero_stage: '3'\n  gradient_clipping: '1.0'\n"),
            training("learning_rate: 2e-5", "optim: sgd"),
        ],
    )
    def test_values_the_reader_takes(self, files: dict[str, str]) -> None:
        assert keys(files, self.rule) == []

    @pytest.mark.parametrize(
        ("files", "fails_at"),
        [
            (zero(reduce_bucket_size="5e8"), "config"),
            (adam(lr="3e-4"), "first step"),
            (ds(log_level=3), "engine"),
        ],
    )
    def test_a_refusal_says_where_the_run_fails(self, files: dict[str, str], fails_at: str) -> None:
        found = only({**files, **RUN_BY_DEEPSPEED}, self.rule)
        assert (found.severity.word, found.fails_at) == ("error", fails_at)

    @pytest.mark.parametrize(
        ("files", "text", "safe"),
        [
            (ds(zero_allow_untested_optimizer="false"), "false", False),
            (ds(memory_breakdown="true"), "true", True),
            (adam(lr="3e-4"), "3e-4", True),
        ],
    )
    def test_the_fix_takes_the_quotes_away(self, files: dict[str, str], text: str, safe: bool) -> None:
        (fix,) = only(files, self.rule).fixes
        assert fix.safe is safe and [edit.text for edit in fix.edits] == [text]

    def test_a_value_that_is_still_to_be_typed_is_no_error(self) -> None:
        top = (
            "compute_environment: LOCAL_MACHINE\ndistributed_type: MULTI_GPU\nnum_processes: 8\nnum_machines:"
        )
        found = only({"acc.yaml": f"{top}\n"}, self.rule)
        assert (found.severity.word, found.confidence) == ("warning", "assumed")
        assert found.message.startswith("num_machines has no value where ")
        assert only({"acc.yaml": f"{top} null\n"}, self.rule).severity.word == "error"

    def test_strings_for_booleans_are_fine_where_every_release_converts_them(self) -> None:
        files = {**ds(fp16={"enabled": "true"}), **facts(versions__deepspeed="0.19.8")}
        assert keys(files, self.rule) == []

    def test_an_accelerate_boolean_must_spell_one(self) -> None:
        found = only(fsdp(1, offload_params="maybe"), self.rule)
        assert (found.severity.word, found.fails_at) == ("error", "config")

    @pytest.mark.parametrize("kind", ["MULTI_GPU", "DEEPSPEED"])
    def test_a_section_that_is_not_read_cannot_fail(self, kind: str) -> None:
        assert keys(fsdp(1, kind=kind, offload_params="maybe"), self.rule) == []
