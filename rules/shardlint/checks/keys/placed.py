"""Every key of a file beside what the key table of its stack knows about it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from shardlint.checks.keys.activity import is_copied, ruled_out
from shardlint.formats.reading import Reading
from shardlint.schema import Key, Table, table
from shardlint.schema.places import locate
from shardlint.syntax.keypath import KeyPath, render
from shardlint.syntax.view import Entry, Template

CLOSED = ("free", "open", "stored")
"""Sections in which a key the table does not know may still be read by somebody."""

PRIVATE = ("_", "x-", "$", "#", "//", "@")
"""Starts of keys that people write as comments or anchors."""

REMARKS = frozenset({"comment", "comments", "description", "note", "notes"})
"""Names of keys that hold a remark; a section that ignores what it does not know may have them."""


DYNAMO = ("dynamo_backend", "dynamo_config")
"""The old key of accelerate, which it makes a new section of in place of the one in the file."""

SCHEDULE = ("scheduler", "params")


class Placed(NamedTuple):
    """One entry. `path` is relative to the table; `key` and `section` are None where the table has none.

    `foreign` says that the table knows the key, but not under the conditions this file states (a
    parameter of another scheduler, a key of the other FSDP version); `unsure` that a placeholder leaves
    those conditions open.
    """

    entry: Entry
    table: Table
    path: KeyPath
    key: Key | None
    section: Key | None
    foreign: bool = False
    unsure: bool = False

    @property
    def name(self) -> str:
        return self.entry.name

    @property
    def shown(self) -> str:
        """The path of the section for a sentence: `zero_optimization`, or empty at top level."""
        return render(self.entry.path[:-1])


def placed(reading: Reading) -> tuple[Placed, ...]:
    """The keys of a file in the order written, list items left out.

    Nothing below a key nobody knows, a removed one, or a section that is not read.
    """
    return reading.kept("placed", _all_placed)


def _all_placed(reading: Reading) -> tuple[Placed, ...]:
    return tuple(_placed(reading)) if reading.format.schema else ()


def known_keys(reading: Reading) -> tuple[tuple[Placed, Key], ...]:
    """The keys the table has, each where it counts: of duplicates the one its reader keeps."""
    return reading.kept("known keys", _all_known)


def _all_known(reading: Reading) -> tuple[tuple[Placed, Key], ...]:
    return tuple(_known(reading))


def _known(reading: Reading) -> Iterator[tuple[Placed, Key]]:
    for found in placed(reading):
        if found.key is None or found.foreign or found.unsure:
            continue
        if _counts(reading, found.entry) and not _overruled(reading, found, found.key):
            yield found, found.key


def unknown_keys(reading: Reading) -> Iterator[tuple[Placed, Key]]:
    """The keys the table lacks, with their section; without remarks, unless the section refuses those too.

    A key of the other FSDP version is ignored, not unknown, and has rules of its own.
    """
    for found in placed(reading):
        section = found.section
        if section is None or found.unsure or (found.key is not None and not found.foreign):
            continue
        if is_copied(found.table, found.path):
            continue
        ours = section.unknown == "refused" if found.foreign else True
        remark = found.name.startswith(PRIVATE) or found.name.lower() in REMARKS
        if ours and not (remark and section.unknown != "refused"):
            yield found, section


def sibling(reading: Reading, found: Placed, name: str) -> Entry | None:
    """Another key of the same section."""
    return reading.view.get(*found.entry.path[:-1], name)


def _placed(reading: Reading) -> Iterator[Placed]:
    pending = reading.view.entries()[::-1]
    while pending:
        entry = pending.pop()
        if entry.name == "<<":
            continue
        here, path = _locate(reading, entry.path)
        if not isinstance(entry.path[-1], str):
            if here.find(path) is not None:
                pending += reading.view.below(entry)[::-1]
            continue
        key, fits = _variant(reading, here, entry.path, path)
        section = here.section(path)
        if key is not None and _is_read(reading, entry, here, path, key):
            pending += reading.view.below(entry)[::-1]
        yield Placed(entry, here, path, key, section, fits is False, fits is None)


def _is_read(reading: Reading, entry: Entry, here: Table, path: KeyPath, key: Key) -> bool:
    """Whether the table says what stands below a key."""
    if key.unknown in CLOSED and not _opens(reading, here, path):
        return False
    if path == SCHEDULE and not _own_schedule(here, reading.view.value(*entry.path[:-1], "type")):
        return False
    return not (key.removed or ruled_out(reading, key) is not None or _outdone(reading, entry.path, key))


def _outdone(reading: Reading, full: KeyPath, key: Key) -> bool:
    """Whether a section stands beside the key it replaced, or was replaced by, and only that is read."""
    if key.path == DYNAMO[1] and reading.view.get(DYNAMO[0]) is not None:
        return reading.format.name == "accelerate"
    section, _, new = key.replaced.rpartition(".")
    if not key.is_section or not new or section != key.section or new == full[-1]:
        return False
    beside = reading.view.get(*full[:-1], new)
    return beside is not None and beside.value is not None


def _locate(reading: Reading, path: KeyPath) -> tuple[Table, KeyPath]:
    """The table a path belongs to, and the path inside it."""
    found = locate(reading.format.schema or "", path)
    return table(found.stack), found.path


def _opens(reading: Reading, here: Table, path: KeyPath) -> bool:
    """Whether keys are known of a section that also takes others."""
    inline = reading.format.schema == "hf-args" and path == ("deepspeed",)
    return inline or bool(here.children(path))


def _variant(reading: Reading, here: Table, full: KeyPath, path: KeyPath) -> tuple[Key | None, bool | None]:
    """The row that applies under what the file states, and whether one does; None where that is open."""
    rows = here.variants(path)
    if not rows:
        return None, True
    base = full[: len(full) - len(path)]
    fits = [_applies(reading, here, base, row) for row in rows]
    for row, fit in zip(rows, fits, strict=True):
        if fit:
            return row, True
    return rows[0], None if None in fits else False


def _applies(reading: Reading, here: Table, base: KeyPath, row: Key) -> bool | None:
    """Whether the condition of a row holds; None where a placeholder decides."""
    condition = row.condition()
    if condition is None:
        return True
    path = condition.path.removeprefix(f"{here.root}.") if here.root else condition.path
    stated = _stated(reading, here, base, path)
    if stated is False and path == "distributed_type":
        stated = "NO"
    if stated is None:
        key = here.find(path)
        default = key.default if key is not None else ""
        return here.stack == "hf-trainer" or not default or condition.holds(default)
    return None if isinstance(stated, Template) or stated == "auto" else condition.holds(str(stated))


def _own_schedule(here: Table, name: object) -> bool:
    """Whether a schedule is one of DeepSpeed's, whose parameters the table knows."""
    return any(
        row.when == f"scheduler.type={name}" for row in here.variants("scheduler.params.last_batch_iteration")
    )


def _stated(reading: Reading, here: Table, base: KeyPath, path: str) -> object:
    """The value of a key under either name; of two accelerate's launcher keeps the later."""
    key = here.find(path)
    steps = path.split(".")
    names = filter(None, (steps[-1], key.alias if key is not None else ""))
    entries = [reading.view.get(*base, *steps[:-1], name) for name in names]
    found = [entry for entry in entries if entry is not None and entry.value is not None]
    if here.stack == "accelerate":
        found.sort(key=lambda entry: -entry.key_span.start)
    return found[0].value if found else None


def _overruled(reading: Reading, found: Placed, key: Key) -> bool:
    """Whether the other spelling of the key comes later: accelerate's launcher keeps the last."""
    if found.table.stack != "accelerate" or not key.alias:
        return False
    other = sibling(reading, found, key.name if found.name == key.alias else key.alias)
    return other is not None and other.key_span.start > found.entry.key_span.start


def _counts(reading: Reading, entry: Entry) -> bool:
    last = reading.view.get(*entry.path)
    return last is None or last.pair is entry.pair or entry.pair is None
