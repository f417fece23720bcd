"""Completion: what is offered at the caret `|`, and the text after an item is taken."""

from __future__ import annotations

import re

import pytest
from lsprotocol import types

from lsp.completing import PLAIN, offered
from lsp.looks import FULL
from shardlint_lsp.client import client_of
from shardlint_lsp.completion_items import documentation
from shardlint_lsp.proposals.proposal import Topic
from shardlint_lsp.proposals.snippet import plain_text, without_choices

JSON = [
    # in quotes, half quotes and none; a comma where one is missing
    ('{"train_batch_size": 8, "bf|}', "bf16", '{"train_batch_size": 8, "bf16": {\n  $0\n}}'),
    ('{"train_batch_size": 8, "bf|"}', "bf16", '{"train_batch_size": 8, "bf16": {\n  $0\n}}'),
    ('{"train_batch_size": 8, bf|}', "bf16", '{"train_batch_size": 8, "bf16": {\n  $0\n}}'),
    (
        '{"zero_optimization": {\n  "sta|\n  "overlap_comm": true}}',
        "stage",
        '{"zero_optimization": {\n  "stage": ${1|0,1,2,3,"auto"|},\n  "overlap_comm": true}}',
    ),
    (
        '{"zero_optimization": {\n  "stage": 3\n  |}}',
        "overlap_comm",
        '{"zero_optimization": {\n  "stage": 3,\n  "overlap_comm": ${1|true,false|}}}',
    ),
    (
        '{"zero_optimization": {"stage": 3} |}',
        "steps_per_print",
        '{"zero_optimization": {"stage": 3}, "steps_per_print": ${1:1}}',
    ),
    (
        '{"zero_optimization": {"stage": 3}|}',
        "steps_per_print",
        '{"zero_optimization": {"stage": 3}, "steps_per_print": ${1:1}}',
    ),
    (
        '{"zero_optimization": {"stage": 3} // why\n  |\n}',
        "steps_per_print",
        '{"zero_optimization": {"stage": 3}, // why\n  "steps_per_print": ${1:1}\n}',
    ),
    # the value is there already
    ('{"zero_optimization": {"sta|": 3}}', "stage", '{"zero_optimization": {"stage": 3}}'),
    ('{"zero_optimization": {"s|": 3}, "b": 1}', "stage", '{"zero_optimization": {"stage": 3}, "b": 1}'),
    # values
    ('{"zero_optimization": {"stage": |}}', "3", '{"zero_optimization": {"stage": 3}}'),
    ('{"zero_optimization": {"stage":|}}', "3", '{"zero_optimization": {"stage": 3}}'),
    ('{"zero_optimization": {"stage": "|"}}', "2", '{"zero_optimization": {"stage": 2}}'),
    ('{"zero_optimization": {"stage": "au|}}', "auto", '{"zero_optimization": {"stage": "auto"}}'),
    (
        '{"zero_optimization": {"overlap_comm": tr|\n"stage": 3}}',
        "true",
        '{"zero_optimization": {"overlap_comm": true,\n"stage": 3}}',
    ),
    ('{"zero_optimization": |}', "{}", '{"zero_optimization": {\n  $0\n}}'),
    # a file that is nothing yet
    ("|", "fp16", '{\n  "fp16": {\n    $0\n  }\n}'),
    ("{|", "fp16", '{"fp16": {\n  $0\n}'),
    ('{"f|', "fp16", '{"fp16": {\n  $0\n}'),
]
YAML = [
    ("distributed_type: FSDP\nfsdp_|\n", "fsdp_config", "distributed_type: FSDP\nfsdp_config:\n  $0\n"),
    (
        "distributed_type: FSDP\nfsdp_config:\n  |\nnum_processes: 8\n",
        "fsdp_offload_params",
        "distributed_type: FSDP\nfsdp_config:\n  fsdp_offload_params: ${1|true,false|}\nnum_processes: 8\n",
    ),
    (
        "distributed_type: FSDP\nfsdp_config:\n    fsdp_version: 2\n   off|\n",
        "fsdp_offload_params",
        "distributed_type: FSDP\nfsdp_config:\n    fsdp_version: 2\n    fsdp_offload_params: ${1|true,false|}\n",  # noqa: E501
    ),
    (
        "distributed_type: FSDP\nfsdp_config:\n  fsdp_off|: true\n",
        "fsdp_offload_params",
        "distributed_type: FSDP\nfsdp_config:\n  fsdp_offload_params: true\n",
    ),
    ("distributed_type: |\nfsdp_config: {}\n", "FSDP", "distributed_type: FSDP\nfsdp_config: {}\n"),
    ("distributed_type:|\nfsdp_config: {}\n", "FSDP", "distributed_type: FSDP\nfsdp_config: {}\n"),
    ('distributed_type: "FS|\nfsdp_config: {}\n', "FSDP", "distributed_type: FSDP\nfsdp_config: {}\n"),
    (
        "distributed_type: DEEPSPEED\ndeepspeed_config: {zero_stage: 3, |}\n",
        "zero3_init_flag",
        "distributed_type: DEEPSPEED\ndeepspeed_config: {zero_stage: 3, zero3_init_flag: ${1|true,false|}}\n",
    ),
    (
        'distributed_type: DEEPSPEED\ndeepspeed_config: {zero_stage: 3 "zero3|}\n',
        "zero3_init_flag",
        "distributed_type: DEEPSPEED\ndeepspeed_config: {zero_stage: 3, zero3_init_flag: ${1|true,false|}}\n",
    ),
    (
        "distributed_type: DEEPSPEED\ndeepspeed_config: {zero_stage: |}\n",
        "3",
        "distributed_type: DEEPSPEED\ndeepspeed_config: {zero_stage: 3}\n",
    ),
    (
        "distributed_type: FSDP\nfsdp_config: |\n",
        "fsdp_version",
        "distributed_type: FSDP\nfsdp_config:\n  fsdp_version: ${1|1,2|}\n",
    ),
    (
        "distributed_type: MULTI_GPU\nmixed_precision: n|\n",
        "no",
        'distributed_type: MULTI_GPU\nmixed_precision: "no"\n',
    ),
]
SETTINGS = [
    ("|", "facts", "[facts]\n$0"),
    ("[fa|", "facts", "[facts]"),
    ("[[|]]", "jobs", "[[jobs]]"),
    ("[facts]\n|\n", "model.params", '[facts]\nmodel.params = ${1:"7B"}\n'),
    ("[facts]\nmodel.pa|\n", "model.params", '[facts]\nmodel.params = ${1:"7B"}\n'),
    ('[facts]\nmodel.pa| = "7B"\n', "model.params", '[facts]\nmodel.params = "7B"\n'),
    ("[facts.model]\npa|\n", "params", '[facts.model]\nparams = ${1:"7B"}\n'),
    (
        "[facts.roles.actor]\nmodel.pa|\n",
        "model.params",
        '[facts.roles.actor]\nmodel.params = ${1:"7B"}\n',
    ),
    (
        "[facts]\nroles.actor.wor|\n",
        "roles.actor.world_size",
        "[facts]\nroles.actor.world_size = ${1:8}\n",
    ),
    ('[facts]\ngpu.name = "A1|\n', "A100-SXM4-80GB", '[facts]\ngpu.name = "A100-SXM4-80GB"\n'),
    ("[facts]\ngpu.name =|\n", "A100-SXM4-80GB", '[facts]\ngpu.name = "A100-SXM4-80GB"\n'),
    ("[facts]\ngradient_checkpointing = |\n", "true", "[facts]\ngradient_checkpointing = true\n"),
    ("[facts]\nmodel.load_dtype = b|\n", "bf16", '[facts]\nmodel.load_dtype = "bf16"\n'),
    ("[facts]\nversions.|\n", "versions.deepspeed", '[facts]\nversions.deepspeed = ${1:"0.19.8"}\n'),
    ("[facts]\nworld_size = |\n", "8", "[facts]\nworld_size = 8\n"),
    ("[budget]\nac|\n", "activations", '[budget]\nactivations = ${1:"20GiB"}\n'),
    ("[lint]\nig|\n", "ignore", '[lint]\nignore = ["$1"]\n'),
    ('[lint]\nignore = ["MEM|"]\n', "MEM001", '[lint]\nignore = ["MEM001"]\n'),
    ('[lint]\nignore = ["MEM001" |]\n', "unknown-key", '[lint]\nignore = ["MEM001", "unknown-key"]\n'),
    ("[lint]\nignore = |\n", "unknown-key", '[lint]\nignore = ["unknown-key"]\n'),
    (
        "[lint.severity]\nunk|\n",
        "unknown-key",
        '[lint.severity]\nunknown-key = "${1|error,warning,info,hint|}"\n',
    ),
    (
        "[lint]\nseverity = { unknown-key = | }\n",
        "hint",
        '[lint]\nseverity = { unknown-key = "hint" }\n',
    ),
    ("[[jobs]]\n|\n", "files", '[[jobs]]\nfiles = ["$1"]\n'),
    ("[[files]]\nfacts.world_|\n", "match", '[[files]]\nmatch = ["$1"]\n'),
]
COMMENTS = [
    ("# sh|\n", "shardlint:", "# shardlint: \n"),
    ("# shardlint: wor|\n", "world_size", "# shardlint: world_size=${1:8}\n"),
    (
        "# shardlint: world_size=8 model.pa|\n",
        "model.params",
        "# shardlint: world_size=8 model.params=${1:7B}\n",
    ),
    ("# shardlint: wor|=8\n", "world_size", "# shardlint: world_size=8\n"),
    ("# shardlint: gpu.name=A|\n", "A100-SXM4-80GB", "# shardlint: gpu.name=A100-SXM4-80GB\n"),
    ("# shardlint: ig|\n", "ignore", "# shardlint: ignore[$1]\n"),
    ("# shardlint: ignore[|]\n", "unknown-key", "# shardlint: ignore[unknown-key]\n"),
    ("# shardlint: ignore[MEM001, K|] why\n", "KEY001", "# shardlint: ignore[MEM001, KEY001] why\n"),
]
ARGUMENTS = "output_dir: out\nper_device_train_batch_size: 1\n"


@pytest.mark.parametrize(("marked", "label", "text"), JSON)
def test_json(marked: str, label: str, text: str) -> None:
    assert offered("ds_config.json", marked).taken(label) == text


@pytest.mark.parametrize(("marked", "label", "text"), YAML)
def test_yaml(marked: str, label: str, text: str) -> None:
    assert offered("launch.yaml", marked).taken(label) == text


@pytest.mark.parametrize(("marked", "label", "text"), SETTINGS)
def test_settings(marked: str, label: str, text: str) -> None:
    assert offered("shardlint.toml", marked).taken(label) == text


@pytest.mark.parametrize(("marked", "label", "text"), COMMENTS)
def test_comments(marked: str, label: str, text: str) -> None:
    assert offered("train.yaml", marked + ARGUMENTS).taken(label) == text + ARGUMENTS


def test_a_pyproject_has_settings_below_its_own_table_only() -> None:
    text = "[tool.shardlint.facts]\nmodel.pa|\n"
    assert offered("pyproject.toml", text).taken("model.params").endswith('model.params = ${1:"7B"}\n')
    assert "tool.shardlint.lint" in offered("pyproject.toml", "[tool.shardlint.facts]\n[tool.|\n").items
    assert not offered("pyproject.toml", "[tool.shardlint]\n[project]\nna|\n").items


def test_keys_that_are_there_are_not_offered_again() -> None:
    found = offered("ds.json", '{"zero_optimization": {"stage": 3, |, "overlap_comm": true}}').items
    assert "offload_param" in found and not {"stage", "overlap_comm"} & set(found)
    settings = offered("shardlint.toml", '[facts]\nmodel.params = "7B"\nmodel.|\n').items
    assert "model.name" in settings and "model.params" not in settings


@pytest.mark.parametrize(
    ("name", "marked", "label"),
    [
        ("any.json", '{"zero_optimization": {}, "|"}', "bf16"),
        ("ds_config.json", '{"|"}', "bf16"),
        ("zero3.json", '{"|"}', "bf16"),
        ("fsdp.json", '{"|"}', "reshard_after_forward"),
        ("multi_gpu.yaml", "|\n", "distributed_type"),
        ("any.yaml", "num_processes: 8\n|\n", "distributed_type"),
        ("training_args.yaml", "|\n", "output_dir"),
        (
            "any.yaml",
            "learning_rate: 1.0e-5\nnum_train_epochs: 1\nwarmup_steps: 10\nown: 1\n|\n",
            "per_device_train_batch_size",
        ),
    ],
)
def test_a_file_that_is_only_begun_is_known_by_its_keys_or_its_name(
    name: str, marked: str, label: str
) -> None:
    assert label in offered(name, marked).items


def test_a_config_among_the_arguments_has_the_keys_of_deepspeed() -> None:
    text = ARGUMENTS + "deepspeed:\n  zero_optimization:\n    stage: 3\n    over|\n"
    found = offered("train.yaml", text)
    assert "stage" not in found.items
    assert found.taken("overlap_comm").endswith("    stage: 3\n    overlap_comm: ${1|true,false|}\n")


@pytest.mark.parametrize(
    ("marked", "text"),
    [
        ("fsdp: full_shard au|\n", 'fsdp: "full_shard auto_wrap"\n'),
        ('fsdp: "full_shard |"\n', 'fsdp: "full_shard auto_wrap"\n'),
        ("fsdp: [full_shard, |]\n", "fsdp: [full_shard, auto_wrap]\n"),
        ("fsdp:\n  - full_shard\n  - au|\n", "fsdp:\n  - full_shard\n  - auto_wrap\n"),
    ],
)
def test_words_are_added_to_those_that_are_there(marked: str, text: str) -> None:
    found = offered("train.yaml", ARGUMENTS + marked)
    assert found.taken("auto_wrap") == ARGUMENTS + text
    assert "full_shard" not in found.items


def test_auto_is_offered_where_somebody_fills_it_in() -> None:
    text = '{"zero_optimization": {"stage": 3}, "train_batch_size": |}'
    alone = {"shardlint.toml": '[facts]\nconsumer = "deepspeed"\n'}
    trainer = {"shardlint.toml": '[facts]\nconsumer = "hf-trainer"\n'}
    assert "auto" in offered("ds.json", text).items
    assert "auto" in offered("ds.json", text, others=trainer).items
    assert "auto" not in offered("ds.json", text, others=alone).items


def test_only_what_a_release_has_is_offered() -> None:
    old = {"shardlint.toml": '[facts]\nversions.deepspeed = "0.10.0"\n'}
    text = '{"zero_optimization": {"stage": 3}, |}'
    assert "torch_autocast" in offered("ds.json", text).items
    assert "torch_autocast" not in offered("ds.json", text, others=old).items


def test_files_of_the_folder_and_below() -> None:
    others = {"ds.json": "{}", "conf/zero3.json": "{}", "notes.txt": "", ".hidden.json": "{}"}
    text = ARGUMENTS + "deepspeed: |\n"
    assert list(offered("train.yaml", text, others=others).items) == ["ds.json", "conf/"]
    below = offered("train.yaml", ARGUMENTS + "deepspeed: conf/|\n", others=others)
    assert below.taken("conf/zero3.json") == ARGUMENTS + "deepspeed: conf/zero3.json\n"
    jobs = offered("shardlint.toml", '[[jobs]]\nfiles = ["|"]\n', others={**others, "train.yaml": ARGUMENTS})
    assert jobs.taken("train.yaml") == '[[jobs]]\nfiles = ["train.yaml"]\n'
    assert not offered("train.yaml", ARGUMENTS + "deepspeed: gone/|\n", others=others).items


def test_hostfiles() -> None:
    text = "distributed_type: DEEPSPEED\ndeepspeed_config:\n  deepspeed_hostfile: |\n"
    found = offered("launch.yaml", text, others={"hostfile": "a slots=8\n", "ds.json": "{}"})
    assert "hostfile" in found.items and "ds.json" not in found.items


def test_an_editor_without_snippets_gets_plain_text_with_its_indents() -> None:
    text = '{\n  "zero_optimization": {\n    "stage": 3,\n    |\n  }\n}'
    found = offered("ds.json", text, PLAIN)
    item = found.items["offload_param"]
    assert item.insert_text_format == types.InsertTextFormat.PlainText
    assert found.taken("offload_param").endswith('    "offload_param": {\n      \n    }\n  }\n}')
    assert found.taken("overlap_comm").endswith('    "overlap_comm": true\n  }\n}')


@pytest.mark.parametrize(
    ("marked", "label", "kind"),
    [
        ('{"zero_optimization": {"|"}}', "stage", types.InsertTextFormat.Snippet),
        ('{"zero_optimization": {"stage": |}}', "3", types.InsertTextFormat.PlainText),
        ('{"zero_optimization": {"|": 3}}', "stage", types.InsertTextFormat.PlainText),
    ],
)
def test_text_without_a_stop_is_no_snippet(marked: str, label: str, kind: types.InsertTextFormat) -> None:
    assert offered("ds.json", marked).items[label].insert_text_format == kind


@pytest.mark.parametrize(
    ("snippet", "text"),
    [
        ("a: ${1|x\\,y,z|}", "a: x,y"),
        ("a: ${1:7B}", "a: 7B"),
        ('"a": "$1"', '"a": ""'),
        ("a:\n  $0", "a:\n  "),
        ("a: \\$HOME\\}", "a: $HOME}"),
        ('a: ${1|"none",cpu|}$0', 'a: "none"'),
    ],
)
def test_snippets_as_plain_text(snippet: str, text: str) -> None:
    assert plain_text(snippet) == text


@pytest.mark.parametrize(
    ("snippet", "text"),
    [
        ("a: ${1|x\\,y,z|}", "a: ${1:x,y}"),
        ('"a": ${1|true,false|},\n"b": ${2|\\},2|}', '"a": ${1:true},\n"b": ${2:\\}}'),
        ("a: ${1:7B}$0", "a: ${1:7B}$0"),
    ],
)
def test_snippets_without_choices(snippet: str, text: str) -> None:
    assert without_choices(snippet) == text


@pytest.mark.parametrize(
    ("name", "chooses"), [("Visual Studio Code", True), ("Neovim", True), ("Emacs", False), ("", False)]
)
def test_choices_go_to_editors_that_are_known_to_read_them(name: str, chooses: bool) -> None:
    can = types.CompletionClientCapabilities(
        completion_item=types.ClientCompletionItemOptions(snippet_support=True)
    )
    said = types.ClientCapabilities(text_document=types.TextDocumentClientCapabilities(completion=can))
    info = types.ClientInfo(name) if name else None
    client = client_of(types.InitializeParams(said, client_info=info), FULL.encoding)
    item = offered("ds.json", '{"zero_optimization": {"overl|}}', client).items["overlap_comm"]
    assert item.insert_text_format == types.InsertTextFormat.Snippet
    assert isinstance(item.text_edit, types.TextEdit)
    assert item.text_edit.new_text == f'"overlap_comm": {"${1|true,false|}" if chooses else "${1:true}"}'


def test_an_editor_that_keeps_indents_gets_them() -> None:
    text = "distributed_type: FSDP\nparallelism_config:\n  a: 1\nfsdp_config: |\n"
    keeps = FULL._replace(keeps_indent=True)
    found = offered("launch.yaml", "x:\n- y\n" + text, keeps)
    assert found.items["fsdp_version"].insert_text_mode == types.InsertTextMode.AsIs
    nested = '{\n  "zero_optimization": {\n    |\n  }\n}'
    taken = offered("ds.json", nested, keeps).taken("offload_param")
    assert '    "offload_param": {\n      $0\n    }\n' in taken


def test_the_word_typed_is_what_the_editor_filters_by() -> None:
    found = offered("ds.json", '{"zero_optimization": {"sta|"}}').items["stage"]
    assert found.filter_text == '"stage"'
    assert isinstance(found.text_edit, types.TextEdit)
    assert (found.text_edit.range.start.character, found.text_edit.range.end.character) == (23, 28)


def test_positions_are_those_of_the_editor() -> None:
    item = offered("ds.json", '{"é😀": 1, "bf16": {"enabled": true}, "zer|"}').items["zero_optimization"]
    assert isinstance(item.text_edit, types.TextEdit)
    assert item.text_edit.range.start.character == 38


@pytest.mark.parametrize(
    ("name", "marked"),
    [
        ("launch.yaml", "distributed_type: FSDP\nfsdp_config:\n |\n"),
        ("ds.json", '{"zero_optimization": {"stage": 3}, |}'),
    ],
)
def test_a_space_does_not_ask_for_keys(name: str, marked: str) -> None:
    assert offered(name, marked).items
    assert not offered(name, marked, trigger=" ").items


def test_a_quote_that_closes_a_text_asks_for_nothing() -> None:
    for marked in ('{"zero_optimization"|: {"stage": 3}}', '{"optimizer": {"type": "AdamW"|}}'):
        assert offered("ds.json", marked).items
        assert not offered("ds.json", marked, trigger='"').items
        assert offered("ds.json", re.sub(r'"\w+"\|', '"|', marked), trigger='"').items


def test_a_space_behind_a_colon_asks_for_values() -> None:
    assert "FSDP" in offered("launch.yaml", "distributed_type: |\nnum_machines: 1\n", trigger=" ").items


@pytest.mark.parametrize(
    ("name", "marked"),
    [
        ("ds.json", '{"zero_optimization": {"stage": 3}} |'),
        ("ds.json", '{"zero_optimization": {"stage": 3}, // words|\n}'),
        ("launch.yaml", "distributed_type: FSDP\n# words|\n"),
        ("launch.yaml", "distributed_type: FSDP\nmain_training_function: |\n  text |\n".replace("|", "", 1)),
        ("package.json", '{"name": "x", "|"}'),
        ("other.toml", "[facts]\n|\n"),
        ("notes.txt", "zero|"),
        ("compose.yaml", "services:\n  |\n"),
    ],
)
def test_nothing_is_offered_where_nothing_of_ours_belongs(name: str, marked: str) -> None:
    assert not offered(name, marked).items


def test_texts_are_explained_at_once_or_when_asked_for() -> None:
    text = '{"zero_optimization": {"|"}}'
    at_once = offered("ds.json", text).items["stage"]
    assert isinstance(at_once.documentation, types.MarkupContent)
    assert at_once.documentation.value.startswith("**zero_optimization.stage (DeepSpeed)**")
    later = offered("ds.json", text, FULL._replace(completion_resolves=frozenset({"documentation"})))
    item = later.items["stage"]
    assert item.documentation is None
    assert item.data == {"uri": later.look.text.uri, "topic": ["deepspeed", "zero_optimization.stage"]}
    assert documentation(later.look, Topic("deepspeed", "zero_optimization.stage")) == at_once.documentation


@pytest.mark.parametrize(
    ("topic", "words"),
    [
        (Topic("rule", "MEM001"), "activations-not-budgeted"),
        (Topic("gpu", "A100-SXM4-80GB"), "79.15 GiB"),
        (Topic("model", "meta-llama/Llama-2-7b-hf"), "6,738,415,616"),
        (Topic("setting", "model.params"), "All parameters of the model."),
        (Topic("section", "lint"), "per-file-ignores"),
    ],
)
def test_every_kind_of_proposal_is_explained(topic: Topic, words: str) -> None:
    found = documentation(offered("ds.json", '{"|"}').look, topic)
    assert isinstance(found, types.MarkupContent) and words in found.value
    bare = documentation(offered("ds.json", '{"|"}', PLAIN).look, topic)
    assert isinstance(bare, str) and words in bare and "**" not in bare and "`" not in bare


@pytest.mark.parametrize(
    "topic", [Topic("rule", "X"), Topic("gpu", "X"), Topic("model", "x/y"), Topic("setting", "x")]
)
def test_a_topic_nobody_knows_has_no_text(topic: Topic) -> None:
    assert documentation(offered("ds.json", '{"|"}').look, topic) is None


def test_what_is_on_its_way_out_is_marked_for_editors_that_show_it() -> None:
    text = '{"zero_optimization": {"stage": 3}, |}'
    item = offered("ds.json", text, FULL._replace(completion_tags=True)).items["allgather_size"]
    assert item.tags == [types.CompletionItemTag.Deprecated] and item.sort_text and item.sort_text[0] == "1"
    assert offered("ds.json", text).items["allgather_size"].tags is None


@pytest.mark.parametrize(
    "name, marked",
    [
        ("ds.json", '{"zero_optimization": {"stage":| 2}}'),
        ("ds.json", '{"zero_optimization":|\n {"stage": 3}, "fp16": {"enabled": true}}'),
        ("ds.json", '{"zero_optimization": {"stage":| "auto"}}'),
        ("accelerate.yaml", "distributed_type: FSDP\nfsdp_config:\n|  fsdp_offload_params: true\n"),
        ("shardlint.toml", "[facts]\n|[lint]\n"),
        ("shardlint.toml", "[facts]\nworld_size =| 8\n"),
    ],
)
def test_nothing_is_put_before_what_stands_there_already(name: str, marked: str) -> None:
    assert not offered(name, marked).items


def test_a_key_on_the_next_line_is_no_value() -> None:
    found = offered("ds.json", '{"zero_optimization": {"stage":|\n "overlap_comm": true}}')
    assert found.taken("3") == '{"zero_optimization": {"stage": 3,\n "overlap_comm": true}}'
