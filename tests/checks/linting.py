"""Lint a handful of texts as the command line would, in a folder of their own."""

from __future__ import annotations

import json
import tempfile
from functools import lru_cache
from pathlib import Path
from textwrap import dedent

from shardlint.engine import Options, lint
from shardlint.report import Finding, Report

FOLDERS = tempfile.TemporaryDirectory()
"""Thousands of folders come and go, which costs time in a large one such as /tmp may be."""


def report(files: dict[str, str]) -> Report:
    """The report on a folder that holds these files; the last ones asked for are kept."""
    return _report(tuple(files.items()))


@lru_cache(maxsize=512)
def _report(files: tuple[tuple[str, str], ...]) -> Report:
    with tempfile.TemporaryDirectory(dir=FOLDERS.name) as folder:
        root = Path(folder)
        for name, text in files:
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(dedent(text), encoding="utf-8")
        return lint([root], Options(root=root))


def findings(files: dict[str, str], rule: str | None = None) -> list[Finding]:
    """What is found, of one rule or of all."""
    found = report(files)
    assert not found.notices, found.notices
    return [finding for finding in found.findings if rule in (None, finding.rule)]


def keys(files: dict[str, str], rule: str) -> list[str]:
    """Where a rule fires: `file: key` of each finding."""
    return [f"{finding.place.path}: {finding.place.key}" for finding in findings(files, rule)]


def only(files: dict[str, str], rule: str) -> Finding:
    """The one finding of a rule."""
    found = findings(files, rule)
    assert len(found) == 1, found
    return found[0]


def told(files: dict[str, str], rule: str) -> list[tuple[str, str]]:
    """(`file: key`, severity) of each finding of a rule."""
    return [(f"{f.place.path}: {f.place.key}", f.severity.word) for f in findings(files, rule)]


def deepspeed(stage: int | str | None = 2, **top: object) -> dict[str, str]:
    """A DeepSpeed file `ds.json`; `stage` None leaves the ZeRO section without one."""
    zero = {} if stage is None else {"stage": stage}
    body: dict[str, object] = {"zero_optimization": zero, **top}
    return {"ds.json": json.dumps(body, indent=2)}


def facts(**settings: object) -> dict[str, str]:
    """A settings file; double underscores stand for dots (`model__params`)."""
    lines = [f"{name.replace('__', '.')} = {json.dumps(value)}" for name, value in settings.items()]
    return {"shardlint.toml": "\n".join(["[facts]", *lines, ""])}


def accelerate(kind: str = "FSDP", section: str = "", **top: object) -> dict[str, str]:
    """An accelerate file `acc.yaml`; `section` is YAML text added as it is."""
    keys = {"compute_environment": "LOCAL_MACHINE", "distributed_type": kind, "num_processes": 8, **top}
    lines = [f"{name}: {json.dumps(value)}" for name, value in keys.items() if value is not None]
    return {"acc.yaml": "\n".join(lines) + "\n" + dedent(section)}


def fsdp(
    version: int | str | None = None, kind: str = "FSDP", world: int = 8, **keys: object
) -> dict[str, str]:
    """An accelerate file with an `fsdp_config` of these keys (written with their prefix)."""
    stated = {"version": version, "auto_wrap_policy": "TRANSFORMER_BASED_WRAP", **keys}
    lines = [f"  fsdp_{name}: {json.dumps(value)}" for name, value in stated.items() if value is not None]
    return accelerate(kind, "\n".join(["fsdp_config:", *lines, ""]), num_processes=world)
