"""Options of a plan by their last name, wherever a format hung them (`momentum`, `params.momentum`)."""

from __future__ import annotations

from shardlint.plan import Fact, TrainingPlan


def knob(plan: TrainingPlan, name: str) -> Fact[object]:
    """The option of that name, or the one whose dotted name ends with it."""
    found = plan.option(name)
    if found.known:
        return found
    tail = f".{name}"
    return next((fact for key, fact in plan.options.items() if key.endswith(tail)), found)


def switched(plan: TrainingPlan, name: str, default: bool = False) -> bool:
    value = knob(plan, name).value
    return value if isinstance(value, bool) else default


def number(plan: TrainingPlan, name: str, default: int) -> int:
    value = knob(plan, name).value
    if isinstance(value, bool) or not isinstance(value, int | float):
        return default
    return int(value)


def word(plan: TrainingPlan, name: str) -> str | None:
    value = knob(plan, name).value
    return value if isinstance(value, str) else None


def set_to_something(plan: TrainingPlan, name: str) -> bool:
    """A number that is not zero, or true: `momentum: 0.9`, `amsgrad: true`."""
    value = knob(plan, name).value
    return isinstance(value, int | float) and bool(value)
