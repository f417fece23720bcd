"""A key stands in a section that does not read it; another place does.

## What it does
Reports known keys at the wrong level: a key of `zero_optimization` at the top of a DeepSpeed file or the
reverse, a DeepSpeed key in the block of accelerate, a key of `fsdp_config` or `deepspeed_config` at the
top of an accelerate file.

## Why is this bad
Where unknown keys are refused the run stops. Where they are ignored, which is the case at the top of a
DeepSpeed file, the run goes on without the setting: an `offload_optimizer` beside `zero_optimization`
moves nothing to the host.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "zero_optimization": {"stage": 2},
  "offload_optimizer": {"device": "cpu"}
}
```
Fires at `ds_config.json: offload_optimizer`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "zero_optimization": {"stage": 2, "offload_optimizer": {"device": "cpu"}}
}
```

## References
- https://www.deepspeed.ai/docs/config-json/#zero-optimizations-for-fp16-training
- https://huggingface.co/docs/accelerate/usage_guides/deepspeed
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.keys.placed import Placed, unknown_keys
from shardlint.checks.keys.reader import agreement, name_of, package_of, refusal, remark
from shardlint.checks.registry import UNNECESSARY, rule
from shardlint.checks.support import at_key
from shardlint.formats.reading import is_open
from shardlint.report import ERROR, listing
from shardlint.schema import Table, check_value, table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding
    from shardlint.schema import Key

STAGE = "stage"
"""The one single word that says where it belongs; others mean too many things."""

MOST_PLACES = 2


@rule(
    "KEY002",
    "misplaced-key",
    severity=ERROR,
    since="0.1",
    fails_at="config",
    supersedes=("unknown-key",),
    tag=UNNECESSARY,
)
def misplaced_key(reading: Reading, job: Job) -> Iterator[Finding]:
    for found, section in unknown_keys(reading):
        if found.foreign or section.unknown not in ("refused", "ignored"):
            continue
        if found.table.stack == "accelerate" and found.path[0] == "deepspeed_config" and len(found.path) > 1:
            yield from _in_accelerates_block(found, reading)
            continue
        places = _places(found.table, found)
        if places:
            yield _elsewhere(found, section, places, reading, job)


def _in_accelerates_block(found: Placed, reading: Reading) -> Iterator[Finding]:
    places = _places(table("deepspeed"), found)
    if not places:
        return
    where = listing((f"{place} there" if "." in place else "its top level" for place in places), "or")
    yield remark(
        f"{found.name} is a key of DeepSpeed's own JSON file; accelerate passes on only its own fields, so "
        f"in {found.shown} it is ignored",
        at_key(reading, found.entry),
        help=f"Write it into a DeepSpeed JSON ({where}) and name that file with deepspeed_config_file.",
    )


def _elsewhere(found: Placed, section: Key, places: list[str], reading: Reading, job: Job) -> Finding:
    who, place = name_of(found.table), at_key(reading, found.entry)
    belongs = listing((_home(target) for target in places), "or")
    level = f"in {found.shown}" if found.shown else "at the top level"
    text = f"{found.name} belongs {belongs}; {level} {who}"
    help = f"Move it {'into ' + _section(places[0]) if '.' in places[0] else 'to the top level'}."
    if section.unknown == "refused" and not is_open(found.entry.value):
        shared = agreement(job, package_of(found.table), section.refuses_since)
        stage = section.fails_at or "config"
        return refusal(f"{text} refuses it", place, stage, reading, job, shared, help=help)
    return remark(f"{text} ignores it", place, help=help)


def _places(here: Table, found: Placed) -> list[str]:
    """Where the key would be read, if that says something: few places, and a value that fits there."""
    if "_" not in found.name and not isinstance(found.entry.value, dict) and found.name != STAGE:
        return []
    places = [place for place in here.places_of(found.name) if _near(here, found, place)]
    return places if len(places) <= MOST_PLACES else []


def _near(here: Table, found: Placed, place: str) -> bool:
    """Above or below the place the key stands at, not removed, and of the value's kind.

    A key of a sibling section is none: what fp16 reads has no meaning in bf16.
    """
    key = here.find(place)
    if key is None or key.removed or key.when or "<" in place or "[" in place:
        return False
    fits = check_value(key, found.entry.value)
    if fits is not None and fits.kind == "type":
        return False
    if here is not found.table:
        return True
    stands = ".".join(str(step) for step in found.path[:-1])
    home = key.section
    return stands != home and (
        not stands or not home or home.startswith(f"{stands}.") or stands.startswith(home)
    )


def _home(place: str) -> str:
    section = _section(place)
    return f"in {section}" if section else "at the top level"


def _section(place: str) -> str:
    return place.rpartition(".")[0]
