"""From arguments to a lint: paths and standard input, options, and what was asked for in vain."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from shardlint.checks.registry import all_rules
from shardlint.engine import Options, lint
from shardlint.report import Notice, Report
from shardlint.settings import names_rule
from shardlint.workspace import MAX_BYTES
from shardlint_cli.arguments import did_you_mean

STDIN = "-"
UNNAMED_JSON, UNNAMED_YAML = "stdin.json", "stdin.yaml"


class Request(NamedTuple):
    """`given` are the paths as written; `stdin` is the path standard input is linted under, if it is."""

    given: tuple[str, ...]
    options: Options
    stdin: Path | None = None

    @property
    def paths(self) -> list[Path]:
        root = self.options.root
        return [self.stdin if self.stdin and path == STDIN else root / path for path in self.given]


def request_of(arguments: Namespace) -> Request:
    """What the arguments of `check` ask for. Reads standard input where they name it."""
    root = current_folder()
    given = tuple(dict.fromkeys(arguments.paths)) or ((STDIN,) if arguments.stdin_filename else (".",))
    options = Options(
        root=root,
        sets=tuple(arguments.set),
        config=arguments.config,
        select=tuple(arguments.select),
        ignore=tuple(arguments.ignore),
    )
    if STDIN not in given:
        return Request(given, options)
    data = sys.stdin.buffer.read(MAX_BYTES + 1)
    guessed = UNNAMED_JSON if data.lstrip()[:1] in (b"{", b"[") else UNNAMED_YAML
    path = root / (arguments.stdin_filename or guessed)
    return Request(given, options._replace(overlay={path: data}), path)


def current_folder() -> Path:
    """The working folder; OSError that names it where it was deleted."""
    try:
        return Path.cwd()
    except FileNotFoundError as error:
        raise FileNotFoundError(error.errno, error.strerror, "the current folder") from None


def linted(request: Request) -> Report:
    """The report, with a notice for each path without configs and each word that names no rule."""
    from shardlint_cli.progress import progress

    watch = progress()
    report = lint(request.paths, request.options._replace(progress=watch))
    if watch is not None:
        watch.close()
    gaps = (*_unknown_rules(request), *_bare_folders(request, report))
    return report._replace(notices=(*report.notices, *gaps))


def linted_with(request: Request, texts: Mapping[str, str]) -> Report:
    """The report if the files had these texts, by path."""
    unsaved = {request.options.root / path: text for path, text in texts.items()}
    options = request.options._replace(overlay={**request.options.overlay, **unsaved})
    return lint(request.paths, options)


def _unknown_rules(request: Request) -> Iterator[Notice]:
    options = request.options
    for option, asked in (("--select", options.select), ("--ignore", options.ignore)):
        for word in asked:
            if not any(names_rule(word, rule.code, rule.name) for rule in all_rules()):
                near = did_you_mean(word, [name for rule in all_rules() for name in (rule.name, rule.code)])
                yield Notice(f"{option} {word}", f"no rule has this name, code or family{near}")


def _bare_folders(request: Request, report: Report) -> Iterator[Notice]:
    root = request.options.root
    found = [os.path.abspath(root / file.path) for file in report.files]  # noqa: PTH100
    for path in request.given:
        if path == STDIN or not os.path.isdir(root / path):  # noqa: PTH112 - Path.is_dir raises
            continue
        top = os.path.join(os.path.abspath(root / path), "")  # noqa: PTH100, PTH118
        if not any(file.startswith(top) for file in found):
            yield Notice(path, "no config file of a known format in this folder")
