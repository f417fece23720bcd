"""An old name for a setting.

## What it does
Reports keys that DeepSpeed and accelerate still take under an old name, with the new one: `cpu_offload`,
`cpu_offload_param`, `stage3_gather_fp16_weights_on_model_save`, `bfloat16`, a top-level `fp16` in an
accelerate file. Reports as refused an old name beside its new one.

## Why is this bad
Old names are dropped in some later release, and then the key is refused or ignored. With both names in
one section DeepSpeed does not know which one counts, and refuses to start.

## Example
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "zero_optimization": {"stage": 2, "cpu_offload": true}
}
```
Fires at `ds_config.json: zero_optimization.cpu_offload`.

## Use instead
```json ds_config.json
{
  "train_micro_batch_size_per_gpu": 4,
  "zero_optimization": {"stage": 2, "offload_optimizer": {"device": "cpu"}}
}
```

## References
- https://www.deepspeed.ai/docs/config-json/#zero-optimizations-for-fp16-training
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.keys.edits import rename_key
from shardlint.checks.keys.placed import Placed, known_keys, sibling
from shardlint.checks.keys.reader import ALL, name_of, refusal, remark
from shardlint.checks.registry import DEPRECATED, rule
from shardlint.checks.support import at_key
from shardlint.formats.reading import is_open
from shardlint.report import ERROR, INFO, Edit, Fix
from shardlint.syntax.tree import Scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading
    from shardlint.report import Finding
    from shardlint.schema import Key

OFFLOADS = ("cpu_offload", "cpu_offload_param")
RENAMED = ("bfloat16", "stage3_gather_fp16_weights_on_model_save")
WITHOUT_EFFECT = ("cpu_offload_use_pin_memory",)


@rule("KEY003", "deprecated-key", severity=ERROR, since="0.1", fails_at="config", tag=DEPRECATED)
def deprecated_key(reading: Reading, job: Job) -> Iterator[Finding]:
    for found, key in known_keys(reading):
        if not key.replaced or key.removed or key.when or is_open(found.entry.value):
            continue
        section, _, new = key.replaced.rpartition(".")
        beside = sibling(reading, found, new) if section == key.section else None
        if beside is not None and key.section == "zero_optimization" and found.name not in WITHOUT_EFFECT:
            yield refusal(
                f"{found.name} and {beside.name}, which replaced it, are both set; DeepSpeed refuses that",
                at_key(reading, found.entry),
                "config",
                reading,
                job,
                ALL,
                help=f"Keep {beside.name}.",
            )
        elif found.entry.value is not None:
            yield _old(found, key, reading, beside is not None)


def _old(found: Placed, key: Key, reading: Reading, replaced: bool) -> Finding:
    who, place = name_of(found.table), at_key(reading, found.entry)
    new = key.replaced.rpartition(".")[2]
    if key.name == "max_grad_norm":
        text = (
            f"{found.name} is no argument of an optimizer; DeepSpeed refuses it when it builds the optimizer"
        )
        return remark(text, place, help="Write gradient_clipping at the top level.")
    if found.name in WITHOUT_EFFECT or replaced:
        why = f"{new} is there" if replaced else "it does nothing any more"
        return remark(f"{found.name} is deprecated and ignored: {why}", place, help=f"Use {key.replaced}.")
    text = f"{found.name} is deprecated; {who} still reads it as {key.replaced}"
    old = remark(text, place, help=f"Use {key.replaced}.", fixes=_fixes(found, new, reading))
    return old._replace(severity=INFO) if found.table.stack == "accelerate" else old


def _fixes(found: Placed, new: str, reading: Reading) -> tuple[Fix, ...]:
    if found.name in RENAMED:
        return rename_key(reading, found.entry, new, safe=True)
    pair, node = found.entry.pair, found.entry.node
    if (
        found.name not in OFFLOADS
        or pair is None
        or found.entry.value is not True
        or not isinstance(node, Scalar)
    ):
        return ()
    rename = rename_key(reading, found.entry, new, safe=True)
    value = Edit(reading.document.name, node.span, '{"device": "cpu"}')
    return tuple(
        Fix(f"Write {new} with device cpu", True, (*fix.edits, value))
        for fix in rename
        if not found.entry.guessed
    )
