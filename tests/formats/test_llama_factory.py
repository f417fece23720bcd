"""LLaMA-Factory's training file is a file of training arguments with words of its own."""

from __future__ import annotations

import pytest

from formats.reading_helper import kind
from shardlint.formats.hf_args import FORMAT
from shardlint.syntax.parse import parse

FULL = "stage: sft\nfinetuning_type: full\ncutoff_len: 2048\nbf16: true\ndeepspeed: ds.json\n"
LORA = "model_name_or_path: org/model\ntemplate: llama3\nfinetuning_type: lora\nlora_target: {}\n"


@pytest.mark.parametrize(
    ("text", "ours"),
    [
        (FULL, True),
        ("model_name_or_path: org/model\ncutoff_len: 1024\n", True),
        ("stage: sft\nlearning_rate: 1.0e-5\n", True),
        ("stage: build\nscript: make\n", False),
        ("dist_config:\n  name: deepspeed\nfinetuning_type: full\n", False),
        ("template: report\n", False),
    ],
)
def test_recognised_by_its_own_keys(text: str, ours: bool) -> None:
    assert (kind(text, "train.yaml") == "hf-args") is ours


def test_the_trainer_reads_it() -> None:
    reading = FORMAT.read(parse(FULL, "train.yaml", "yaml"))
    assert (reading.format.name, reading.consumer.value) == ("hf-args", "llamafactory")
    assert reading.terms["sequence_length"].value == 2048
    assert reading.terms["precision"].value == "bf16"
    assert [reference.target for reference in reading.references] == ["ds.json"]
    assert reading.terms["model.lora"].value is False


@pytest.mark.parametrize(
    ("written", "targets"), [("all", "all-linear"), ("q_proj,v_proj", ["q_proj", "v_proj"])]
)
def test_adapters(written: str, targets: object) -> None:
    reading = FORMAT.read(parse(LORA.format(written), "train.yaml", "yaml"))
    assert reading.terms["model.lora_rank"].value == 8
    assert reading.terms["model.lora_targets"].value == targets
