"""How many processes are started, and by what."""

from __future__ import annotations

import pytest

from checks.linting import accelerate, keys, only, told


@pytest.mark.parametrize(
    ("kind", "processes", "machines", "level"),
    [
        ("MULTI_GPU", 8, 3, "warning"),
        ("MULTI_GPU", 1, 2, "error"),
        ("DEEPSPEED", 1, 2, "warning"),
        ("NO", 1, 2, None),
        ("MULTI_GPU", 8, 2, None),
        ("MULTI_GPU", 8, 1, None),
        ("MULTI_GPU", 8, None, None),
        ("MULTI_GPU", "${N}", 3, None),
    ],
)
def test_processes_must_divide(kind: str, processes: object, machines: int | None, level: str | None) -> None:
    files = accelerate(kind, num_processes=processes, num_machines=machines)
    found = told(files, "processes-not-divisible")
    assert found == ([("acc.yaml: num_processes", level)] if level else [])


def test_the_message_counts_what_starts() -> None:
    found = only(accelerate("MULTI_GPU", num_processes=8, num_machines=3), "processes-not-divisible")
    assert "2 on each machine, 6 in all" in found.message
    assert [fix.title for fix in found.fixes] == ["Set num_processes to 6", "Set num_processes to 9"]


@pytest.mark.parametrize(
    ("kind", "processes", "fires"),
    [("'NO'", 8, True), ("NO", 8, True), ("'NO'", 1, False), ("MULTI_GPU", 8, False)],
)
def test_processes_without_distribution(kind: str, processes: int, fires: bool) -> None:
    text = f"compute_environment: LOCAL_MACHINE\ndistributed_type: {kind}\nnum_processes: {processes}\n"
    found = told({"acc.yaml": text}, "processes-without-distribution")
    assert found == ([("acc.yaml: distributed_type", "warning")] if fires else [])


@pytest.mark.parametrize(
    ("kind", "ids", "machines", "fires"),
    [
        ("MULTI_GPU", "0", 1, True),
        ("MULTI_GPU", "0", None, True),
        ("MULTI_GPU", "0,1", 1, False),
        ("MULTI_GPU", "all", 1, False),
        ("MULTI_GPU", "0", 2, False),
        ("NO", "0", 1, False),
        ("DEEPSPEED", "0", 1, False),
    ],
)
def test_one_gpu(kind: str, ids: str, machines: int | None, fires: bool) -> None:
    files = accelerate(kind, gpu_ids=ids, num_machines=machines)
    assert told(files, "one-gpu-for-multi-gpu") == ([("acc.yaml: gpu_ids", "error")] if fires else [])


def test_an_unquoted_id_is_another_rules_business() -> None:
    assert keys(accelerate("MULTI_GPU", gpu_ids=0), "one-gpu-for-multi-gpu") == []
