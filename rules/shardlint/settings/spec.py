"""What one settings file says: facts, jobs, file patterns and lint options."""

from __future__ import annotations

from typing import NamedTuple

from shardlint.report import Finding, Place
from shardlint.settings.layers import FACTS, Layer
from shardlint.settings.lint import LintSettings


class JobSpec(NamedTuple):
    """Files that belong together. `files` as written, relative to the settings file; `places` one a file."""

    files: tuple[str, ...]
    facts: Layer
    place: Place
    places: tuple[Place, ...] = ()


class FileSpec(NamedTuple):
    """Facts for the files a pattern matches."""

    match: tuple[str, ...]
    facts: Layer


class Source(NamedTuple):
    """What one settings file says."""

    facts: Layer = Layer(FACTS, {})
    jobs: tuple[JobSpec, ...] = ()
    files: tuple[FileSpec, ...] = ()
    lint: LintSettings = LintSettings()
    problems: tuple[Finding, ...] = ()
