"""Keys and sections that are known and never read."""

from __future__ import annotations

import pytest

from checks.keys.key_files import ds, zero
from checks.linting import accelerate, findings, keys, only, told


class TestInertKey:
    rule = "inert-key"

    @pytest.mark.parametrize(
        ("line", "fires"),
        [
            ("rdzv_backend: c10d", True),
            ("rdzv_backend: static", False),
            ("enable_cpu_affinity: true", True),
            ("enable_cpu_affinity: false", False),
            ("downcast_bf16: 'no'", False),
            ("same_network: true", False),
            ("rdzv_backend: ${BACKEND}", False),
        ],
    )
    def test_settings_the_launchers_defaults_hide(self, line: str, fires: bool) -> None:
        name = line.partition(":")[0]
        found = told(accelerate("MULTI_GPU", line + "\n"), self.rule)
        assert found == ([(f"acc.yaml: {name}", "warning")] if fires else [])

    def test_nvme_paths_are_not_passed_on(self) -> None:
        section = "deepspeed_config:\n  offload_param_device: nvme\n  offload_param_nvme_path: /nvme\n"
        found = only(accelerate("DEEPSPEED", section), self.rule)
        assert found.place.key == "deepspeed_config.offload_param_nvme_path"

    @pytest.mark.parametrize(("value", "fires"), [(True, False), (False, False), (3, True)])
    def test_a_dead_key_of_deepspeed_only_where_it_states_something(self, value: object, fires: bool) -> None:
        files = ds(pipeline={"stages": value}) if fires else zero(allgather_partitions=value)
        assert bool(keys(files, self.rule)) is fires


class TestMissingPrefix:
    rule = "missing-prefix"

    @pytest.mark.parametrize(
        ("section", "places"),
        [
            ("parallelism_config:\n  dp_shard_size: 8\n", ["parallelism_config.dp_shard_size"]),
            ("parallelism_config:\n  parallelism_config_dp_shard_size: 8\n", []),
            ("fsdp_config:\n  auto_wrap_policy: NO_WRAP\n", []),
            ("dynamo_config:\n  backend: INDUCTOR\n", []),
        ],
    )
    def test_short_names(self, section: str, places: list[str]) -> None:
        files = accelerate("FSDP", section)
        assert keys(files, self.rule) == [f"acc.yaml: {place}" for place in places]
        assert keys(files, "unknown-key") == []

    def test_deepspeeds_stage_in_accelerates_block(self) -> None:
        files = accelerate("DEEPSPEED", "deepspeed_config:\n  stage: 3\n")
        assert keys(files, self.rule) == ["acc.yaml: deepspeed_config.stage"]
        assert keys(files, "misplaced-key") == []


class TestIgnoredSection:
    rule = "ignored-section"

    @pytest.mark.parametrize(
        ("kind", "section", "fires"),
        [
            ("MULTI_GPU", "fsdp_config:\n  fsdp_version: 2\n", True),
            ("FSDP", "deepspeed_config:\n  zero_stage: 2\n", True),
            ("FSDP", "fsdp_config:\n  fsdp_version: 2\n", False),
            ("MULTI_GPU", "fsdp_config: {}\ndeepspeed_config: {}\n", False),
            ("MULTI_GPU", "fsdp_config:\n  fsdp_version: null\n", False),
            ("${KIND}", "fsdp_config:\n  fsdp_version: 2\n", False),
            ("DEEPSPED", "deepspeed_config:\n  zero_stage: 2\n", False),
        ],
    )
    def test_sections_of_another_way_to_run(self, kind: str, section: str, fires: bool) -> None:
        assert bool(keys(accelerate(kind, section), self.rule)) is fires

    def test_nothing_inside_is_judged(self) -> None:
        files = accelerate("MULTI_GPU", "fsdp_config:\n  fsdp_version: 7\n  fsdp_nonsense: 1\n")
        rules = {finding.rule for finding in findings(files) if finding.code.startswith("KEY")}
        assert rules == {"ignored-section"}

    def test_the_keys_of_a_section_count_while_the_type_is_misspelt(self) -> None:
        files = accelerate("DEEPSPED", "deepspeed_config:\n  zero_stage: 7\n  zero_stge: 3\n")
        found = {(f.rule, f.place.key) for f in findings(files) if f.code.startswith("KEY")}
        assert found == {
            ("value-not-allowed", "distributed_type"),
            ("value-not-allowed", "deepspeed_config.zero_stage"),
            ("unknown-key", "deepspeed_config.zero_stge"),
        }
