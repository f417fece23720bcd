"""A key table as JSON Schema 2020-12, for the JSON and YAML support of editors.

It refuses what the newest possible release refuses at any point every run reaches, and nothing else; what
that release removed and older ones read is accepted and marked deprecated.
"""

from __future__ import annotations

from collections.abc import Iterator

from shardlint.schema.conditions import Condition, conditions, nested, test_of, together
from shardlint.schema.describe import READERS, lifetime, points
from shardlint.schema.json_reads import ANYTHING, DEFINITIONS, Schema
from shardlint.schema.json_values import default_of, hint, value_schema
from shardlint.schema.key import Key
from shardlint.schema.releases import Releases, arrived, exists, gone
from shardlint.schema.table import Table, table

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def export(stack: str, releases: Releases | None = None) -> Schema:
    """The JSON Schema of the files of a stack (`deepspeed`, `accelerate`, `hf-trainer`).

    `releases` are those that may be installed: keys and words none of them has are refused where it
    refuses what it does not know. KeyError for a name that is no stack.
    """
    made = _Export(table(stack), releases)
    return {
        "$schema": DIALECT,
        "title": f"{READERS[stack]} configuration",
        "type": "object",
        **made.section(""),
        **made.conditional(),
        "$defs": DEFINITIONS,
    }


class _Export:
    def __init__(self, here: Table, releases: Releases | None) -> None:
        self.here = here
        self.releases = releases
        self.cases: dict[tuple[Condition, ...], list[Key]] = {}

    def section(self, path: str) -> Schema:
        """The keys of a section and whether it refuses others. Rows that need a condition are only
        described here, and collected."""
        found: Schema = {}
        properties: Schema = {}
        for child in self.here.children(path):
            rows = [row for row in self.here.variants(child.path) if exists(row, self.releases)]
            if not rows and child.fails_at and gone(self.releases, child.removed):
                properties[child.name] = {
                    "description": self._said([child]),
                    "deprecated": True,
                    "not": ANYTHING,
                }
            for row in rows:
                needs = conditions(self.here, row)
                if needs and (_refuses(row) or self._strict(path)):
                    self.cases.setdefault(needs, []).append(row)
            if child.path.endswith("[]"):
                found["items"] = self.key(rows)
            elif child.name.startswith("<"):
                found["additionalProperties"] = self.key(rows)
            elif rows:
                properties[child.name] = self.key(rows)
                if child.alias:
                    properties[child.alias] = properties[child.name]
        if properties:
            found["properties"] = properties
        if self._strict(path) and not self._all_conditional(path):
            found["additionalProperties"] = False
            found |= _required(row for row in self._rows(path) if not row.when)
        return found

    def key(self, rows: list[Key]) -> Schema:
        """One key: what it takes whatever the rest of the file says, and what there is to say about it."""
        if not rows:
            return ANYTHING
        first = rows[0]
        always = len(rows) == 1 and not conditions(self.here, first)
        made: Schema = {"description": self._said(rows), **(self.value(first) if always else hint(first))}
        if first.is_section:
            made |= self.section(self._home(first))
        known, default = default_of(first)
        if known and len(rows) == 1:
            made["default"] = default
        if all(row.removed or row.replaced for row in rows):
            made["deprecated"] = True
        return made

    def value(self, row: Key) -> Schema:
        return ANYTHING if row.removed and not row.is_section else value_schema(row, self.releases)

    def conditional(self) -> Schema:
        """`if` and `then` for every set of conditions under which rows count."""
        cases = [case for needs, rows in self.cases.items() for case in self._case(needs, rows)]
        cases += self._forbidden()
        return {"allOf": cases} if cases else {}

    def _case(self, needs: tuple[Condition, ...], rows: list[Key]) -> Iterator[Schema]:
        then = [nested(row.path, taken) for row in rows if _refuses(row) and (taken := self.value(row))]
        for section in dict.fromkeys(row.section for row in rows):
            if self._strict(section):
                then += self._closed(section, [row for row in rows if row.section == section])
        if then:
            yield {"if": test_of(self.here, needs), "then": together(then)}

    def _closed(self, section: str, rows: list[Key]) -> Iterator[Schema]:
        """What a strict section demands under a condition."""
        wanted = _required(rows)
        if not self._all_conditional(section):
            if wanted:
                yield nested(section, wanted)
            return
        names: Schema = {name: ANYTHING for row in rows for name in (row.name, row.alias) if name}
        yield nested(section, {"properties": names, "additionalProperties": False, **wanted})
        parent, _, name = section.rpartition(".")
        yield nested(parent, {"required": [name]})

    def _forbidden(self) -> Iterator[Schema]:
        """Keys of a strict section that only exist under a condition, where it does not hold."""
        for needs, rows in self.cases.items():
            names: dict[str, list[str]] = {}
            for row in rows:
                section = row.section
                free = any(not each.when for each in self.here.variants(row.path))
                if self._strict(section) and row.when and not free and not self._all_conditional(section):
                    names.setdefault(section, []).append(row.name)
            for section, refused in names.items():
                closed = nested(section, {"properties": dict.fromkeys(refused, False)})
                yield {"if": test_of(self.here, needs), "else": closed}

    def _said(self, rows: list[Key]) -> str:
        """The meaning and the points of a key, as sentences."""
        said: list[str] = []
        for row in rows:
            where = f"Where {row.when}: " if row.when else ""
            notes = (lifetime if row.is_section else points)(self.here, row, self.releases)
            said.append(
                " ".join([f"{where}{row.meaning}", *(f"{note[:1].upper()}{note[1:]}." for note in notes)])
            )
        return " ".join(dict.fromkeys(said))

    def _strict(self, path: str) -> bool:
        owner = self.here.find(path) if path else self.here.find(())
        return (
            owner is not None and owner.unknown == "refused" and arrived(self.releases, owner.refuses_since)
        )

    def _all_conditional(self, path: str) -> bool:
        rows = self._rows(path)
        return bool(rows) and all(row.when for row in rows)

    def _rows(self, path: str) -> list[Key]:
        return [row for child in self.here.children(path) for row in self.here.variants(child.path)]

    def _home(self, section: Key) -> str:
        """The section whose keys a section has: its own, or those of the one it is the old name of."""
        return section.path if self.here.children(section.path) or not section.replaced else section.replaced


def _refuses(row: Key) -> bool:
    return bool(row.fails_at or row.value_fails_at)


def _required(rows: Iterator[Key] | list[Key]) -> Schema:
    names = [row.name for row in rows if row.default == "required"]
    return {"required": names} if names else {}
