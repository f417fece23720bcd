"""Stage 3: parameters that are whole on a rank - small ones always, the others around their use.

Persistent parameters are freed at the start of `step()` and gathered again at its end. What has been
gathered in the forward pass stays until the backward pass needs it again, if that is at most
`stage3_max_reuse_distance` elements away; frozen parameters in front of everything trainable are not
needed again. Source: DeepSpeed 0.19.8 `partitioned_param_coordinator.py:__params_to_release`; the end of
the forward pass measured with reuse far above and at zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import dropwhile

from shardlint.ledger.amount import Amount
from shardlint.ledger.deepspeed.parts import Parts, gathered
from shardlint.ledger.deepspeed.setup import Setup
from shardlint.ledger.entry import ACCUMULATE, BACKWARD, BOUNDARY, FORWARD, LOAD, STEADY, STEP, UPDATE
from shardlint.ledger.knobs import number
from shardlint.ledger.sheet import Sheet
from shardlint.ledger.terms import GATHERED, PERSISTENT, SECONDARY
from shardlint.plan import Tensor

KEPT = (STEADY, FORWARD, BACKWARD, ACCUMULATE, BOUNDARY)


def add_persistent(sheet: Sheet, setup: Setup, parts: Parts) -> None:
    """On top of their part in the partition. Without shapes: not known which, at most the model threshold."""
    if parts.persistent is not None:
        count = gathered(parts.persistent, setup.ranks)
        sheet.add(PERSISTENT, setup.weight, Amount(" of small parameters", count, 1, (count,)), KEPT)


def add_secondary(sheet: Sheet, setup: Setup) -> None:
    """zero_hpz_partition_size: a second copy over a smaller group, from the first gather to the next step."""
    size = number(setup.plan, "zero_hpz_partition_size", 1)
    if size < 2:
        return
    held = (LOAD, BACKWARD, BOUNDARY, STEP, UPDATE)
    elements = setup.elements
    exact = (sum(gathered([t], setup.ranks) // size for t in elements.tensors),) if elements.tensors else ()
    amount = Amount(f"P/{size}", elements.trainable + elements.still, size, exact)
    sheet.add(SECONDARY, setup.weight, amount, held)


def add_gathered(sheet: Sheet, setup: Setup, parts: Parts) -> None:
    """Parameters still whole at the end of the forward pass, persistent ones apart."""
    reuse = number(setup.plan, "stage3_max_reuse_distance", 1_000_000_000)
    live = number(setup.plan, "stage3_max_live_parameters", 1_000_000_000)
    total = setup.elements.trainable + setup.elements.still
    if reuse == 0 or live == 0:
        return
    if total * 2 <= reuse and total <= live and parts.persistent is not None:
        _add_kept(sheet, setup, _kept_after_forward(setup, parts.persistent), total)
        return
    most = min(total, reuse) * setup.weight
    note = "parameters stay gathered while their next use is near (stage3_max_reuse_distance)"
    sheet.between(
        GATHERED, 0, most, (FORWARD, BACKWARD), f"at most {setup.weight} x {min(total, reuse):,}", note
    )


def _add_kept(sheet: Sheet, setup: Setup, kept: list[Tensor], total: int) -> None:
    """Without prefetching a module fetches its own tensors, with enough of it all come in one go; in between
    it depends on what is fetched with what."""
    ahead = number(setup.plan, "stage3_prefetch_bucket_size", 50_000_000)
    plain = sum(t.numel for t in kept)
    padded = sum(_fetched(owned, setup.ranks) for owned in _modules(kept))
    if ahead and ahead < total:
        sizes = (plain * setup.weight, gathered(kept, setup.ranks) * setup.weight)
        sheet.between(GATHERED, *sizes, (FORWARD, BACKWARD), f"{setup.weight}P")
        return
    count = plain if ahead else padded
    sheet.add(GATHERED, setup.weight, Amount("P", count, 1, (count,)), (FORWARD, BACKWARD))


def _kept_after_forward(setup: Setup, small: Sequence[Tensor]) -> list[Tensor]:
    needed = list(dropwhile(lambda t: not t.trainable, setup.elements.tensors))
    small_names = {t.name for t in small}
    return [t for t in needed if t.name not in small_names]


def _fetched(owned: Sequence[Tensor], ranks: int) -> int:
    return gathered(owned, ranks) if len(owned) == 1 else sum(t.numel for t in owned)


def _modules(tensors: Sequence[Tensor]) -> list[list[Tensor]]:
    """Tensors by the module that owns them. They are fetched together; a lone one keeps its padded buffer."""
    found: dict[str, list[Tensor]] = {}
    for tensor in tensors:
        found.setdefault(tensor.name.rpartition(".")[0], []).append(tensor)
    return list(found.values())
