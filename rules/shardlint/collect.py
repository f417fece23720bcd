"""Import every module of a package: what is collected so needs no list to keep in step.

Folders are listed directly, because `pkgutil` imports `inspect` for the same, 5 ms of every start.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Container
from importlib import import_module
from types import ModuleType


def import_modules(package: str, without: Container[str] = ()) -> list[ModuleType]:
    """The modules that stand in an imported package, by name; those `without` names stay as they are."""
    files = (name for name in _names(package) if name.endswith(".py") and name != "__init__.py")
    names = (f"{package}.{name[:-3]}" for name in files)
    return [import_module(name) for name in names if name not in without]


def import_packages(package: str) -> list[ModuleType]:
    """The packages that stand in an imported package, by name, without their modules."""
    names = (name for name in _names(package) if "." not in name and not name.startswith("_"))
    return [import_module(f"{package}.{name}") for name in names]


def _names(package: str) -> list[str]:
    folders = sys.modules[package].__path__
    return sorted(entry.name for folder in folders for entry in os.scandir(folder))
