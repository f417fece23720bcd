"""The format for people: place and rule, message, source line with a caret, related places, fix, help."""

from __future__ import annotations

from collections.abc import Iterator

from shardlint.report import Finding, Fix, Place, Related, Report, Severity
from shardlint_cli.excerpt import excerpt
from shardlint_cli.terminal import Screen, columns, wrap

PIPE_EXCERPT = 100
"""Columns of a source line shown where the stream has no width."""

COUNTED = (
    (Severity.ERROR, "error", "errors"),
    (Severity.WARNING, "warning", "warnings"),
    (Severity.INFO, "info", "infos"),
    (Severity.HINT, "hint", "hints"),
)

OWN_FILES = ("shardlint.toml", "pyproject.toml")
"""Settings files are read as such, where a job they speak of is looked at."""

QUIET_RULE = "facts-missing"
"""Said once in total where a run covers several jobs."""


def render(report: Report, screen: Screen) -> Iterator[str]:
    gaps = [finding for finding in report.findings if finding.rule == QUIET_RULE]
    folded = len(gaps) > 1
    for finding in report.findings:
        if not (folded and finding.rule == QUIET_RULE):
            yield from _finding(finding, screen)
            yield ""
    if folded:
        yield from _gaps(gaps, screen)
        yield ""
    yield summary(report, screen)


def summary(report: Report, screen: Screen) -> str:
    """`2 errors, 1 warning in 5 files`, and how many of them no rule looked at."""
    counts: list[str] = []
    for severity, one, many in COUNTED:
        count = sum(finding.severity == severity for finding in report.findings)
        if count:
            counts.append(screen.paint(f"{count} {one if count == 1 else many}", severity.word))
    files = len(report.files)
    unread = sum(file.format is None and not file.path.endswith(OWN_FILES) for file in report.files)
    where = f"in {files} file" if files == 1 else f"in {files} files"
    where += f", {unread} of no known format" if unread else ""
    return f"{', '.join(counts)} {where}" if counts else f"{screen.paint('no findings', 'good')} {where}"


def _finding(finding: Finding, screen: Screen) -> Iterator[str]:
    yield from _headline(finding, screen)
    yield from _indented(finding.message, 2, screen)
    yield from _source(finding.place, finding.severity, screen)
    for other in finding.related:
        yield from _related(other, screen)
    for fix in finding.fixes:
        yield from _labelled("fix", _fix_title(fix), screen)
    if finding.assumes:
        yield from _labelled("assumes", "; ".join(finding.assumes), screen)
    if finding.help:
        yield from _labelled("help", finding.help, screen)


def _headline(finding: Finding, screen: Screen) -> Iterator[str]:
    """The place and the rule; what qualifies them stands behind, or below where the screen is too narrow."""
    place, severity = screen.safe(_where(finding.place)), finding.severity.word
    rule = f"{finding.code} {finding.rule}"
    line = f"{screen.paint(place, 'bold')}: {screen.paint(severity, severity)} {rule}"
    qualities = [] if finding.confidence == "certain" else [finding.confidence]
    if finding.fails_at:
        qualities.append(f"fails at {finding.fails_at}")
    note = f"({', '.join(qualities)})" if qualities else ""
    wide = columns(f"{place}: {severity} {rule} {note}")
    if note and (screen.width is None or wide <= screen.width):
        yield f"{line} {screen.paint(note, 'dim')}"
        return
    yield line
    if note:
        yield f"  {screen.paint(note, 'dim')}"


def _where(place: Place) -> str:
    if place.document is None:
        return place.path
    line, column = place.document.position(place.span.start)
    return f"{place.path}:{line}:{column}"


def _source(place: Place, severity: Severity, screen: Screen) -> Iterator[str]:
    """The line the place starts on, and a caret under the part of it that lies on this line."""
    document = place.document
    if document is None or not document.text:
        return
    line, column = document.position(place.span.start)
    text = document.line_text(line)
    if not text.strip():
        return
    gutter = len(str(line))
    width = (screen.width or PIPE_EXCERPT + gutter + 5) - gutter - 5
    length = max(place.span.end - place.span.start, 0)
    shown = excerpt(text, column - 1, column - 1 + length, screen, width)
    number, bar = screen.paint(f"{line}", "dim"), screen.paint("|", "dim")
    yield f"  {number} {bar} {shown.text}"
    yield f"  {' ' * gutter} {bar} {screen.paint(shown.underline, severity.word)}"


def _related(other: Related, screen: Screen) -> Iterator[str]:
    yield from _labelled("see", f"{_where(other.place)}: {other.message}", screen)


def _fix_title(fix: Fix) -> str:
    return fix.title if fix.safe else f"{fix.title} (unsafe)"


def _labelled(label: str, text: str, screen: Screen) -> Iterator[str]:
    margin = len(label) + 4
    first, *rest = _wrapped(text, margin, screen)
    yield f"  {screen.paint(label, 'bold')}: {first}"
    for line in rest:
        yield " " * margin + line


def _indented(text: str, margin: int, screen: Screen) -> Iterator[str]:
    for line in _wrapped(text, margin, screen):
        yield " " * margin + line


def _wrapped(text: str, margin: int, screen: Screen) -> list[str]:
    room = None if screen.width is None else screen.width - margin
    return [line for part in text.split("\n") for line in wrap(screen.safe(part), room)]


def _gaps(gaps: list[Finding], screen: Screen) -> Iterator[str]:
    jobs = {job for finding in gaps for job in finding.jobs} or {finding.place.path for finding in gaps}
    lacking = "1 job lacks" if len(jobs) == 1 else f"{len(jobs)} jobs lack"
    text = (
        f"{lacking} facts for memory figures; `shardlint check FILE` names them for one file, "
        f"`shardlint explain {QUIET_RULE}` says how to give them"
    )
    first, *rest = _wrapped(text, 6, screen)
    yield f"{screen.paint('info', 'info')}: {first}"
    for line in rest:
        yield f"      {line}"
