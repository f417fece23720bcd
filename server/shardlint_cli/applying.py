"""`check --diff` and `check --fix`: show what fixing changes, or change it."""

from __future__ import annotations

import sys
from typing import NamedTuple

from shardlint.engine.fixing import Change, fixpoint
from shardlint.report import Notice, Report
from shardlint.workspace.workspace import absolute
from shardlint_cli.request import Request, linted, linted_with
from shardlint_cli.storing import store

FOREIGN = "not fixed: a reference leads there, out of the folder; name the file to have it fixed"


class Fixed(NamedTuple):
    """What was changed, and the report on what is left."""

    changes: tuple[Change, ...]
    report: Report


def changes_of(request: Request, report: Report, unsafe: bool) -> list[Change]:
    """All changes that fixing makes in the end, none of them written."""
    return fixpoint(report, lambda texts: linted_with(request, texts), unsafe)


def fix_files(request: Request, report: Report, unsafe: bool) -> Fixed:
    """Write the changes over the files; one that cannot be written is a notice."""
    written: list[Change] = []
    failed: list[Notice] = []
    for change in changes_of(request, report, unsafe):
        foreign = not _ours(request, change.path)
        notice = Notice(change.path, FOREIGN) if foreign else store(change, request.options.root)
        if notice is None:
            written.append(change)
        else:
            failed.append(notice)
    left = linted(request) if written else report
    return Fixed(tuple(written), left._replace(notices=(*left.notices, *failed)))


def _ours(request: Request, name: str) -> bool:
    """Whether a file lies below the working folder or a path given: a reference may lead anywhere."""
    root = request.options.root
    path = absolute(root / name)
    return any(path == top or top in path.parents for top in map(absolute, (root, *request.paths)))


def fix_stdin(request: Request, report: Report, unsafe: bool) -> Fixed:
    """Write the fixed text of standard input to standard output; other files stay as they are."""
    assert request.stdin is not None
    root, own = request.options.root, absolute(request.stdin)
    found = changes_of(request, report, unsafe)
    changes = [change for change in found if absolute(root / change.path) == own]
    if not changes:
        data = request.options.overlay[request.stdin]
        sys.stdout.buffer.write(data if isinstance(data, bytes) else data.encode())
        return Fixed((), report)
    sys.stdout.buffer.write(changes[0].after.encode("utf-8", "surrogateescape"))
    return Fixed(tuple(changes), linted_with(request, {changes[0].path: changes[0].after}))
