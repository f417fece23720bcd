"""Write the settings and the version of client/package.json.

`python docs/generate_client_settings.py` takes names, defaults and meanings from the tables of the server.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from generate_lsp_methods import options

from shardlint import __version__
from shardlint.settings.names import OPEN_PREFIXES, Setting, all_settings
from shardlint_lsp.preferences import SECTION

MANIFEST = Path(__file__).resolve().parent.parent / "client" / "package.json"
BUDGET = "budget."
KINDS: Mapping[str, Mapping[str, object]] = {
    "true or false": {"type": "boolean"},
    "a number": {"type": "integer", "minimum": 0},
    "a list of rules": {"type": "array", "items": {"type": "string"}},
}
OF_THE_CLIENT: Mapping[str, Mapping[str, object]] = {
    "command": {
        "type": "array",
        "items": {"type": "string"},
        "minItems": 1,
        "default": ["shardlint", "lsp"],
        "scope": "machine-overridable",
        "markdownDescription": "How the server is started, a word an item. Where it is not set, `shardlint` "
        "in the `.venv` of the folder comes before the one on the PATH.",
    },
    "trace.server": {
        "type": "string",
        "enum": ["off", "messages", "verbose"],
        "default": "off",
        "scope": "window",
        "markdownDescription": "What the log says of the messages between editor and server.",
    },
}


def properties() -> dict[str, Any]:
    """The settings by their full name."""
    found = dict(_features())
    facts = [setting for setting in all_settings().values() if not setting.name.startswith(BUDGET)]
    budget = [setting for setting in all_settings().values() if setting.name.startswith(BUDGET)]
    found["facts"] = _table(
        {setting.name: _fact(setting) for setting in facts},
        "What no file says of the job, in the words of `[facts]` in shardlint.toml, which it comes before.",
    )
    for prefix, (_, meaning) in OPEN_PREFIXES.items():
        found["facts"]["patternProperties"][f"^{prefix.rstrip('.')}\\."] = {
            "markdownDescription": meaning.format("that name")
        }
    found["budget"] = _table(
        {setting.name.removeprefix(BUDGET): _fact(setting) for setting in budget},
        "Memory that is spoken for, in the words of `[budget]` in shardlint.toml, which it comes before.",
    )
    found.update(OF_THE_CLIENT)
    return {f"{SECTION}.{name}": stated for name, stated in found.items()}


def _features() -> Iterator[tuple[str, dict[str, Any]]]:
    """VS Code has no name that is a value and the start of other names too: `x.enabled` stands for `x`."""
    rows = options()
    meanings = {name: meaning for name, _, _, meaning in rows}
    for name, kind, default, meaning in rows:
        if any(other.startswith(f"{name}.") for other in meanings):
            continue
        stated = KINDS.get(kind) or {"type": "string", "enum": json.loads(f"[{kind}]")}
        said = meanings.get(name.removesuffix(".enabled"), meaning)
        yield (
            name,
            {
                **stated,
                "default": json.loads(default),
                "scope": "resource",
                "markdownDescription": f"{said[0].upper()}{said[1:]}.",
            },
        )


def _table(names: dict[str, Any], meaning: str) -> dict[str, Any]:
    return {
        "type": "object",
        "default": {},
        "scope": "resource",
        "properties": names,
        "patternProperties": {},
        "markdownDescription": meaning,
    }


def _fact(setting: Setting) -> dict[str, Any]:
    unit = f", in {setting.unit}" if setting.unit and setting.unit not in setting.meaning else ""
    return {"markdownDescription": f"{setting.meaning}{unit}; for example `{setting.example}`"}


def manifest() -> str:
    """The whole of package.json with these settings and the version of the server."""
    said = json.loads(MANIFEST.read_text(encoding="utf-8"))
    said["version"] = __version__
    said["contributes"]["configuration"]["properties"] = properties()
    return json.dumps(said, indent=2, ensure_ascii=False) + "\n"


def main() -> None:
    MANIFEST.write_text(manifest(), encoding="utf-8")


if __name__ == "__main__":
    main()
