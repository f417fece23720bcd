"""What shardlint calls an error is what the framework refuses: mutants of valid configs, and real ones.

The seed of the mutants is SHARDLINT_SEED, else a fixed one. Releases that are not made yet
(`python -m oracle.environments`) are skipped, except where they must be there (see conftest.py).
"""

from __future__ import annotations

import os
from typing import NamedTuple

import pytest

from corpus import requires_corpus
from oracle.differential import real_files
from oracle.differential.compare import AGREE, Verdict, by_kind, run, tally
from oracle.differential.mutants import mutants
from oracle.differential.mutate import KINDS
from oracle.differential.ours import Setting
from oracle.differential.report import listing, table
from oracle.differential.seeds import seeds
from oracle.differential.undecidable import decidable
from oracle.differential.valid import valid
from oracle.differential.worker import Worker
from oracle.environments import RELEASES, find

pytestmark = pytest.mark.oracle

SEED = int(os.environ.get("SHARDLINT_SEED", "3"))
SMALL = 50
"""A kind of fewer mutants has no share of its own to hold."""


class Part(NamedTuple):
    """How many mutants one release is asked about, and the share that must agree, in all and in a kind."""

    framework: str
    version: str
    layer: str
    count: int
    all: float
    kind: float = 0.98


PARTS = [
    Part("deepspeed", "0.19.8", "config", 1500, 0.995),
    Part("deepspeed", "0.19.8", "engine", 250, 0.99),
    Part("deepspeed", "0.18.9", "config", 600, 0.99),
    Part("deepspeed", "0.16.9", "config", 600, 0.99),
    Part("accelerate", "1.15.0", "config", 500, 0.995),
    Part("accelerate", "1.6.0", "config", 200, 0.99),
    Part("accelerate", "0.34.2", "config", 200, 0.99),
]


@pytest.mark.parametrize("part", PARTS, ids=lambda part: f"{part.framework}-{part.version}-{part.layer}")
def test_errors_are_refusals(part: Part) -> None:
    environment = find(part.framework, part.version)
    if environment is None:
        pytest.skip(f"{part.framework} {part.version} is not made: run python -m oracle.environments")
    setting = Setting(part.framework, part.version)
    said: list[str] = []
    with Worker(environment, engine=part.layer == "engine") as worker:
        sound = valid(seeds(part.framework), part.layer, setting, worker, said.append)
        drawn = mutants(KINDS, sound, part.count, SEED, decidable(part.layer))
        verdicts = run(drawn, part.layer, setting, worker)
    assert not said, "\n".join(said)
    assert len(sound) >= 20
    print("\n".join(table(verdicts)))
    told = "\n".join(["", *table(verdicts), *listing(verdicts, 30)])
    assert tally("all", verdicts).agreement >= least(part.all, len(verdicts)), told
    assert all(row.agreement >= part.kind for row in by_kind(verdicts) if row.count >= SMALL), told
    assert RELEASES[part.framework][0] != part.version or refused(verdicts) >= 0.35, told


def least(share: float, count: int) -> float:
    """The share to hold in a sample: one more disagreement than the share allows is within its noise."""
    return share - 1 / count


def refused(verdicts: list[Verdict]) -> float:
    return tally("all", verdicts).refused / len(verdicts)


def test_the_same_seed_draws_the_same_mutants() -> None:
    found = [mutants(KINDS, seeds("deepspeed"), 200, SEED, decidable("config")) for _ in range(2)]
    assert found[0] == found[1]
    assert {mutant.kind for mutant in found[0]} == {kind.name for kind in KINDS}


@requires_corpus
@pytest.mark.parametrize("framework", list(RELEASES))
def test_real_files(framework: str) -> None:
    """No error in a file the newest release takes, and one at the cause in every file it refuses."""
    version = RELEASES[framework][0]
    if find(framework, version) is None:
        pytest.skip(f"{framework} {version} is not made: run python -m oracle.environments")
    found = real_files.cases(framework, version)
    wrong = [case for case in found if case.outcome not in (AGREE, real_files.OPEN, real_files.UNKNOWN)]
    assert not wrong, real_files.told(found)
    assert sum(case.outcome == AGREE for case in found) >= 0.8 * len(found)
