"""Files that name each other, and facts that disagree."""

from __future__ import annotations

import pytest

from checks.linting import accelerate, deepspeed, facts, findings, keys, only, told

MICRO = "train_micro_batch_size_per_gpu"
TRAINER = "per_device_train_batch_size: 1\noutput_dir: out\ndeepspeed: {}\n"
MISSING, BESIDE = "missing-file", "key-beside-config-file"


def test_missing_file_is_an_error_only_from_a_known_start() -> None:
    train = {"train.yaml": TRAINER.format("other.json")}
    assert told(train, MISSING) == [("train.yaml: deepspeed", "warning")]
    assert told({**train, **facts(launch__cwd=".")}, MISSING) == [("train.yaml: deepspeed", "error")]


def test_a_folder_is_no_file_and_few_of_the_places_are_named() -> None:
    files = {"a/b/c/train.yaml": TRAINER.format("d"), "d/other.txt": ""}
    assert only(files, MISSING).message == (
        "DeepSpeed config d is no file (looked for a/b/c/d, a/b/d and 1 more)"
    )
    files = {"a/train.yaml": TRAINER.format("d")}
    assert only(files, MISSING).message == "DeepSpeed config d is no file (looked for a/d)"


@pytest.mark.parametrize("target", ["ds.json", "./ds.json", "${DS}", "auto"])
def test_present_or_open_targets_are_silent(target: str) -> None:
    assert keys({"train.yaml": TRAINER.format(target), **deepspeed(**{MICRO: "auto"})}, MISSING) == []


def test_a_path_of_another_machine_is_a_note() -> None:
    files = {"train.yaml": TRAINER.format("/mnt/cluster/ds.json"), **facts(launch__cwd=".")}
    assert told(files, MISSING) == [("train.yaml: deepspeed", "info")]


def test_a_file_next_to_the_one_that_names_it_is_found() -> None:
    files = {"configs/train.yaml": TRAINER.format("ds.json")}
    files["configs/ds.json"] = deepspeed(**{MICRO: "auto"})["ds.json"]
    assert keys(files, MISSING) == []


def linked(*lines: str, top: str = "") -> dict[str, str]:
    block = "".join(f"  {line}\n" for line in lines)
    launched = accelerate("DEEPSPEED", f"deepspeed_config:\n  deepspeed_config_file: ds.json\n{block}{top}")
    return {**launched, **deepspeed(3, **{MICRO: 1})}


@pytest.mark.parametrize(
    "line",
    [
        "gradient_accumulation_steps: 2",
        "gradient_clipping: 1.0",
        "zero_stage: 3",
        "offload_optimizer_device: none",
        "offload_param_device: none",
        "offload_param_nvme_path: /nvme",
        "offload_optimizer_nvme_path: /nvme",
        "zero3_save_16bit_model: true",
    ],
)
def test_the_eight_keys_may_not_be_repeated(line: str) -> None:
    found = told(linked(line), BESIDE)
    assert found == [(f"acc.yaml: deepspeed_config.{line.split(':')[0]}", "error")]


def test_mixed_precision_may_not_be_repeated_either() -> None:
    assert told(linked(top="mixed_precision: 'no'\n"), BESIDE) == [("acc.yaml: mixed_precision", "error")]
    assert told(linked(top="mixed_precision:\n"), BESIDE) == []


@pytest.mark.parametrize("line", ["zero3_init_flag: true", "deepspeed_multinode_launcher: standard"])
def test_other_keys_may_stand_beside_the_file(line: str) -> None:
    assert keys(linked(line), BESIDE) == []


def test_both_values_are_told() -> None:
    found = only(linked("zero_stage: 2"), BESIDE)
    assert "zero_stage 2" in found.message and "there it is 3" in found.message
    assert [(r.place.path, r.place.key) for r in found.related] == [("ds.json", "zero_optimization.stage")]


def test_without_a_file_nothing_is_repeated() -> None:
    assert keys(accelerate("DEEPSPEED", "deepspeed_config:\n  zero_stage: 2\n"), BESIDE) == []
    none = accelerate("DEEPSPEED", "deepspeed_config:\n  deepspeed_config_file: none\n  zero_stage: 2\n")
    assert keys(none, BESIDE) == []


HOSTS = "worker-0 slots=8\nworker-1 slots=8\n"


@pytest.mark.parametrize(("processes", "fires"), [(16, False), (8, True)])
def test_hostfile_against_processes(processes: int, fires: bool) -> None:
    block = "deepspeed_config:\n  deepspeed_hostfile: hostfile\n  zero_stage: 3\n"
    files = {**accelerate("DEEPSPEED", block, num_processes=processes, num_machines=2), "hostfile": HOSTS}
    assert keys(files, "world-size-disagreement") == (["acc.yaml: num_processes"] if fires else [])


def test_a_hostfile_is_no_setting() -> None:
    block = "deepspeed_config:\n  deepspeed_hostfile: hostfile\n  zero_stage: 3\n"
    files = {**accelerate("DEEPSPEED", block, num_machines=2), "hostfile": HOSTS}
    assert keys(files, "fact-contradicts-file") == []


def test_pragma_against_file() -> None:
    files = accelerate("DEEPSPEED", "# shardlint: world_size=16\ndeepspeed_config:\n  zero_stage: 3\n")
    assert keys(files, "fact-contradicts-file") == ["acc.yaml: num_processes"]
    assert keys(files, "world-size-disagreement") == []


def test_long_figures_are_grouped() -> None:
    files = {
        **accelerate("DEEPSPEED", "deepspeed_config:\n  zero_stage: 3\n", num_processes=1024),
        **facts(world_size=16384),
    }
    said = "world size is 1024 here, but the settings say 16,384 ("
    assert said in only(files, "fact-contradicts-file").message


@pytest.mark.parametrize(("world", "fires"), [(8, False), (16, True)])
def test_setting_against_file(world: int, fires: bool) -> None:
    files = {**accelerate("DEEPSPEED", "deepspeed_config:\n  zero_stage: 3\n"), **facts(world_size=world)}
    found = findings(files, "fact-contradicts-file")
    assert [(f.place.key, f.severity.word) for f in found] == (
        [("num_processes", "warning")] if fires else []
    )
    assert all(related.place.path == "shardlint.toml" for f in found for related in f.related)
