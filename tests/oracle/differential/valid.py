"""Which seeds a release takes: mutants are made of those."""

from __future__ import annotations

from collections.abc import Callable

from oracle.differential.ours import Setting, errors, findings
from oracle.differential.question import Question
from oracle.differential.seeds import Seed
from oracle.differential.worker import Worker


def valid(
    found: list[Seed], layer: str, setting: Setting, worker: Worker, say: Callable[[str], None]
) -> list[Seed]:
    """The seeds the framework takes. Says what we call an error in one of them."""
    sound: list[Seed] = []
    for seed in found:
        question = Question(seed.files(seed.text), seed.target, seed.world, layer)
        answer = worker.ask(question)
        ours = errors(findings(question, setting), layer)
        if answer.refused is None and not answer.broken:
            sound.append(seed)
        for one in ours if answer.refused is None else ():
            say(f"{seed.name} is taken, but {one.code} at {one.place.key}: {one.message}")
        if answer.broken:
            say(f"{seed.name}: {answer.broken}")
        elif answer.refused is not None and not ours:
            say(f"{seed.name} is refused, and we are silent: {answer.message}")
    return sound
