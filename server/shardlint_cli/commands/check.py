"""`shardlint check`: lint files, folders or standard input."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from shardlint.report import Report, Severity, listing
from shardlint_cli.arguments import Parser, one_of, path, words
from shardlint_cli.main import FAILURE, FINDINGS, OK
from shardlint_cli.notices import tell
from shardlint_cli.render import FORMATS, renderer
from shardlint_cli.request import STDIN, Request, linted, request_of
from shardlint_cli.terminal import screen_of

EXAMPLES = """\
  shardlint check                       every config below this folder
  shardlint check --diff train.yaml     what --fix would change
  shardlint check ds_config.json --set world_size=8 --set model.params=7B
  shardlint check configs --format json > report.json
  cat ds.json | shardlint check - --stdin-filename conf/ds.json

exit codes:
  0  nothing at or above --severity
  1  findings; with --diff, something to change
  2  something asked for could not be read or understood
"""


def parser() -> Parser:
    made = Parser("check", "Lint config files: findings with line and column, and why.", EXAMPLES)
    made.add_argument(
        "paths", nargs="*", type=path, metavar="PATH", help="files, folders, or - for standard input"
    )
    _add_input(made)
    _add_output(made)
    _add_changes(made)
    return made


def _add_input(made: Parser) -> None:
    fact = "a fact that wins over every file and setting, as world_size=8; may be repeated"
    made.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help=fact)
    made.add_argument("--config", type=Path, metavar="FILE", help="settings file instead of the nearest one")
    made.add_argument("--stdin-filename", metavar="FILE", help="the name standard input is linted under")
    for option, help in (("--select", "only these rules or families"), ("--ignore", "not these")):
        made.add_argument(option, type=words, action="extend", default=[], metavar="RULES", help=help)


def _add_output(made: Parser) -> None:
    formats, levels = tuple(FORMATS), [severity.word for severity in Severity]
    made.add_argument(
        "--format",
        type=one_of("format", formats),
        default="text",
        metavar="FORMAT",
        help=f"{listing(formats)} (default: text)",
    )
    made.add_argument(
        "--severity",
        type=one_of("severity", levels),
        default="warning",
        metavar="LEVEL",
        help=f"lowest severity that makes the exit code 1: {listing(levels)} (default: warning)",
    )
    made.add_argument("--exit-zero", action="store_true", help="exit 0 even with findings")


def _add_changes(made: Parser) -> None:
    either = made.options.add_mutually_exclusive_group()
    either.add_argument("--fix", action="store_true", help="apply safe fixes to the files")
    either.add_argument("--diff", action="store_true", help="print what --fix would change, change nothing")
    unsafe = "with --fix or --diff: fixes too that change what a run does"
    made.add_argument("--unsafe-fixes", action="store_true", help=unsafe)


def run(argv: Sequence[str]) -> int:
    made = parser()
    arguments = made.read(argv)
    if arguments.stdin_filename and arguments.paths and STDIN not in arguments.paths:
        made.error("--stdin-filename names standard input, but - is not among the paths")
    request = request_of(arguments)
    report = linted(request)
    if arguments.diff:
        return _diff(arguments, request, report)
    if arguments.fix:
        return _fix(arguments, request, report)
    return _close(arguments, report, sys.stdout)


def _close(arguments: Namespace, report: Report, out: TextIO) -> int:
    """Show the report and its notices; the exit code."""
    for line in renderer(arguments.format).render(report, screen_of(out)):
        out.write(f"{line}\n")
    out.flush()
    tell(report.notices)
    if any(notice.asked for notice in report.notices):
        return FAILURE
    worst = report.worst()
    failed = worst is not None and worst >= Severity[arguments.severity.upper()]
    return FINDINGS if failed and not arguments.exit_zero else OK


def _diff(arguments: Namespace, request: Request, report: Report) -> int:
    from shardlint_cli.applying import changes_of
    from shardlint_cli.render import diff

    found = changes_of(request, report, arguments.unsafe_fixes)
    for line in diff.render(found, screen_of(sys.stdout)):
        sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
    tell(report.notices)
    if any(notice.asked for notice in report.notices):
        return FAILURE
    return FINDINGS if found and not arguments.exit_zero else OK


def _fix(arguments: Namespace, request: Request, report: Report) -> int:
    from shardlint_cli.applying import fix_files, fix_stdin

    if request.stdin is not None:
        fixed = fix_stdin(request, report, arguments.unsafe_fixes)
        sys.stdout.flush()
        return _close(arguments, fixed.report, sys.stderr)
    fixed = fix_files(request, report, arguments.unsafe_fixes)
    screen = screen_of(sys.stderr)
    for change in fixed.changes:
        for title in change.titles:
            sys.stderr.write(screen.safe(f"fixed {change.path}: {title}") + "\n")
    return _close(arguments, fixed.report, sys.stdout)
