"""Lock files: the release that is installed."""

from __future__ import annotations

from collections.abc import Iterator

from shardlint.settings.pins.pin import LOCKED, Said, named

TOML_NAMES = ("uv.lock", "poetry.lock", "pdm.lock")
JSON_NAMES = ("Pipfile.lock",)
_TOML = r"(?im)^name[ \t]*=[ \t]*\"{package}\"[ \t]*\r?\nversion[ \t]*=[ \t]*\"(?P<spec>[^\"\r\n]{1,100})\""
_JSON = r"(?i)\"{package}\"\s*:\s*\{[^{}]{0,20000}?\"version\"\s*:\s*\"(?P<spec>[^\"\r\n]{1,100})\""


def read_lock(text: str, package: str, name: str) -> Iterator[Said]:
    """The release a lock file holds; nothing where it holds several, one for each kind of machine."""
    pattern = _TOML if name in TOML_NAMES else _JSON
    found = list(named(pattern, package).finditer(text))
    if len({match.group("spec") for match in found}) == 1:
        yield Said(LOCKED, found[0].group("spec"), *found[0].span("spec"))
