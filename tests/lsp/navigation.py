"""Files that name each other, for the tests of links, definitions and references."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from lsp.looks import look_at
from shardlint_lsp.look import Look
from shardlint_lsp.navigation.targets import Target

DS = """{
  "train_micro_batch_size_per_gpu": "auto",
  "optimizer": {"type": "AdamW", "params": {"lr": "auto"}},
  "zero_optimization": {"stage": 3}
}
"""
TRAIN = """output_dir: out
per_device_train_batch_size: 4
learning_rate: 1.0e-5
deepspeed: ds.json
"""
ACCELERATE = """distributed_type: DEEPSPEED
deepspeed_config:
  deepspeed_config_file: "ds.json"
  deepspeed_hostfile: hostfile
machine_rank: 0
"""
HOSTFILE = "worker-1 slots=8\nworker-2 slots=8\n"
MODEL = '{"model_type": "llama", "hidden_size": 8, "num_hidden_layers": 2}\n'
SETTINGS = """[facts]
model.name = "models/tiny"
launch.config_file = "accelerate.yaml"

[[jobs]]
files = ["train.yaml", "accelerate.yaml", "gone.yaml"]

[[files]]
match = ["ds.json", "configs/**"]
facts.world_size = 8
"""
FILES = {
    "ds.json": DS,
    "train.yaml": TRAIN,
    "accelerate.yaml": ACCELERATE,
    "hostfile": HOSTFILE,
    "models/tiny/config.json": MODEL,
    "shardlint.toml": SETTINGS,
}


def shown(look: Look, targets: Iterable[Target]) -> list[str]:
    """Spots as `file:text at the place`; the start of a file as its name alone."""
    return [
        f"{_name(look, path)}:{document.text[span.start : span.end]}" if document else _name(look, path)
        for path, document, span in targets
    ]


def look_after_walk(files: Mapping[str, str], name: str) -> Look:
    """A look at an open file when all files of the folder have been read once."""
    look = look_at(files, name)
    for path in look.root.workspace.walk([look.root.folder]):
        look.root.referrers.read(path)
    analysis = look.root.analyse(look.text.path, {look.text.path: files[name]}, look.preferences)
    return Look(look.text, 2, look.root, analysis, look.document, look.client, look.preferences)


def _name(look: Look, path: Path) -> str:
    return look.root.workspace.display(path)
