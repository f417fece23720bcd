"""Sheet: the ledger being written. Turns (bytes an element, amount) into entries and the headline."""

from __future__ import annotations

from shardlint.ledger.amount import Amount
from shardlint.ledger.entry import ALWAYS, BOUND, DEVICE, ESTIMATE, EXACT, MISSING, Entry, Ledger


class Sheet:
    """Terms in the order they are added."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.assumes: list[str] = []
        self._headline: list[tuple[float, Amount]] = []

    def assume(self, sentence: str) -> None:
        if sentence not in self.assumes:
            self.assumes.append(sentence)

    def add(
        self,
        term: str,
        unit: float,
        amount: Amount,
        phases: tuple[str, ...] = ALWAYS,
        place: str = DEVICE,
        states: bool = False,
        certainty: str = EXACT,
        assumes: str = "",
    ) -> None:
        """A term of `unit` bytes an element. Nothing is added for a unit or a count of zero."""
        if not unit or amount.elements == 0:
            return
        if states and place == DEVICE:
            self._headline.append((unit, amount))
        padded = amount.sizes(unit)
        plain = amount.size(unit)
        low, high = (min(padded), max(padded)) if padded else (plain, plain)
        known = certainty if high is not None else MISSING
        if not float(unit).is_integer() and known == EXACT:
            known = ESTIMATE
        formula = f"{unit:g}{amount.symbol}"
        in_states = states and place == DEVICE
        by_rank = padded if low != high else ()
        self.entries.append(
            Entry(term, low, high, place, phases, by_rank, known, formula, assumes, in_states)
        )

    def between(
        self, term: str, low: int, high: int, phases: tuple[str, ...], formula: str, assumes: str = ""
    ) -> None:
        """A device term known only to lie between two figures (bytes)."""
        if high:
            self.entries.append(Entry(term, low, high, DEVICE, phases, (), BOUND, formula, assumes))

    def states(self) -> int | None:
        """The headline in bytes; None when a term of it is unknown."""
        sizes = [amount.size(unit) for unit, amount in self._headline]
        return None if None in sizes else sum(size for size in sizes if size is not None)

    def formula(self) -> str:
        """`4P + 12P/N`: the headline with the terms of one symbol added up."""
        units: dict[str, float] = {}
        for unit, amount in self._headline:
            units[amount.symbol] = units.get(amount.symbol, 0) + unit
        return " + ".join(f"{unit:g}{symbol}" for symbol, unit in units.items())

    def close(self, label: str, assumption: str) -> Ledger:
        return Ledger(
            label, assumption, self.states(), self.formula(), tuple(self.entries), assumes=tuple(self.assumes)
        )
