"""`shardlint check`: lint files, folders or standard input."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path

from shardlint.engine import Options, lint
from shardlint.report import Report, Severity
from shardlint_cli.arguments import Parser, one_of, words
from shardlint_cli.main import FAILURE, FINDINGS, OK
from shardlint_cli.notices import tell
from shardlint_cli.progress import progress
from shardlint_cli.render import FORMATS, renderer
from shardlint_cli.terminal import screen_of

STDIN = "-"
UNNAMED = "<stdin>"

EXAMPLES = """\
  shardlint check                                       every config below this folder
  shardlint check ds_config.json --set world_size=8 --set model.params=7B
  shardlint check configs --format json > report.json
  shardlint check --diff train.yaml                     what --fix would change
  cat ds.json | shardlint check - --stdin-filename conf/ds.json

exit codes: 0 nothing at or above --severity, 1 findings, 2 something could not be read or understood
"""


def parser() -> Parser:
    made = Parser("check", "Lint config files: findings with line and column, and why.", EXAMPLES)
    made.add_argument(
        "paths", nargs="*", metavar="PATH", help="files or folders, or - for standard input (default: .)"
    )
    made.add_argument(
        "--format",
        type=one_of("format", FORMATS),
        default="text",
        metavar="FORMAT",
        help=f"{' or '.join(FORMATS)} (default: text)",
    )
    made.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a fact that wins over every file and setting, as world_size=8; may be repeated",
    )
    made.add_argument("--config", type=Path, metavar="FILE", help="settings file instead of the nearest one")
    made.add_argument(
        "--severity",
        type=one_of("severity", [severity.word for severity in Severity]),
        default="warning",
        metavar="LEVEL",
        help="lowest severity that makes the exit code 1: hint, info, warning or error (default: warning)",
    )
    made.add_argument(
        "--select", type=words, action="extend", default=[], metavar="RULES", help="only these rules or families"
    )
    made.add_argument(
        "--ignore", type=words, action="extend", default=[], metavar="RULES", help="not these rules or families"
    )
    change = made.add_mutually_exclusive_group()
    change.add_argument("--fix", action="store_true", help="apply safe fixes to the files")
    change.add_argument("--diff", action="store_true", help="print what --fix would change, and change nothing")
    made.add_argument(
        "--unsafe-fixes", action="store_true", help="with --fix or --diff: also fixes that change what a run does"
    )
    made.add_argument("--exit-zero", action="store_true", help="exit 0 even with findings")
    made.add_argument("--stdin-filename", metavar="FILE", help="the name standard input is linted under")
    return made


def run(argv: Sequence[str]) -> int:
    arguments = parser().read(argv)
    paths, options = _request(arguments)
    report, changed = _linted(arguments, paths, options)
    if not arguments.diff:
        screen = screen_of(sys.stdout)
        for line in renderer(arguments.format).render(report, screen):
            sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
    tell(report.notices)
    return _code(arguments, report, changed)
