"""DDP and one process: everything on every rank. DDP holds gradients twice, in its buckets, unless
`gradient_as_bucket_view` is on.

Source: torch 2.13 `nn/parallel/distributed.py`; measured on 2, 3 and 4 ranks.
"""

from __future__ import annotations

from shardlint.ledger.amount import Amount
from shardlint.ledger.elements import Elements
from shardlint.ledger.fsdp.common import add_step_tensors, write_counts
from shardlint.ledger.fsdp.storage import Storage
from shardlint.ledger.knobs import switched
from shardlint.ledger.sheet import Sheet
from shardlint.ledger.terms import DDP_BUCKETS
from shardlint.plan import TrainingPlan


def write(sheet: Sheet, plan: TrainingPlan, elements: Elements, storage: Storage) -> None:
    write_counts(sheet, plan, elements, storage, 1)
    if elements.tensors:
        add_step_tensors(sheet, storage, (len(elements.moving),))
    if plan.framework.value == "ddp" and not switched(plan, "gradient_as_bucket_view"):
        sheet.add(DDP_BUCKETS, storage.trainable, Amount("P", elements.trainable))
