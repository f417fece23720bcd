"""Optimizers by the names configs use."""

from __future__ import annotations

import pytest

from shardlint.catalog.optimizers import all_optimizers, find_optimizer, suggest_optimizers

HF_OPTIM = """
adamw_torch adamw_torch_fused adamw_torch_xla adamw_torch_npu_fused adamw_apex_fused adamw_hf adafactor
adamw_anyprecision adamw_torch_4bit adamw_torch_8bit ademamix sgd adagrad adamw_bnb_8bit adamw_8bit
ademamix_8bit lion_8bit lion_32bit paged_adamw_32bit paged_adamw_8bit paged_ademamix_32bit
paged_ademamix_8bit paged_lion_32bit paged_lion_8bit rmsprop rmsprop_bnb rmsprop_bnb_8bit
rmsprop_bnb_32bit galore_adamw galore_adamw_8bit galore_adafactor galore_adamw_layerwise
galore_adamw_8bit_layerwise galore_adafactor_layerwise lomo adalomo grokadamw schedule_free_radam
schedule_free_adamw schedule_free_sgd apollo_adamw apollo_adamw_layerwise stable_adamw
"""
DEEPSPEED_TYPE = """
Adam AdamW Lamb Lion Adagrad MuAdam MuAdamW MuSGD Muon OneBitAdam ZeroOneAdam OneBitLamb
"""


@pytest.mark.parametrize("name", [*HF_OPTIM.split(), *DEEPSPEED_TYPE.split()])
def test_every_name_of_the_trainer_and_of_deepspeed_is_known(name: str) -> None:
    assert find_optimizer(name) is not None


@pytest.mark.parametrize(
    ("name", "fp32", "half", "flat"),
    [
        ("adamw_torch", 8, 4, 8),
        ("Adam", 8, 4, 8),
        ("torch.optim.AdamW", 8, 4, 8),
        ("sgd", 0, 0, 0),
        ("megatron.Lion", 4, 2, 4),
        ("adamw_bnb_8bit", 2.03125, 2.03125, 2.03125),
        ("paged_adamw_32bit", 8, 8, 8),
        ("lion_8bit", 1.015625, 1.015625, 1.015625),
        ("adafactor", 0.0078125, 0.0078125, 4),
        ("torch.optim.Adafactor", 0.0078125, 0.00390625, 4),
        ("ao_adamw_4bit", 1.0625, 1.0625, 1.0625),
        ("DeepSpeedCPULion", 8, 8, 8),
        ("Muon", 4, 2, 4),
    ],
)
def test_state_bytes_a_parameter(name: str, fp32: float, half: float, flat: float) -> None:
    found = find_optimizer(name)
    assert found is not None
    assert (found.state_fp32, found.state_16bit, found.flat) == (fp32, half, flat)


def test_states_of_parameter_length_cost_four_bytes_each_in_fp32() -> None:
    for found in all_optimizers():
        if found.exact and "kahan_comp" not in found.tensors and found.name != "AdamW with bf16 states":
            assert found.state_fp32 == 4 * len(found.tensors), found.name


def test_every_name_and_alias_leads_to_its_own_row() -> None:
    for row in all_optimizers():
        for name in (row.name, *row.aliases):
            found = find_optimizer(name)
            assert found is not None and found.name == row.name, name


def test_what_was_never_counted_has_no_figure() -> None:
    unknown = find_optimizer("dion")
    assert unknown is not None
    assert (unknown.kind, unknown.state_fp32, unknown.flat) == ("unknown", None, None)


@pytest.mark.parametrize("name", ["", "adamx9", "torch.optim."])
def test_other_names_lead_nowhere(name: str) -> None:
    assert find_optimizer(name) is None


def test_a_misspelt_name_finds_its_neighbours() -> None:
    assert "adamw_torch" in suggest_optimizers("adamw_toch")
