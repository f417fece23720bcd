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


def checked(folder: Path, stack: str, name: str, text: str) -> subprocess.CompletedProcess[str]:
    """What check-jsonschema says about a file of a stack."""
    schema, file = folder / f"{stack}.schema.json", folder / name
    schema.write_text(json.dumps(export(stack)))
    file.write_text(text)
    argv = [sys.executable, "-m", "check_jsonschema", "--schemafile", str(schema), str(file)]
    return subprocess.run(argv, capture_output=True, text=True, timeout=120)


@requires_check_jsonschema
@pytest.mark.parametrize(
    ("stack", "path"),
    [
        ("deepspeed", "good/zero2/ds_config.json"),
        ("deepspeed", "good/zero3/ds_zero3.json"),
        ("accelerate", "good/zero3/accelerate.yaml"),
        ("accelerate", "good/fsdp1/accelerate.yaml"),
        ("accelerate", "good/fsdp2/accelerate.yaml"),
        ("hf-trainer", "good/trainer/train.yaml"),
    ],
)
def test_check_jsonschema_takes_good_files(tmp_path: Path, stack: str, path: str) -> None:
    done = checked(tmp_path, stack, Path(path).name, (EXAMPLES / path).read_text())
    assert done.returncode == 0, done.stdout


@requires_check_jsonschema
@pytest.mark.parametrize(
    ("stack", "name", "text", "place"),
    [
        ("deepspeed", "ds.json", '{"zero_optimization": {"overlap_com": true}}', "$.zero_optimization"),
        ("deepspeed", "ds.json", '{"zero_optimization": {"stage": 4}}', "$.zero_optimization.stage"),
        ("deepspeed", "ds.json", '{"train_batch_size": "8"}', "$.train_batch_size"),
        ("accelerate", "a.yaml", "distributed_type: MULTI_GPUS\n", "$.distributed_type"),
        ("accelerate", "a.yaml", "distributed_type: FSDP\nfsdp_confg: {}\n", "fsdp_confg"),
        ("hf-trainer", "t.yaml", "optim: adamw_torsch\n", "$.optim"),
    ],
)
def test_check_jsonschema_refuses_bad_ones(
    tmp_path: Path, stack: str, name: str, text: str, place: str
) -> None:
    done = checked(tmp_path, stack, name, text)
    assert done.returncode == 1
    assert place in done.stdout
