"""`shardlint rules`: every rule with its severity and what it looks for."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from shardlint.checks.registry import Rule, all_rules
from shardlint_cli.arguments import Parser, add_format
from shardlint_cli.documentation import summary
from shardlint_cli.main import OK
from shardlint_cli.render.json_report import dumps
from shardlint_cli.terminal import Screen, screen_of, wrap

EXAMPLES = """\
  shardlint rules                  the table for people
  shardlint rules --format json    the same for machines
  shardlint explain MEM001         all about one rule
"""

MARGIN = 8


def parser() -> Parser:
    made = Parser("rules", "List the rules: code, highest severity, name and what is bad.", EXAMPLES)
    add_format(made)
    return made


def run(argv: Sequence[str]) -> int:
    arguments = parser().read(argv)
    if arguments.format == "json":
        sys.stdout.write(dumps({"schema": 1, "rules": [rule_object(rule) for rule in all_rules()]}) + "\n")
        return OK
    screen = screen_of(sys.stdout)
    for line in _table(all_rules(), screen):
        sys.stdout.write(f"{line}\n")
    return OK


def rule_object(rule: Rule) -> dict[str, object]:
    return {
        "code": rule.code,
        "name": rule.name,
        "severity": rule.severity.word,
        "fails_at": rule.fails_at,
        "since": rule.since,
        "supersedes": list(rule.supersedes),
        "summary": summary(rule.documentation),
    }


def _table(rules: Sequence[Rule], screen: Screen) -> Iterator[str]:
    for rule in rules:
        severity = screen.paint(rule.severity.word, rule.severity.word)
        padding = " " * (8 - len(rule.severity.word))
        yield f"{screen.paint(rule.code, 'bold')}  {severity}{padding}{rule.name}"
        room = None if screen.width is None else screen.width - MARGIN
        for line in wrap(summary(rule.documentation), room):
            yield screen.paint(" " * MARGIN + line, "dim")
    yield f"{len(rules)} rules; `shardlint explain RULE` says more about one"
