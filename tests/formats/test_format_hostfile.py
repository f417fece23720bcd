"""Hostfiles of the DeepSpeed launcher."""

from __future__ import annotations

import pytest

from formats.reading_helper import kind, read, values


def test_slots_are_the_world() -> None:
    reading = read("# nodes\nworker-1 slots=8\n\nworker-2  slots=8 # rack 2\n", "conf/hostfile")
    assert reading.format.name == "hostfile"
    assert values(reading, "world", "nodes", "gpus_per_node") == {"world": 16, "nodes": 2, "gpus_per_node": 8}
    assert reading.terms["world"].origin == "conf/hostfile: 16 slots on 2 nodes"
    assert reading.view.value("worker-2") == 8
    assert reading.consumer.value == "deepspeed"


def test_one_node_is_placed_at_its_slots() -> None:
    fact = read("worker-1 slots=4\n", "hostfile").terms["world"]
    assert (fact.value, fact.origin) == (4, "hostfile:1")
    assert fact.place is not None and fact.place.key == "worker-1"


def test_nodes_of_several_sizes_have_no_common_one() -> None:
    reading = read("a slots=8\nb slots=4\n", "hostfile")
    assert values(reading, "world", "nodes", "gpus_per_node") == {"world": 12, "nodes": 2}


@pytest.mark.parametrize(
    "text",
    [
        "a slots=8\na slots=8\n",
        "a slots=8\nb slots=\n",
        "a slots=8\nb: 4\n",
        "a slots=0\n",
        "a slots=" + "9" * 5000,
    ],
)
def test_a_file_the_launcher_refuses_states_no_ranks(text: str) -> None:
    reading = read(text, "hostfile")
    assert values(reading, "world", "nodes", "gpus_per_node") == {}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("hostfile", "node1:4\nnode2:4\n"),
        ("hostfile", "node1\nnode2\n"),
        ("hostfile", ""),
        ("hostfile", "worker-1 slots="),
        ("notes.txt", "worker-1 slots=8\nis our smallest machine\n"),
        ("hosts.yaml", "worker-1 slots=8\n"),
    ],
)
def test_not_recognised(name: str, text: str) -> None:
    assert kind(text, name) is None


def test_recognised_by_content_under_another_name() -> None:
    assert kind("worker-1 slots=8\nworker-2 slots=8\n", "hosts_two_nodes") == "hostfile"
