"""The command: draw mutants, ask, compare, print the figures and what differs."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

from oracle.differential.compare import AGREE, Verdict, run
from oracle.differential.mutants import Mutant, mutants
from oracle.differential.mutate import KINDS
from oracle.differential.ours import Setting
from oracle.differential.report import listing, table
from oracle.differential.seeds import seeds
from oracle.differential.undecidable import decidable
from oracle.differential.valid import valid
from oracle.differential.worker import Worker
from oracle.environments import RELEASES, find, make


def main() -> int:
    asked = _arguments()
    environment = find(asked.framework, asked.version) or make(asked.framework, asked.version)
    setting = Setting(asked.framework, asked.version)
    kinds = [kind for kind in KINDS if not asked.kinds or kind.name in asked.kinds]
    with Worker(environment, engine=asked.layer == "engine") as worker:
        sound = valid(seeds(asked.framework), asked.layer, setting, worker, print)
        drawn = mutants(kinds, sound, asked.count, asked.seed, decidable(asked.layer))
        started = time.monotonic()
        verdicts = run(drawn, asked.layer, setting, worker, _progress(len(drawn)))
    print(
        f"{asked.framework} {asked.version}, up to {asked.layer}, seed {asked.seed}: {_pace(drawn, started)}"
    )
    print("\n".join(table(verdicts)))
    print("\n".join(listing(verdicts, asked.groups or len(verdicts))))
    if asked.save:
        _save(asked.save, verdicts)
    return 0 if sum(one.outcome == AGREE for one in verdicts) >= asked.least * len(verdicts) else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m oracle.differential", description=__doc__)
    parser.add_argument("--framework", choices=list(RELEASES), required=True)
    parser.add_argument("--version", help="a release; the newest known by default")
    parser.add_argument("--layer", choices=("load", "launch", "config", "engine"), default="config")
    parser.add_argument("--count", type=int, default=1000, help="mutants to make (default 1000)")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--kinds", nargs="*", help="only these kinds of mutations")
    parser.add_argument("--groups", type=int, default=40, help="groups of disagreements to list, 0 for all")
    parser.add_argument("--least", type=float, default=0.0, help="exit 1 below this share of agreement")
    parser.add_argument("--save", type=Path, help="write every disagreement as a line of JSON")
    asked = parser.parse_args()
    asked.version = asked.version or RELEASES[asked.framework][0]
    return asked


def _progress(total: int) -> Callable[[int], None]:
    def shown(at: int) -> None:
        if sys.stderr.isatty() and at % 50 == 0:
            print(f"\r{at}/{total}", end="", file=sys.stderr)

    return shown


def _pace(drawn: list[Mutant], started: float) -> str:
    seconds = time.monotonic() - started
    return f"{len(drawn)} mutants in {seconds:.0f} s"


def _save(path: Path, verdicts: list[Verdict]) -> None:
    with path.open("w", encoding="utf-8") as file:
        for one in verdicts:
            if one.outcome != AGREE:
                file.write(json.dumps(_record(one)) + "\n")


def _record(one: Verdict) -> dict[str, object]:
    ours = [[found.code, found.place.key, found.fails_at, found.message] for found in one.ours]
    mutant = one.mutant
    return {
        "outcome": one.outcome,
        "kind": mutant.kind,
        "seed": mutant.seed.name,
        "note": mutant.note,
        "theirs": list(one.answer),
        "ours": ours,
        "text": mutant.text,
    }


if __name__ == "__main__":
    sys.exit(main())
