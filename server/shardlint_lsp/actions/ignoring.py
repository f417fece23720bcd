"""Rules made silent: at a place, in a file, everywhere."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from shardlint.formats.reading import Reading
from shardlint.plan import ASSUMED
from shardlint.report import Finding
from shardlint.settings.pragma_edits import ignore_here
from shardlint_lsp.actions.action import Action, Outcome
from shardlint_lsp.actions.settings_file import SettingsFile
from shardlint_lsp.look import Look

PER_FILE = ("lint", "per-file-ignores")
PATTERN = frozenset("*?:")
"""Characters a pattern of the settings does not take for themselves."""


def ignoring(look: Look, findings: tuple[Finding, ...], settings: SettingsFile | None) -> Iterator[Action]:
    """Ways to silence the rule of some findings, the narrowest first."""
    rule = findings[0].rule
    for found in findings:
        if _takes_comments(look) or _keyed(found, settings):
            yield Action(f"Ignore {rule} here", partial(_here, look, found, settings), findings=(found,))
    if settings is None:
        return
    if _named(settings):
        in_file = partial(settings.add, PER_FILE, settings.relative, rule)
        yield Action(f"Ignore {rule} in {look.text.path.name}", in_file, findings=findings)
    everywhere = partial(settings.add, ("lint",), "ignore", rule)
    yield Action(f"Ignore {rule} in all files", everywhere, findings=findings)


def _keyed(found: Finding, settings: SettingsFile | None) -> bool:
    """Whether settings can name the place of a finding by its key."""
    return settings is not None and bool(found.place.key) and _named(settings)


def _named(settings: SettingsFile) -> bool:
    return not PATTERN.intersection(settings.relative)


def _here(look: Look, found: Finding, settings: SettingsFile | None) -> Outcome | None:
    """By a comment where the reader of the file takes one, else by the key in the settings."""
    reading = look.reading
    if reading is not None and _takes_comments(look):
        edit = ignore_here(look.document, reading.view.dialect, found)
        if edit is not None:
            return Outcome((edit,), {look.name: look.document})
    if settings is None or not _keyed(found, settings):
        return None
    return settings.add(PER_FILE, f"{settings.relative}:{found.place.key}", found.rule)


def _takes_comments(look: Look) -> bool:
    """Whether every reader of the open file takes comments. JSON without one gets its first only where a
    reader that takes comments is known, not assumed."""
    read = [(job, reading) for job in look.jobs for reading in job.readings if reading.name == look.name]
    if not read or any(_refuses(reading) for _, reading in read):
        return False
    known = all(job.consumer.known and job.consumer.standing != ASSUMED for job, _ in read)
    return look.document.language != "json" or bool(look.document.comments) or known


def _refuses(reading: Reading) -> bool:
    return reading.view.dialect.refusal("comment") is not None
