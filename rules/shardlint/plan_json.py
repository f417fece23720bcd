"""A TrainingPlan as JSON-ready data and back. A plan survives the round trip, places apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from shardlint.plan import GIVEN, Fact, ParameterGroup, TrainingPlan

Data = Mapping[str, object]


def plan_to_data(plan: TrainingPlan) -> dict[str, object]:
    """Known facts by field name; unknown ones are left out, so that absence means unknown."""
    data: dict[str, object] = {"role": plan.role}
    for name in _fact_fields():
        fact = cast("Fact[object]", getattr(plan, name))
        if fact.known:
            data[name] = fact_to_data(fact)
    data["groups"] = [
        {"name": g.name, "count": g.count, "trainable": g.trainable, "stored": g.stored} for g in plan.groups
    ]
    data["options"] = {name: fact_to_data(fact) for name, fact in plan.options.items() if fact.known}
    return data


def plan_from_data(data: Data) -> TrainingPlan:
    """The plan `plan_to_data` wrote; unknown keys are ignored so that newer reports can be read."""
    facts = {name: _fact_from_data(data[name]) for name in _fact_fields() if name in data}
    groups = tuple(
        ParameterGroup(
            str(g["name"]),
            int(cast("int", g["count"])),
            bool(g["trainable"]),
            cast("str | None", g["stored"]),
        )
        for g in cast("list[Data]", data.get("groups") or [])
    )
    stated = cast("Mapping[str, Data]", data.get("options") or {})
    options = {name: _fact_from_data(fact) for name, fact in stated.items()}
    return TrainingPlan(role=str(data.get("role", "train")), groups=groups, options=options, **facts)  # pyright: ignore[reportArgumentType]


def fact_to_data(fact: Fact[object]) -> dict[str, object]:
    data: dict[str, object] = {"value": fact.value, "origin": fact.origin, "standing": fact.standing}
    if fact.against:
        data["against"] = [{"value": other.value, "origin": other.origin} for other in fact.against]
    return data


def _fact_from_data(data: object) -> Fact[object]:
    stated = cast("Data", data)
    others = cast("list[Data]", stated.get("against") or [])
    against = tuple(Fact(other["value"], str(other["origin"]), GIVEN) for other in others)
    return Fact(stated["value"], str(stated["origin"]), str(stated["standing"]), None, against)


def _fact_fields() -> list[str]:
    return [name for name in TrainingPlan._fields if name not in ("role", "groups", "options")]
