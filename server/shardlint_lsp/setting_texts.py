"""What there is to say about the names and values of shardlint's own settings."""

from __future__ import annotations

from collections.abc import Iterator

from shardlint.catalog.gpus import Gpu, find_gpu
from shardlint.catalog.models import find_model
from shardlint.checks.registry import find_rule
from shardlint.explain.keys import setting_text as described
from shardlint.explain.sections import BUDGET, section_text
from shardlint.report import gib
from shardlint.settings.names import find_setting, role_and_name
from shardlint.syntax.document import Document
from shardlint.syntax.keypath import KeyPath
from shardlint_lsp.caret.spot import Touched
from shardlint_lsp.documentation import rule_summary

LISTS = ("jobs", "files")


def setting_name(path: KeyPath) -> str | None:
    """The setting that a path below the settings table is, or the first part of one; None for other keys."""
    steps = [step for step in path if isinstance(step, str)]
    if steps[:1] and steps[0] in LISTS:
        steps = steps[1:]
    if steps[:1] == ["facts"]:
        return ".".join(steps[1:])
    return BUDGET + ".".join(steps[1:]) if steps[:1] == ["budget"] else None


def setting_at(document: Document, table: tuple[str, ...], at: Touched) -> str:
    """The text about a key or value of a settings file, whose settings stand below `table`."""
    path = at.entry.path
    if path[: len(table)] != table or len(path) == len(table):
        return ""
    section, *rest = path[len(table) :]
    if section == "lint" and rest:
        return _lint_text(at, named=len(rest) > 1)
    name = setting_name((section, *rest))
    value = document.text[at.span.start : at.span.end] if not at.on_key else None
    text = setting_text(name, value) if name else ""
    return text or section_text(str(section))


def setting_text(name: str, value: str | None = None) -> str:
    """The text about a setting, its value first where a table knows it; without a name, about a rule."""
    if not name:
        rule = find_rule(value or "")
        return rule_summary(rule) if rule is not None else ""
    setting = find_setting(name.removeprefix("facts."))
    parts = [described(setting)] if setting is not None else [section_text(name)]
    if value is not None and setting is not None:
        parts.insert(0, _row(setting.name, value.strip("\"'")))
    return "\n\n".join(filter(None, parts))


def _lint_text(at: Touched, *, named: bool) -> str:
    """The rule that is `named` there, else the section."""
    word = at.entry.name if at.on_key else at.entry.value
    rule = find_rule(word) if isinstance(word, str) and named else None
    return rule_summary(rule) if rule is not None else section_text("lint")


def _row(name: str, value: str) -> str:
    _, plain = role_and_name(name)
    if plain == "gpu.name":
        return gpu_text(value)
    return model_text(value) if plain == "model.name" else ""


def gpu_text(name: str) -> str:
    """What the table knows about a card; empty for one it does not have."""
    gpu = find_gpu(name)
    if gpu is None:
        return ""
    return "\n".join([f"**{gpu.name}**", "", *_gpu_points(gpu)])


def _gpu_points(gpu: Gpu) -> Iterator[str]:
    if gpu.memory is not None:
        yield f"- memory: {gib(gpu.memory)}"
    if gpu.capability is not None:
        yield f"- compute capability: {gpu.capability}"
    yield f"- bf16: {'yes' if gpu.bf16 else 'no'}, fp8: {'yes' if gpu.fp8 else 'no'}"


def model_text(name: str) -> str:
    """What the table knows about a model; empty for one it does not have."""
    model = find_model(name)
    if model is None:
        return ""
    figures = {
        "layers": model.layers,
        "hidden size": model.hidden,
        "attention heads": model.heads,
        "vocabulary": model.vocab,
        "experts": model.experts,
    }
    points = [f"- {name}: {number:,}" for name, number in figures.items() if number]
    counted = " (a part of the model)" if model.partial else ""
    return "\n".join([f"**{model.id}**", "", f"- parameters: {model.params:,}{counted}", *points])
