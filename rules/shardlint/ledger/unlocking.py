"""The settings that would make a headline known."""

from __future__ import annotations

from shardlint.plan import TrainingPlan


def unlocking(plan: TrainingPlan) -> list[str]:
    """Names of shardlint.toml for what the model states of a plan lack."""
    wanted = [] if plan.params.known else ["model.params (or model.name)"]
    if not plan.world.known:
        wanted.append("world_size")
    elif not plan.shard.known:
        wanted.append("gpus_per_node")
    return wanted
