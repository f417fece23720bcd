"""Where masters and states of stage 3 go: `offload_optimizer.ratio` splits the sub-groups over two places.

Source: DeepSpeed 0.19.8 `runtime/zero/stage3.py:_create_fp32_partitions`: sub-group i of n goes to the host
from i >= int((1 - ratio) n) on. Read, not measured: a CPU run cannot show the place.
"""

from __future__ import annotations

from shardlint.ledger.amount import Amount
from shardlint.ledger.deepspeed.parts import Parts
from shardlint.ledger.deepspeed.setup import Setup
from shardlint.ledger.entry import DEVICE
from shardlint.ledger.knobs import knob


def optimizer_places(setup: Setup, parts: Parts) -> list[tuple[str, Amount]]:
    """(place, elements) of the masters and states, every element once."""
    if not setup.offload:
        return [(DEVICE, parts.own)]
    ratio = _ratio(setup)
    if ratio >= 1 or len(parts.sub_groups) == 1:
        return [(setup.offload, parts.own)]
    if parts.sub_groups:
        sizes = [group.elements for group in parts.sub_groups]
        kept = sum(sizes[: int((1 - ratio) * len(sizes))])
        rest = sum(sizes) - kept
        return [(DEVICE, _fixed(kept)), (setup.offload, _fixed(rest))]
    count, ranks = setup.elements.trainable, setup.ranks
    moved = round(ratio * count)
    return [(DEVICE, Amount("P/N", count - moved, ranks)), (setup.offload, Amount("P/N", moved, ranks))]


def _fixed(count: int) -> Amount:
    return Amount("P/N", count, 1, (count,))


def _ratio(setup: Setup) -> float:
    value = knob(setup.plan, "offload_optimizer.ratio").value
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else 1.0
