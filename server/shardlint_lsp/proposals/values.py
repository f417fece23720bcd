"""Values of shardlint's settings, and the names of rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from lsprotocol.types import CompletionItemKind as Kind

from shardlint.catalog.gpus import all_gpus
from shardlint.catalog.models import all_models
from shardlint.catalog.optimizers import all_optimizers
from shardlint.checks.registry import all_rules
from shardlint.report import gib
from shardlint.schema.releases import NEWEST
from shardlint.settings.names import find_setting, role_and_name
from shardlint_lsp.look import Look
from shardlint_lsp.proposals.files import CONFIGS, files
from shardlint_lsp.proposals.proposal import Proposal, Topic

ATTENTION = ("eager", "sdpa", "flash_attention_2", "flash_attention_3", "flex_attention")
CONSUMERS = ("deepspeed", "accelerate", "hf-trainer", "trl", "axolotl", "lightning")
DTYPES = ("fp32", "bf16", "fp16", "fp8", "auto")

Write = Callable[[str], str]
"""A text as the place writes it: in quotes in TOML, bare in a comment."""


def rules(typed: str, write: Write) -> list[Proposal]:
    """Every rule: by its code where capitals are typed, else by its name."""
    by_code = typed.lstrip("\"'")[:1].isupper()
    return [
        Proposal(
            rule.code if by_code else rule.name,
            Kind.Constant,
            write(rule.code if by_code else rule.name),
            rule.name if by_code else rule.code,
            Topic("rule", rule.code),
        )
        for rule in all_rules()
    ]


def setting_values(look: Look, name: str, typed: str, write: Write, style: str) -> list[Proposal]:
    """What can be the value of a setting: names of a table, true and false, files, else one example."""
    _, plain = role_and_name(name)
    setting = find_setting(plain)
    if setting is None:
        return []
    topic = Topic("setting", plain)
    match plain:
        case "gpu.name":
            return [_gpu(gpu.name, gpu.memory, write) for gpu in all_gpus()]
        case "model.name":
            named = [_model(model.id, model.params, write) for model in all_models()]
            return [*named, *files(look, typed, CONFIGS, style)]
        case "launch.config_file" | "launch.train":
            return files(look, typed, CONFIGS, style)
        case "attention":
            return _words(ATTENTION, topic, write)
        case "consumer":
            return _words(CONSUMERS, topic, write)
        case "code.optimizer":
            return _words(dict.fromkeys(found.name for found in all_optimizers()), topic, write)
        case _:
            pass
    if setting.kind == "flag":
        return [Proposal(word, Kind.Keyword, word, "", topic) for word in ("true", "false")]
    if setting.kind == "dtype":
        return _words(DTYPES, topic, write)
    if setting.kind == "version":
        newest = NEWEST.get(plain.rpartition(".")[2])
        return _words([newest] if newest else [], topic, write)
    return [
        Proposal(example, Kind.Value, _as_written(setting.example, write), "example", topic)
        for example in [setting.example.strip('"')]
    ]


def _as_written(example: str, write: Write) -> str:
    return write(example.strip('"')) if example.startswith('"') else example


def _words(words: Iterable[str], topic: Topic, write: Write) -> list[Proposal]:
    return [Proposal(word, Kind.EnumMember, write(word), "", topic) for word in words]


def _gpu(name: str, memory: int | None, write: Write) -> Proposal:
    return Proposal(name, Kind.Constant, write(name), gib(memory) if memory else "", Topic("gpu", name))


def _model(name: str, params: int, write: Write) -> Proposal:
    return Proposal(name, Kind.Constant, write(name), f"{params:,} parameters", Topic("model", name))
