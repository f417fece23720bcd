"""A file that is linted is judged with the files near it that name it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from shardlint.compose.nearby import MOST_FILES
from shardlint.compose.referrers import MOST_TOGETHER, with_referrers
from shardlint.engine import Options, jobs_of, lint
from shardlint.workspace import Workspace

DEEPSPEED = '{"zero_optimization": {"stage": 2}, "train_micro_batch_size_per_gpu": 1}'
TRAINER = "output_dir: out\nper_device_train_batch_size: 4\nnum_train_epochs: 1\n"
LAUNCHER = "distributed_type: DEEPSPEED\ndeepspeed_config:\n  deepspeed_config_file: {}\nnum_processes: 8\n"
PDSH = "distributed_type: DEEPSPEED\ndeepspeed_config:\n  deepspeed_hostfile: {}\n  zero_stage: 2\n"
FSDP = '{"transformer_layer_cls_to_wrap": ["LlamaDecoderLayer"], "activation_checkpointing": true}'
MODEL = (
    '{"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,'
    ' "intermediate_size": 128, "vocab_size": 100, "architectures": ["LlamaForCausalLM"]}'
)


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def together(root: Path, *names: str) -> list[str]:
    """What is linted where some files are named."""
    workspace = Workspace(root)
    return [workspace.display(path) for path in with_referrers([root / name for name in names], workspace)]


def said(root: Path, *names: str) -> tuple[object, ...]:
    """All that a lint of some files reports."""
    report = lint([root / name for name in names], Options(root=root))
    findings = [(f.code, f.severity, f.message, f.place.path, f.place.span, f.jobs) for f in report.findings]
    return findings, report.files, report.jobs, report.notices


@pytest.mark.parametrize(
    ("named", "text", "by", "naming"),
    [
        ("conf/ds.json", DEEPSPEED, "conf/train.yaml", f"{TRAINER}deepspeed: conf/ds.json\n"),
        ("conf/ds.json", DEEPSPEED, "train.yaml", f"{TRAINER}deepspeed: conf/ds.json\n"),
        ("conf/ds.json", DEEPSPEED, "conf/a.yaml", LAUNCHER.format("ds.json")),
        ("a/b/ds.json", DEEPSPEED, "a/a.yaml", LAUNCHER.format("./b/ds.json")),
        ("conf/my ds.json", DEEPSPEED, "train.yaml", f"{TRAINER}deepspeed: conf/my ds.json\n"),
        ("fsdp.json", FSDP, "train.yaml", f"{TRAINER}fsdp: full_shard\nfsdp_config: fsdp.json\n"),
        ("hostfile", "worker-0 slots=8\n", "a.yaml", PDSH.format("hostfile")),
        ("llama/config.json", MODEL, "train.yaml", f"{TRAINER}model_name_or_path: ./llama\n"),
        (
            "a.yaml",
            LAUNCHER.format("ds.json"),
            "b.yaml",
            f"{TRAINER}deepspeed: a.yaml\n",
        ),
    ],
)
def test_a_file_that_names_it_is_linted_too(
    tmp_path: Path, named: str, text: str, by: str, naming: str
) -> None:
    write(tmp_path, {named: text, by: naming})
    assert together(tmp_path, named) == [named, by]
    assert said(tmp_path, named) == said(tmp_path, named, by)
    (job,), notices = jobs_of([tmp_path / named], Options(root=tmp_path))
    assert (job.id, {named, by} <= {*job.files}, notices) == (by, True, ())


@pytest.mark.parametrize(
    "beside",
    [
        {"conf/train.yaml": TRAINER},
        {"conf/train.yaml": f"# unlike ds.json\n{TRAINER}"},
        {"conf/train.yaml": f"{TRAINER}deepspeed: conf/my_ds.json\n"},
        {"conf/train.yaml": f"{TRAINER}deepspeed: ${{HERE}}/ds.json\n"},
        {"conf/train.yaml": f"{TRAINER}deepspeed: ds.json\n", "ds.json": DEEPSPEED},
        {"conf/train.yaml": f"{TRAINER}deepspeed: other/ds.json\n", "conf/other/ds.json": DEEPSPEED},
        {"conf/sub/train.yaml": f"{TRAINER}deepspeed: conf/ds.json\n"},
        {"other/train.yaml": f"{TRAINER}deepspeed: conf/ds.json\n"},
        {"conf/notes.txt": f"{TRAINER}deepspeed: conf/ds.json\n"},
        {"conf/package.json": '{"name": "ds.json"}'},
    ],
)
def test_no_other_is(tmp_path: Path, beside: dict[str, str]) -> None:
    write(tmp_path, {"conf/ds.json": DEEPSPEED, **beside})
    assert together(tmp_path, "conf/ds.json") == ["conf/ds.json"]


def test_those_that_name_it_are_named_themselves(tmp_path: Path) -> None:
    write(tmp_path, {"c/ds.json": DEEPSPEED, "c/a.yaml": LAUNCHER.format("ds.json")})
    write(tmp_path, {"train.yaml": f"{TRAINER}deepspeed: c/a.yaml\n"})
    assert together(tmp_path, "c/ds.json") == ["c/ds.json", "c/a.yaml", "train.yaml"]


def test_a_circle_ends(tmp_path: Path) -> None:
    write(tmp_path, {"a.yaml": LAUNCHER.format("b.yaml"), "b.yaml": LAUNCHER.format("a.yaml")})
    assert together(tmp_path, "a.yaml") == ["a.yaml", "b.yaml"]
    write(tmp_path, {"a.yaml": LAUNCHER.format("a.yaml"), "b.yaml": ""})
    assert together(tmp_path, "a.yaml") == ["a.yaml"]


def test_what_it_names_brings_no_others(tmp_path: Path) -> None:
    write(tmp_path, {"ds.json": DEEPSPEED, "a.yaml": LAUNCHER.format("ds.json")})
    write(tmp_path, {"b.yaml": LAUNCHER.format("ds.json")})
    assert together(tmp_path, "a.yaml") == ["a.yaml"]


def test_so_many_are_looked_at_the_nearest_first(tmp_path: Path) -> None:
    write(tmp_path, {"c/ds.json": DEEPSPEED})
    write(tmp_path, {f"{at:02}.yaml": LAUNCHER.format("c/ds.json") for at in range(30)})
    write(tmp_path, {f"c/{at:02}.yaml": LAUNCHER.format("ds.json") for at in range(5)})
    found = together(tmp_path, "c/ds.json")
    assert len(found) == MOST_TOGETHER
    assert found[1:7] == [*(f"c/{at:02}.yaml" for at in range(5)), "00.yaml"]


def test_folders_and_files_of_no_format_bring_none(tmp_path: Path) -> None:
    write(tmp_path, {"c/ds.json": DEEPSPEED, "c/x.json": "{}", "a.yaml": LAUNCHER.format("x.json")})
    assert together(tmp_path, "c", "c/x.json", "c/no.json") == ["c", "c/x.json", "c/no.json"]


def test_a_file_outside_the_root_has_its_own_folder(tmp_path: Path) -> None:
    write(tmp_path, {"root/x.json": "{}", "p/q/ds.json": DEEPSPEED, "p/q/a.yaml": LAUNCHER.format("ds.json")})
    write(tmp_path, {"p/a.yaml": LAUNCHER.format("q/ds.json")})
    assert together(tmp_path / "root", "../p/q/ds.json") == ["../p/q/ds.json", "../p/q/a.yaml"]


def test_an_unsaved_text_is_named_and_names(tmp_path: Path) -> None:
    write(tmp_path, {"a.yaml": LAUNCHER.format("x.json")})
    unsaved = {tmp_path / "ds.json": DEEPSPEED, tmp_path / "a.yaml": LAUNCHER.format("ds.json")}
    (job,), _ = jobs_of([tmp_path / "ds.json"], Options(root=tmp_path, overlay=unsaved))
    assert job.files == ("a.yaml", "ds.json")


@pytest.fixture
def heads(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The names of the files whose beginning is read."""
    read: list[str] = []
    whole = Workspace.head

    def head(self: Workspace, path: Path, size: int = 4096) -> str | None:
        read.append(path.name)
        return whole(self, path, size)

    monkeypatch.setattr(Workspace, "head", head)
    yield read


def test_each_file_near_is_read_once_and_those_named_are_not(tmp_path: Path, heads: list[str]) -> None:
    named = [f"{at}.json" for at in range(9)]
    write(tmp_path, dict.fromkeys(named, DEEPSPEED))
    write(tmp_path, {f"a{at:03}.json": "{}" for at in range(100)})
    together(tmp_path, *named)
    assert heads == [f"a{at:03}.json" for at in range(MOST_FILES - len(named))]
    heads.clear()
    together(tmp_path, ".")
    assert heads == []
