"""`shardlint schema`, and what check-jsonschema makes of its output."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from shardlint.schema import STACKS
from shardlint.schema.export import export

Run = Callable[..., "tuple[int, str, str]"]
EXAMPLES = Path(__file__).parents[2] / "examples"

requires_check_jsonschema = pytest.mark.skipif(
    find_spec("check_jsonschema") is None,
    reason="check-jsonschema is not installed; it comes with the extra test",
)


@pytest.mark.parametrize("stack", STACKS)
def test_a_schema_is_printed(run: Run, stack: str) -> None:
    code, out, err = run("schema", stack)
    assert (code, err) == (0, "")
    assert json.loads(out) == export(stack)


def test_a_release_narrows_it(run: Run) -> None:
    out = run("schema", "deepspeed", "--set", "versions.deepspeed=0.19.8")[1]
    assert json.loads(out)["properties"]["elasticity"]["not"] == {}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["deepspead"], "unknown format deepspead (did you mean deepspeed?)"),
        ([], "the following arguments are required: FORMAT"),
        (["deepspeed", "--set", "world_size=8"], "--set world_size changes nothing here"),
        (["deepspeed", "--set", "versions.deepspeed=new"], "versions.deepspeed = new is no version"),
    ],
)
def test_what_cannot_be_understood_is_one_line(run: Run, words: list[str], said: str) -> None:
    code, out, err = run("schema", *words)
    assert (code, out) == (2, "")
    assert said in err and err.count("\n") == 1


GOOD = {
    "deepspeed": ("good/zero2/ds_config.json", "good/zero3/ds_zero3.json"),
    "accelerate": ("good/zero3/accelerate.yaml", "good/fsdp1/accelerate.yaml", "good/fsdp2/accelerate.yaml"),
    "hf-trainer": ("good/trainer/train.yaml",),
}
BAD = {
    "deepspeed": (
        ('{"zero_optimization": {"overlap_com": true}}', "$.zero_optimization"),
        ('{"zero_optimization": {"stage": 4}}', "$.zero_optimization.stage"),
        ('{"train_batch_size": "8"}', "$.train_batch_size"),
    ),
    "accelerate": (
        ("distributed_type: MULTI_GPUS\n", "$.distributed_type"),
        ("distributed_type: FSDP\nfsdp_confg: {}\n", "fsdp_confg"),
    ),
    "hf-trainer": (("optim: adamw_torsch\n", "$.optim"),),
}


def checked(folder: Path, stack: str, *texts: str) -> subprocess.CompletedProcess[str]:
    """What check-jsonschema says about files of a stack: f0, f1, ..."""
    schema = folder / f"{stack}.schema.json"
    schema.write_text(json.dumps(export(stack)))
    suffix = ".json" if stack == "deepspeed" else ".yaml"
    files = [folder / f"f{at}{suffix}" for at in range(len(texts))]
    for file, text in zip(files, texts, strict=True):
        file.write_text(text)
    argv = [sys.executable, "-m", "check_jsonschema", "--schemafile", str(schema), *map(str, files)]
    return subprocess.run(argv, capture_output=True, text=True, timeout=120)


@requires_check_jsonschema
@pytest.mark.parametrize("stack", STACKS)
def test_check_jsonschema_takes_good_files(tmp_path: Path, stack: str) -> None:
    done = checked(tmp_path, stack, *((EXAMPLES / path).read_text() for path in GOOD[stack]))
    assert done.returncode == 0, done.stdout


@requires_check_jsonschema
@pytest.mark.parametrize("stack", STACKS)
def test_check_jsonschema_refuses_bad_ones(tmp_path: Path, stack: str) -> None:
    done = checked(tmp_path, stack, *(text for text, _ in BAD[stack]))
    assert done.returncode == 1
    said = [line for line in done.stdout.splitlines() if line.startswith("  ")]
    for at, (_, place) in enumerate(BAD[stack]):
        assert any(f"f{at}." in line and place in line for line in said), done.stdout
