"""Processes, hosts and slots against what the machines have."""

from __future__ import annotations

import pytest

from checks.linting import accelerate, facts, findings, only, told


@pytest.mark.parametrize(
    ("processes", "machines", "gpus", "fires"),
    [
        (8, 4, 8, True),
        (32, 4, 8, False),
        (8, 1, 8, False),
        (4, 1, 8, False),
        (64, 4, 8, False),
        ("${N}", 4, 8, False),
    ],
)
def test_fewer_processes(processes: object, machines: int, gpus: int, fires: bool) -> None:
    files = accelerate("MULTI_GPU", num_processes=processes, num_machines=machines)
    found = told({**files, **facts(gpus_per_node=gpus)}, "fewer-processes-than-gpus")
    assert found == ([("acc.yaml: num_processes", "warning")] if fires else [])


def test_without_the_gpus_nothing_is_said() -> None:
    files = accelerate("MULTI_GPU", num_processes=8, num_machines=4)
    assert findings(files, "fewer-processes-than-gpus") == []


HOSTS = "worker-1 slots=2\nworker-2 slots=4\n"
FILTER = "filter-names-missing-slot"


@pytest.mark.parametrize(
    ("include", "key"),
    [
        ("worker-1:0,1@worker-2:2,3", None),
        ("worker-1:2,3@worker-2:2,3", "worker-1"),
        ("worker-2", None),
        ("worker-3:0", ""),
        ("worker-2:4", "worker-2"),
    ],
)
def test_filter(include: str, key: str | None) -> None:
    found = told({"hostfile": HOSTS, **facts(launch__include=include)}, FILTER)
    assert found == ([] if key is None else [(f"hostfile: {key}", "error")])


def test_the_message_counts_the_slots() -> None:
    found = only({"hostfile": HOSTS, **facts(launch__include="worker-1:1,2")}, FILTER)
    assert "0 to 1" in found.message and found.fails_at == "launch"
