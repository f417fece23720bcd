"""SYN rules: what the reader of a file refuses or reads otherwise, how loud it is, and what stays silent."""

from __future__ import annotations

import itertools
import json

import pytest

from checks.linting import accelerate, facts, findings, keys, only, report, told
from shardlint.engine import Options, lint
from shardlint.engine.fixing import changes
from shardlint.report import Report, Severity

DEEPSPEED, TRAINER, CUSTOM = ({"consumer": name} for name in ("deepspeed", "hf-trainer", "custom"))
BATCH = '"train_micro_batch_size_per_gpu": 4'
GOOD = f'{{\n  {BATCH},\n  "zero_optimization": {{"stage": 2}}\n}}\n'
TRAIN = "model_name_or_path: m\nper_device_train_batch_size: 4\noutput_dir: out\n"


def ds(body: str, **settings: object) -> dict[str, str]:
    """A DeepSpeed file of these members, and settings."""
    text = f'{{\n  {BATCH},\n  "zero_optimization": {{"stage": 2}},\n{body}\n}}\n'
    return {"ds.json": text, **(facts(**settings) if settings else {})}


def syntax(files: dict[str, str]) -> list[tuple[str, str]]:
    """(rule, severity) of every SYN finding."""
    return [(f.rule, f.severity.word) for f in findings(files) if f.code.startswith("SYN")]


def fixed(files: dict[str, str], rule: str) -> str:
    """The DeepSpeed file after the rule's first fix."""
    found = [finding for finding in findings(files) if finding.rule == rule]
    (change,) = changes(Report(files=(), findings=tuple(found)), unsafe=True)
    return change.after


# -- syntax-error ------------------------------------------------------------------------------


@pytest.mark.parametrize("settings", [{}, DEEPSPEED, TRAINER])
def test_syntax_error_is_an_error_for_every_reader(settings: dict[str, object]) -> None:
    found = only(ds('  "bf16": {"enabled": true', **settings), "syntax-error")
    assert (found.severity, found.confidence, found.fails_at) == (Severity.ERROR, "certain", "load")
    assert "`{` is not closed" in found.message
    assert found.message.endswith("neither Python's json nor hjson reads the file")


def test_syntax_error_keeps_the_rest_of_the_checks() -> None:
    files = ds('  "fp16": {"enabled": true},\n  "bf16": {"enabled": true},,\n  "steps_per_print": 10')
    assert {finding.rule for finding in findings(files)} >= {"syntax-error", "two-half-precisions"}


def test_syntax_error_of_a_second_comma_is_mended() -> None:
    text = fixed(ds('  "bf16": {"enabled": true},,\n  "steps_per_print": 10'), "syntax-error")
    assert json.loads(text)["steps_per_print"] == 10


def test_syntax_error_in_yaml_and_in_bytes() -> None:
    assert told({"train.yaml": TRAIN + "bf16: [true\n"}, "syntax-error") == [("train.yaml: ", "error")]
    files = ds('  "tag": "x"')
    files["ds.json"] = files["ds.json"].replace("x", "\udcff")
    assert syntax_of_bytes(files["ds.json"].encode("utf-8", "surrogateescape")) == ["syntax-error"]


def syntax_of_bytes(data: bytes) -> list[str]:
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "ds.json")
        path.write_bytes(data)
        found = lint([path], Options(root=Path(folder))).findings
    return [finding.rule for finding in found if finding.code.startswith("SYN")]


@pytest.mark.parametrize("value", ["CONFIG_LR", "${LR}", "{{ lr }}"])
def test_syntax_error_leaves_a_file_alone_that_a_script_fills_in(value: str) -> None:
    assert syntax(ds(f'  "gradient_clipping": {value},,\n  "steps_per_print": 1')) == []


def test_at_most_five_faults_are_reported() -> None:
    body = ",\n".join(f'  "k{number}": ,' for number in range(20))
    assert len(keys(ds(body), "syntax-error")) == 5


# -- refused-construct -------------------------------------------------------------------------

STRICT_ONLY = {
    "comment": '  "bf16": {"enabled": true} // on',
    "trailing comma": '  "bf16": {"enabled": true,}',
    "missing comma": '  "bf16": {"enabled": true}\n  "fp16": {"enabled": false}',
    "unquoted key": '  bf16: {"enabled": true}',
    "single quotes": "  'bf16': {\"enabled\": true}",
}


@pytest.mark.parametrize("body", STRICT_ONLY.values(), ids=STRICT_ONLY)
def test_refused_construct_by_who_reads_the_file(body: str) -> None:
    rule = "refused-construct"
    assert told(ds(body, **TRAINER), rule) == [("ds.json: ", "error")]
    assert told(ds(body, consumer="accelerate"), rule) == [("ds.json: ", "error")]
    assert told(ds(body, **DEEPSPEED), rule) == []
    assert told(ds(body), rule) == [("ds.json: ", "info")]


@pytest.mark.parametrize("body", STRICT_ONLY.values(), ids=STRICT_ONLY)
def test_refused_construct_is_rewritten_as_strict_json(body: str) -> None:
    assert json.loads(fixed(ds(body, **TRAINER), "refused-construct"))["bf16"] == {"enabled": True}


def test_refused_construct_says_everything_once() -> None:
    found = only(
        ds('  "bf16": {"enabled": true,}, // on\n  "fp16": {"enabled": false,}', **TRAINER),
        "refused-construct",
    )
    assert found.message == (
        "a trailing comma does not pass: the Trainer reads the file with Python's json, which refuses a "
        "comma before a closing bracket and refuses comments; the run stops when the file is loaded"
    )
    assert len(found.related) == 1
    assert [fix.safe for fix in found.fixes] == [False]


def test_refused_construct_through_a_reference() -> None:
    files = {**ds('  "bf16": {"enabled": true} // on'), "train.yaml": TRAIN + "deepspeed: ds.json\n"}
    assert told(files, "refused-construct") == [("ds.json: ", "error")]


def test_refused_construct_of_an_assumed_trainer_is_a_warning() -> None:
    files = ds('  "optimizer": {"type": "AdamW", "params": {"lr": "auto"}} // the Trainer fills it')
    assert told(files, "refused-construct") == [("ds.json: ", "warning")]


@pytest.mark.parametrize(
    "body",
    ['  "tag": "a\tb"', '  "bf16": {"enabled": true,\n  "tag": x}', '  "tag": {"device": cpu}'],
    ids=["tab", "brace", "swallowed brace"],
)
def test_refused_construct_of_hjson(body: str) -> None:
    files = ds(body, **DEEPSPEED)
    assert ("refused-construct", "error") in syntax(files)


def test_refused_construct_of_a_byte_order_mark() -> None:
    assert syntax_of_bytes(b"\xef\xbb\xbf" + GOOD.encode()) == ["refused-construct"]
    assert told({"ds.json": "\ufeff" + GOOD, **facts(**TRAINER)}, "refused-construct") == [
        ("ds.json: ", "error")
    ]
    assert told({"ds.json": "\ufeff" + GOOD, **facts(**DEEPSPEED)}, "refused-construct") == []


def test_refused_construct_of_several_yaml_documents() -> None:
    files = accelerate("MULTI_GPU", "---\na: 1\n")
    assert told(files, "refused-construct") == [("acc.yaml: ", "error")]


# -- duplicate-key -----------------------------------------------------------------------------


def test_duplicate_key_by_who_reads_the_file() -> None:
    body = '  "steps_per_print": 1,\n  "steps_per_print": 2'
    assert told(ds(body, **DEEPSPEED), "duplicate-key") == [("ds.json: steps_per_print", "error")]
    assert told(ds(body, **TRAINER), "duplicate-key") == [("ds.json: steps_per_print", "warning")]
    assert told(ds(body), "duplicate-key") == [("ds.json: steps_per_print", "warning")]


def test_duplicate_key_says_which_value_counts() -> None:
    found = only(ds('  "steps_per_print": 1,\n  "steps_per_print": 2', **TRAINER), "duplicate-key")
    assert found.message == (
        "steps_per_print is given twice; Python's json, with which the Trainer reads the file, keeps the "
        "last one, 2, and drops 1"
    )
    (fix,) = found.fixes
    assert fix.safe
    assert json.loads(
        fixed(ds('  "steps_per_print": 1,\n  "steps_per_print": 2', **TRAINER), "duplicate-key")
    ) == {
        "train_micro_batch_size_per_gpu": 4,
        "zero_optimization": {"stage": 2},
        "steps_per_print": 2,
    }


def test_duplicate_key_with_one_value_is_only_noted() -> None:
    files = accelerate("MULTI_GPU", "main_process_port: 1\nmain_process_port: 1\n")
    assert told(files, "duplicate-key") == [("acc.yaml: main_process_port", "info")]


def test_duplicate_key_in_a_section() -> None:
    body = '  "optimizer": {"type": "AdamW", "params": {"lr": 1e-5, "lr": 2e-5}}'
    assert keys(ds(body, **DEEPSPEED), "duplicate-key") == ["ds.json: optimizer.params.lr"]
    assert keys(ds('  "bf16": {"enabled": true},\n  "fp16": {"enabled": false}'), "duplicate-key") == []


# -- unquoted-text -----------------------------------------------------------------------------

CLEAN_TEXTS = [
    '"pin_memory": True',
    '"ratio": .5',
    "device: cpu",
    '"device": cpu',
    '"device": "cpu"',
    '"pin_memory": true',
    '"buffer_count": 5',
]


def offload(member: str, **settings: object) -> dict[str, str]:
    section = f'"stage": 2,\n    "offload_optimizer": {{\n      {member}\n    }}'
    text = f'{{\n  {BATCH},\n  "zero_optimization": {{\n    {section}\n  }}\n}}\n'
    return {"ds.json": text, **facts(**(settings or DEEPSPEED))}


@pytest.mark.parametrize("member", CLEAN_TEXTS)
def test_unquoted_text_that_hjson_reads_as_meant(member: str) -> None:
    assert keys(offload(member), "unquoted-text") == []


@pytest.mark.parametrize(
    ("member", "meant"),
    [
        ('"device": cpu,', '"device": "cpu",'),
        ('"pin_memory": True,', '"pin_memory": true,'),
        ('"buffer_count": 0x10', '"buffer_count": 16'),
        ('"buffer_count": +4,', '"buffer_count": 4,'),
    ],
)
def test_unquoted_text_that_checked_sections_refuse(member: str, meant: str) -> None:
    found = only(offload(member), "unquoted-text")
    assert found.severity == Severity.ERROR
    assert found.message.endswith("DeepSpeed refuses to start")
    assert meant in fixed(offload(member), "unquoted-text")


def test_unquoted_text_where_nothing_checks_it() -> None:
    found = only(
        ds('  "zero_allow_untested_optimizer": False,\n  "steps_per_print": 1', **DEEPSPEED), "unquoted-text"
    )
    assert found.severity == Severity.WARNING
    assert found.message == (
        'zero_allow_untested_optimizer False is not quoted, so hjson reads the text "False,", '
        "and DeepSpeed keeps it"
    )


def test_unquoted_text_is_not_called_fine_at_the_same_place() -> None:
    body = '  "zero_allow_untested_optimizer": False,\n  "steps_per_print": 1'
    assert syntax(ds(body)) == [("unquoted-text", "warning")]


def test_unquoted_text_that_is_a_misspelt_boolean() -> None:
    found = only(ds('  "zero_allow_untested_optimizer": flase,\n  "steps_per_print": 1'), "unquoted-text")
    assert found.message.endswith("; did you mean false?")


@pytest.mark.parametrize("word", ["global_batch_size", "n"])
@pytest.mark.parametrize(
    ("end", "rule"), [(',\n  "steps_per_print": 1', "unquoted-text"), ("", "wrong-type")]
)
def test_a_bare_word_for_a_number_may_be_filled_in_by_a_script(word: str, end: str, rule: str) -> None:
    found = only(ds(f'  "train_batch_size": {word}{end}', **DEEPSPEED), rule)
    assert (found.severity, found.confidence) == (Severity.WARNING, "assumed")
    assert found.assumes == (f"no script replaces {word}",)


def test_unquoted_text_in_a_list_is_named_by_its_number() -> None:
    body = '  "optimizer": {"type": "AdamW", "params": {"betas": [\n    True,\n    0.9]}}'
    assert only(ds(body), "unquoted-text").message.startswith("betas[0] True is not quoted")


def test_unquoted_text_is_not_for_strict_readers_or_templates() -> None:
    body = '  "zero_allow_untested_optimizer": False,\n  "steps_per_print": 1'
    assert syntax(ds(body, **TRAINER)) == [("refused-construct", "error")]
    assert keys(ds(f'  "gradient_clipping": CLIP,\n{body}', **DEEPSPEED), "unquoted-text") == []


def test_other_rules_judge_unquoted_text_that_is_read_as_meant() -> None:
    assert keys(offload("device: gpu"), "value-not-allowed") == [
        "ds.json: zero_optimization.offload_optimizer.device"
    ]
    assert keys(offload("device: gpu,"), "value-not-allowed") == []


# -- number-read-as-text -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "meant"),
    [("2e-5", "2.0e-5"), ("1E5", "1.0e+5"), ("1.5e3", "1.5e+3"), ("-1e-3", "-1.0e-3"), (".5e-3", None)],
)
def test_number_read_as_text(written: str, meant: str | None) -> None:
    found = findings({"train.yaml": f"{TRAIN}learning_rate: {written}\n"}, "number-read-as-text")
    assert [finding.severity for finding in found] == ([Severity.WARNING] if meant else [])
    if meant:
        assert f"write {meant}" in found[0].message
        assert found[0].fixes[0].edits[0].text == meant


@pytest.mark.parametrize("written", ["2.0e-5", "0.00002", "'2e-5'", "auto", "${LR}", "1", "1_000"])
def test_numbers_and_quoted_text_are_left_alone(written: str) -> None:
    assert keys({"train.yaml": f"{TRAIN}learning_rate: {written}\n"}, "number-read-as-text") == []


def test_number_read_as_text_by_a_parser_that_converts_it() -> None:
    files = {"train.yaml": f"{TRAIN}learning_rate: 2e-5\n", **facts(consumer="trl")}
    assert keys(files, "number-read-as-text") == []
    files = accelerate("DEEPSPEED", "deepspeed_config:\n  gradient_clipping: 1e-1\n  zero_stage: 2\n")
    assert keys(files, "number-read-as-text") == []


def test_number_read_as_text_under_a_name_no_table_has() -> None:
    files = {"train.yaml": f"{TRAIN}vision_lr: 2e-5\nrun_name: 1e5\n"}
    assert told(files, "number-read-as-text") == [("train.yaml: vision_lr", "info")]


# -- word-read-as-boolean ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "loud"), [("no", True), ("NO", True), ("off", True), ("'no'", False), ("bf16", False)]
)
def test_word_read_as_boolean(word: str, loud: bool) -> None:
    files = accelerate("MULTI_GPU", f"mixed_precision: {word}\n")
    assert told(files, "word-read-as-boolean") == ([("acc.yaml: mixed_precision", "error")] if loud else [])
    if loud:
        assert only(files, "word-read-as-boolean").fails_at == "launch"


def test_word_read_as_boolean_among_training_arguments() -> None:
    found = only({"train.yaml": f"{TRAIN}save_strategy: no\n"}, "word-read-as-boolean")
    assert (found.severity.word, found.fails_at) == ("error", "config")
    assert found.message.endswith("reads the boolean false; the Trainer refuses to start")


def test_word_read_as_boolean_under_an_old_name() -> None:
    files = {"train.yaml": f"{TRAIN}evaluation_strategy: no\nbf16: yes\n"}
    found = only(files, "word-read-as-boolean")
    assert (found.place.key, found.severity.word) == ("evaluation_strategy", "warning")
    assert found.message.endswith("false, not the word no; the Trainer refuses false with a ValueError")


def test_words_that_are_taken_as_booleans() -> None:
    files = {"acc.yaml": "compute_environment: LOCAL_MACHINE\ndistributed_type: NO\nuse_cpu: no\n"}
    assert keys(files, "word-read-as-boolean") == []


# -- file-not-fully-checked, json-misread-by-hjson ---------------------------------------------


def test_file_not_fully_checked() -> None:
    deep = '"x": ' + "[" * 300 + "]" * 300
    assert told(ds(f"  {deep}"), "file-not-fully-checked") == [("ds.json: ", "info")]
    broken = '"x": [' + "," * 3_000 + "]"
    assert told(ds(f"  {broken}"), "file-not-fully-checked") == [("ds.json: ", "info")]
    assert keys(ds('  "x": [[[[1]]]]'), "file-not-fully-checked") == []


def test_json_misread_by_hjson() -> None:
    assert told(ds('  steps_per_print": 1', **DEEPSPEED), "json-misread-by-hjson") == [
        ("ds.json: ", "warning")
    ]
    assert told(ds('  "tag": "x, "steps_per_print": 1', **DEEPSPEED), "json-misread-by-hjson") == [
        ("ds.json: ", "warning")
    ]
    assert syntax(ds('  steps_per_print": 1', **TRAINER)) == [("refused-construct", "error")]
    assert keys(ds("  steps_per_print: 1", **DEEPSPEED), "json-misread-by-hjson") == []


# -- all of them -------------------------------------------------------------------------------


def test_clean_files_are_silent() -> None:
    for settings in ({}, DEEPSPEED, TRAINER, CUSTOM):
        assert syntax({"ds.json": GOOD, **facts(**settings)} if settings else {"ds.json": GOOD}) == []


def test_an_unknown_reader_gives_no_error_but_for_what_every_reader_refuses() -> None:
    bodies = [*STRICT_ONLY.values(), '  "a": 1, "a": 2', '  "bf16": {"enabled": True},', '  "tag": x,y}']
    for body, settings in itertools.product(bodies, ({}, CUSTOM)):
        for finding in report(ds(body, **settings)).findings:
            refused_by_all = finding.rule in ("syntax-error", "unquoted-text")
            assert finding.severity < Severity.ERROR or refused_by_all, finding


def test_places_lie_in_the_text() -> None:
    for body in (*STRICT_ONLY.values(), '  "a": 1, "a": 2', '  "a": {', '  "a": x}'):
        files = ds(body)
        for finding in report(files).findings:
            start, end = finding.place.span
            assert 0 <= start < end <= len(files["ds.json"])


def test_bare_words_beside_placeholders_are_taken_for_placeholders_too() -> None:
    body = '  "train_batch_size": CONFIG_BATCH_SIZE,\n  "steps_per_print": Print_every'
    assert keys(ds(body, **TRAINER), "refused-construct") == []
