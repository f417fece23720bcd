from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., "tuple[int, str, str]"]

FIGURES = ("--params", "7e9", "--dp", "8")
WHOLE = """\
P = 7,000,000,000 parameters, N = 8 ranks; mixed-precision Adam, 2 + 2 + 12 B a parameter

                                 master  optimizer       model
GiB/rank    weights  gradients  weights     states      states  formula
replicated    13.04      13.04    26.08      52.15  104.31 GiB  16P
ZeRO-1        13.04      13.04     3.26       6.52   35.86 GiB  4P + 12P/N
ZeRO-2        13.04       1.63     3.26       6.52   24.45 GiB  2P + 14P/N
ZeRO-3         1.63       1.63     3.26       6.52   13.04 GiB  16P/N

Assumed: the optimizer is not stated, AdamW is assumed.
Not in these model states: activations, gathered parameters, communication buckets, temporaries, \
the CUDA context and fragmentation.
"""


def states(out: str) -> list[str]:
    return re.findall(r"([\d.]+) GiB", out)


def test_the_four_figures_with_terms_formulas_and_what_is_missing(run: Run) -> None:
    assert run("ledger", *FIGURES) == (0, WHOLE, "")


@pytest.mark.parametrize(
    ("flags", "figures"),
    [
        (("--grad-accum", "fp32"), ["104.31", "61.93", "26.08", "14.67"]),
        (("--optimizer", "sgd"), ["52.15", "29.34", "17.93", "6.52"]),
        (("--precision", "fp32"), ["104.31", "61.93", "39.12", "16.30"]),
        (("--framework", "fsdp"), ["104.31", "13.04", "13.04"]),
        (("--framework", "fsdp", "--precision", "pure-bf16"), ["52.15", "6.52", "6.52"]),
        (("--offload-optimizer", "cpu"), ["104.31", "26.08", "13.04", "1.63"]),
    ],
)
def test_flags_change_the_figures(run: Run, flags: tuple[str, ...], figures: list[str]) -> None:
    assert states(run("ledger", *FIGURES, *flags)[1]) == figures


def test_offload_shows_what_the_host_holds(run: Run) -> None:
    out = run("ledger", *FIGURES, "--offload-optimizer", "cpu")[1]
    row = next(line for line in out.splitlines() if line.startswith("ZeRO-3"))
    assert row.split()[-2:] == ["14.67", "2P/N"]


def test_a_job_wholly_off_the_gpu_says_where_it_is(run: Run) -> None:
    away = ("--stage", "3", "--offload-optimizer", "nvme", "--offload-param", "cpu")
    out = run("ledger", *FIGURES, *away)[1]
    assert out.startswith("ZeRO-3, 0.00 GiB/rank of model states on the GPU\n")
    assert "Off the GPU: 3.26 GiB/rank in host memory and 13.04 GiB/rank in NVMe files.\n" in out


def test_pure_16_bit_is_called_so_under_deepspeed_too(run: Run) -> None:
    out = run("ledger", *FIGURES, "--precision", "pure-bf16", "--stage", "2")[1]
    assert "; pure 16-bit Adam, 2 + 2 + 6 B a parameter\n" in out
    assert re.search(r"1\.63  16-bit gradients +2P/N\n", out)
    assert "fp32" not in out


def test_nothing_on_the_gpu_is_said_in_words(run: Run) -> None:
    Path("acc.yaml").write_text(
        "compute_environment: LOCAL_MACHINE\ndistributed_type: FSDP\nnum_processes: 8\n"
        "fsdp_config:\n  fsdp_offload_params: true\n  fsdp_version: 1\n"
    )
    out = run("ledger", "acc.yaml", "--params", "7B")[1]
    assert "None of these terms is on the GPU.\nOff the GPU: " in out


def test_a_table_too_wide_for_the_screen_has_its_formulas_below(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    wide = run("ledger", *FIGURES, "--grad-accum", "fp32")[1]
    monkeypatch.setenv("COLUMNS", "80")
    narrow = run("ledger", *FIGURES, "--grad-accum", "fp32")[1]
    assert max(map(len, narrow.splitlines())) <= 80
    assert states(narrow) == states(wide)
    assert "\nreplicated = 16P, ZeRO-1 = 8P + 12P/N, " in narrow


def test_the_letters_of_the_formulas_are_named(run: Run) -> None:
    Path("ds.json").write_text('{"bf16": {"enabled": true}, "zero_optimization": {"stage": 3}}')
    adapters = ("--params", "7B", "--dp", "8", "--set", "model.lora=true")
    known = run("ledger", "ds.json", *adapters, "--set", "model.trainable_params=20M")[1]
    assert "P = 20,000,000 trainable and F = 7,000,000,000 frozen parameters, N = 8 ranks" in known
    assert "P unknown, F = 7,000,000,000 frozen parameters" in run("ledger", "ds.json", *adapters)[1]


def test_tensor_ranks_share_the_parameters(run: Run) -> None:
    Path("ds.json").write_text('{"bf16": {"enabled": true}, "zero_optimization": {"stage": 1}}')
    out = run("ledger", "ds.json", "--params", "8B", "--dp", "8", "--set", "parallel.tensor=2")[1]
    assert "P = 4,000,000,000 parameters in 1 of 2 parts (tensor x pipeline), N = 4 ranks of 8" in out
    assert re.search(r"7\.45  weights +2P\n", out)


def test_one_stage_is_shown_term_by_term(run: Run) -> None:
    code, out, _ = run("ledger", *FIGURES, "--stage", "3")
    assert code == 0
    assert out.startswith("ZeRO-3, 13.04 GiB/rank of model states = 16P/N\n")
    assert re.search(r"0\.93 +reduce bucket +2 x 500,000,000 elements", out)
    assert re.search(r"stage +3 +--stage", out)
    assert re.search(r"precision +bf16 +default of this command \(assumed\)", out)


def test_without_ranks_the_figures_are_a_table_over_dp(run: Run) -> None:
    out = run("ledger", "--params", "7B")[1]
    row = next(line for line in out.splitlines() if line.split()[:1] == ["8"])
    assert states(row) == ["104.31", "35.86", "24.45", "13.04"]


def test_a_card_that_is_too_small_is_said(run: Run) -> None:
    out = run("ledger", *FIGURES, "--gpu", "A100-80GB")[1]
    assert "A100-SXM4-80GB gives a framework 79.15 GiB: replicated cannot fit." in out


def test_json_has_the_entries_in_bytes(run: Run) -> None:
    code, out, _ = run("ledger", *FIGURES, "--format", "json")
    found = json.loads(out)
    assert (code, found["schema"]) == (0, 1)
    plans = found["jobs"][0]["plans"]
    assert [plan["stage"]["value"] for plan in plans] == [0, 1, 2, 3]
    assert plans[3]["ledger"]["state_bytes_per_rank"] == 14_000_000_000
    weights = plans[3]["ledger"]["entries"][0]
    assert {
        name: weights[name] for name in ("term", "place", "per", "low", "high", "certainty", "formula")
    } == {
        "term": "weights",
        "place": "device",
        "per": "rank",
        "low": 1_750_000_000,
        "high": 1_750_000_000,
        "certainty": "exact",
        "formula": "2P/N",
    }


def test_a_file_is_shown_with_the_origin_of_each_input(run: Run) -> None:
    Path("ds.json").write_text('{"bf16": {"enabled": true},\n "zero_optimization": {"stage": 2}}\n')
    code, out, err = run("ledger", "ds.json", "--params", "7B", "--dp", "8")
    assert (code, err) == (0, "")
    assert out.startswith("ds.json: ZeRO-2, 24.45 GiB/rank of model states = 2P + 14P/N\n")
    assert re.search(r"stage +2 +ds\.json:2\n", out)
    assert re.search(r"params +7,000,000,000 +--set", out)
    assert re.search(r"precision +bf16 +ds\.json:1\n", out)


def test_a_file_without_facts_says_what_is_unknown(run: Run) -> None:
    Path("ds.json").write_text('{"zero_optimization": {"stage": 2}}')
    code, out, _ = run("ledger", "ds.json")
    assert code == 0
    assert out.startswith("ds.json: ZeRO-2, model states unknown: the number of parameters is not known")
    Path("ds.json").write_text('{"zero_optimization": {"stage": "${STAGE}"}}')
    assert run("ledger", "ds.json")[1].startswith(
        "ds.json: DeepSpeed, model states unknown: the ZeRO stage is not known"
    )


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        ((), "give a FILE, or figures such as --params 7B --dp 8"),
        (("--params", "seven"), "seven is no count; write 8, 7e9 or 7B"),
        (("--params", "7B", "--optimizer", "adamq"), "no table has the optimizer adamq (did you mean adam"),
        (("--params", "7B", "--gpu", "A100-90"), "no table has the card A100-90"),
        (("--params", "7B", "--stage", "4"), "invalid choice: 4"),
        (("--params", "7B", "--set", "world_size=8"), "--set needs a FILE"),
        (("--params", "7B", "--framework", "fsdp", "--stage", "3"), "--stage is for deepspeed, not for fsdp"),
        (("--params", "7B", "--strategy", "full_shard"), "--strategy is for fsdp, not for deepspeed"),
        (("ds.json", "--stage", "3"), "--stage is for a plan without FILE; ds.json decides it here"),
    ],
)
def test_usage_errors_are_one_line(run: Run, argv: tuple[str, ...], said: str) -> None:
    code, out, err = run("ledger", *argv)
    assert (code, out) == (2, "")
    assert said in err
    assert len(err.splitlines()) == 1


def test_a_file_that_is_not_there_or_runs_nothing(run: Run) -> None:
    Path("package.json").write_text('{"name": "x"}')
    assert run("ledger", "nowhere.json")[0] == 2
    code, out, err = run("ledger", "package.json")
    assert (code, out) == (2, "")
    assert err == "shardlint: package.json: no training job to account for in this file\n"


def test_it_fits_80_columns(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for flags in ((), ("--stage", "3"), ("--framework", "ddp"), ("--offload-optimizer", "cpu")):
        out = run("ledger", *FIGURES, "--gpu", "H100", *flags)[1]
        assert max(map(len, out.splitlines())) <= 80


def test_long_origins_fit_80_columns(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    folder = Path("experiments/seven-billion")
    folder.mkdir(parents=True)
    (folder / "ds_config.json").write_text('{"zero_optimization": {"stage": 3}}')
    (folder / "shardlint.toml").write_text(
        '[facts]\nmodel.name = "meta-llama/Llama-2-7b-hf"\nworld_size = 8\n'
    )
    out = run("ledger", str(folder / "ds_config.json"))[1]
    assert max(map(len, out.splitlines())) <= 80
    assert "experiments/seven-billion/shardlint.toml:2" in out
