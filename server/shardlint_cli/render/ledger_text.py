"""A ledger for people: what each rank holds, by term, with formulas, and what is not in the figures."""

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
from shardlint.ledger.terms import GRADIENTS, LOCAL_GRADIENTS
from shardlint.plan import ASSUMED, DEFAULT, Fact, TrainingPlan
from shardlint.report import GIB, gib, listing
from shardlint_cli.render.table import GAP, table, two_lines
from shardlint_cli.terminal import NARROWEST, Screen, columns, wrap

ORIGINS = (
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

COLUMNS = {LOCAL_GRADIENTS: GRADIENTS}
"""Terms that share a column where ways of sharding are compared."""


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


def compared(accounts: Sequence[Account], screen: Screen) -> Iterator[str]:
    """Ways of sharding one model, a row each."""
    plan = accounts[0].plan
    accountings = dict.fromkeys(account.ledger.assumption for account in accounts)
    one = f"; {accounts[0].ledger.assumption}" if len(accountings) == 1 else ""
    yield from _prose(f"{_parameters(plan)}, {_ranks('N', plan.world)}{one}", screen)
    yield ""
    if all(account.ledger.known for account in accounts):
        yield from _by_term(accounts, screen)
    else:
        yield from _by_degree(accounts, screen)
    yield ""
    for accounting in accountings if not one else ():
        names = (account.name for account in accounts if account.ledger.assumption == accounting)
        yield from _prose(f"{listing(names, 'and')}: {accounting}.", screen)
    yield from _footnotes(accounts, screen)


def detailed(account: Account, screen: Screen) -> Iterator[str]:
    """One plan: the headline, every term with its moment, and where each input comes from."""
    found, plan = account.ledger, account.plan
    title = f"{screen.safe(account.title)}: " if account.title else ""
    if found.states is None:
        yield from _prose(f"{title}{account.name}, model states unknown: {found.why}", screen)
    else:
        figure = f"{gib(found.states)}/rank"
        spelt = f" = {found.formula}" if found.formula else " on the GPU"
        line = f"{account.name}, {figure} of model states{spelt}"
        if screen.width is not None and columns(title + line) > screen.width:
            yield title.rstrip()
            title = ""
        yield title + line.replace(figure, screen.paint(figure, "bold"))
    given = f"{_parameters(plan)}, {_ranks('N', plan.shard)}"
    both = plan.world.known and plan.shard.known
    copies = f" of {plan.world.value}" if both and plan.world.value != plan.shard.value else ""
    yield from _prose(f"{given}{copies}; {found.assumption}", screen)
    yield ""
    if found.entries:
        yield from _terms(found.entries, screen)
        yield from _prose(_fullest(found), screen)
        yield from _prose(_elsewhere(found), screen) if _elsewhere(found) else ()
        yield ""
    if found.figures:
        yield from _by_degree([account], screen)
        yield ""
    yield from _origins(plan, screen)
    yield ""
    yield from _footnotes([account], screen)


def _by_term(accounts: Sequence[Account], screen: Screen) -> Iterator[str]:
    held = [_headline_terms(account.ledger) for account in accounts]
    terms = list(dict.fromkeys(term for row in held for term in row))
    places = [place for place in (HOST, NVME) if any(a.ledger.total(BOUNDARY, place) for a in accounts)]
    heads = ["GiB/rank", *terms, "model states", *(f"on the {place}" for place in places)]
    rows = [*two_lines(heads)]
    for account, sizes in zip(accounts, held, strict=True):
        figures = [_two(sizes.get(term, 0)) for term in terms]
        elsewhere = [_two(account.ledger.total(BOUNDARY, place)) for place in places]
        rows.append([account.name, *figures, gib(account.ledger.states or 0), *elsewhere])
    right = [False, *(True for _ in rows[0][1:])]
    formulas = ["", "formula", *(account.ledger.formula for account in accounts)]
    whole = [[*row, formula] for row, formula in zip(rows, formulas, strict=True)]
    lines = [*table(whole, [*right, False])]
    if screen.width is None or max(map(columns, lines)) <= screen.width:
        yield from _headed(iter(lines), 2, screen)
        return
    yield from _headed(table(rows, right), 2, screen)
    spelt = [f"{account.name} = {account.ledger.formula}" for account in accounts if account.ledger.formula]
    yield from _prose(f"{', '.join(spelt)}.", screen)


def _headline_terms(found: Ledger) -> dict[str, int]:
    """Bytes of the terms the headline adds up, by column."""
    sizes: dict[str, int] = {}
    for entry in found.entries:
        if entry.states:
            column = COLUMNS.get(entry.term, entry.term)
            sizes[column] = sizes.get(column, 0) + entry.on(None)
    return sizes


def _by_degree(accounts: Sequence[Account], screen: Screen) -> Iterator[str]:
    """The headline over the data-parallel degree, while no source states it."""
    degrees = sorted({row.dp for account in accounts for row in account.ledger.figures})
    rows = [["DP", *(account.name for account in accounts)]]
    rows += [[str(degree), *(_at(account.ledger, degree) for account in accounts)] for degree in degrees]
    yield from _headed(table(rows, [True] * len(rows[0])), 1, screen)


def _at(found: Ledger, degree: int) -> str:
    if found.states is not None:
        return gib(found.states)
    states = next((row.states for row in found.figures if row.dp == degree), None)
    return "unknown" if states is None else gib(states)


def _terms(entries: Sequence[Entry], screen: Screen) -> Iterator[str]:
    """The entries below the moments at which they are held."""
    moments = list(dict.fromkeys(_moments(entry) for entry in entries))
    ordered = sorted(entries, key=lambda entry: moments.index(_moments(entry)))
    rows = [["GiB/rank", "term", "formula"], *(_row(entry) for entry in ordered)]
    head, *lines = table(rows, [True, False, False])
    yield screen.paint(head, "bold")
    moment = ""
    for entry, line in zip(ordered, lines, strict=True):
        if _moments(entry) != moment:
            moment = _moments(entry)
            yield from (screen.paint(said, "dim") for said in wrap(moment, screen.width))
        yield line


def _row(entry: Entry) -> list[str]:
    place = "" if entry.place == DEVICE else f", {entry.place}"
    certainty = "" if entry.certainty == EXACT else f" ({entry.certainty})"
    return [_size(entry), f"{entry.term}{place}", f"{entry.formula}{certainty}"]


def _moments(entry: Entry) -> str:
    if STEADY in entry.phases:
        return "always"
    return ", ".join(MOMENTS[phase] for phase in MOMENTS if phase in entry.phases)


def _size(entry: Entry) -> str:
    if entry.low is None or entry.high is None:
        return "?"
    low, high = _two(entry.low), _two(entry.high)
    return high if low == high else f"{low} to {high}"


def _fullest(found: Ledger) -> str:
    """The moment at which these terms add up to most."""
    peak = found.peak
    if not found.total(peak):
        return "None of these terms is on the GPU."
    bound = any(entry.certainty == BOUND and peak in entry.phases for entry in found.entries)
    moment, most = MOMENTS[peak], "at most " if bound else ""
    return f"These terms add up to {most}{gib(found.total(peak))} at the fullest moment: {moment}."


def _elsewhere(found: Ledger) -> str:
    """What a rank holds outside its GPU."""
    held = [f"{gib(size)}/rank in {NAMES[place]}" for place, size in found.elsewhere().items()]
    return f"Off the GPU: {listing(held, 'and')}." if held else ""


def _origins(plan: TrainingPlan, screen: Screen) -> Iterator[str]:
    rows: list[list[str]] = []
    for name in ORIGINS:
        fact: Fact[object] = getattr(plan, name)
        if fact.known and fact.standing != DEFAULT:
            standing = " (assumed)" if fact.standing == ASSUMED else ""
            rows.append([name, screen.safe(_value(fact.value)), screen.safe(fact.origin) + standing])
    rows = [line for row in [["input", "value", "from"], *rows] for line in _fitted(row, rows, screen)]
    yield from _headed(table(rows, [False] * 3), 1, screen)


def _fitted(row: list[str], rows: Sequence[list[str]], screen: Screen) -> list[list[str]]:
    """The row, its last cell over as many lines as the screen asks for."""
    if screen.width is None:
        return [row]
    taken = sum(max(columns(other[at]) for other in [*rows, ["input", "value"]]) + len(GAP) for at in (0, 1))
    first, *rest = wrap(row[2], max(screen.width - taken, NARROWEST // 2))
    return [[*row[:2], first], *(["", "", line] for line in rest)]


def _value(value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool) and value > 9999:
        return f"{value:,}"
    return str(value)


def _parameters(plan: TrainingPlan) -> str:
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


def _ranks(symbol: str, ranks: Fact[int]) -> str:
    if ranks.value is None:
        return f"{symbol} unknown"
    return f"{symbol} = {ranks.value} {'rank' if ranks.value == 1 else 'ranks'}"


def _footnotes(accounts: Sequence[Account], screen: Screen) -> Iterator[str]:
    plan, missing = accounts[0].plan, accounts[0].ledger.missing
    for sentence in dict.fromkeys(said for account in accounts for said in account.ledger.assumes):
        yield from _prose(f"Assumed: {sentence}.", screen)
    if plan.gpu_bytes.value:
        yield from _prose(_capacity(accounts, plan.gpu_bytes.value), screen)
    if missing:
        yield from _prose(f"Not in these model states: {listing(missing, 'and')}.", screen)


def _capacity(accounts: Sequence[Account], capacity: int) -> str:
    card = f"{accounts[0].plan.gpu_name.value or 'The card'} gives a framework {gib(capacity)}"
    over = [account.name for account in accounts if (account.ledger.states or 0) > capacity]
    return f"{card}: {listing(over, 'and')} cannot fit." if over else f"{card}."


def _prose(text: str, screen: Screen) -> list[str]:
    return wrap(screen.safe(text), screen.width)


def _headed(lines: Iterator[str], heads: int, screen: Screen) -> Iterator[str]:
    for at, line in enumerate(lines):
        yield screen.paint(line, "bold") if at < heads else line


def _two(size: float) -> str:
    return f"{size / GIB:.2f}"
