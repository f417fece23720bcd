"""Which files make a job: those that name each other, and those a [[jobs]] puts together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from shardlint.compose.consumer import consumer_of, read_for
from shardlint.compose.job import Job, Link
from shardlint.compose.links import closure
from shardlint.compose.plans import plan_from
from shardlint.compose.shelf import Shelf
from shardlint.compose.terms import fill, merge
from shardlint.formats.reading import Reading
from shardlint.plan import TrainingPlan
from shardlint.report import Finding
from shardlint.resolve import resolve
from shardlint.resolve.configs import config_path
from shardlint.settings import JobSpec, Settings, SettingsLoader
from shardlint.settings.problems import NO_ROW, WRONG, may_be_path, problem
from shardlint.workspace import Workspace

ENTRY_ORDER = ("hf-args", "accelerate", "deepspeed", "fsdp", "hostfile", "model-config")
PLANNED = ("deepspeed", "accelerate", "fsdp", "hf-args")
"""Formats that say how something is trained; a hostfile or a model's config alone makes no plan."""


def compose(readings: Sequence[Reading], shelf: Shelf, loader: SettingsLoader) -> list[Job]:
    """The jobs of a set of files: each file stands in at least one, referred-to files in their referrer's."""
    links = {reading.name: closure(reading, shelf) for reading in readings}
    referred = {
        link.target.name
        for name, chain in links.items()
        for link in chain
        if link.target is not None and link.target.name != name
    }
    jobs: list[Job] = []
    grouped: set[str] = set()
    for reading in readings:
        settings = loader.at(shelf.path_of(reading).parent)
        for spec in settings.jobs_of(shelf.path_of(reading)):
            identity = f"{settings.path}:{spec.place.span.start}"
            if identity not in grouped:
                grouped.add(identity)
                jobs.append(_stated_job(spec, settings, shelf, reading))
            grouped.add(reading.name)
    circles = _circles(links)
    jobs.extend(
        _job(reading, links[reading.name], shelf, loader)
        for reading in readings
        if reading.name not in grouped and (reading.name not in referred or reading.name in circles)
    )
    return jobs


def absent_files(settings: Settings, workspace: Workspace) -> list[Finding]:
    """What settings name that is no file: members of a [[jobs]], the path of a model."""
    members = [
        problem(WRONG, f"{name or place.key} in [[jobs]] is no file, so the job goes without it", place)
        for spec in settings.jobs
        for name, place in zip(spec.files, spec.places, strict=False)
        if not workspace.exists(settings.root / name)
    ]
    return [*members, *_absent_model(settings, workspace)]


def _absent_model(settings: Settings, workspace: Workspace) -> list[Finding]:
    name = settings.text("model.name")
    if name.value is None or name.place is None or not may_be_path(name.value):
        return []
    if config_path(name.value, settings.path or settings.root, workspace) is not None:
        return []
    message = f"{name.value} is no file and no folder with a config.json, so its figures are not known"
    return [problem(NO_ROW, f"{message}; set model.params", name.place)]


def _circles(links: dict[str, tuple[Link, ...]]) -> set[str]:
    """Of files that refer to each other in a circle, the first one: it must be some job's entry."""
    first: set[str] = set()
    for name, chain in links.items():
        reached = {link.target.name for link in chain if link.target is not None}
        if name in reached and not reached & first:
            first.add(name)
    return first


def _stated_job(spec: JobSpec, settings: Settings, shelf: Shelf, found: Reading) -> Job:
    listed = [shelf.reading(settings.root / name) for name in spec.files]
    members = [reading for reading in listed if isinstance(reading, Reading)] or [found]
    members.sort(key=_entry_rank)
    links = tuple(link for member in members for link in closure(member, shelf))
    return _built(members, links, settings.for_member(shelf.path_of(members[0]), spec), shelf)


def _job(entry: Reading, links: tuple[Link, ...], shelf: Shelf, loader: SettingsLoader) -> Job:
    path = shelf.path_of(entry)
    return _built([entry], links, loader.at(path.parent).for_file(path), shelf)


def _built(members: Sequence[Reading], links: tuple[Link, ...], settings: Settings, shelf: Shelf) -> Job:
    reached = [link.target for link in links if link.target is not None]
    readings = list({reading.name: reading for reading in (*members, *reached)}.values())
    for reading in readings:
        settings = settings.with_pragmas(reading.document)
    consumer = consumer_of(readings, settings, shelf)
    readings = [read_for(reading, consumer) for reading in readings]
    own = {reading.name: reading for reading in readings}
    return Job(
        id=readings[0].name,
        entry=readings[0],
        readings=tuple(readings),
        links=tuple(_in_job(link, own) for link in links),
        consumer=consumer,
        settings=settings,
        plans=_plans(readings, settings, shelf),
    )


def _in_job(link: Link, own: dict[str, Reading]) -> Link:
    target = own[link.target.name] if link.target is not None else None
    return link._replace(source=own[link.source.name], target=target)


def _entry_rank(reading: Reading) -> int:
    name = reading.format.name
    return ENTRY_ORDER.index(name) if name in ENTRY_ORDER else len(ENTRY_ORDER)


def _plans(readings: Sequence[Reading], settings: Settings, shelf: Shelf) -> tuple[TrainingPlan, ...]:
    """One plan a role: a job with several DeepSpeed files runs several engines, each named by its file."""
    if not any(reading.format.name in PLANNED for reading in readings):
        return ()
    engines = [reading for reading in readings if reading.format.name == "deepspeed"]
    if len(engines) < 2:
        return (_plan("train", readings, settings, shelf),)
    common = [reading for reading in readings if reading.format.name != "deepspeed"]
    return tuple(_plan(Path(e.name).stem, [e, *common], settings, shelf) for e in engines)


def _plan(role: str, readings: Sequence[Reading], settings: Settings, shelf: Shelf) -> TrainingPlan:
    own = settings.for_role(role)
    terms = fill(merge(readings), own)
    return resolve(plan_from(terms, role), own, terms, shelf.workspace)
