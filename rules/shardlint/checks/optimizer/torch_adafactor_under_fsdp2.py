"""PyTorch's Adafactor cannot step over parameters FSDP 2 shards.

## What it does
Reports FSDP version 2 for a program that uses `torch.optim.Adafactor` (`code.optimizer`).

## Why is this bad
The row and column means of Adafactor are partial sums over the shards, for which an operation is missing:
the first step raises. Adafactor of transformers is another class.

## Example
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 8
fsdp_config:
  fsdp_version: 2
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
```
```toml shardlint.toml
[facts]
code.optimizer = "torch.optim.Adafactor"
```
Fires at `accelerate.yaml: fsdp_config.fsdp_version`.

## Use instead
```yaml accelerate.yaml
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
num_processes: 8
fsdp_config:
  fsdp_version: 2
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
```
```toml shardlint.toml
[facts]
code.optimizer = "torch.optim.AdamW"
```

## References
- https://huggingface.co/docs/accelerate/usage_guides/fsdp
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shardlint.checks.registry import rule
from shardlint.checks.sharding.accelerate import fsdp_entry, fsdp_version, runs
from shardlint.checks.support import at_value, related
from shardlint.report import WARNING, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shardlint.compose import Job
    from shardlint.formats.reading import Reading

ADAFACTOR = ("torch.optim.adafactor", "torch.optim._adafactor.adafactor")


@rule("OPT009", "torch-adafactor-under-fsdp2", severity=WARNING, since="0.1", about=("code.optimizer",))
def torch_adafactor_under_fsdp2(reading: Reading, job: Job) -> Iterator[Finding]:
    entry, used = fsdp_entry(reading, "version"), job.settings.text("code.optimizer")
    if not runs(reading, "FSDP") or entry is None or fsdp_version(reading, job) != 2 or used.value is None:
        return
    if used.value.strip().lower() in ADAFACTOR:
        yield Finding(
            f"{used.value} ({used.origin}) under fsdp_version 2 fails at the first step: it cannot take "
            "powers of partial sums over shards",
            at_value(reading, entry),
            WARNING,
            confidence="estimated",
            help="Use AdamW, or Adafactor of transformers.",
            related=related(used.place, "the optimizer is stated here"),
        )
