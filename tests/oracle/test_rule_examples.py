"""The documented DeepSpeed examples of every rule, asked of the real DeepSpeed.

Where a rule calls the bad example an error, DeepSpeed refuses it at the stage the finding names; the good
example of every rule that can be an error is taken.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from checks.linting import findings
from checks.test_examples import Example, example
from oracle.differential.question import Answer, Question
from oracle.differential.worker import Worker
from oracle.environments import RELEASES, find
from shardlint.checks.registry import Rule, all_rules
from shardlint.report import ERROR, Finding

RELEASE = RELEASES["deepspeed"][0]
ENVIRONMENT = find("deepspeed", RELEASE)

pytestmark = [
    pytest.mark.oracle,
    pytest.mark.skipif(ENVIRONMENT is None, reason=f"deepspeed {RELEASE} is not installed"),
]

WORLD = 8
PROGRAM = ("code.", "launch.", "training_args.", "model.", "gpu.")
"""Facts the two-layer model of the worker does not share."""
NEEDS_A_KNOWN_MODEL = ("tensor-parallel-size-mismatch",)
"""The good example splits layers over ranks, which AutoTP does for models it knows."""


def of_deepspeed(files: dict[str, str]) -> bool:
    """One DeepSpeed file that nobody fills in, and settings this release and this worker can stand for."""
    settings = files.get("shardlint.toml", "")
    old = "versions.deepspeed" in settings and f'"{RELEASE}"' not in settings
    filled = '"auto"' in files.get("ds_config.json", "") or '"auto"' in settings
    others = set(files) - {"ds_config.json", "shardlint.toml"}
    elsewhere = "consumer" in settings and 'consumer = "deepspeed"' not in settings
    strange = others or old or filled or elsewhere or any(name in settings for name in PROGRAM)
    return "ds_config.json" in files and not strange


def world(files: dict[str, str]) -> int:
    lines = (line.partition("=") for line in files.get("shardlint.toml", "").splitlines())
    return next((int(value) for name, _, value in lines if name.strip() == "world_size"), WORLD)


def question(files: dict[str, str], layer: str) -> Question:
    """Where an engine is built of a file without optimizer, the one the program would bring stands in it."""
    text = files["ds_config.json"]
    if layer == "engine" and '"optimizer"' not in text:
        text = json.dumps({**json.loads(text), "optimizer": {"type": "AdamW", "params": {"lr": 1e-4}}})
    return Question({"ds_config.json": text}, "ds_config.json", world(files), layer)


def error_of(rule: Rule, bad: Example) -> Finding | None:
    """What the rule calls an error of a stage before the first step."""
    found = (one for one in findings(bad.files, rule.name) if one.severity == ERROR)
    return next((one for one in found if one.fails_at in ("load", "config", "engine")), None)


def stated(rule: Rule) -> bool:
    return rule.severity == ERROR and rule.fails_at in ("load", "config", "engine")


RULES = [rule for rule in all_rules() if stated(rule)]
BAD = [rule for rule in RULES if of_deepspeed(example(rule, "## Example").files)]
GOOD = [rule for rule in RULES if of_deepspeed(example(rule, "## Use instead").files)]


@pytest.fixture(scope="module")
def deepspeed() -> Iterator[Worker]:
    assert ENVIRONMENT is not None
    with Worker(ENVIRONMENT, engine=True) as worker:
        yield worker


def answer(worker: Worker, asked: Question) -> Answer:
    said = worker.ask(asked)
    assert not said.broken, said.broken
    return said


def test_there_are_examples_of_both_kinds() -> None:
    assert len(BAD) > 30 and len(GOOD) > 30


@pytest.mark.parametrize("rule", BAD, ids=[rule.name for rule in BAD])
def test_what_is_called_an_error_is_refused(rule: Rule, deepspeed: Worker) -> None:
    bad = example(rule, "## Example")
    error = error_of(rule, bad)
    if error is None or error.fails_at is None:
        pytest.skip("the example is a warning")
    said = answer(deepspeed, question(bad.files, error.fails_at))
    assert said.refused == error.fails_at, said


@pytest.mark.parametrize("rule", GOOD, ids=[rule.name for rule in GOOD])
def test_what_to_use_instead_is_taken(rule: Rule, deepspeed: Worker) -> None:
    if rule.name in NEEDS_A_KNOWN_MODEL:
        pytest.skip("the layers are split over ranks, which needs a model AutoTP knows")
    layer = "engine" if rule.fails_at == "engine" else "config"
    said = answer(deepspeed, question(example(rule, "## Use instead").files, layer))
    assert said.refused is None, said
