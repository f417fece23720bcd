"""Hover: the text about what stands at the caret `|`, and the span it is about."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from lsprotocol import types

from lsp.looks import FULL, caret, look_at
from shardlint_lsp.features.hover import Hovered, hover
from shardlint_lsp.markup_content import markup, plain

FACTS = {"shardlint.toml": '[facts]\nmodel.params = "7B"\nworld_size = 8\n'}
STAGE_3 = '{"bf16": {"enabled": true}, "zero_optimization": {%s}, "train_micro_batch_size_per_gpu": 1}'


def hovered(name: str, marked: str, others: Mapping[str, str] | None = None) -> tuple[str, str]:
    """(what is hovered, the text about it)."""
    found, text = at(name, marked, others)
    assert found is not None
    return text[found.span.start : found.span.end], found.text


def at(name: str, marked: str, others: Mapping[str, str] | None = None) -> tuple[Hovered | None, str]:
    text, offset = caret(marked)
    return hover(look_at({**(others or {}), name: text}, name), offset), text


def test_a_key() -> None:
    text = STAGE_3 % '"stage": 3, "reduce_|bucket_size": 5e8'
    span, said = hovered("ds.json", text)
    assert span == '"reduce_bucket_size"'
    assert said.startswith("# zero_optimization.reduce_bucket_size (DeepSpeed)")
    for words in ("default: 500000000", "unit: elements", "https://www.deepspeed.ai/"):
        assert words in said


def test_a_value_has_the_text_of_its_key() -> None:
    span, said = hovered("launch.yaml", "distributed_type: FSDP\nfsdp_config:\n  fsdp_version: 2|\n")
    assert span == "2" and said.startswith("# fsdp_config.fsdp_version (accelerate)")


def test_keys_of_another_table_inside() -> None:
    text = "output_dir: x\nper_device_train_batch_size: 1\ndeepspeed:\n  zero_optimization:\n    st|age: 3\n"
    assert hovered("train.yaml", text)[1].startswith("# zero_optimization.stage (DeepSpeed)")


def test_releases_that_may_be_installed_count() -> None:
    text = '{"zero_optimization": {"stage": 1}, "torch_auto|cast": {}}'
    old = {"shardlint.toml": '[facts]\nversions.deepspeed = "0.10.0"\n'}
    assert "0.10.0 does not have it" in hovered("ds.json", text, old)[1]
    assert "does not have it" not in hovered("ds.json", text)[1]


@pytest.mark.parametrize(
    "inside",
    [
        '"st|age": 3',
        '"stage": |3',
        '"stage": 3, "offload_opt|imizer": {"device": "cpu"}',
        '"stage": 3, "offload_optimizer": {"device": "c|pu"}',
    ],
)
def test_the_ledger_where_it_is_decided(inside: str) -> None:
    _, said = hovered("ds.json", STAGE_3 % inside, FACTS)
    assert "GiB/rank of model states" in said and "| GiB/rank | term | formula | held |" in said


def test_the_ledger_has_terms_formulas_origins_and_what_is_missing() -> None:
    _, said = hovered("ds.json", STAGE_3 % '"st|age": 3', FACTS)
    assert "**ZeRO-3, 13.04 GiB/rank of model states = 16P/N**" in said
    for words in ("| 6.52 | optimizer states | 8P/N | always |", "stage 3 (ds.json:1)", "(shardlint.toml:2)"):
        assert words in said
    assert "Not counted: activations, temporaries" in said


def test_precision_decides_the_ledger_too() -> None:
    text = (
        '{"bf16": {"ena|bled": true}, "zero_optimization": {"stage": 3}, "train_micro_batch_size_per_gpu": 1}'
    )
    assert "13.04 GiB/rank" in hovered("ds.json", text, FACTS)[1]
    fsdp = "distributed_type: FSDP\nfsdp_config:\n  fsdp_version: 1\n  fsdp_sharding_strategy: FULL_|SHARD\n"
    assert "GiB/rank of model states" in hovered("launch.yaml", fsdp, FACTS)[1]


def test_without_the_number_of_ranks_there_is_a_small_table() -> None:
    facts = {"shardlint.toml": '[facts]\nmodel.params = "7B"\n'}
    _, said = hovered("ds.json", STAGE_3 % '"st|age": 3', facts)
    assert "| DP | GiB/rank |" in said and "| 8 | 13.04 |" in said
    assert "Set world\\_size for figures." in said


def test_a_key_that_decides_nothing_has_no_ledger() -> None:
    _, said = hovered("ds.json", STAGE_3 % '"stage": 3, "overlap_|comm": true', FACTS)
    assert "GiB/rank" not in said


def test_what_the_editor_says_anyway_is_not_repeated() -> None:
    text, offset = caret(STAGE_3 % '"stage": 3, "overlap_com|": true')
    message = "overlap\\_com is no key of zero\\_optimization"
    for name, repeated in (("Visual Studio Code", False), ("Neovim", True)):
        found = hover(look_at({"ds.json": text}, "ds.json", FULL._replace(name=name)), offset)
        assert found is not None and "# unknown-key (KEY001)" in found.text
        assert (message in found.text) is repeated


def test_what_a_finding_rests_on() -> None:
    _, said = hovered("ds.json", STAGE_3 % '"stage": |3', FACTS)
    assert "Assumed: the optimizer is not stated, AdamW is assumed.\n\n# activations-not-budgeted" in said


def test_the_ledger_stands_above_what_is_only_worth_knowing() -> None:
    _, said = hovered("ds.json", STAGE_3 % '"stage": |3', FACTS)
    assert said.index("| GiB/rank | term |") < said.index("# activations-not-budgeted (MEM001)")
    _, said = hovered("ds.json", STAGE_3 % '"stage": 3, "offload_|optimizer": {"device": "nvme"}', FACTS)
    assert said.index("(SHD044)") < said.index("| GiB/rank | term |")


def test_what_is_wrong_there_and_why() -> None:
    _, said = hovered("ds.json", STAGE_3 % '"stage": 3, "overlap_com|": true')
    assert "overlap\\_com" in said and "# unknown-key (KEY001)" in said
    for text in ("Reports keys that", "## Why is this bad\n\n", "## Use instead\n\n"):
        assert text in said
    assert "## Example" not in said and "## References" not in said


@pytest.mark.parametrize(
    ("marked", "span", "words"),
    [
        ('[facts]\nmodel.par|ams = "7B"\n', "params", "# model.params (setting of shardlint)"),
        ('[facts]\nmod|el.params = "7B"\n', "model", "model.hidden_size"),
        ('[fac|ts]\nmodel.params = "7B"\n', "facts", "# [facts] (section of shardlint.toml)"),
        ('[facts]\ngpu.name = "A100-|SXM4-80GB"\n', '"A100-SXM4-80GB"', "79.15 GiB"),
        (
            '[facts]\nmodel.name = "meta-llama/Llama-|2-7b-hf"\n',
            '"meta-llama/Llama-2-7b-hf"',
            "6,738,415,616",
        ),
        ('[budget]\nactiv|ations = "20GiB"\n', "activations", "# budget.activations"),
        ('[lint]\nig|nore = ["MEM001"]\n', "ignore", "# [lint] (section"),
        ('[lint]\nignore = ["MEM|001"]\n', '"MEM001"', "# activations-not-budgeted (MEM001)"),
        ('[lint.severity]\nunknown-|key = "error"\n', "unknown-key", "# unknown-key (KEY001)"),
        ("[[jobs]]\nfiles = []\nfacts.world_|size = 8\n", "world_size", "# world_size"),
        ('[facts.roles.actor]\nmodel.par|ams = "7B"\n', "params", "of the role actor"),
    ],
)
def test_settings(marked: str, span: str, words: str) -> None:
    found, said = hovered("shardlint.toml", marked)
    assert found == span and words in said


def test_pyproject() -> None:
    text = '[project]\nname = "x"\n[tool.shardlint.facts]\nworld_|size = 8\n'
    assert "# world_size" in hovered("pyproject.toml", text)[1]
    assert at("pyproject.toml", '[project]\nna|me = "x"\n[tool.shardlint.facts]\nworld_size = 8\n')[0] is None


@pytest.mark.parametrize(
    ("pragma", "span", "words"),
    [
        ("# shardlint: model.par|ams=7B", "model.params", "All parameters"),
        ("# shardlint: gpu.name=A100-|SXM4-80GB", "A100-SXM4-80GB", "79.15 GiB"),
        ("# shardlint: ignore[MEM001, KEY|001] why", "KEY001", "# unknown-key"),
    ],
)
def test_pragmas(pragma: str, span: str, words: str) -> None:
    found, said = hovered("launch.yaml", f"{pragma}\ndistributed_type: FSDP\nfsdp_config: {{}}\n")
    assert found == span and words in said


@pytest.mark.parametrize(
    ("name", "marked"),
    [
        ("ds.json", '{"zero_optimization": {"stage": 1}, | "bf16": {}}'),
        ("launch.yaml", "# wo|rds\ndistributed_type: FSDP\nfsdp_config: {}\n"),
        ("launch.yaml", "# shardlint: ignore[|]\ndistributed_type: FSDP\nfsdp_config: {}\n"),
        ("package.json", '{"na|me": "x"}'),
        ("notes.txt", "zero|_optimization"),
        ("ds.json", "|"),
    ],
)
def test_nothing(name: str, marked: str) -> None:
    assert at(name, marked)[0] is None


def test_half_typed_text() -> None:
    assert hovered("ds.json", '{"zero_optimization": {"sta|ge": 3, "off\n}')[1].startswith("# zero_opt")


def test_markdown_and_plain_text() -> None:
    text = "# A key\n\n- takes `1`\n- under\\_score\n\n---\n\n| a | b |\n|---:|:---|\n| 1 | x |\n\n"
    text += "```yaml\n# no heading\n```"
    shown = markup(text, types.MarkupKind.Markdown).value
    assert shown.startswith("**A key**\n") and "# no heading" in shown
    assert plain(text) == "A key\n\n- takes 1\n- under_score\n\n| a | b |\n| 1 | x |\n\n    # no heading"


def test_an_address_is_a_link_by_the_name_of_its_page() -> None:
    address = "https://a.org/docs/trainer#transformers.TrainingArguments.learning_rate"
    text = f"- {address}\n- https://b.org/\n- see {address}\n```\n- https://c.org\n```"
    shown = markup(text, types.MarkupKind.Markdown).value
    lines = [f"- [a.org/docs/trainer]({address})", "- [b.org](https://b.org/)", f"- see {address}"]
    assert shown.splitlines() == [*lines, "```", "- https://c.org", "```"]
    assert f"- {address}" in markup(text, types.MarkupKind.PlainText).value
