"""What `auto` becomes, and from where: `= 4 (train.yaml:12)`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shardlint.checks.deepspeed import Config, config_of
from shardlint.checks.files import filled_by_trainer
from shardlint.checks.judging import HF_READERS
from shardlint.report import value_place
from shardlint.schema import Fill, fills
from shardlint_lsp.hints.batch import triangle
from shardlint_lsp.hints.buckets import in_bytes
from shardlint_lsp.hints.filling import filled_with, spelt
from shardlint_lsp.hints.hint import Hint, agreed, behind, fitting
from shardlint_lsp.hints.sharing import Part, parts
from shardlint_lsp.look import Look
from shardlint_lsp.markdown import literal


def auto_hints(look: Look) -> Iterator[Hint]:
    return agreed(hint for part in parts(look) for hint in _of_part(look, part))


def _of_part(look: Look, part: Part) -> Iterator[Hint]:
    config = config_of(part.reading, part.job)
    if config is None or part.job.consumer.value not in HF_READERS:
        return
    filled = {**fills("accelerate"), **(fills("hf-trainer") if filled_by_trainer(part.job) else {})}
    depth = len(config.base)
    for entry in part.reading.auto.values():
        fill = filled.get(".".join(str(step) for step in entry.path[depth:]))
        at = behind(look, value_place(part.reading.document, entry))
        if fill is None or entry.value != "auto" or at is None or not _applies(fill, config):
            continue
        hint = _hint(at, part, fill)
        if hint is not None:
            yield hint


def _applies(fill: Fill, config: Config) -> bool:
    return not fill.stage or fill.stage == str(config.stage)


def _hint(at: int, part: Part, fill: Fill) -> Hint | None:
    fact, where = filled_with(part, fill.path), _filled_by(part, fill)
    if fact.value is None:
        return Hint(at, f"from {fill.source}", where) if _tells_more(fill) else None
    if fill.path == "train_batch_size":
        return Hint(at, f"= {fact.origin} = {fact.value}", f"{where}\n\n{triangle(part)}")
    value, name = spelt(fact.value), fill.path.rpartition(".")[2]
    told = in_bytes(part, name, fact.value) if isinstance(fact.value, int) else None
    beside = told.figure if told else re.sub(r"\S*/(?=\S)", "", fact.origin)
    bare = f"= {value}"
    text = fitting(f"{bare} ({beside})", bare) if beside else bare
    origin = f", {literal(fact.origin)}" if fact.origin else ""
    formula = f"\n\n{told.why}" if told else ""
    return Hint(at, text, f"**{literal(value)}**{origin}. {where}{formula}", bare)


def _tells_more(fill: Fill) -> bool:
    """Whether the source of a value that is not known says more than the key itself."""
    return fill.source.split()[0] not in fill.path.split(".")


def _filled_by(part: Part, fill: Fill) -> str:
    reader = "the Trainer" if filled_by_trainer(part.job) else "accelerate"
    why = literal(part.job.consumer.origin)
    return f"Filled in by {reader} from {literal(fill.source)}; who reads the file: {why}."
