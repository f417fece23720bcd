"""`shardlint explain`: all about one rule, one config key or one setting."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from shardlint.checks.registry import Rule, all_rules, find_rule
from shardlint_cli.arguments import Parser, did_you_mean
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
    rule = find_rule(word)
    texts = [rule_text(rule)] if rule is not None else _key_texts(word)
    if not texts:
        sys.stderr.write(f"shardlint explain: {_unknown(word)}\n")
        return FAILURE
    screen = screen_of(sys.stdout)
    for line in layout("\n\n".join(texts), screen):
        sys.stdout.write(f"{line}\n")
    return OK


def rule_text(rule: Rule) -> str:
    fails = f"; a run fails at: {rule.fails_at}" if rule.fails_at else ""
    return (
        f"# {rule.code} {rule.name}\n\n{rule.documentation}\n\n"
        f"Highest severity: {rule.severity.word}{fails}. Since {rule.since}."
    )


def _key_texts(word: str) -> list[str]:
    from shardlint_cli.keys import explained

    return list(explained(word))


def _unknown(word: str) -> str:
    from shardlint_cli.keys import known_names

    names = [
        *(rule.name for rule in all_rules()),
        *(rule.code.lower() for rule in all_rules()),
        *known_names(),
    ]
    near = did_you_mean(word.lower(), names)
    return f"no rule, key or setting is called {screen_of(sys.stderr).safe(word)}{near}"
