"""`shardlint explain`: all about one rule, one config key or one setting."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from shardlint.explain import explanation, nearest
from shardlint_cli.arguments import Parser
from shardlint_cli.documentation import layout
from shardlint_cli.main import FAILURE, OK
from shardlint_cli.terminal import screen_of

EXAMPLES = """\
  shardlint explain MEM001                       a rule, by code
  shardlint explain batch-triangle-mismatch      or by name
  shardlint explain zero_optimization.stage      a key of a config file
  shardlint explain overlap_comm                 wherever it may stand
  shardlint explain model.params                 a setting of shardlint
"""


def parser() -> Parser:
    made = Parser("explain", "Explain a rule, a key of a config file or a setting.", EXAMPLES)
    made.add_argument(
        "name", metavar="RULE|KEY", help="code or name of a rule, or a key, with or without its path"
    )
    return made


def run(argv: Sequence[str]) -> int:
    word = parser().read(argv).name
    text = explanation(word)
    if not text:
        near = nearest(word)
        meant = f" (did you mean {near}?)" if near else ""
        unknown = f"no rule, key or setting is called {screen_of(sys.stderr).safe(word)}{meant}"
        sys.stderr.write(f"shardlint explain: {unknown}\n")
        return FAILURE
    screen = screen_of(sys.stdout)
    for line in layout(text, screen):
        sys.stdout.write(f"{line}\n")
    return OK
