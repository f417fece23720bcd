"""Which project file is read how, and in which order."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from shardlint.settings.pins import conda, locks, manifests, requirements
from shardlint.settings.pins.pin import Said

Reader = Callable[[str, str, str], "Iterator[Said]"]

_FIXED: dict[str, Reader] = {
    **dict.fromkeys((*locks.TOML_NAMES, *locks.JSON_NAMES), locks.read_lock),
    requirements.MAIN: requirements.read_requirements,
    manifests.PROJECT: manifests.read_project,
    manifests.SETUP: manifests.read_setup,
    **dict.fromkeys(conda.NAMES, conda.read_environment),
}


def known_names(names: Iterable[str]) -> list[str]:
    """The project files among the names of a folder: those that always count, then the other requirements."""
    present = set(names)
    others = sorted(name for name in present - set(_FIXED) if re.match(requirements.NAMES, name))
    return [name for name in _FIXED if name in present] + others


def reader_of(name: str) -> Reader:
    """How a project file is read; an included file of any name is one of requirements."""
    return _FIXED.get(name, requirements.read_requirements)


def included(name: str, text: str) -> Iterable[str]:
    """The files a project file includes, relative to it."""
    return requirements.includes(text) if reader_of(name) is requirements.read_requirements else ()
