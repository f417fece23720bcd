"""Keys that must be there, and keys that are there twice."""

from __future__ import annotations

import pytest

from checks.keys.key_files import RUN_BY_DEEPSPEED, ds, zero
from checks.linting import keys, only, told


class TestMissingRequiredKey:
    rule = "missing-required-key"

    def test_a_schedule_needs_its_length(self) -> None:
        schedule = {"type": "WarmupDecayLR", "params": {"warmup_num_steps": 10}}
        found = only({**ds(scheduler=schedule), **RUN_BY_DEEPSPEED}, self.rule)
        assert (found.place.key, found.place.missing) == ("scheduler.params", "total_num_steps")
        assert (found.severity.word, found.fails_at) == ("error", "engine")

    def test_a_schedule_needs_parameters(self) -> None:
        found = only(ds(scheduler={"type": "WarmupLR"}), self.rule)
        assert (found.place.key, found.place.missing) == ("scheduler", "params")

    @pytest.mark.parametrize(
        "schedule",
        [
            {"type": "WarmupDecayLR", "params": {"total_num_steps": "auto"}},
            {"type": "WarmupLR", "params": {}},
            {"type": "StepLR"},
            {"type": "${SCHEDULE}"},
        ],
    )
    def test_schedules_that_have_what_they_need(self, schedule: object) -> None:
        assert keys(ds(scheduler=schedule), self.rule) == []

    def test_accelerate_needs_a_distributed_type(self) -> None:
        text = (
            "compute_environment: LOCAL_MACHINE\nmixed_precision: bf16\nnum_machines: 1\nnum_processes: 8\n"
        )
        found = only({"acc.yaml": text}, self.rule)
        assert (found.place.missing, found.severity.word) == ("distributed_type", "error")


class TestTwoSpellings:
    rule = "two-spellings"

    def test_both_names_are_refused_by_deepspeed(self) -> None:
        files = {**zero(stage3_max_live_parameters=1, max_live_parameters=2), **RUN_BY_DEEPSPEED}
        assert told(files, self.rule) == [("ds.json: zero_optimization.max_live_parameters", "error")]

    @pytest.mark.parametrize(
        "files",
        [zero(max_live_parameters=2), zero(stage3_max_live_parameters="auto", max_live_parameters=2)],
    )
    def test_one_name_is_fine(self, files: dict[str, str]) -> None:
        assert keys(files, self.rule) == []
