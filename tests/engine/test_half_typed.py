"""What is not typed yet is not known to be missing: no error rests on a file that had to be repaired."""

from __future__ import annotations

from pathlib import Path

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
