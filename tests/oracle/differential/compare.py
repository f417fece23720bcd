"""Where a framework and shardlint disagree about a mutant, and how often they agree."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from oracle.differential.mutants import Mutant
from oracle.differential.ours import Setting, errors, findings
from oracle.differential.question import Answer, Question
from oracle.differential.texts import Pairs, Path, drop, has, read, write
from oracle.differential.worker import Worker
from shardlint.report import Finding, Place
from shardlint.syntax.keypath import parse, render

BATCH = {
    ("train_batch_size",),
    ("train_micro_batch_size_per_gpu",),
    ("gradient_accumulation_steps",),
    ("sequence_parallel_size",),
    ("data_parallel_size",),
}
DEGREES = {("num_processes",), ("parallelism_config",)} | {
    ("parallelism_config", f"parallelism_config_{name}_size")
    for name in ("dp_replicate", "dp_shard", "tp", "cp", "sp")
}
MASTERS = {
    ("zero_optimization",),
    ("zero_optimization", "stage"),
    ("bf16", "bf16_master_weights_and_grads"),
    ("bf16", "bf16_optimizer_states"),
}
TOGETHER = [BATCH, DEGREES, MASTERS]
"""Keys of which each is a right place to speak of the others."""

AGREE, MISS, FALSE_ALARM, ELSEWHERE, BROKEN = "agree", "miss", "false alarm", "elsewhere", "broken"


class Verdict(NamedTuple):
    """What came of one mutant. `ours` are our errors up to the layer."""

    mutant: Mutant
    outcome: str
    answer: Answer
    ours: tuple[Finding, ...]


def judge(mutant: Mutant, layer: str, setting: Setting, worker: Worker) -> Verdict:
    """Ask both. A refusal and an error agree when the error stands at the change or what it clashes with."""
    question = Question(mutant.seed.files(mutant.text), mutant.seed.target, mutant.seed.world, layer)
    answer = worker.ask(question)
    try:
        ours = tuple(errors(findings(question, setting), layer))
    except RuntimeError as error:
        return Verdict(mutant, BROKEN, Answer(answer.refused, broken=str(error)), ())
    if answer.broken:
        return Verdict(mutant, BROKEN, answer, ours)
    if answer.refused is None:
        return Verdict(mutant, FALSE_ALARM if ours else AGREE, answer, ours)
    if not ours:
        return Verdict(mutant, MISS, answer, ours)
    right = any(_in_place(one, mutant) for one in ours)
    right = right or any(_is_cause([one], mutant, question, worker) for one in ours)
    right = right or _is_cause(list(ours), mutant, question, worker)
    return Verdict(mutant, AGREE if right else ELSEWHERE, answer, ours)


def _in_place(finding: Finding, mutant: Mutant) -> bool:
    """At the changed key or below it, at the section it is missing from, or at a key that goes with it: one
    known to, or one that says so by pointing there."""
    places = (finding.place, *(one.place for one in finding.related))
    if any(_is_at(place, mutant) for place in places):
        return True
    return finding.code.startswith("SYN") and mutant.path[-1] in finding.message


def _is_at(place: Place, mutant: Mutant) -> bool:
    where = parse(place.key) if place.key else ()
    if place.missing is not None:
        where = (*where, place.missing)
    where = in_full(tuple(str(step) for step in where))
    for path in map(in_full, (mutant.path, *mutant.partners)):
        if where[: len(path)] == path or any(where in group and path in group for group in TOGETHER):
            return True
    return False


def in_full(path: Path) -> Path:
    """A key of `fsdp_config` under its long name: the short one is the same key."""
    if len(path) < 2 or path[0] != "fsdp_config" or path[1].startswith("fsdp_"):
        return path
    return (path[0], f"fsdp_{path[1]}", *path[2:])


def _is_cause(found: list[Finding], mutant: Mutant, question: Question, worker: Worker) -> bool:
    """Whether the framework takes the text once the keys the findings stand at are gone, the changed one and
    those around it not among them."""
    tree = read(mutant.text, mutant.seed.language)
    if not isinstance(tree, Pairs):
        return False
    for finding in found:
        where = tuple(str(step) for step in parse(finding.place.key)) if finding.place.key else ()
        if not where or finding.place.missing is not None or where == mutant.path[: len(where)]:
            return False
        if not has(tree, where):
            return False
        drop(tree, where)
    text = write(tree, mutant.seed.language)
    again = worker.ask(question._replace(files=mutant.seed.files(text)))
    return again.refused is None and not again.broken


class Tally(NamedTuple):
    """How one kind, or all of them, came out."""

    name: str
    outcomes: Counter[str]
    refused: int

    @property
    def count(self) -> int:
        return sum(self.outcomes.values())

    @property
    def agreement(self) -> float:
        return self.outcomes[AGREE] / self.count if self.count else 1.0


def tally(name: str, verdicts: list[Verdict]) -> Tally:
    refused = sum(verdict.answer.refused is not None for verdict in verdicts)
    return Tally(name, Counter(verdict.outcome for verdict in verdicts), refused)


def by_kind(verdicts: list[Verdict]) -> list[Tally]:
    kinds = dict.fromkeys(verdict.mutant.kind for verdict in verdicts)
    return [tally(kind, [one for one in verdicts if one.mutant.kind == kind]) for kind in kinds]


def run(
    mutants: list[Mutant],
    layer: str,
    setting: Setting,
    worker: Worker,
    progress: Callable[[int], None] | None = None,
) -> list[Verdict]:
    verdicts: list[Verdict] = []
    for at, mutant in enumerate(mutants, 1):
        verdicts.append(judge(mutant, layer, setting, worker))
        if progress is not None:
            progress(at)
    return verdicts


def groups(verdicts: list[Verdict]) -> list[tuple[str, list[Verdict]]]:
    """The disagreements, alike ones together: outcome, kind, key and what the framework said."""
    found: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        if verdict.outcome != AGREE:
            said = _shape(verdict)
            found.setdefault(f"{verdict.outcome} | {verdict.mutant.kind} | {said}", []).append(verdict)
    return sorted(found.items(), key=lambda item: -len(item[1]))


def _shape(verdict: Verdict) -> str:
    mutant, answer = verdict.mutant, verdict.answer
    where = mutant.note.partition(":")[0] if mutant.kind == "pair" else render(mutant.path)
    if verdict.outcome == FALSE_ALARM:
        first = verdict.ours[0]
        return f"{where} | {first.code} {first.rule} at {first.place.key}"
    return f"{where} | {answer.refused} {answer.error} {answer.message[:60]}{answer.broken[:100]}"


def sample(verdicts: list[Verdict], count: int, seed: int) -> list[Verdict]:
    return random.Random(seed).sample(verdicts, min(count, len(verdicts)))
