"""TrainingArguments files."""

from __future__ import annotations

import pytest

from formats.reading_helper import kind, read, standing, values

RECIPE = """
model_name_or_path: acme/tiny-7b
torch_dtype: bfloat16
dataset_name: acme/chat
bf16: true
per_device_train_batch_size: 2
gradient_accumulation_steps: 16
gradient_checkpointing: true
learning_rate: 2e-5
max_seq_length: 4096
optim: paged_adamw_8bit
max_grad_norm: 0.3
num_generations: 4
deepspeed: ds/zero3.json
use_peft: true
lora_r: 32
lora_target_modules:
  - q_proj
  - v_proj
load_in_4bit: true
accelerate_config: acc/fsdp.yaml
"""


def test_a_recipe() -> None:
    reading = read(RECIPE, "sft.yaml")
    assert reading.format.name == "hf-args"
    stated = {
        "framework": "deepspeed",
        "micro_batch": 2,
        "accumulation": 16,
        "precision": "bf16",
        "checkpointing": True,
        "sequence_length": 4096,
        "optimizer": "paged_adamw_8bit",
        "load_dtype": "bf16",
        "options.gradient_clipping": 0.3,
        "model.name": "acme/tiny-7b",
        "model.lora": True,
        "model.lora_rank": 32,
        "model.lora_targets": ["q_proj", "v_proj"],
        "training_args.load_in_4bit": True,
        "training_args.learning_rate": 2e-5,
        "training_args.num_generations": 4,
    }
    assert values(reading, *stated) == stated
    assert [(r.kind, r.target) for r in reading.references] == [
        ("deepspeed", "ds/zero3.json"),
        ("accelerate", "acc/fsdp.yaml"),
    ]
    assert (reading.consumer.value, reading.consumer.standing) == ("hf-trainer", "derived")


def test_defaults() -> None:
    reading = read("model_name_or_path: acme/tiny\noutput_dir: out\n", "sft.yaml")
    defaults = {"micro_batch": 8, "accumulation": 1, "checkpointing": False, "precision": "fp32"}
    assert values(reading, *defaults) == defaults
    assert {standing(reading, term) for term in defaults} == {"default"}
    assert "framework" not in reading.terms
    assert "training_args.bf16" not in reading.terms


def test_an_inline_deepspeed_mapping() -> None:
    text = """
    per_device_train_batch_size: 1
    bf16: true
    deepspeed:
      train_batch_size: auto
      zero_optimization:
        stage: 3
        offload_param: {device: cpu}
      bf16: {enabled: auto}
    """
    reading = read(text, "sft.yaml")
    assert values(reading, "framework", "stage", "offload_param", "precision") == {
        "framework": "deepspeed",
        "stage": 3,
        "offload_param": "cpu",
        "precision": "bf16",
    }
    place = reading.terms["stage"].place
    assert place is not None and place.key == "deepspeed.zero_optimization.stage"
    assert reading.references == ()
    assert "deepspeed.train_batch_size" in reading.auto


@pytest.mark.parametrize(
    ("fsdp", "expected"),
    [
        ("full_shard auto_wrap", {"framework": "fsdp1", "strategy": "FULL_SHARD"}),
        (
            "[shard_grad_op, offload]",
            {"framework": "fsdp1", "strategy": "SHARD_GRAD_OP", "offload_param": "cpu"},
        ),
        ("true", {"framework": "fsdp2", "reshard": True}),
        ("''", {}),
        ("false", {}),
        ("${FSDP}", {}),
    ],
)
def test_fsdp_words(fsdp: str, expected: dict[str, object]) -> None:
    reading = read(f"per_device_train_batch_size: 1\nbf16: true\nfsdp: {fsdp}\n", "sft.yaml")
    found = values(reading, "framework", "strategy", "reshard", "offload_param")
    assert found == {"offload_param": "none", **expected} if expected else found == {}
    if expected:
        assert standing(reading, "framework") == "assumed"


def test_fsdp_config_inline_and_by_path() -> None:
    head = "per_device_train_batch_size: 1\nbf16: true\nfsdp: full_shard auto_wrap\nfsdp_config: "
    inline = read(head + "{version: 2, reshard_after_forward: false}\n", "sft.yaml")
    assert values(inline, "framework", "reshard") == {"framework": "fsdp2", "reshard": False}
    by_path = read(head + "conf/fsdp.json\n", "sft.yaml")
    assert [(r.kind, r.target) for r in by_path.references] == [("fsdp", "conf/fsdp.json")]
    assert standing(by_path, "framework") == "assumed"


@pytest.mark.parametrize(
    ("name", "is_folder"),
    [
        ("acme/tiny", False),
        ("gpt2", False),
        ("./out/sft", True),
        ("/models/x", True),
        ("~/m", True),
        ("a/b/c", True),
    ],
)
def test_a_model_that_is_a_folder_is_a_reference(name: str, is_folder: bool) -> None:
    reading = read(f"model_name_or_path: {name}\noutput_dir: out\n", "sft.yaml")
    assert [r.kind for r in reading.references] == (["model"] if is_folder else [])
    assert values(reading, "model.name") == {"model.name": name}


def test_generated_samples_add_prompt_and_completion() -> None:
    text = "per_device_train_batch_size: 1\nbf16: true\nmax_prompt_length: 512\nmax_completion_length: 1024\n"
    assert values(read(text, "grpo.yaml"), "sequence_length") == {"sequence_length": 1536}


def test_lora_needs_its_switch() -> None:
    text = "model_name_or_path: a/b\noutput_dir: o\nlora_r: 8\n"
    assert values(read(text, "sft.yaml"), "model.lora", "model.lora_rank") == {}
    text += "use_peft: true\nlora_target_modules: all-linear\n"
    assert values(read(text, "sft.yaml"), "model.lora", "model.lora_rank", "model.lora_targets") == {
        "model.lora": True,
        "model.lora_rank": 8,
        "model.lora_targets": ["all-linear"],
    }


def test_arguments_of_the_optimizer() -> None:
    text = "model_name_or_path: a/b\noutput_dir: o\noptim: SGD\noptim_args: momentum=0.9, nesterov=true,x\n"
    assert values(
        read(text, "s.yaml"), "optimizer", "options.optimizer.momentum", "options.optimizer.nesterov"
    ) == {
        "optimizer": "sgd",
        "options.optimizer.momentum": 0.9,
        "options.optimizer.nesterov": True,
    }


def test_wrong_types_state_nothing() -> None:
    text = """
    model_name_or_path: a/b
    per_device_train_batch_size: four
    gradient_accumulation_steps: 2.5
    bf16: "true"
    gradient_checkpointing: 1
    optim: [adamw]
    torch_dtype: auto
    learning_rate: fast
    """
    silent = ("micro_batch", "accumulation", "precision", "checkpointing", "optimizer", "load_dtype")
    arguments = ("training_args.bf16", "training_args.learning_rate", "training_args.optim")
    assert values(read(text, "sft.yaml"), *silent, *arguments) == {}


def test_both_half_precisions_state_none() -> None:
    text = "per_device_train_batch_size: 1\nbf16: true\nfp16: true\n"
    assert "precision" not in read(text, "sft.yaml").terms


def test_json() -> None:
    text = '{"model_name_or_path": "a/b", "per_device_train_batch_size": 4, "fp16": true}'
    assert values(read(text, "args.json"), "micro_batch", "precision") == {
        "micro_batch": 4,
        "precision": "fp16",
    }


@pytest.mark.parametrize(
    "text",
    [
        "per_device_train_batch_size: 64\nauto_find_batch_size: true\n",
        "bf16: true\nlearning_rate: 5.0e-5\ndeepspeed: offload.json\n",
        "num_train_epochs: 1\neval_strategy: steps\nlearning_rate: 1e-4\noptim: sgd\nsave_steps: 5\n",
    ],
)
def test_recognised_without_a_model(text: str) -> None:
    assert kind(text, "train.yaml") == "hf-args"


@pytest.mark.parametrize(
    "text",
    [
        "model: a/b\ntuner_type: lora\nper_device_train_batch_size: 1\ndeepspeed: zero3\n",
        "base_model: a/b\nmicro_batch_size: 2\ndeepspeed: ds.json\nbf16: auto\n",
        "model_name_or_path: a/b\n",
        "deepspeed: true\n",
        "learning_rate: 1e-4\nseed: 1\noutput_dir: x\n",
    ],
)
def test_not_recognised(text: str) -> None:
    assert kind(text, "train.yaml") is None


def test_the_state_of_a_finished_run_is_not_arguments() -> None:
    text = """
    {"log_history": [], "global_step": 5, "num_train_epochs": 3, "max_steps": 5, "logging_steps": 1,
     "save_steps": 5, "eval_steps": 5, "train_batch_size": 8}
    """
    assert kind(text, "trainer_state.json") is None


def test_reading_never_raises_on_any_prefix() -> None:
    from shardlint.formats.hf_args import FORMAT
    from shardlint.syntax.parse import parse

    for end in range(len(RECIPE)):
        FORMAT.read(parse(RECIPE[:end], "sft.yaml"))


def test_a_placeholder_in_braces_states_no_stage() -> None:
    text = "model_name_or_path: org/model\nper_device_train_batch_size: 1\noutput_dir: out\ndeepspeed: "
    assert "stage" not in read(text + "{x}\n", "train.yaml").terms
    assert read(text + "{bf16: {enabled: true}}\n", "train.yaml").terms["stage"].value == 0
