"""`shardlint schema`: a key table as JSON Schema, for the JSON and YAML support of editors."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from shardlint.schema import STACKS
from shardlint.schema.releases import PACKAGES
from shardlint_cli.arguments import Parser, one_of
from shardlint_cli.main import OK

if TYPE_CHECKING:
    from shardlint.settings.versions import VersionSet

PREFIX = "versions."

EXAMPLES = """\
  shardlint schema deepspeed > ds.schema.json
  shardlint schema accelerate --set versions.accelerate=1.6.0
  check-jsonschema --schemafile ds.schema.json ds_config.json
"""


def parser() -> Parser:
    made = Parser("schema", "Print a JSON Schema (2020-12) of the files of a framework.", EXAMPLES)
    made.add_argument("format", metavar="FORMAT", type=one_of("format", STACKS), help=", ".join(STACKS))
    made.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="the release the files are for, as versions.deepspeed=0.18.9; without it, the newest, and what "
        "that one removed is accepted and marked deprecated",
    )
    return made


def run(argv: Sequence[str]) -> int:
    reader = parser()
    arguments = reader.read(argv)
    from shardlint.schema.export import export

    releases = _releases(arguments.format, arguments.set, reader)
    sys.stdout.write(json.dumps(export(arguments.format, releases), indent=2) + "\n")
    return OK


def _releases(stack: str, sets: Sequence[str], reader: Parser) -> VersionSet | None:
    """The releases `--set` states; anything else there ends the run."""
    from shardlint.settings.flags import read_flags
    from shardlint.settings.versions import VersionSet

    layer, notices = read_flags(sets)
    wanted = f"{PREFIX}{PACKAGES[stack]}"
    for notice in notices:
        reader.error(notice.message)
    for name in layer.values:
        if name != wanted:
            reader.error(f"--set {name} changes nothing here; a schema depends on {wanted} alone")
    fact = layer.values.get(wanted)
    if fact is None or not isinstance(fact.value, str):
        return None
    return VersionSet(PACKAGES[stack], fact.meaning(fact.value))
