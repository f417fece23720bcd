"""An oracle that finds its framework missing is skipped, and fails where the frameworks are said to be there:
CI=true, or SHARDLINT_ORACLES names the folder of their releases."""

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
    made = os.environ.get("CI") == "true" or bool(os.environ.get("SHARDLINT_ORACLES"))
    required = made and item.get_closest_marker("oracle") is not None
    if required and any(words in reason for words in LACKING):
        report.outcome = "failed"
        report.longrepr = f"{reason}, though CI or SHARDLINT_ORACLES says that the oracles are there"
    return report
