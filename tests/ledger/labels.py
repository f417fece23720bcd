"""The labels of a measurement and the terms of the ledger, under names of their own where both agree."""

from __future__ import annotations

from shardlint.ledger import Entry, Ledger
from shardlint.ledger.entry import HOST

POINTS = {
    "after_init": "load",
    "after_forward": "forward",
    "after_backward_micro": "accumulate",
    "after_micro_step": "accumulate",
    "after_backward": "boundary",
    "before_inner_step": "update",
    "after_inner_step": "update",
    "after_step": "steady",
}
"""Where DeepSpeed was stopped, and the phase of the ledger that stands for it."""


def phase_of(point: str) -> str:
    """The phase of a point; micro steps are numbered."""
    return POINTS[point.rstrip("0123456789")]


MEASURED = {
    "weights": "weights",
    "weights_gathered_persistent": "persistent",
    "weights_gathered_other": "gathered",
    "weights_hpz_secondary": "secondary",
    "master": "master",
    "moment.step": "counters",
    "grad_of_master": "fp32 gradients",
    "grad_lp": "gradients",
    "grad_averaged": "gradients",
    "grad_partition_buffer": "gradients",
    "grad_accum_fp32_full": "accumulator",
    "grad_accum_attr": "bucket",
    "ipg_bucket": "bucket",
    "offload_accumulated_grads_cpu": "accumulated on the host",
    "offload_param_staging_lp": "staging",
    "offload_temp_grad": "largest gradient",
}

TERMS = {
    "weights": "weights",
    "frozen weights": "weights",
    "persistent parameters": "persistent",
    "gathered parameters": "gathered",
    "hpZ secondary copy": "secondary",
    "master weights": "master",
    "optimizer states": "states",
    "optimizer step counters": "counters",
    "fp32 gradients": "fp32 gradients",
    "16-bit gradients": "fp32 gradients",
    "gradients": "gradients",
    "local gradients": "gradients",
    "accumulated gradients": "gradients",
    "Muon updates": "gradients",
    "fp32 gradient accumulator": "accumulator",
    "reduce bucket": "bucket",
    "flattened gradients": "fp32 gradients",
    "16-bit staging": "staging",
    "gradient staging": "largest gradient",
}
STALE = {"stale optimizer states": "states", "stale step counters": "counters"}
"""The sums Adagrad leaves behind: at stage 0 reachable from the optimizer, else among `all tensors` only."""

UNLABELLED = ("staged momentum",)
"""Terms the measurement found only among `all tensors`."""


ACCUMULATOR = "grad_accum_attr"
"""`param.grad_accum`: the local gradients until they are reduced, views that keep the bucket afterwards."""


def measured(terms: dict[str, object], rank: int, phase: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for label, value in terms.items():
        if label != "all tensors":
            local = label == ACCUMULATOR and phase in ("accumulate", "forward")
            name = "gradients" if local else MEASURED.get(label, "states")
            found[name] = found.get(name, 0) + _of(value, rank)
    return found


def predicted(ledger: Ledger, phase: str, rank: int) -> dict[str, int]:
    found: dict[str, int] = {}
    for entry in ledger.entries:
        name = _name(entry, ledger.label)
        if phase in entry.phases and name:
            found[name] = found.get(name, 0) + entry.on(rank)
    return found


def _name(entry: Entry, label: str) -> str | None:
    if entry.term in UNLABELLED:
        return None
    if entry.term in STALE:
        return STALE[entry.term] if label == "ZeRO-0" else None
    if entry.term == "accumulated gradients" and entry.place == HOST:
        return "accumulated on the host"
    return TERMS[entry.term]


def everything(ledger: Ledger, phase: str, rank: int) -> int:
    """Bytes in both memories, terms without a label included."""
    return sum(ledger.held(phase, rank).values())


def _of(value: object, rank: int) -> int:
    found = value[rank] if isinstance(value, list) else value
    assert isinstance(found, int)
    return found


def assert_equal(ledger: Ledger, point: str, terms: dict[str, object], rank: int) -> None:
    """Every term of one rank at one point, to the byte."""
    phase = phase_of(point)
    expected = {term: size for term, size in measured(terms, rank, phase).items() if size}
    actual = {term: size for term, size in predicted(ledger, phase, rank).items() if size}
    assert actual == expected, f"{point}, rank {rank}"
