"""The value a front end fills in for an `auto`, as far as files and settings tell it."""

from __future__ import annotations

from typing import cast

from shardlint.checks.files import argument, filled_by_trainer
from shardlint.formats.values import lax_number
from shardlint.plan import DEFAULT, DERIVED, Fact
from shardlint.resolve.hidden_sizes import FROM_HIDDEN
from shardlint.schema import table
from shardlint_lsp.hints.batch import product
from shardlint_lsp.hints.sharing import Part

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
SWITCHED_ON = {"fp16.enabled": ("fp16",), "bf16.enabled": ("bf16", "fp8")}
"""Switches, and the precisions that turn them on."""
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


def filled_with(part: Part, path: str) -> Fact[object]:
    """The value of the key at a path of `schema.fills`; unknown where files and settings do not tell."""
    plan, name = part.plan, path.rpartition(".")[2]
    if path == "train_batch_size":
        return cast("Fact[object]", product(part))
    if path == "scheduler.params.warmup_min_lr":
        return Fact(0, "", DERIVED)
    if path in PLANNED:
        return _undisputed(getattr(plan, PLANNED[path]))
    if path in SWITCHED_ON:
        precision = _undisputed(cast("Fact[object]", plan.precision))
        return precision.meaning(precision.value in SWITCHED_ON[path]) if precision.known else UNKNOWN
    if name in FROM_HIDDEN:
        return plan.option(name)
    return _argued(part, path) if filled_by_trainer(part.job) else UNKNOWN


def _argued(part: Part, path: str) -> Fact[object]:
    """The value of the argument of the Trainer behind a key."""
    if path in ARGUMENTS:
        return _argument(part, ARGUMENTS[path])
    if path == "optimizer.params.betas":
        first, second = _argument(part, "adam_beta1"), _argument(part, "adam_beta2")
        both = first.known and second.known
        return first.meaning(f"[{spelt(first.value)}, {spelt(second.value)}]") if both else UNKNOWN
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


def spelt(value: object) -> str:
    """A value as configs write it, on one line."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return f"{value:,}" if value > 9999 else str(value)
    return f"{value:g}" if isinstance(value, float) else " ".join(str(value).split())
