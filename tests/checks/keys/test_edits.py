"""The fixes of the KEY rules, applied: the rest of the file keeps its text and its values."""

from __future__ import annotations

import json

import pytest
import yaml

from checks.linting import findings
from shardlint.report import Fix

HEAD = '{\n  "train_micro_batch_size_per_gpu": 1,\n  "zero_optimization": {"stage": 2},\n'


def applied(name: str, text: str, rule: str) -> str:
    """The text after the one fix of the one finding of a rule."""
    found = [finding for finding in findings({name: text}, rule) if finding.fixes]
    assert len(found) == 1, found
    return _edited(text, found[0].fixes[0])


def _edited(text: str, fix: Fix) -> str:
    for edit in sorted(fix.edits, key=lambda edit: edit.span, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


@pytest.mark.parametrize(
    ("tail", "left"),
    [
        (
            '  "elasticity": {\n    "enabled": false\n  },\n  "dump_state": true\n}\n',
            '  "dump_state": true\n}\n',
        ),
        ('  "elasticity": {"enabled": false}, "dump_state": true\n}\n', '  "dump_state": true\n}\n'),
        ('  "dump_state": true,\n  "elasticity": {"enabled": false}\n}\n', '  "dump_state": true\n}\n'),
        ('  "dump_state": true, "elasticity": {"enabled": false}}', '  "dump_state": true}'),
    ],
)
def test_deleting_a_json_key_takes_its_comma(tail: str, left: str) -> None:
    assert applied("ds.json", HEAD + tail, "removed-key") == HEAD + left


@pytest.mark.parametrize(
    "tail",
    [
        '  "elasticity": {"enabled": false}, // why\n  "dump_state": true\n}\n',
        '  "dump_state": true, // why\n  "elasticity": {"enabled": false}\n}\n',
    ],
)
def test_a_comment_beside_the_key_keeps_it(tail: str) -> None:
    found = findings({"ds.json": HEAD + tail}, "removed-key")
    assert [finding.fixes for finding in found] == [()]


def test_deleting_a_yaml_key_takes_its_lines() -> None:
    text = (
        "compute_environment: LOCAL_MACHINE\ndistributed_type: MULTI_GPU\nnum_processes: 8\n"
        "fsdp_config:\n  fsdp_version: 2\n  fsdp_offload_params: true\n# the end\nmixed_precision: bf16\n"
    )
    left = applied("acc.yaml", text, "ignored-section")
    assert yaml.safe_load(left) == {
        "compute_environment": "LOCAL_MACHINE",
        "distributed_type": "MULTI_GPU",
        "num_processes": 8,
        "mixed_precision": "bf16",
    }
    assert "# the end" in left


def test_a_renamed_key_keeps_its_quotes_and_its_place() -> None:
    text = HEAD + '  "gradient_cliping": 1.0\n}\n'
    assert applied("ds.json", text, "unknown-key") == text.replace("cliping", "clipping")
    plain = "distributed_type: MULTI_GPU\nnum_processes: 8\nmixed_precisoin: bf16\nnum_machines: 1\n"
    assert applied("acc.yaml", plain, "unknown-key") == plain.replace("precisoin", "precision")


def test_an_old_offload_switch_becomes_a_section() -> None:
    text = HEAD.replace('{"stage": 2}', '{"stage": 2, "cpu_offload": true}') + '  "dump_state": false\n}\n'
    left = json.loads(applied("ds.json", text, "deprecated-key"))
    assert left["zero_optimization"] == {"stage": 2, "offload_optimizer": {"device": "cpu"}}


def test_a_wrong_word_is_replaced_inside_its_quotes() -> None:
    text = HEAD.replace('{"stage": 2}', '{"stage": 3, "offload_param": {"device": "CPU"}}') + '  "a": 1\n}\n'
    assert applied("ds.json", text, "value-not-allowed") == text.replace("CPU", "cpu")


def test_a_number_loses_its_quotes() -> None:
    text = HEAD + '  "steps_per_print": "10"\n}\n'
    assert applied("ds.json", text, "wrong-type") == text.replace('"10"', "10")
