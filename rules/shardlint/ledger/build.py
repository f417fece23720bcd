"""TrainingPlan (and shapes) -> Ledger."""

from __future__ import annotations

from collections.abc import Sequence

from shardlint.ledger.accounting import assumption_of
from shardlint.ledger.elements import Elements, elements_of
from shardlint.ledger.entry import Figure, Ledger
from shardlint.ledger.fsdp.storage import loading_matters, storage_of
from shardlint.ledger.optimizer import Choice, optimizer_of
from shardlint.ledger.sheet import Sheet
from shardlint.plan import ASSUMED, DERIVED, Fact, Tensor, TrainingPlan

FRAMEWORKS = ("deepspeed", "fsdp1", "fsdp2", "ddp", "single")

DEGREES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
"""Rows of the table shown while DP is unknown."""


def ledger(
    plan: TrainingPlan, shapes: Sequence[Tensor] | None = None, units: Sequence[str] | None = None
) -> Ledger:
    """What each rank holds. Never raises; what cannot be known is None with a reason.

    Without `shapes` the figures are P/N, unpadded; with them exact with padding, per rank. `units` are the
    name prefixes FSDP wraps (`model.layers.0.`); by default every numbered block. The headline is always
    unpadded, and unknown as long as the parameter count or the shard degree is.
    """
    elements = elements_of(plan, shapes)
    optimizer = optimizer_of(plan)
    why = _unknown(plan, elements)
    if elements is None or why:
        return _without_figures(plan, elements, optimizer, why)
    headline = _write(plan, elements._replace(tensors=()), optimizer, None)
    sheet = _write(plan, elements, optimizer, units) if elements.tensors else headline
    _assume(sheet, plan, elements, optimizer.doubt)
    found = sheet.close(plan.label, assumption_of(plan, elements, optimizer))
    states = headline.states()
    return found._replace(
        states=states, formula=headline.formula(), why=optimizer.doubt if states is None else ""
    )


def _write(plan: TrainingPlan, elements: Elements, optimizer: Choice, units: Sequence[str] | None) -> Sheet:
    sheet = Sheet()
    framework = plan.framework.value
    if framework == "deepspeed":
        from shardlint.ledger.deepspeed.route import writer_for
        from shardlint.ledger.deepspeed.setup import setup_of

        setup = setup_of(plan, elements, optimizer)
        writer_for(setup)(sheet, setup)
        return sheet
    from shardlint.ledger.fsdp import flat, per_parameter, replicas

    storage = storage_of(plan, elements, optimizer)
    if framework == "fsdp1":
        flat.write(sheet, plan, elements, storage, units)
    elif framework == "fsdp2":
        per_parameter.write(sheet, plan, elements, storage, units)
    else:
        replicas.write(sheet, plan, elements, storage)
    return sheet


def _unknown(plan: TrainingPlan, elements: Elements | None) -> str:
    """The fact the headline lacks, or nothing."""
    framework = plan.framework.value
    if framework is None:
        return "the framework is not known"
    if framework not in FRAMEWORKS:
        return f"the states of {framework} are not modelled"
    if framework == "deepspeed" and not plan.stage.known:
        return "the ZeRO stage is not known"
    if elements is None or elements.trainable < 0:
        return "the number of parameters is not known"
    if plan.shard.get(0) < 1 and _shards(plan):
        return "the number of ranks the states are sharded over is not known"
    return ""


def _shards(plan: TrainingPlan) -> bool:
    """Whether the states depend on the number of ranks at all."""
    if plan.framework.value == "deepspeed":
        return plan.stage.get(0) > 0
    return plan.framework.value in ("fsdp1", "fsdp2") and plan.strategy.value != "NO_SHARD"


def _without_figures(plan: TrainingPlan, elements: Elements | None, optimizer: Choice, why: str) -> Ledger:
    figures: tuple[Figure, ...] = ()
    if elements is not None and plan.framework.value in FRAMEWORKS and not plan.shard.known:
        figures = tuple(_figures(plan, elements._replace(tensors=()), optimizer))
    return Ledger(plan.label, assumption_of(plan, elements, optimizer), None, "", figures=figures, why=why)


def _figures(plan: TrainingPlan, elements: Elements, optimizer: Choice) -> list[Figure]:
    rows: list[Figure] = []
    for degree in DEGREES:
        of_degree = plan._replace(shard=Fact(degree, f"DP {degree}", DERIVED))
        states = _write(of_degree, elements, optimizer, None).states()
        if states is not None:
            rows.append(Figure(degree, states))
    return rows


def _assume(sheet: Sheet, plan: TrainingPlan, elements: Elements, doubt: str) -> None:
    if doubt:
        sheet.assume(doubt)
    if plan.framework.value == "deepspeed" and not plan.precision.known:
        sheet.assume("the precision is not stated, 16-bit weights with fp32 masters are assumed")
    if plan.framework.value == "deepspeed" and plan.stage.value == 0 and plan.accum_dtype.known:
        sheet.assume("stage 0 accumulates in the dtype of the model; DeepSpeed 0.19.8 refuses any other")
    if plan.framework.value != "deepspeed" and loading_matters(plan, elements):
        sheet.assume("the model is assumed to be loaded in fp32")
    if plan.tensor.get(1) * plan.pipeline.get(1) > 1:
        sheet.assume("tensor and pipeline parallel split every parameter evenly")
    if plan.groups and not elements.trainable and not plan.trainable.known:
        sheet.assume("the parameters that train are not counted: how many there are is not known")
    assumable = {
        "the ZeRO stage": plan.stage,
        "the shard degree": plan.shard,
        "the number of parameters": plan.params,
    }
    for name, fact in assumable.items():
        if fact.known and fact.standing == ASSUMED:
            sheet.assume(f"{name} is assumed: {fact.origin}")
