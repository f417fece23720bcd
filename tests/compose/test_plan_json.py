"""A plan survives the trip through the machine-readable report."""

from __future__ import annotations

import json

from shardlint.plan import Fact, ParameterGroup, TrainingPlan
from shardlint.plan_json import plan_from_data, plan_to_data


def test_a_plan_round_trips_through_json_with_origins_and_disagreements() -> None:
    plan = TrainingPlan(
        role="actor",
        framework=Fact("deepspeed", "ds.json:1"),
        stage=Fact(3, "ds.json:5"),
        world=Fact(8, "accelerate.yaml:3", "given", None, (Fact(16, "hostfile:1"),)),
        params=Fact(7_000_000_000, "shardlint.toml:2"),
        groups=(
            ParameterGroup("base", 7_000_000_000, False, "bf16"),
            ParameterGroup("lora", 1_000, True, "fp32"),
        ),
        options={"reduce_bucket_size": Fact(500_000_000, "ds.json:9")},
    )
    again = plan_from_data(json.loads(json.dumps(plan_to_data(plan))))
    assert again.world == plan.world
    assert again.groups == plan.groups
    assert again.number("reduce_bucket_size", 0) == 500_000_000
    assert plan_to_data(again) == plan_to_data(plan)
