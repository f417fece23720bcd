"""The numbers of a config.json, read as a model class reads them."""

from __future__ import annotations

from collections.abc import Mapping

MAX_SIZE = 10**8
MAX_LAYERS = 10_000


class UnknownDimension(Exception):
    """The config leaves open, or mis-states, a number the count needs."""


class Dims:
    """Typed look-ups in a config. Absent and null are alike; a wrong type is `UnknownDimension`."""

    def __init__(self, config: Mapping[str, object]) -> None:
        self._config = config

    def size(self, *names: str, default: int | None = None) -> int:
        """The first of these keys that is set, as a positive whole number; else the default of the class."""
        for name in names:
            value = self._config.get(name)
            if value is not None:
                return _positive(name, value)
        if default is None:
            raise UnknownDimension(names[0])
        return default

    def layers(self, *names: str, default: int | None = None) -> int:
        count = self.size(*names, default=default)
        if count > MAX_LAYERS:
            raise UnknownDimension(names[0])
        return count

    def optional(self, name: str) -> int | None:
        """A number that may be null: then the model has no such part."""
        value = self._config.get(name)
        return None if value is None else _positive(name, value)

    def count(self, name: str, default: int) -> int:
        """A number that may be 0."""
        value = self._config.get(name, default)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_SIZE:
            raise UnknownDimension(name)
        return value

    def flag(self, name: str, default: bool) -> bool:
        value = self._config.get(name)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise UnknownDimension(name)
        return value

    def text(self, name: str, default: str) -> str:
        value = self._config.get(name)
        return value if isinstance(value, str) else default

    def numbers(self, name: str) -> frozenset[int]:
        """A list of whole numbers; empty where it is absent."""
        value = self._config.get(name)
        items: list[object] = list(value) if isinstance(value, list | tuple) else []  # pyright: ignore[reportUnknownArgumentType]
        return frozenset(item for item in items if isinstance(item, int))


def _positive(name: str, value: object) -> int:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value <= MAX_SIZE:
        raise UnknownDimension(name)
    return value
