"""GPUs by the names people use."""

from __future__ import annotations

import pytest

from shardlint.catalog.gpus import all_gpus, find_gpu, suggest_gpus

GIB = 1024**3


@pytest.mark.parametrize(
    ("name", "memory", "capability"),
    [
        ("A100-SXM4-80GB", 79.15, 8.0),
        ("A100-80GB", 79.15, 8.0),
        ("NVIDIA A100-SXM4-80GB", 79.15, 8.0),
        ("NVIDIA A100 80GB PCIe", 79.15, 8.0),
        ("A100-40GB", 39.25, 8.0),
        ("H100", 79.14, 9.0),
        ("h100-80gb", 79.14, 9.0),
        ("NVIDIA H100 80GB HBM3", 79.14, 9.0),
        ("H100NVL-94GB", 93.10, 9.0),
        ("H200-141GB", 139.72, 9.0),
        ("B200", 178.35, 10.0),
        ("4090", 23.61, 8.9),
        ("RTX 4090", 23.61, 8.9),
        ("NVIDIA GeForce RTX 4090", 23.61, 8.9),
        ("RTX3090-24GB", 23.69, 8.6),
        ("Tesla V100-SXM2-32GB", 31.75, 7.0),
        ("V100-16GB", 15.77, 7.0),
        ("T4", 14.56, 7.5),
        ("L40S", 44.99, 8.9),
        ("MI300X", 191.69, None),
    ],
)
def test_names_lead_to_memory_and_capability(name: str, memory: float, capability: float | None) -> None:
    gpu = find_gpu(name)
    assert gpu is not None and gpu.memory is not None
    assert gpu.memory / GIB == pytest.approx(memory, abs=0.005)
    assert gpu.capability == capability
    assert not gpu.guessed


@pytest.mark.parametrize("name", ["A100", "V100", "A100-SXM", "A800", "GH200"])
def test_a_name_of_cards_of_two_sizes_is_a_guess(name: str) -> None:
    gpu = find_gpu(name)
    assert gpu is not None and gpu.guessed


def test_a_size_no_row_has_gives_the_card_without_memory() -> None:
    gpu = find_gpu("A100-64GB")
    assert gpu is not None
    assert (gpu.name, gpu.memory, gpu.capability) == ("A100-64GB", None, 8.0)


@pytest.mark.parametrize("name", ["", "GTX 9", "potato", "100"])
def test_other_names_lead_nowhere(name: str) -> None:
    assert find_gpu(name) is None


def test_every_row_and_alias_is_found() -> None:
    for gpu in all_gpus():
        for name in (gpu.name, *(alias.rstrip("?") for alias in gpu.aliases)):
            found = find_gpu(name)
            assert found is not None and found.name == gpu.name, name


def test_formats_follow_the_capability() -> None:
    for gpu in all_gpus():
        if gpu.capability is not None:
            assert gpu.bf16 == (gpu.capability >= 8.0), gpu.name
            assert gpu.fp8 == (gpu.capability >= 8.9), gpu.name
        assert gpu.source


def test_memory_is_near_what_is_on_the_box() -> None:
    for gpu in all_gpus():
        if gpu.memory is not None:
            assert 0.85 < gpu.memory / GIB / gpu.marketing_gb <= 1.01, gpu.name


def test_a_misspelt_name_finds_its_neighbours() -> None:
    assert "A100-80GB" in suggest_gpus("A100-80BG")
