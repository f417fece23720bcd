"""Facts no file states, told to shardlint in its settings file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from shardlint.compose.job import Job
from shardlint.ledger import Ledger
from shardlint.ledger.unlocking import unlocking
from shardlint.plan import TrainingPlan
from shardlint.report import GIB, Finding, Place
from shardlint_lsp.actions.action import Action
from shardlint_lsp.actions.settings_file import SettingsFile
from shardlint_lsp.look import Look

ABOUT = ("facts-missing", "activations-not-budgeted")
"""Rules that say a fact is missing."""
WORLDS = (8, 16, 32)
GPUS = ("A100-SXM4-80GB", "H100 80GB HBM3")
PARAMS = "7B"
ACTIVATIONS = "20GiB"
MOST = 6
_SIZE = r"(?i)(?<![a-z0-9.])(\d+(?:\.\d+)?b)(?![a-z0-9])"


def telling(look: Look, place: Place, settings: SettingsFile) -> list[Action]:
    """What can be told of the plans whose way of sharding is stated at a place, a value an action: the
    likely ones, to be edited where they are not those of the job."""
    told: dict[str, Action] = {}
    findings = tuple(
        found for found in look.findings(look.name) if found.rule in ABOUT and found.place.span == place.span
    )
    for job in look.jobs:
        for plan in job.plans:
            if plan.strategy_place == place:
                for name, value in _lacking(job, plan, look.analysis.ledgers.of(plan)):
                    action = _action(settings, name, value, findings)
                    told.setdefault(action.title, action)
    return [*told.values()][:MOST]


def places(look: Look) -> list[Place]:
    """Where in the open file the plans of its jobs say how they shard."""
    stated = (plan.strategy_place for job in look.jobs for plan in job.plans)
    return [*dict.fromkeys(place for place in stated if place is not None and place.path == look.name)]


def _action(settings: SettingsFile, name: str, value: int | str, findings: tuple[Finding, ...]) -> Action:
    table, _, key = name.partition(".") if name.startswith("budget.") else ("facts", "", name)
    title = f"Set {name} to {value} in {settings.title}"
    return Action(
        title, partial(settings.set, table, tuple(key.split(".")), value), findings=findings, shows=True
    )


def _lacking(job: Job, plan: TrainingPlan, ledger: Ledger) -> Iterator[tuple[str, int | str]]:
    """Settings the figures of a plan lack: first what its states need, then what they are compared with."""
    for wanted in unlocking(plan):
        name = wanted.partition(" ")[0]
        if name == "model.params":
            yield name, _size_named(job) or PARAMS
        elif name == "world_size":
            yield from ((name, world) for world in WORLDS)
        else:
            yield name, WORLDS[0]
    if ledger.states is None:
        return
    if not plan.activations.known:
        room = _room(plan, ledger.states)
        if room is None or room >= 1:
            yield "budget.activations", ACTIVATIONS if room is None else f"{room}GiB"
    if not plan.gpu_bytes.known:
        yield from (("gpu.name", gpu) for gpu in GPUS)


def _room(plan: TrainingPlan, states: int) -> int | None:
    """Whole GiB the GPU has beside the model states; None where its memory is not known."""
    if plan.gpu_bytes.value is None:
        return None
    usable = plan.gpu_bytes.value * (1 - plan.fragmentation.get(0.0))
    return int((usable - states - plan.reserve.get(0)) // GIB)


def _size_named(job: Job) -> str | None:
    """The size the name of the model or of a file speaks of: `13B` of `configs/llama-13b.json`."""
    models = (reading.terms.get("model.name") for reading in job.readings)
    names = [str(fact.value) for fact in models if fact is not None and fact.known]
    found = re.search(_SIZE, " ".join([*names, *job.files]))
    return found.group(1).upper() if found else None
