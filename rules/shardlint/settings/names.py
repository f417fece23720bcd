"""The one typed table of setting names: flags, pragmas, editor settings, JSON and shardlint.toml share it."""

from __future__ import annotations

from typing import NamedTuple

EXAMPLES = {
    "count": "8",
    "gib": "80",
    "size": '"20GiB"',
    "ratio": "0.1",
    "flag": "true",
    "capability": '"8.0"',
    "dtype": '"bf16"',
    "texts": '["q_proj", "v_proj"]',
    "version": '"0.19.8"',
    "attention": '"sdpa"',
    "consumer": '"hf-trainer"',
    "gpu.name": '"A100-SXM4-80GB"',
    "model.name": '"meta-llama/Llama-2-7b-hf"',
    "model.params": '"7B"',
    "model.trainable_params": '"20M"',
    "model.type": '"llama"',
    "model.layer_class": '"LlamaDecoderLayer"',
    "model.quantized": '"gptq-4bit"',
    "model.device_map": '"auto"',
    "code.optimizer": '"adamw"',
    "launch.config_file": '"accelerate.yaml"',
    "launch.cwd": '"scripts"',
    "launch.include": '"worker-1:0,1"',
    "launch.default_config": "true",
    "launch.train": '"train.yaml"',
    "host_memory_gib": "1024",
    "sequence_length": "4096",
}
"""A value as shardlint.toml writes it, by name or, where any will do, by kind."""


class Setting(NamedTuple):
    """A setting: its dotted name, the kind of value (see `values`), its unit and its meaning in one line."""

    name: str
    kind: str
    unit: str
    meaning: str

    @property
    def example(self) -> str:
        name = self.name.split(".", 2)[2] if self.name.startswith(_ROLES) else self.name
        return EXAMPLES.get(name) or EXAMPLES.get(self.kind, "true")


_TABLE = """\
world_size|count|ranks|all ranks of the job
nodes|count|nodes|machines of the job
gpus_per_node|count|ranks|ranks on each machine
host_memory_gib|gib|GiB|main memory of each node
sequence_length|count|tokens|tokens of one sample
micro_batch_size|count|samples|samples a rank takes through one forward and backward pass
attention|text||attention implementation: eager, sdpa, flash_attention_2
gradient_checkpointing|flag||activations are computed again in the backward pass
consumer|text||program that reads the files: deepspeed, accelerate, hf-trainer, trl, lightning
gpu.name|text||a row of the GPU table or an alias of it
gpu.memory_gib|gib|GiB|memory of one GPU as the framework reports it
gpu.compute_capability|capability||CUDA compute capability, as 8.0
model.name|text||id in the model table, or path of a config.json or its folder
model.params|count|parameters|all parameters of the model
model.trainable_params|count|parameters|parameters that get gradients
model.type|text||model_type of the config.json
model.hidden_size|count|elements|width of the residual stream
model.intermediate_size|count|elements|width of the feed-forward block
model.num_hidden_layers|count|layers|repeated blocks
model.num_attention_heads|count|heads|query heads
model.num_key_value_heads|count|heads|key and value heads
model.head_dim|count|elements|width of one attention head
model.vocab_size|count|tokens|rows of the embedding
model.num_experts|count|experts|experts of one layer
model.layer_class|text||class of the repeated block
model.load_dtype|dtype||dtype the weights are loaded in
model.pretrained_dtype|dtype||dtype the weights were trained in
model.quantized|any||how the base weights are quantised, as gptq-4bit
model.lora|flag||the model trains low-rank adapters on a frozen base
model.lora_rank|count||rank of the adapters
model.lora_targets|texts||modules that get an adapter, or all-linear
model.largest_param|count|parameters|elements of the largest single tensor
model.tied|flag||input and output embedding are one tensor
model.custom|flag||the model class is the user's own
model.device_map|any||the model is loaded with a device_map
model.no_split_missing|flag||the model class names no block that must stay whole
model.has_hidden_size|flag||the model's config has a hidden_size
code.optimizer|text||optimizer the program builds in code
code.builds_optimizer|flag||the program passes an optimizer of its own to the engine
code.zero_init|flag||the program builds the model under deepspeed.zero.Init
code.pipeline_module|flag||the model is a deepspeed PipelineModule
code.pipeline_stages|count|stages|stages of the PipelineModule
code.second_engine|flag||the program starts a second engine from the same config
parallel.tensor|count|ranks|tensor-parallel degree
parallel.pipeline|count|ranks|pipeline-parallel degree
parallel.context|count|ranks|context-parallel degree
parallel.sequence|count|ranks|sequence-parallel degree
parallel.expert|count|ranks|expert-parallel degree
parallel.replicate|count|copies|copies of the sharded states
launch.config_file|text||accelerate config the job is launched with
launch.cwd|text||folder the job is started in
launch.include|text||--include filter of the deepspeed launcher
launch.default_config|any||accelerate's default config applies
launch.train|text||training arguments file or script of the job
launch.num_processes|count|ranks|--num_processes of the launcher
checkpoint.dp_world_size|count|ranks|data-parallel degree of the checkpoint resumed from
dataloader.batch_sampler|flag||the data loader has a batch sampler of its own
budget.activations|size|bytes|activations a rank may hold, measured or promised
budget.reserve|size|bytes|CUDA context, NCCL and other processes on the GPU
budget.fragmentation|ratio||share of the allocated memory lost to fragmentation
"""

OPEN_PREFIXES = {
    "training_args.": ("any", "the training argument {}, which the file is joined with"),
    "versions.": ("version", "the release of {} that runs, or a range as >=0.16,<0.19"),
}
"""Prefixes under which every name is a setting."""

_ROLES = "roles."
_table: dict[str, Setting] = {}


def all_settings() -> dict[str, Setting]:
    """Every fixed name, in the order of the table."""
    if not _table:
        for line in _TABLE.splitlines():
            row = Setting(*line.split("|"))
            _table[row.name] = row
    return _table


def find_setting(name: str) -> Setting | None:
    """The setting with that name, or None. `roles.<role>.<name>` has the kind of `<name>`."""
    fixed = all_settings().get(name)
    if fixed is not None:
        return fixed
    for prefix, (kind, meaning) in OPEN_PREFIXES.items():
        if name.startswith(prefix) and len(name) > len(prefix):
            return Setting(name, kind, "", meaning.format(name[len(prefix) :]))
    role, rest = role_and_name(name)
    inner = find_setting(rest) if role and not rest.startswith(_ROLES) else None
    return inner._replace(name=name, meaning=f"{inner.meaning}, of the role {role}") if inner else None


def role_and_name(name: str) -> tuple[str, str]:
    """The role of a setting and its name behind it: actor and `model.params` of `roles.actor.model.params`;
    no role and the name itself of any other."""
    if not name.startswith(_ROLES):
        return "", name
    role, _, rest = name[len(_ROLES) :].partition(".")
    return role, rest


def is_fact(name: str) -> bool:
    """Whether a name is a setting or the first part of some: what belongs below `[facts]`."""
    names = (*all_settings(), *OPEN_PREFIXES, _ROLES)
    return name in names or any(known.startswith(f"{name}.") for known in names)


def nearest_setting(name: str) -> str | None:
    """The known name closest to a misspelt one, or None where nothing is close."""
    from shardlint.catalog.near import nearest

    owner, name = role_and_name(name)
    role = f"{_ROLES}{owner}." if owner else ""
    found = nearest(name, all_settings())
    if found is None:
        tails = {known.rpartition(".")[2]: known for known in all_settings()}
        tail = nearest(name.rpartition(".")[2], tails)
        found = tails[tail] if tail else None
    return role + found if found else None
