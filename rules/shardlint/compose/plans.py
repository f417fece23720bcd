"""Merged terms -> TrainingPlan."""

from __future__ import annotations

from shardlint.compose.degrees import degree, degrees, integer, text
from shardlint.compose.terms import Terms
from shardlint.plan import Fact, TrainingPlan, unknown

OPTION_PREFIX = "options."


def plan_from(terms: Terms, role: str) -> TrainingPlan:
    """The plan the terms describe; what no source states is unknown, with the reason."""
    found = degrees(terms)
    return TrainingPlan(
        role=role,
        framework=text(terms, "framework"),
        stage=_stage(terms),
        strategy=text(terms, "strategy"),
        reshard=_reshard(terms),
        world=found.world,
        nodes=integer(terms, "nodes"),
        batch_dp=found.batch_dp,
        required_dp=found.required_dp,
        shard=found.shard,
        replicate=found.replicate,
        tensor=degree(terms, "tensor"),
        pipeline=degree(terms, "pipeline"),
        context=degree(terms, "context"),
        sequence=degree(terms, "sequence"),
        expert=degree(terms, "expert"),
        micro_batch=integer(terms, "micro_batch"),
        accumulation=integer(terms, "accumulation"),
        train_batch=integer(terms, "train_batch"),
        precision=text(terms, "precision"),
        load_dtype=text(terms, "load_dtype"),
        accum_dtype=text(terms, "accum_dtype"),
        optimizer=text(terms, "optimizer"),
        offload_optimizer=text(terms, "offload_optimizer"),
        offload_param=text(terms, "offload_param"),
        wrap=text(terms, "wrap"),
        sequence_length=integer(terms, "sequence_length"),
        checkpointing=_switch(terms, "checkpointing"),
        options={
            name[len(OPTION_PREFIX) :]: fact for name, fact in terms.items() if name.startswith(OPTION_PREFIX)
        },
    )


def _stage(terms: Terms) -> Fact[int]:
    fact = terms.get("stage")
    if fact is None or isinstance(fact.value, bool) or not isinstance(fact.value, int):
        return unknown("the ZeRO stage is not stated")
    return (
        Fact(fact.value, fact.origin, fact.standing, fact.place)
        if 0 <= fact.value <= 3
        else unknown("no stage")
    )


def _reshard(terms: Terms) -> Fact[bool | int]:
    fact = terms.get("reshard")
    if fact is None or not isinstance(fact.value, bool | int):
        return unknown("reshard_after_forward is not stated")
    return Fact(fact.value, fact.origin, fact.standing, fact.place)


def _switch(terms: Terms, name: str) -> Fact[bool]:
    fact = terms.get(name)
    if fact is None or not isinstance(fact.value, bool):
        return unknown(f"{name} is not stated")
    others = tuple(
        Fact(a.value, a.origin, a.standing, a.place) for a in fact.against if isinstance(a.value, bool)
    )
    return Fact(fact.value, fact.origin, fact.standing, fact.place, others)
