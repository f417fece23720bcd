"""What is newer than the tables: there nothing is certain to fail, whatever the newest known release does."""

from __future__ import annotations

from collections.abc import Sequence

from shardlint.checks.links.releases import READ_BY
from shardlint.compose import Job
from shardlint.report import ERROR, WARNING, Finding
from shardlint.schema.releases import NEWEST


def within_horizon(finding: Finding, jobs: Sequence[Job]) -> Finding:
    """The finding, as a warning where the reader of its file is newer than every release we know.

    A file no reader could load stays an error.
    """
    if finding.severity != ERROR or finding.code.startswith("SYN"):
        return finding
    for job in jobs:
        if job.id in finding.jobs:
            package = _reader(finding, job)
            if package and job.settings.versions(package).all_newer_than(NEWEST[package]):
                newer = job.settings.versions(package).text
                assumes = (*finding.assumes, f"{newer} still does what {NEWEST[package]} does")
                return finding._replace(
                    severity=WARNING, fails_at=None, confidence="assumed", assumes=assumes
                )
    return finding


def _reader(finding: Finding, job: Job) -> str:
    """The package that reads the file of a finding; empty where none does."""
    found = (reading for reading in job.readings if reading.name == finding.place.path)
    return next((READ_BY.get(reading.format.name, "") for reading in found), "")
