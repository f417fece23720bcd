"""The way of the data: paths -> readings -> jobs -> findings -> report."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from shardlint.checks.index import silent
from shardlint.checks.registry import Rule, rules_but
from shardlint.compose import Job
from shardlint.compose.jobs import absent_files, compose
from shardlint.compose.referrers import with_referrers
from shardlint.compose.shelf import Shelf
from shardlint.engine.export import job_data
from shardlint.engine.horizon import within_horizon
from shardlint.engine.judge import once, ordered, selected, stamped, unsuperseded, wanted
from shardlint.engine.options import Options
from shardlint.engine.scopes import Ledgers, Scopes
from shardlint.formats.reading import Reading
from shardlint.plan import TrainingPlan
from shardlint.report import FileReport, Finding, Notice, Report
from shardlint.settings import Settings, SettingsLoader, names_rule
from shardlint.workspace import Walk, Workspace


class Analysis(NamedTuple):
    """What one look at some files found: `report` without its `jobs` as data, the jobs themselves, and
    the ledgers of their plans, worked out when asked for."""

    report: Report
    jobs: tuple[Job, ...]
    ledgers: Ledgers
    workspace: Workspace


class Session:
    """One lint: its workspace, settings and what was noticed on the way."""

    def __init__(self, options: Options, workspace: Workspace | None = None) -> None:
        self.options = options
        self.workspace = workspace or Workspace(options.root, options.overlay)
        self.shelf = Shelf(self.workspace)
        self.loader = SettingsLoader(
            options.root, options.sets, options.config, options.editor, self.workspace.text
        )
        self.notices: list[Notice] = []
        self.files: dict[str, FileReport] = {}
        self.ledgers = Ledgers()

    @property
    def noticed(self) -> tuple[Notice, ...]:
        """All notices so far: those of the settings first."""
        return (*self.loader.notices, *self.notices)

    def readings(self, paths: Sequence[Path]) -> list[Reading]:
        """The recognised files among the paths and below them."""
        walk = Walk(self.workspace)
        found: list[Reading] = []
        named = {self.workspace.display(path) for path in paths}
        for count, path in enumerate(self.workspace.walk(paths, walk), 1):
            if self.options.progress is not None:
                self.options.progress(count, len(found))
            reading = self.shelf.reading(path)
            name = self.workspace.display(path)
            if isinstance(reading, Notice):
                self.notices.append(reading._replace(asked=name in named))
            elif reading is not None:
                found.append(reading)
                self.files[name] = FileReport(name, reading.format.name)
            elif name in named:
                self.files[name] = FileReport(name, None)
        self.notices += walk.notices
        return found

    def jobs(self, readings: Sequence[Reading]) -> list[Job]:
        jobs = compose(readings, self.shelf, self.loader)
        for job in jobs:
            for reading in job.readings:
                self.files.setdefault(reading.name, FileReport(reading.name, reading.format.name))
        return jobs

    def settings_at(self, path: Path) -> Settings:
        """The settings in force at a file or folder."""
        full = self.workspace.absolute(str(path))
        return self.loader.at(full if os.path.isdir(full) else full.parent)  # noqa: PTH112 - Path.is_dir raises

    def settings_of(self, jobs: Sequence[Job]) -> dict[str, Settings]:
        """The settings that decide what is said about each file: those of its own folder and pragmas."""
        found: dict[str, Settings] = {}
        for job in jobs:
            for reading in job.readings:
                if reading.name not in found:
                    path = self.shelf.path_of(reading)
                    found[reading.name] = self.loader.at(path.parent).with_pragmas(reading.document)
        return found

    def looked(self, jobs: Sequence[Job], spoken: Sequence[Settings], rules: Iterable[Rule]) -> list[Finding]:
        """What the rules say, each with who said it. A rule that fails is a notice; the others still run."""
        findings: list[Finding] = []
        scopes = Scopes(jobs, spoken, self.ledgers)
        for rule in rules:
            for sight in scopes.sights(rule):
                try:
                    findings.extend(stamped(rule, f, sight) for f in rule.check(*sight.arguments))
                except Exception as error:
                    message = f"{sight.path}: rule {rule.name} failed with {type(error).__name__}: {error}"
                    self.notices.append(Notice(sight.path, message))
        return findings


def lint(paths: Sequence[Path], options: Options) -> Report:
    """Lint files and folders, each file with those near it that name it. Never raises for anything in the
    files, the settings or on the disk."""
    workspace = Workspace(options.root, options.overlay)
    found = analyse(with_referrers(paths, workspace), options, workspace)
    return found.report._replace(jobs=tuple(job_data(job, found.ledgers.of) for job in found.jobs))


def analyse(paths: Sequence[Path], options: Options, workspace: Workspace | None = None) -> Analysis:
    """Lint files and folders and keep what the findings rest on.

    A `workspace` of an earlier look hands on what it has read, by content; its own overlay holds.
    """
    session = Session(options, workspace)
    jobs = session.jobs(session.readings(paths))
    settings = session.settings_of(jobs)
    rules = [rule for rule in rules_but(silent(_texts(jobs))) if _asked_for(rule, options)]
    asked = (session.settings_at(path) for path in paths or (options.root,))
    spoken = [*dict.fromkeys((*asked, *settings.values(), *(job.settings for job in jobs)))]
    spoken = [one.with_problems(absent_files(one, session.workspace)) for one in spoken]
    findings = [within_horizon(found, jobs) for found in once(session.looked(jobs, spoken, rules))]

    def settings_at(path: str) -> Settings:
        return settings.get(path) or session.settings_at(options.root / path)

    told = unsuperseded(selected(findings, settings_at), {rule.name: rule for rule in rules})
    kept = wanted(told, settings_at, lambda path: options.root / path)
    report = Report(
        files=tuple(session.files[name] for name in sorted(session.files)),
        findings=tuple(ordered(kept)),
        notices=session.noticed,
    )
    return Analysis(report, tuple(jobs), session.ledgers, session.workspace)


def plans_of(path: Path) -> list[TrainingPlan]:
    """The plans of one file's jobs, with the settings near it."""
    jobs, _ = jobs_of([path], Options(root=path.parent))
    return [plan for job in jobs for plan in job.plans]


def jobs_of(paths: Sequence[Path], options: Options) -> tuple[list[Job], tuple[Notice, ...]]:
    """The jobs that `lint` finds, and what was noticed on the way: for front ends that show plans."""
    session = Session(options)
    return session.jobs(session.readings(with_referrers(paths, session.workspace))), session.noticed


def _texts(jobs: Iterable[Job]) -> Iterator[str]:
    """All that rules may find a word in: the files of the jobs, what the settings state."""
    for job in jobs:
        yield from (reading.document.text for reading in job.readings)
        yield from (f"{name} {job.settings.fact(name).value}" for name in job.settings.names())


def _asked_for(rule: Rule, options: Options) -> bool:
    if any(names_rule(word, rule.code, rule.name) for word in options.ignore):
        return False
    return not options.select or any(names_rule(word, rule.code, rule.name) for word in options.select)
