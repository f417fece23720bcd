"""What `auto` becomes, and from where: `= 4 (train.yaml:12)`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import cast

from shardlint.checks.deepspeed import Config, config_of
from shardlint.checks.files import argument
from shardlint.checks.judging import HF_READERS, TRAINERS
from shardlint.formats.values import lax_number
from shardlint.plan import DEFAULT, DERIVED, Fact
from shardlint.report import value_place
from shardlint.schema import Fill, fills, table
from shardlint_lsp.hints.batch import product, triangle
from shardlint_lsp.hints.buckets import in_bytes
from shardlint_lsp.hints.hint import LONGEST, Hint, agreed, behind, fitting
from shardlint_lsp.hints.sharing import Part, parts
from shardlint_lsp.look import Look
from shardlint_lsp.markdown import literal

UNKNOWN: Fact[object] = Fact()
ZERO = "zero_optimization."
PLANNED = {
    "train_micro_batch_size_per_gpu": "micro_batch",
    "gradient_accumulation_steps": "accumulation",
    f"{ZERO}stage": "stage",
    f"{ZERO}offload_optimizer.device": "offload_optimizer",
    f"{ZERO}offload_param.device": "offload_param",
}
"""Keys whose value is a fact of the plan, whatever file gave it."""
ARGUMENTS = {
    "gradient_clipping": "max_grad_norm",
    "optimizer.params.lr": "learning_rate",
    "optimizer.params.eps": "adam_epsilon",
    "optimizer.params.weight_decay": "weight_decay",
    "scheduler.params.warmup_max_lr": "learning_rate",
}
"""Keys the Trainer fills with one of its arguments as it is."""
COUNTS = {
    "scheduler.params.total_num_steps": "max_steps",
    "scheduler.params.warmup_num_steps": "warmup_steps",
}
"""Keys that an argument fills where it is above zero; else the Trainer works them out from the data."""
HIDDEN: dict[str, Callable[[int], int]] = {
    "reduce_bucket_size": lambda hidden: hidden * hidden,
    "stage3_prefetch_bucket_size": lambda hidden: int(0.9 * hidden * hidden),
    "stage3_param_persistence_threshold": lambda hidden: 10 * hidden,
}
"""Sizes that are made from hidden_size. Source: transformers 5.24 `integrations/deepspeed.py`."""


def auto_hints(look: Look) -> Iterator[Hint]:
    return agreed(hint for part in parts(look) for hint in _of_part(look, part))


def _of_part(look: Look, part: Part) -> Iterator[Hint]:
    config = config_of(part.reading, part.job)
    who = part.job.consumer.value
    if config is None or who not in HF_READERS:
        return
    filled = {**fills("accelerate"), **(fills("hf-trainer") if who in TRAINERS else {})}
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
    """The value; where it is not known the source, if that says more than the key itself."""
    fact, name = _becomes(part, fill.path), fill.path.rpartition(".")[2]
    where = _filled_by(part, fill)
    if fact.value is None:
        told = f"from {fill.source}"
        new = fill.source.split()[0] not in fill.path.split(".") and len(told) <= LONGEST
        return Hint(at, told, where) if new else None
    if fill.path == "train_batch_size":
        return Hint(at, f"= {fact.origin} = {fact.value}", f"{where}\n\n{triangle(part)}")
    value = _shown(fact.value)
    told = in_bytes(part, name, fact.value) if isinstance(fact.value, int) else None
    formula = f"\n\n{told.why}" if told else ""
    beside = told.figure if told else re.sub(r"\S*/(?=\S)", "", fact.origin)
    bare = f"= {value}"
    text = fitting(f"{bare} ({beside})", bare) if beside else bare
    origin = f", {literal(fact.origin)}" if fact.origin else ""
    return Hint(at, text, f"**{literal(value)}**{origin}. {where}{formula}", bare)


def _filled_by(part: Part, fill: Fill) -> str:
    consumer = part.job.consumer
    reader = "the Trainer" if consumer.value in TRAINERS else "accelerate"
    return (
        f"Filled in by {reader} from {literal(fill.source)}; who reads the file: {literal(consumer.origin)}."
    )


def _becomes(part: Part, path: str) -> Fact[object]:
    """The value a key is filled with; unknown where files and settings do not tell."""
    plan, name = part.plan, path.rpartition(".")[2]
    if path == "train_batch_size":
        return cast("Fact[object]", product(part))
    if path == "scheduler.params.warmup_min_lr":
        return Fact(0, "", DERIVED)
    if path in PLANNED:
        return _undisputed(getattr(plan, PLANNED[path]))
    if path in ("fp16.enabled", "bf16.enabled"):
        precision = _undisputed(cast("Fact[object]", plan.precision))
        return precision.meaning(precision.value == path.partition(".")[0]) if precision.known else UNKNOWN
    if name in HIDDEN:
        hidden = plan.option("model.hidden_size")
        return _made(name, hidden.value, hidden) if isinstance(hidden.value, int) else UNKNOWN
    return _argued(part, path) if part.job.consumer.value in TRAINERS else UNKNOWN


def _made(name: str, hidden: int, fact: Fact[object]) -> Fact[object]:
    return Fact(HIDDEN[name](hidden), f"hidden_size {hidden}, {fact.origin}", DERIVED)


def _argued(part: Part, path: str) -> Fact[object]:
    """The value of the argument of the Trainer behind a key."""
    if path in ARGUMENTS:
        return _argument(part, ARGUMENTS[path])
    if path == "optimizer.params.betas":
        first, second = _argument(part, "adam_beta1"), _argument(part, "adam_beta2")
        both = first.known and second.known
        return first.meaning(f"[{_shown(first.value)}, {_shown(second.value)}]") if both else UNKNOWN
    if path in COUNTS:
        fact = argument(part.job, COUNTS[path])
        count = lax_number(fact.value)
        return fact.meaning(int(count)) if count is not None and count >= 1 else UNKNOWN
    return UNKNOWN


def _argument(part: Part, name: str) -> Fact[object]:
    """What is stated, else the default of a file of arguments that leaves it out."""
    stated = argument(part.job, name)
    arguments = part.job.reading("hf-args")
    if stated.known or arguments is None or arguments.view.get(name) is not None:
        return _undisputed(stated)
    key = table("hf-trainer").find(name)
    return Fact(key.default, "Trainer default", DEFAULT) if key is not None and key.default else UNKNOWN


def _undisputed(fact: Fact[object]) -> Fact[object]:
    return UNKNOWN if fact.against else fact


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return f"{value:,}" if value > 9999 else str(value)
    return f"{value:g}" if isinstance(value, float) else " ".join(str(value).split())
