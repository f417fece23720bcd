"""The other numbers of the batch: `= 4 x 8 x DP 8` at the whole, `x 8 x DP 8 = 256` at the micro batch."""

from __future__ import annotations

from collections.abc import Iterator

from shardlint.checks.batch.triangle import divisor, is_elastic
from shardlint.plan import DERIVED, Fact
from shardlint_lsp.hints.hint import Hint, agreed, behind
from shardlint_lsp.hints.sharing import Part, parts, world_is_required
from shardlint_lsp.look import Look
from shardlint_lsp.markdown import literal


def batch_hints(look: Look) -> Iterator[Hint]:
    return agreed(hint for part in parts(look) for hint in _of_part(look, part))


def product(part: Part) -> Fact[int]:
    """The train batch that micro batch, accumulation and DP make; unknown where one of them is."""
    micro, steps, dp = part.plan.micro_batch, part.plan.accumulation, _dp(part)
    if not (micro.value and steps.value and dp.value) or micro.against or steps.against:
        return Fact(None, "micro batch, accumulation and DP are not all known")
    spelt = f"{micro.value} x {steps.value} x DP {dp.value}"
    return Fact(micro.value * steps.value * dp.value, spelt, DERIVED)


def triangle(part: Part) -> str:
    """The three factors and where each comes from, in Markdown."""
    plan = part.plan
    named = (("micro batch", plan.micro_batch), ("accumulation", plan.accumulation), ("DP", _dp(part)))
    return "\n".join(f"- {name} {fact.value}: {literal(fact.origin)}" for name, fact in named if fact.known)


def _of_part(look: Look, part: Part) -> Iterator[Hint]:
    plan = part.plan
    if any(fact.against for fact in (plan.train_batch, plan.micro_batch, plan.accumulation, plan.world)):
        return
    if is_elastic(part.job):
        return
    if plan.train_batch.known:
        at = behind(look, plan.train_batch.place)
        yield from _at_train_batch(at, _completed(part)) if at is not None else ()
    else:
        at = behind(look, plan.micro_batch.place)
        yield from _at_micro_batch(at, part) if at is not None else ()


def _at_train_batch(at: int, part: Part) -> Iterator[Hint]:
    batch, made = part.plan.train_batch.value, product(part)
    if made.value != batch:
        return
    text = f"needs DP {_dp(part).value}" if world_is_required(part.plan) else f"= {made.origin}"
    yield Hint(at, text, f"**train\\_batch\\_size {batch} = {made.origin}**\n\n{triangle(part)}")


def _at_micro_batch(at: int, part: Part) -> Iterator[Hint]:
    made, steps, dp = product(part), part.plan.accumulation.value, _dp(part).value
    if made.value is None or made.value == part.plan.micro_batch.value:
        return
    times = f"x {steps} " if steps != 1 else ""
    why = f"**{made.origin} = {made.value} samples a step**\n\n{triangle(part)}"
    yield Hint(at, f"{times}x DP {dp} = {made.value}", why)


def _completed(part: Part) -> Part:
    """With the third number that DeepSpeed derives from the two that are there."""
    plan, dp = part.plan, _dp(part).value
    batch, micro, steps = plan.train_batch.value, plan.micro_batch, plan.accumulation
    if not batch or not dp:
        return part
    if steps.value and not micro.known and _never_open(part, "train_micro_batch_size_per_gpu"):
        return _with(part, "micro_batch", batch, steps.value * dp, f"{batch} / ({steps.value} x DP {dp})")
    if micro.value and not steps.known and _never_open(part, "gradient_accumulation_steps"):
        return _with(part, "accumulation", batch, micro.value * dp, f"{batch} / ({micro.value} x DP {dp})")
    return part


def _never_open(part: Part, key: str) -> bool:
    """Whether no file of the job leaves the key to another program: then DeepSpeed works it out."""
    return not any(entry.name == key for reading in part.job.readings for entry in reading.auto.values())


def _with(part: Part, name: str, batch: int, by: int, origin: str) -> Part:
    if batch % by:
        return part
    return part._replace(plan=part.plan._replace(**{name: Fact(batch // by, f"derived, {origin}", DERIVED)}))


def _dp(part: Part) -> Fact[int]:
    return divisor(part.plan, part.job)
