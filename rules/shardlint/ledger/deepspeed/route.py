"""Which of DeepSpeed's optimizer wrappers a plan gets (0.19.8 `engine.py:_do_optimizer_sanity_check`)."""

from __future__ import annotations

from collections.abc import Callable

from shardlint.ledger.deepspeed import accumulator, partitioned, replicated, sliced
from shardlint.ledger.deepspeed.setup import Setup
from shardlint.ledger.sheet import Sheet

Writer = Callable[[Sheet, Setup], None]


def writer_for(setup: Setup) -> Writer:
    if setup.stage == 0:
        return replicated.write
    if setup.stage == 3:
        return partitioned.write
    bf16 = setup.half and setup.plan.precision.value != "fp16"
    if setup.stage == 1 and bf16 and setup.accum == 4 and not setup.offload:
        return accumulator.write
    return sliced.write
