"""Versions as sets: one release, a range from a requirement, or every release."""

from __future__ import annotations

import re
from typing import NamedTuple

from shardlint.plan import Fact

PROPER = {"deepspeed": "DeepSpeed", "torch": "PyTorch", "trl": "TRL", "lightning": "Lightning"}
"""Packages that do not write themselves in lower case."""

_RELEASE = (
    r"(?ai)v?(\d+(?:\.\d+)*)(?:[-_.]?(a|b|c|rc|alpha|beta|pre|preview)[-_.]?(\d*))?(?:[-_.]?(post|rev|r)[-_.]?(\d*))?"
    r"(?:[-_.]?(dev)[-_.]?(\d*))?(?:\+[a-z0-9.\-_]+)?\Z"
)
_CLAUSE = r"(?a)\s*(===|==|~=|!=|<=|>=|<|>|=|\^)?\s*([^\s,;]+)\s*\Z"
_PRE = {"a": 1, "alpha": 1, "b": 2, "beta": 2, "c": 3, "rc": 3, "pre": 3, "preview": 3}

MAX_LENGTH = 300
"""Longer text is no version."""

Key = tuple[tuple[int, ...], int, int, int, int]
_FINAL = 9


def parse_version(text: str) -> Key | None:
    """A key that orders releases as PEP 440 does (local labels left out), or None for no version."""
    found = re.match(_RELEASE, text.strip()) if len(text) <= MAX_LENGTH else None
    if found is None:
        return None
    numbers = [int(part) for part in found.group(1).split(".")]
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    pre, post, dev = found.group(2), found.group(4), found.group(6)
    stage = _PRE[pre.lower()] if pre else (0 if dev and not post else _FINAL)
    number = int(found.group(3) or 0)
    after = int(found.group(5) or 0) + 1 if post else 0
    return tuple(numbers), stage, number, after, int(found.group(7) or 0) if dev else 10**9


class Bounds(NamedTuple):
    """A half-open stretch of releases: `low` is in it, `high` is not; None is open."""

    low: Key | None = None
    high: Key | None = None

    def cut(self, other: Bounds) -> Bounds:
        low = max((b for b in (self.low, other.low) if b is not None), default=None)
        high = min((b for b in (self.high, other.high) if b is not None), default=None)
        return Bounds(low, high)


def separate(one: Bounds | None, other: Bounds | None) -> bool:
    """Whether no release lies in both stretches; false where one is not known."""
    if one is None or other is None:
        return False
    low, high = one.cut(other)
    return low is not None and high is not None and low >= high


def parse_specifier(text: str) -> Bounds | None:
    """`0.19.8`, `==0.14.*`, `>=0.14,<0.16`, `~=0.14.2`, `^1.2` as bounds; None where it is none of these.

    A version of two parts without operator (`0.17`) stands for its whole series.
    """
    bounds = Bounds()
    if len(text) > MAX_LENGTH:
        return None
    for part in text.split(","):
        found = re.match(_CLAUSE, part)
        clause = _clause(found.group(1) or "", found.group(2)) if found else None
        if clause is None:
            return None
        bounds = bounds.cut(clause)
    return bounds


def _clause(operator: str, text: str) -> Bounds | None:
    series = text.removesuffix(".*")
    key = parse_version(series)
    if key is None:
        return None
    short = not operator and re.fullmatch(r"v?\d+(\.\d+)?", series) is not None
    if series != text or short:
        return Bounds() if operator == "!=" else Bounds(_lowest(series), _next_series(series))
    if operator in ("", "=", "==", "==="):
        return Bounds(key, _after(key))
    if operator == "~=":
        return Bounds(key, _next_series(series.rpartition(".")[0]))
    if operator == "^":
        return Bounds(key, _next_series(_caret_series(series)))
    if operator == "<":
        return Bounds(None, _start(key))
    simple = {">=": Bounds(key), ">": Bounds(_after(key)), "<=": Bounds(None, _after(key))}
    return simple.get(operator, Bounds())


def _numbers(series: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", series.split("+")[0])] or [0]


def _lowest(series: str) -> Key | None:
    return parse_version(series + ".dev0")


def _next_series(series: str) -> Key | None:
    numbers = _numbers(series)
    numbers[-1] += 1
    return parse_version(".".join(map(str, numbers)) + ".dev0")


def _caret_series(series: str) -> str:
    numbers = _numbers(series)
    upto = next((at for at, number in enumerate(numbers) if number), len(numbers) - 1)
    return ".".join(map(str, numbers[: upto + 1]))


def _after(key: Key) -> Key:
    return (key[0], key[1], key[2], key[3], key[4] + 1)


class VersionSet:
    """The releases of a package that may be installed. `fact` says where that comes from."""

    __slots__ = ("bounds", "fact", "package")

    def __init__(self, package: str, fact: Fact[str]) -> None:
        self.package = package
        self.fact = fact
        found = parse_specifier(fact.value) if fact.value else None
        self.bounds = found if found is not None else Bounds()

    @property
    def exact(self) -> str | None:
        """The one release, or None where several are possible."""
        low, high = self.bounds
        text = (self.fact.value or "").lstrip("=v ")
        return text if low is not None and high == _after(low) and parse_version(text) is not None else None

    @property
    def known(self) -> bool:
        return self.bounds != Bounds()

    @property
    def text(self) -> str:
        """`DeepSpeed 0.19.8`, `DeepSpeed >=0.14,<0.16` or `any DeepSpeed version`."""
        name = PROPER.get(self.package, self.package)
        return f"{name} {(self.fact.value or '').removeprefix('==')}" if self.known else f"any {name} version"

    def all_at_least(self, version: str) -> bool:
        """Every possible release is that one or a later one."""
        return self.bounds.low is not None and self.bounds.low >= _start(_key(version))

    def all_newer_than(self, version: str) -> bool:
        """Every possible release is a later one."""
        return self.bounds.low is not None and self.bounds.low > _key(version)

    def none_at_least(self, version: str) -> bool:
        """Every possible release is older."""
        return self.bounds.high is not None and self.bounds.high <= _start(_key(version))

    def some_at_least(self, version: str) -> bool:
        return not self.none_at_least(version)

    def includes(self, version: str) -> bool:
        """Whether that release may be the installed one."""
        key, (low, high) = _key(version), self.bounds
        return (low is None or low <= key) and (high is None or key < high)

    def __repr__(self) -> str:
        return f"VersionSet({self.text})"


def _key(version: str) -> Key:
    key = parse_version(version)
    if key is None:
        raise ValueError(f"{version!r} is no version")
    return key


def _start(key: Key) -> Key:
    """Where a release begins, its own pre-releases included."""
    return (key[0], 0, 0, 0, 0) if key[1] == _FINAL and not key[3] else key
