"""Releases of keys and words that the packages themselves show to be the first with or without them.

Sources: the wheels and source archives of accelerate 0.27 to 1.15 and DeepSpeed 0.14 to 0.19.8.
"""

from __future__ import annotations

import pytest

from shardlint.schema import Key, table


def row(stack: str, path: str, when: str = "") -> Key:
    return next(key for key in table(stack).variants(path) if key.when == when)


@pytest.mark.parametrize(
    ("path", "since", "removed"),
    [
        ("seq_parallel_communication_data_type", "0.16.5", ""),
        ("optimizer.params.muon_lr", "0.18.3", ""),
        ("optimizer.params.adam_lr", "0.18.3", ""),
        ("optimizer.params.ns_method", "0.19.0", ""),
        ("optimizer.params.per_head_muon", "0.19.8", ""),
        ("tensor_parallel.partition_config.layer_specs", "0.18.6", ""),
        ("tensor_parallel.partition_config.layer_specs[].gather_output", "0.19.4", ""),
        ("tensor_parallel.partition_config.layer_specs[].grad_allreduce", "0.19.6", ""),
        ("data_efficiency.data_sampling.dynamic_batching", "0.16.5", ""),
        ("weight_quantization.enabled", "0.10.3", ""),
        ("compile.enabled", "0.14.0", "0.14.4"),
        ("compile.backend", "0.14.0", "0.14.4"),
        ("compile.kwargs", "0.14.0", "0.14.4"),
    ],
)
def test_keys_of_deepspeed(path: str, since: str, removed: str) -> None:
    key = row("deepspeed", path)
    assert (key.since, key.removed) == (since, removed)


@pytest.mark.parametrize(
    ("stack", "path", "text", "since"),
    [
        ("deepspeed", "optimizer.type", "muon", "0.17.6"),
        ("deepspeed", "optimizer.type", "Muon", ""),
        ("deepspeed", "expert_parallel.preset_model", "minimax_m3", "0.19.8"),
        ("accelerate", "dynamo_backend", "AOT_TORCHXLA_TRACE_ONCE", "0.32.0"),
        ("accelerate", "dynamo_config.dynamo_backend", "TORCHXLA_TRACE_ONCE", "0.32.0"),
    ],
)
def test_words(stack: str, path: str, text: str, since: str) -> None:
    found = next(word for word in row(stack, path).words if word.matches(text))
    assert found.since == since


def test_affinity_under_sagemaker() -> None:
    assert row("accelerate", "enable_cpu_affinity", "compute_environment=AMAZON_SAGEMAKER").since == "0.30.1"
