"""The VS Code extension: it compiles, and offers the settings and commands the server has."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol, cast

import pytest

from editors.node import packages
from shardlint import __version__
from shardlint.settings.names import all_settings
from shardlint_lsp.features.code_lens import SHOW_LEDGER
from shardlint_lsp.features.commands import EXPLAIN, RELINT
from shardlint_lsp.main import server
from shardlint_lsp.preferences import CLIENT, FEATURES, HINTS, LINT, SYNTAX, Preferences, preferences_of

ROOT = Path(__file__).resolve().parents[2]
CLIENT_FOLDER = ROOT / "client"
MANIFEST: dict[str, Any] = json.loads((CLIENT_FOLDER / "package.json").read_text(encoding="utf-8"))
SETTINGS: dict[str, Any] = {
    name.removeprefix("shardlint."): stated
    for name, stated in MANIFEST["contributes"]["configuration"]["properties"].items()
}
BUDGET = "budget."


class Registered(Protocol):
    commands: dict[str, object]


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    sys.path.insert(0, str(ROOT / "docs"))
    try:
        spec = importlib.util.spec_from_file_location(
            "generate_client_settings", ROOT / "docs" / "generate_client_settings.py"
        )
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(ROOT / "docs"))
    return module


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the client with its packages beside it."""
    installed = packages(CLIENT_FOLDER / "package.json")
    folder = tmp_path_factory.mktemp("client")
    ignored = shutil.ignore_patterns("node_modules", "dist", "*.vsix")
    copy = Path(shutil.copytree(CLIENT_FOLDER, folder / "client", ignore=ignored))
    (copy / "node_modules").symlink_to(installed / "node_modules", target_is_directory=True)
    return copy


def run(script: str, checkout: Path) -> None:
    done = subprocess.run(
        ["npm", "run", "--silent", script], cwd=checkout, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_it_type_checks(checkout: Path) -> None:
    run("check", checkout)


def test_it_is_bundled_into_one_file(checkout: Path) -> None:
    run("bundle", checkout)
    bundle = checkout / MANIFEST["main"]
    loaded = "require(process.argv[1])"
    only = "const load = require('module'); const real = load._load; load._load = (name, ...more) =>"
    stand_in = (
        f"{only} name === 'vscode' ? new Proxy({{}}, {{ get: () => class {{}} }}) : real(name, ...more);"
    )
    done = subprocess.run(
        ["node", "-e", f"{stand_in} console.log(Object.keys({loaded}).sort().join())", str(bundle)],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.stdout.strip() == "activate,deactivate", done.stderr


def test_the_manifest_is_what_the_tables_say(generator: ModuleType) -> None:
    assert generator.MANIFEST.read_text(encoding="utf-8") == generator.manifest(), (
        "run python docs/generate_client_settings.py"
    )


def test_the_settings_are_those_of_the_server() -> None:
    tables = {"inlayHints": ("enabled", *HINTS), "lint": LINT}
    features = {f"{name}.{key}" for name, keys in tables.items() for key in keys}
    features |= set(FEATURES) - tables.keys()
    own = {"command", "trace.server"}
    assert set(SETTINGS) == features | {"facts", "budget"} | own
    assert {name.partition(".")[0] for name in own} == set(CLIENT)
    assert SETTINGS["syntax"]["enum"] == list(SYNTAX)


def test_the_facts_are_those_of_the_server() -> None:
    budget = {name for name in all_settings() if name.startswith(BUDGET)}
    assert set(SETTINGS["facts"]["properties"]) == all_settings().keys() - budget
    assert {f"{BUDGET}{name}" for name in SETTINGS["budget"]["properties"]} == budget


def test_the_defaults_are_those_of_the_server() -> None:
    defaults = {name: stated["default"] for name, stated in SETTINGS.items()}
    assert preferences_of(defaults) == Preferences(facts={"facts": {}, "budget": {}})


def test_the_commands_exist() -> None:
    offered = {one["command"] for one in MANIFEST["contributes"]["commands"]}
    known = cast("Registered", server().protocol.fm).commands
    assert {SHOW_LEDGER, EXPLAIN, RELINT} <= known.keys()
    assert offered == {SHOW_LEDGER, EXPLAIN, RELINT, "shardlint.restart"}


def test_it_starts_for_every_language_it_serves() -> None:
    sources = (CLIENT_FOLDER / "src" / "documents.ts").read_text(encoding="utf-8")
    started = [event.removeprefix("onLanguage:") for event in MANIFEST["activationEvents"] if "onL" in event]
    assert f"[{', '.join(repr(name) for name in started)}]" in sources
    (ledger,) = MANIFEST["contributes"]["menus"]["commandPalette"]
    assert f"({'|'.join(started)})" in ledger["when"]


def test_it_has_the_version_of_the_server() -> None:
    assert MANIFEST["version"] == __version__
