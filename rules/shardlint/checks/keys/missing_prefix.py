"""A key of an accelerate section lacks the prefix without which it is not read.

## What it does
Reports short names such as `dp_shard_size` in `parallelism_config` and `tp_degree` in
`megatron_lm_config`, and names of the DeepSpeed block without their prefix. In `fsdp_config`,
`fp8_config` and, since accelerate 1.14, `dynamo_config` the launcher adds the prefix itself, so short names
are fine there.

## Why is this bad
The launcher copies every key to an argument of the same name. A short name is no argument, so it is
dropped without a word and the degree stays 1.

## Example
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 8
mixed_precision: bf16
fsdp_config:
  fsdp_version: 2
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
parallelism_config:
  dp_shard_size: 8
```
Fires at `accelerate.yaml: parallelism_config.dp_shard_size`.

## Use instead
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 8
mixed_precision: bf16
fsdp_config:
  fsdp_version: 2
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
parallelism_config:
  parallelism_config_dp_shard_size: 8
```

## References
- https://huggingface.co/docs/accelerate/concept_guides/context_parallelism
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.keys.activity import short_since
from shardlint.checks.keys.edits import rename_key
from shardlint.checks.keys.placed import known_keys, sibling, unknown_keys
from shardlint.checks.keys.reader import ALL, agreement, package_of, remark, span_of_releases
from shardlint.checks.registry import rule
from shardlint.checks.support import at_key
from shardlint.report import WARNING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding

PREFIXES = {
    "parallelism_config": ("parallelism_config_",),
    "megatron_lm_config": ("megatron_lm_",),
    "mpirun_config": ("mpirun_",),
    "deepspeed_config": ("deepspeed_", "zero_", "zero3_"),
}


@rule("KEY011", "missing-prefix", severity=WARNING, since="0.1", supersedes=("unknown-key", "misplaced-key"))
def missing_prefix(reading: Reading, job: Job) -> Iterator[Finding]:
    if reading.format.name != "accelerate":
        return
    yield from _too_short(reading, job)
    for found, _ in unknown_keys(reading):
        known = found.table.names(found.path[:-1])
        long = next(
            (f"{p}{found.name}" for p in PREFIXES.get(found.shown, ()) if f"{p}{found.name}" in known), None
        )
        if long is None:
            continue
        fixes = () if sibling(reading, found, long) else rename_key(reading, found.entry, long, safe=False)
        yield remark(
            f"{found.name} is not read in {found.shown}; the launcher drops it because it expects {long}",
            at_key(reading, found.entry),
            fixes=fixes,
        )


def _too_short(reading: Reading, job: Job) -> Iterator[Finding]:
    """Keys whose prefix only a newer launcher adds than any that may be installed."""
    for found, key in known_keys(reading):
        since = short_since(found.path)
        if not since or agreement(job, package_of(found.table), "", since) != ALL:
            continue
        fixes = (
            ()
            if sibling(reading, found, key.name)
            else rename_key(reading, found.entry, key.name, safe=False)
        )
        yield remark(
            f"{found.name} is not read in {found.shown}; {span_of_releases(found.table, '', since)} drops it "
            f"because it expects {key.name}",
            at_key(reading, found.entry),
            fixes=fixes,
        )
