"""Where CI=true the frameworks are there: an oracle that finds one of them missing fails."""

from __future__ import annotations

import os
from collections.abc import Generator

import pytest

LACKING = ("is not installed", "is not made", "could not import")
"""What the reasons of skips say of a framework."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    reason = report.longrepr[2] if report.skipped and isinstance(report.longrepr, tuple) else ""
    required = os.environ.get("CI") == "true" and item.get_closest_marker("oracle") is not None
    if required and any(words in reason for words in LACKING):
        report.outcome = "failed"
        report.longrepr = f"{reason}, and CI=true: the oracles must run"
    return report
