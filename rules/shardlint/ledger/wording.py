"""A ledger in words: cells and sentences, for whoever lays them out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from shardlint.ledger.entry import (
    ACCUMULATE,
    BACKWARD,
    BOUND,
    BOUNDARY,
    DEVICE,
    EXACT,
    FORWARD,
    HOST,
    LOAD,
    NVME,
    STEADY,
    STEP,
    UPDATE,
    Entry,
    Ledger,
)
from shardlint.ledger.terms import BUCKET
from shardlint.plan import ASSUMED, DEFAULT, Fact, TrainingPlan
from shardlint.report import GIB, gib, listing

INPUTS = (
    "framework", "stage", "strategy", "reshard", "params", "trainable", "world", "shard", "replicate",
    "precision", "load_dtype", "accum_dtype", "optimizer", "offload_optimizer", "offload_param", "gpu_name",
)  # fmt: skip
"""Facts of a plan that decide its ledger, in the order they are shown."""

MOMENTS = {
    LOAD: "while loading",
    STEADY: "between steps",
    FORWARD: "forward pass",
    BACKWARD: "backward pass",
    ACCUMULATE: "between micro steps",
    BOUNDARY: "before the step",
    STEP: "inside the step",
    UPDATE: "optimizer's update",
}

NAMES = {HOST: "host memory", NVME: "NVMe files"}


class Account(NamedTuple):
    """A plan and its ledger; `title` names the file or role where there are several."""

    plan: TrainingPlan
    ledger: Ledger
    title: str = ""

    @property
    def name(self) -> str:
        if self.ledger.label != "ZeRO-0":
            return self.ledger.label
        return "replicated" if self.plan.stage.known else "DeepSpeed"


class Input(NamedTuple):
    """A fact the ledger rests on, its value and where it comes from."""

    name: str
    value: str
    origin: str


def headline(account: Account) -> str:
    """`ZeRO-3, 13.04 GiB/rank of model states = 16P/N`, or why that is not known."""
    found = account.ledger
    if found.states is None:
        return f"{account.name}, model states unknown: {found.why}"
    spelt = f" = {found.formula}" if found.formula else " on the GPU"
    return f"{account.name}, {gib(found.states)}/rank of model states{spelt}"


def given(account: Account) -> str:
    """P and N as the formulas use them, and the accounting."""
    plan = account.plan
    both = plan.world.known and plan.shard.known
    copies = f" of {plan.world.value}" if both and plan.world.value != plan.shard.value else ""
    return f"{parameters(plan)}, {ranks('N', plan.shard)}{copies}; {account.ledger.assumption}"


def by_moment(entries: Sequence[Entry]) -> dict[str, list[Entry]]:
    """The entries by the moments at which they are held, in the order of their first entry."""
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        found.setdefault(moments(entry), []).append(entry)
    return found


def cells(entry: Entry) -> tuple[str, str, str]:
    """Size in GiB, term and formula of an entry."""
    place = "" if entry.place == DEVICE else f", {entry.place}"
    certainty = "" if entry.certainty == EXACT else f" ({entry.certainty})"
    return size(entry), f"{entry.term}{place}", f"{entry.formula}{certainty}"


def moments(entry: Entry) -> str:
    if STEADY in entry.phases:
        return "always"
    return ", ".join(MOMENTS[phase] for phase in MOMENTS if phase in entry.phases)


def size(entry: Entry) -> str:
    if entry.low is None or entry.high is None:
        return "?"
    low, high = two(entry.low), two(entry.high)
    return high if low == high else f"{low} to {high}"


def fullest(found: Ledger) -> str:
    """The moment at which these terms add up to most."""
    peak = found.peak
    if not found.total(peak):
        return "None of these terms is on the GPU."
    bound = any(entry.certainty == BOUND and peak in entry.phases for entry in found.entries)
    moment, most = MOMENTS[peak], "at most " if bound else ""
    return f"These terms add up to {most}{gib(found.total(peak))} at the fullest moment: {moment}."


def elsewhere(found: Ledger) -> str:
    """What a rank holds outside its GPU; empty for nothing."""
    held = [f"{gib(size)}/rank in {NAMES[place]}" for place, size in found.elsewhere().items()]
    return f"Off the GPU: {listing(held, 'and')}." if held else ""


def inputs(plan: TrainingPlan) -> list[Input]:
    """The facts that are stated, derived or assumed, and no mere default."""
    found: list[Input] = []
    for name in INPUTS:
        fact: Fact[object] = getattr(plan, name)
        if fact.known and fact.standing != DEFAULT:
            standing = " (assumed)" if fact.standing == ASSUMED else ""
            found.append(Input(name, _value(fact.value), fact.origin + standing))
    return found


def parameters(plan: TrainingPlan) -> str:
    """P and F as the formulas use them: what one tensor and pipeline rank has; P train, F are frozen."""
    parts = max(1, plan.tensor.get(1)) * max(1, plan.pipeline.get(1))
    total, frozen, moving = (
        -(-count // parts)
        for count in (
            plan.params.value or 0,
            sum(group.count for group in plan.groups if not group.trainable),
            sum(group.count for group in plan.groups if group.trainable),
        )
    )
    share = f" in 1 of {parts} parts (tensor x pipeline)" if parts > 1 else ""
    if frozen and moving:
        return f"P = {moving:,} trainable and F = {frozen:,} frozen parameters{share}"
    if frozen:
        return f"P unknown, F = {frozen:,} frozen parameters{share}"
    return f"P = {total:,} parameters{share}" if total else "P unknown"


def ranks(symbol: str, ranks: Fact[int]) -> str:
    if ranks.value is None:
        return f"{symbol} unknown"
    return f"{symbol} = {ranks.value} {'rank' if ranks.value == 1 else 'ranks'}"


def footnotes(accounts: Sequence[Account]) -> Iterator[str]:
    """What was assumed, what the card has, and what is not in the model states."""
    plan = accounts[0].plan
    for sentence in dict.fromkeys(said for account in accounts for said in account.ledger.assumes):
        yield f"Assumed: {sentence}."
    if plan.gpu_bytes.value:
        yield _capacity(accounts, plan.gpu_bytes.value)
    missing = _uncounted(accounts[0].ledger) if len(accounts) == 1 else list(accounts[0].ledger.missing)
    if missing:
        where = "Not counted" if len(accounts) == 1 else "Not in these model states"
        yield f"{where}: {listing(missing, 'and')}."


def _uncounted(found: Ledger) -> list[str]:
    """What is not in the model states and has no term of its own either."""
    terms = {entry.term for entry in found.entries}
    counted = terms | ({"communication buckets"} if BUCKET in terms else set[str]())
    return [name for name in found.missing if name not in counted]


def two(size: float) -> str:
    """Bytes as a number of GiB, for a cell under that heading."""
    return f"{size / GIB:.2f}"


def _capacity(accounts: Sequence[Account], capacity: int) -> str:
    card = f"{accounts[0].plan.gpu_name.value or 'The card'} gives a framework {gib(capacity)}"
    over = [account.name for account in accounts if (account.ledger.states or 0) > capacity]
    return f"{card}: {listing(over, 'and')} cannot fit." if over else f"{card}."


def _value(value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool) and value > 9999:
        return f"{value:,}"
    return str(value)
