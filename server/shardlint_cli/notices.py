"""One line on stderr for each thing the lint itself could not do."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from shardlint.report import Notice, one_line
from shardlint_cli.terminal import screen_of


def tell(notices: Iterable[Notice]) -> None:
    screen = screen_of(sys.stderr)
    for notice in notices:
        named = notice.message.startswith(notice.path)
        text = notice.message if named else f"{notice.path}: {notice.message}"
        sys.stderr.write(f"shardlint: {screen.safe(one_line(text))}\n")
