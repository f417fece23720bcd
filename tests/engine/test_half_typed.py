"""What is not typed yet is not known to be missing: no error rests on a file that had to be repaired."""

from __future__ import annotations

from pathlib import Path

import pytest

from shardlint.engine import Options, lint
from shardlint.report import ERROR, Finding

SETS = ("model.params=7B", "world_size=8", "gpu.name=A100-SXM4-80GB")


def loud(files: dict[str, str], sets: tuple[str, ...] = ()) -> list[Finding]:
    root = Path("/nowhere")
    overlay = {root / name: text for name, text in files.items()}
    report = lint([*overlay], Options(root=root, overlay=overlay, sets=sets))
    return [finding for finding in report.findings if finding.severity == ERROR]


def test_a_stage_not_typed_yet_is_not_stage_0() -> None:
    whole = '{"train_batch_size": 128, "optimizer": {"type": "AdamW"}, "zero_optimization": {}}'
    assert "state-above-capacity" in {finding.rule for finding in loud({"ds.json": whole}, SETS)}
    cut = whole.removesuffix("{}}")
    assert {finding.code for finding in loud({"ds.json": cut}, SETS)} == {"SYN001"}


def test_half_a_word_is_no_wrong_value() -> None:
    cut = '{"train_batch_size": 8, "zero_optimization": {"stage": 2, "overlap_comm": tr'
    assert {finding.code for finding in loud({"ds.json": cut})} == {"SYN001"}


def test_a_broken_file_silences_no_error_of_the_file_beside_it() -> None:
    launch = (
        "compute_environment: LOCAL_MACHINE\ndistributed_type: DEEPSPED\nmixed_precision: bf16\n"
        "deepspeed_config:\n  deepspeed_config_file: ds.json\nnum_processes: 8\n"
    )
    found = loud({"accelerate.yaml": launch, "ds.json": '{"train_batch_size": 8, "zero_optim'})
    assert ("accelerate.yaml", "distributed_type") in {(f.place.path, f.place.key) for f in found}


ACCELERATE = (
    "compute_environment: LOCAL_MACHINE\ndistributed_type: {kind}\nmixed_precision: bf16\nnum_machines: 1\n"
    "gpu_ids: all\nfsdp_config:\n  fsdp_version: {version}\n  fsdp_sharding_strategy: {strategy}\n"
    "num_processes: 8\n"
)
ODD = [
    "[]",
    "{}",
    "[1, 2]",
    "{a: {b: null}}",
    "&a [*a]",
    "1" + "0" * 5000,
    "0x" + "f" * 5000,
    "²",
    ".nan",
    "|\n    a\n    b",
]


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("field", ["kind", "version", "strategy"])
def test_an_odd_value_stops_no_rule_and_its_messages_are_short(odd: str, field: str) -> None:
    text = ACCELERATE.format_map({"kind": "FSDP", "version": "2", "strategy": "FULL_SHARD"} | {field: odd})
    root = Path("/nowhere")
    report = lint([root / "a.yaml"], Options(root=root, overlay={root / "a.yaml": text}, sets=SETS))
    assert report.notices == ()
    for finding in report.findings:
        assert len(finding.message) < 400
        assert "\n" not in finding.message
        assert "None" not in finding.message


@pytest.mark.parametrize("slots", ["${SLOTS}", "{{ slots }}", "$SLOTS"])
def test_a_hostfile_still_to_be_filled_in_is_no_broken_hostfile(slots: str) -> None:
    assert loud({"hostfile": f"worker-0 slots=8\nworker-1 slots={slots}\n"}) == []
