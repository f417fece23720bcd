"""What accelerate refuses in one release and takes in another, as its launcher answers itself."""

from __future__ import annotations

import pytest

from checks.linting import accelerate, facts, findings, fsdp, only, told

NEW, LAUNCH = "1.15.0", {"launch__cwd": "."}


def release(version: str | None) -> dict[str, str]:
    return facts(versions__accelerate=version) if version else {}


@pytest.mark.parametrize(
    ("kind", "section", "version", "level"),
    [
        ("DEEPSPEED", "deepspeed_config: 0\n", NEW, "error"),
        ("DEEPSPEED", "deepspeed_config: ''\n", None, "error"),
        ("DEEPSPEED", "deepspeed_config: {}\n", NEW, None),
        ("MULTI_GPU", "deepspeed_config: 0\n", NEW, "warning"),
        ("FSDP", "fsdp_config: FULL_SHARD\n", "1.4.0", "error"),
        ("FSDP", "fsdp_config: FULL_SHARD\n", "1.5.0", "warning"),
        ("FSDP", "fsdp_config: FULL_SHARD\n", None, "warning"),
        ("FSDP", "fsdp_config: ''\n", "1.4.0", "warning"),
        ("MULTI_GPU", "dynamo_config: false\n", "0.34.2", "error"),
        ("MULTI_GPU", "fp8_config: 1\n", "0.34.2", "warning"),
    ],
)
def test_a_section_that_is_no_mapping(kind: str, section: str, version: str | None, level: str) -> None:
    found = told({**accelerate(kind, section), **release(version)}, "section-not-mapping")
    assert found == ([(f"acc.yaml: {section.partition(':')[0]}", level)] if level else [])


@pytest.mark.parametrize(
    ("version", "level"), [("1.6.0", "error"), (None, "warning"), (NEW, "warning"), ("1.7.0", "warning")]
)
def test_false_for_a_port_is_the_free_one_since_1_7(version: str | None, level: str) -> None:
    files = {**accelerate("MULTI_GPU", main_process_port=False), **release(version)}
    assert told(files, "wrong-type") == [("acc.yaml: main_process_port", level)]


@pytest.mark.parametrize(
    ("kind", "machines", "processes", "level"),
    [
        ("MULTI_GPU", 2, "8", "error"),
        ("DEEPSPEED", 2, "auto", "error"),
        ("FSDP", 2, 8, None),
        ("FSDP", 1, "8", None),
        ("FSDP", 0, "8", None),
        ("FSDP", None, "8", None),
        ("FSDP", "${NODES}", "8", None),
        ("FSDP", 2, "${TOTAL}", None),
        ("MULTI_CPU", 2, "8", None),
    ],
)
def test_processes_that_are_divided_are_a_number(
    kind: str, machines: object, processes: object, level: str | None
) -> None:
    files = accelerate(kind, num_machines=machines, num_processes=processes)
    found = told(files, "processes-not-divisible")
    assert found == ([("acc.yaml: num_processes", level)] if level else [])


@pytest.mark.parametrize(("launcher", "count"), [("pdsh", 0), ("standard", 1)])
def test_machines_given_by_a_filter_divide_nothing(launcher: str, count: int) -> None:
    lines = (
        "deepspeed_config:",
        "deepspeed_inclusion_filter: a:0,1",
        f"deepspeed_multinode_launcher: {launcher}",
    )
    files = accelerate("DEEPSPEED", "\n  ".join(lines) + "\n", num_machines=2, num_processes="8")
    assert len(told(files, "processes-not-divisible")) == count


def test_false_is_an_unquoted_no() -> None:
    files = accelerate("NO", distributed_type=False, num_processes="8")
    assert told(files, "wrong-type") == [("acc.yaml: num_processes", "error")]


def test_a_port() -> None:
    skipped = accelerate("MULTI_GPU", "main_process_port: {}\n")
    assert told(skipped, "wrong-type") == [("acc.yaml: main_process_port", "warning")]
    for port in (0, 29500, "29500"):
        assert told(accelerate("MULTI_GPU", main_process_port=port), "wrong-type") == []


@pytest.mark.parametrize("value", ["1e8", "1_0e7"])
def test_an_exponent_is_no_whole_number_to_the_launcher(value: str) -> None:
    section = f"fsdp_config:\n  fsdp_auto_wrap_policy: SIZE_BASED_WRAP\n  fsdp_min_num_params: {value}\n"
    files = accelerate("FSDP", section)
    assert told(files, "wrong-type") == [("acc.yaml: fsdp_config.fsdp_min_num_params", "error")]
    assert told(files, "number-read-as-text") == []


def test_a_fraction_may_have_an_exponent() -> None:
    files = accelerate("DEEPSPEED", "deepspeed_config:\n  gradient_clipping: 1e0\n")
    assert told(files, "wrong-type") == []


@pytest.mark.parametrize(
    ("version", "level"), [("1.12.0", "error"), (">=1.12", "warning"), ("1.13.0", None), (None, None)]
)
def test_units_by_size_without_a_size(version: str | None, level: str | None) -> None:
    files = {**fsdp(1, auto_wrap_policy="SIZE_BASED_WRAP"), **release(version)}
    found = findings(files, "missing-required-key")
    assert [(one.place.key, one.place.missing, one.severity.word) for one in found] == (
        [("fsdp_config", "fsdp_min_num_params", level)] if level else []
    )


@pytest.mark.parametrize(
    ("section", "version", "level"),
    [
        ("", "1.6.0", "error"),
        ("tp_config:\n  tp_size: 1\n", "1.6.0", "error"),
        ("tp_config: {}\n", "1.4.0", "error"),
        ("tp_config:\n  tp_size: 2\n", "1.6.0", None),
        ("", ">=1.6", None),
        ("", "1.7.0", None),
    ],
)
def test_tensor_parallelism_without_a_size(section: str, version: str, level: str | None) -> None:
    found = told({**accelerate("TP", section), **release(version)}, "missing-required-key")
    assert found == ([("acc.yaml: distributed_type", level)] if level else [])


@pytest.mark.parametrize(("version", "level"), [("1.7.0", "error"), (None, "warning"), ("1.8.0", None)])
def test_no_number_of_processes_for_one(version: str | None, level: str | None) -> None:
    files = {**accelerate("NO", "num_processes: null\n", num_processes=None), **release(version)}
    assert told(files, "wrong-type") == ([("acc.yaml: num_processes", level)] if level else [])


@pytest.mark.parametrize("kind", ["NO", "MULTI_CPU"])
def test_minus_one_stands_for_no_number_of_processes(kind: str) -> None:
    assert told(accelerate(kind, num_processes=-1), "wrong-type") == [("acc.yaml: num_processes", "error")]
    for count in (1, 2, 2.0):
        assert told(accelerate(kind, num_processes=count), "wrong-type") == []


def test_units_by_size_with_a_size() -> None:
    for written in ("fsdp_min_num_params: 1000", "min_num_params: 1000", "min_num_params: ${SIZE}"):
        section = f"fsdp_config:\n  fsdp_auto_wrap_policy: SIZE_BASED_WRAP\n  {written}\n"
        assert told({**accelerate("FSDP", section), **release("1.6.0")}, "missing-required-key") == []


SHORT = "dynamo_config:\n  backend: nothing\n  use_dynamic: maybe\n"


@pytest.mark.parametrize(
    ("version", "unread", "refused"),
    [("1.13.0", 2, []), ("1.14.0", 0, ["error"]), (None, 0, ["warning"])],
)
def test_short_names_of_compiling(version: str | None, unread: int, refused: list[str]) -> None:
    files = {**accelerate("MULTI_GPU", SHORT), **release(version)}
    assert len(findings(files, "missing-prefix")) == unread
    assert [level for _, level in told(files, "value-not-allowed")] == refused


def test_long_names_of_compiling_were_always_read() -> None:
    section = "dynamo_config:\n  dynamo_backend: nothing\n"
    files = {**accelerate("MULTI_GPU", section), **release("1.6.0")}
    assert told(files, "value-not-allowed") == [("acc.yaml: dynamo_config.dynamo_backend", "error")]
    assert told(files, "missing-prefix") == []


@pytest.mark.parametrize(
    ("value", "version", "level"),
    [
        ("[]", "1.6.0", "error"),
        ("{}", "1.6.0", "error"),
        ("[]", NEW, "error"),
        ("abc", "1.9.0", "error"),
        ("[no, no, no]", NEW, None),
    ],
)
def test_three_parts_of_fp8(value: str, version: str, level: str | None) -> None:
    section = f"fp8_config:\n  backend: TE\n  override_linear_precision: {value}\n"
    files = {**accelerate("MULTI_GPU", section, mixed_precision="fp8"), **release(version)}
    found = told(files, "wrong-type")
    assert found == ([("acc.yaml: fp8_config.override_linear_precision", level)] if level else [])


def test_what_fails_only_later_is_no_error_before() -> None:
    section = "fp8_config:\n  backend: TE\n  override_linear_precision: abc\n"
    files = {**accelerate("MULTI_GPU", section, mixed_precision="fp8"), **release("1.8.0")}
    assert "error" not in [level for _, level in told(files, "wrong-type")]


@pytest.mark.parametrize(("version", "level"), [("1.4.0", None), ("1.5.0", "error"), (None, "warning")])
def test_ms_amp_at_stage_3(version: str | None, level: str | None) -> None:
    section = "deepspeed_config:\n  zero_stage: 3\nfp8_config:\n  fp8_backend: MSAMP\n"
    files = {**accelerate("DEEPSPEED", section, mixed_precision="fp8"), **release(version)}
    found = told(files, "fp8-library-under-sharding")
    assert found == ([("acc.yaml: deepspeed_config.zero_stage", level)] if level else [])


THREE = "fp8_config:\n  backend: TE\n  override_linear_precision: {}\n"


@pytest.mark.parametrize(
    ("kind", "section", "version", "level"),
    [
        ("NO", "", "1.6.0", "error"),
        (False, "", "1.8.1", "error"),
        (None, "distributed_type: null\n", "1.6.0", "error"),
        ("MULTI_CPU", THREE.format("[false, false, false]"), "1.5.0", "error"),
        ("NO", "", ">=1.6", "warning"),
        ("NO", "", "1.4.0", None),
        ("NO", "", "1.9.0", None),
        ("NO", "", None, None),
        ("MULTI_GPU", "", "1.6.0", None),
        ("NO", THREE.format("['no', 'no', 'no']"), "1.6.0", None),
        ("NO", THREE.format("null"), "1.6.0", None),
        ("NO", THREE.format("${PARTS}"), "1.6.0", None),
    ],
)
def test_fp8_in_a_process_of_its_own(
    kind: object, section: str, version: str | None, level: str | None
) -> None:
    files = accelerate("NO", section, mixed_precision="fp8", distributed_type=kind)
    found = told({**files, **release(version)}, "fp8-launch-without-texts")
    assert found == ([("acc.yaml: mixed_precision", level)] if level else [])


@pytest.mark.parametrize(
    ("kind", "version", "errors"),
    [("DEEPSPEED", "1.5.0", 1), ("DEEPSPEED", "1.4.0", 0), ("MULTI_GPU", "1.8.0", 0), ("MULTI_GPU", NEW, 1)],
)
def test_the_level_of_ms_amp(kind: str, version: str, errors: int) -> None:
    section = "fp8_config:\n  fp8_backend: MSAMP\n  fp8_opt_level: O3\n"
    files = {**accelerate(kind, section, mixed_precision="fp8"), **release(version)}
    assert [level for _, level in told(files, "value-not-allowed")].count("error") == errors


def test_a_kind_is_taken_to_the_letter() -> None:
    found = only(accelerate(" FSDP"), "value-not-allowed")
    assert (found.place.key, found.severity.word, found.fails_at) == ("distributed_type", "error", "load")


@pytest.mark.parametrize("name", ["auto", "", "None", "ds.json", " there.json"])
def test_a_deepspeed_file_that_is_not_there(name: str) -> None:
    section = f"deepspeed_config:\n  deepspeed_config_file: {name!r}\n"
    files = {**accelerate("DEEPSPEED", section), "there.json": "{}", **facts(**LAUNCH)}
    found = told(files, "missing-file")
    assert found == [("acc.yaml: deepspeed_config.deepspeed_config_file", "error")]


@pytest.mark.parametrize("name", ["none", "null", "${FILE}"])
def test_no_deepspeed_file(name: str) -> None:
    section = f"deepspeed_config:\n  deepspeed_config_file: {name}\n  zero_stage: 3\n"
    files = {**accelerate("DEEPSPEED", section), **facts(**LAUNCH)}
    assert told(files, "missing-file") == []
    assert told(files, "key-beside-config-file") == []


def test_where_the_version_would_stand() -> None:
    section = "parallelism_config:\n  parallelism_config_tp_size: 8\n"
    [found] = findings(accelerate("FSDP", section), "parallel-sizes-under-fsdp1")
    assert [one.place.missing for one in found.related] == ["fsdp_config"]
    [found] = findings(accelerate("FSDP", f"fsdp_config: {{}}\n{section}"), "parallel-sizes-under-fsdp1")
    assert [one.place.missing for one in found.related] == ["fsdp_version"]


def test_of_two_names_of_a_backend_the_later_counts() -> None:
    both = "fp8_config:\n  fp8_backend: {}\n  backend: {}\n  opt_level: O3\n"
    for first, last, count in (("MSAMP", "TE", 0), ("TE", "MSAMP", 1)):
        files = {**accelerate("DEEPSPEED", both.format(first, last), mixed_precision="fp8"), **release(NEW)}
        found = [level for _, level in told(files, "value-not-allowed")]
        assert found.count("error") == count


def test_sizes_beside_a_kind_that_has_none() -> None:
    sizes = "parallelism_config:\n  parallelism_config_dp_shard_size: 4\n  parallelism_config_tp_size: 2\n"
    [found] = findings(accelerate("MEGATRON_LM", sizes), "parallel-sizes-under-fsdp1")
    assert found.severity.word == "error"
    assert [one.place.key for one in found.related] == ["distributed_type"]
    for kind in ("MULTI_GPU", "DEEPSPEED", "NO"):
        assert told(accelerate(kind, sizes), "parallel-sizes-under-fsdp1") == []
