"""A key the stack does not know.

## What it does
Reports keys that are not in the tables of DeepSpeed, accelerate or the Trainer, with the key that was
probably meant. Sections that hand their keys on to other code (the parameters of an optimizer) and
files to which scripts add arguments of their own are only checked for slips of the hand. Keys that
start with `_` or `x-` are left alone.

## Why is this bad
A section that checks its keys refuses the file; one that does not ignores the key without a word, and
the run goes on with the default.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "gradient_cliping": 1.0,
  "zero_optimization": {"stage": 2}
}
```
Fires at `ds_config.json: gradient_cliping`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "gradient_clipping": 1.0,
  "zero_optimization": {"stage": 2}
}
```

## References
- https://www.deepspeed.ai/docs/config-json/
- https://huggingface.co/docs/accelerate/package_reference/cli
"""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from shardlint.checks.keys.edits import rename_key
from shardlint.checks.keys.placed import Placed, sibling, unknown_keys
from shardlint.checks.keys.reader import ALL, NONE, agreement, name_of, package_of, refusal, span_of_releases
from shardlint.checks.registry import UNNECESSARY, rule
from shardlint.checks.support import at_key
from shardlint.formats.reading import is_open
from shardlint.report import ERROR, INFO, WARNING, Finding, Fix, Related, listing
from shardlint.schema import abbreviated, suggest, table
from shardlint.schema.values import check_value
from shardlint.syntax.tree import Mapping
from shardlint.syntax.view import follow

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Place
    from shardlint.schema import Key, Table
    from shardlint.syntax.keypath import KeyPath
    from shardlint.syntax.view import Entry

ALWAYS_TAKEN = {"deepspeed": "strict"}
"""A name every refusing section of a stack takes beside its own."""

MANY = 3
"""So many unknown keys of one section that resemble nothing are told at once."""

MANY_IGNORED = 30
"""The same where they are only ignored: a script may read them all."""

MOST_NAMED = 8
"""Names of keys in one message."""

SURE_LENGTH, SURE_SLIP = 12, 2
"""Among names others may add, a slip of two letters counts only in words this long."""


@rule("KEY001", "unknown-key", severity=ERROR, since="0.1", fails_at="config", tag=UNNECESSARY)
def unknown_key(reading: Reading, job: Job) -> Iterator[Finding]:
    strangers: dict[str, list[Placed]] = {}
    ignored: dict[str, list[Finding]] = {}
    for found, section in unknown_keys(reading):
        if section.unknown != "refused":
            finding = _lax(found, section, reading)
            if finding is not None and finding.severity is INFO:
                ignored.setdefault(found.shown, []).append(finding)
            elif finding is not None:
                yield finding
        elif found.name != ALWAYS_TAKEN.get(found.table.stack):
            strangers.setdefault(found.shown, []).append(found)
    for group in strangers.values():
        yield from _strict(group, reading, job)
    for findings in ignored.values():
        yield from findings if len(findings) < MANY_IGNORED else [_together(findings, reading)]


def _together(findings: list[Finding], reading: Reading) -> Finding:
    """Many findings about keys that a reader ignores, as one."""
    names = _named([finding.place.key for finding in findings])
    message = f"{names} are no keys that {_reader(reading)} knows; it ignores them"
    return findings[0]._replace(message=message)


def _reader(reading: Reading) -> str:
    return name_of(table(reading.format.schema or ""))


def _named(names: list[str]) -> str:
    """The names, or the first of them and how many more."""
    left = len(names) - MOST_NAMED
    return listing(names, "and") if left <= 1 else f"{', '.join(names[:MOST_NAMED])} and {left} more"


def _others(places: Iterable[Place]) -> tuple[Related, ...]:
    return tuple(Related(place, "and here") for place in islice(places, MANY_IGNORED))


def _strict(group: list[Placed], reading: Reading, job: Job) -> Iterator[Finding]:
    """Keys of one section that refuses what it does not know; many that resemble nothing are one finding."""
    alike: list[Placed] = []
    single: list[Placed] = []
    for found in group:
        (alike if _alike(found) else single).append(found)
    if len(alike) < MANY or all(is_open(found.entry.value) for found in alike):
        alike, single = [], group
    for found in single:
        if found.section is not None:
            yield _refused(found, found.section, reading, job)
    if alike and alike[0].section is not None:
        first = _refused(alike[0], alike[0].section, reading, job, [found.name for found in alike])
        places = (at_key(reading, found.entry) for found in alike[1:])
        yield first._replace(related=_others(places))


def _alike(found: Placed) -> bool:
    plain = found.section is not None and not found.foreign and found.entry.value != "auto"
    return plain and found.section is not None and _meant(found, found.section) is None


def _lax(found: Placed, section: Key, reading: Reading) -> Finding | None:
    meant = _meant(found, section)
    if section.unknown != "ignored":
        return _slip(found, meant, reading) if meant else None
    who = name_of(found.table)
    message = f"{found.name} is no key {_where(found)}; {who} ignores it{_instead(meant)}"
    sure = meant is not None or len(found.entry.path) > 1
    severity = WARNING if sure else INFO
    help = None if sure else "A script may read it; a name that starts with an underscore says so."
    return Finding(
        message, at_key(reading, found.entry), severity, help=help, fixes=_rename(found, meant, reading)
    )


def _refused(
    found: Placed, section: Key, reading: Reading, job: Job, names: list[str] | None = None
) -> Finding:
    who, place = name_of(found.table), at_key(reading, found.entry)
    meant = _meant(found, section)
    if found.table.stack == "deepspeed" and is_open(found.entry.value) and not names:
        why = "for" if found.entry.value == "auto" else "if it has"
        message = f'{found.name} is no key {_where(found)}; {who} drops it {why} the value "auto"'
        return Finding(message + _instead(meant), place, WARNING, fixes=_rename(found, meant, reading))
    since = section.refuses_since
    shared = agreement(job, package_of(found.table), since)
    message, it = f"{found.name} is no key {_where(found)}", "it"
    if names:
        message, it = f"{_named(names)} are no keys {_where(found)}", "them"
    if shared == NONE:
        return Finding(f"{message}; {who} ignores {it}{_instead(meant)}", place, WARNING)
    stage = section.fails_at or "config"
    deed = f"{who} refuses {it}" if shared == ALL else f"{span_of_releases(found.table, since)} refuse {it}"
    fixes = _rename(found, meant, reading, safe=shared == ALL)
    text = f"{message}; {deed}{_instead(meant)}"
    finding = refusal(text, place, stage, reading, job, shared, help=_elsewhere(found), fixes=fixes)
    return finding if _older_than_known(found, meant, job) else _maybe_newer(finding, found)


def _older_than_known(found: Placed, meant: str | None, job: Job) -> bool:
    """Whether no release can have the key: it is a slip, belongs elsewhere, or the release is stated."""
    placed = meant is not None or found.foreign or bool(found.table.places_of(found.name))
    return placed or job.settings.versions(package_of(found.table)).exact is not None


def _maybe_newer(finding: Finding, found: Placed) -> Finding:
    """A key that resembles nothing may come from a release newer than the tables."""
    newer = f"no release of {name_of(found.table)} newer than the key table has it; set versions"
    return finding._replace(
        severity=WARNING, confidence="assumed", fails_at=None, assumes=(*finding.assumes, newer)
    )


def _elsewhere(found: Placed) -> str | None:
    """What the key is where it is one: loss scaling belongs to fp16."""
    places = [place for place in found.table.places_of(found.name) if "." in place]
    if len(places) != 1 or found.foreign:
        return None
    return f"{found.name} is a key of {places[0].rpartition('.')[0]}."


def _slip(found: Placed, meant: str, reading: Reading) -> Finding:
    message = f"{found.name} is no key {name_of(found.table)} knows{_instead(meant)}"
    return Finding(message, at_key(reading, found.entry), WARNING, fixes=_rename(found, meant, reading))


def _meant(found: Placed, section: Key) -> str | None:
    if found.foreign:
        return None
    names = _candidates(found.table, found.path[:-1])
    if section.unknown not in ("free", "open"):
        return suggest(found.name, names) or abbreviated(found.name, names)
    most = SURE_SLIP if len(found.name) >= SURE_LENGTH else 1
    return suggest(found.name, names, most)


@lru_cache(maxsize=64)
def _candidates(here: Table, section: KeyPath) -> tuple[str, ...]:
    """The names of a section's keys, without those that are gone or on their way out."""
    keys = ((name, here.find((*section, name))) for name in here.names(section))
    return tuple(name for name, key in keys if key is None or not (key.removed or key.replaced))


def _where(found: Placed) -> str:
    """`of zero_optimization`, `of a DeepSpeed file`, with the conditions that do not hold."""
    if found.foreign and found.key is not None:
        kinds = listing((row.when.rpartition("=")[2] for row in found.table.variants(found.path)), "and")
        return f"of this {found.path[0]}: only {kinds} take{'s' if ' ' not in kinds else ''} it"
    if found.shown:
        return f"of {found.shown}"
    return {"deepspeed": "of a DeepSpeed file", "accelerate": "of an accelerate file"}.get(
        found.table.stack, "of an fsdp_config"
    )


def _instead(meant: str | None) -> str:
    return f"; did you mean {meant}?" if meant else ""


def _rename(found: Placed, meant: str | None, reading: Reading, *, safe: bool = False) -> tuple[Fix, ...]:
    """Nothing where the other key stands there already, or does not take what stands under this one."""
    if meant is None or sibling(reading, found, meant) is not None:
        return ()
    key = found.table.find((*found.path[:-1], meant))
    if key is None or not _takes(key, found.entry):
        return ()
    return rename_key(reading, found.entry, meant, safe=safe)


def _takes(key: Key, entry: Entry) -> bool:
    if isinstance(follow(entry.node), Mapping):
        return key.is_section
    return is_open(entry.value) or check_value(key, entry.value) is None
