"""Conda's environment.yml, the packages pip installs there included."""

from __future__ import annotations

from collections.abc import Iterator

from shardlint.settings.pins.pin import REQUIRED, Said, cleaned, named

NAMES = ("environment.yml", "environment.yaml", "conda.yml", "conda.yaml")
OTHER_NAMES = {"torch": "pytorch"}
"""Packages conda has under another name."""
_LINE = (
    r"(?im)^[ \t]*-[ \t]*[\"']?(?:[\w\-./]+::)?{package}(?:\[[^\]\r\n]{0,100}\])?"
    r"[ \t]*(?P<spec>(?:===|==|~=|>=|<=|<|>|!=|=)[^#\"'\r\n]*)"
)


def read_environment(text: str, package: str, name: str) -> Iterator[Said]:
    """What a conda environment says about a package."""
    for found in named(_LINE, package, OTHER_NAMES.get(package, package)).finditer(text):
        yield Said(REQUIRED, _translated(cleaned(found.group("spec"))), *found.span("spec"))


def _translated(specifier: str) -> str:
    """conda's `=0.14` (any 0.14) and `=0.14.2=py310_0` (with a build) as Python writes them."""
    if not specifier.startswith("=") or specifier.startswith("=="):
        return specifier.split("|")[0]
    version = specifier[1:].split("=")[0].removesuffix(".*")
    return f"=={version}" if version.count(".") > 1 else f"=={version}.*"
