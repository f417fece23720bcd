"""What would make the first answers slow, done before anybody waits for it."""

from __future__ import annotations

import gc
from pathlib import Path

from shardlint.checks.registry import all_rules
from shardlint.engine import Options, lint
from shardlint.schema import STACKS
from shardlint.schema.table import table

SAMPLES = {
    "ds.json": '{"train_batch_size": 1, "zero_optimization": {"stage": 3}, "bf16": {"enabled": true}}',
    "train.yaml": "per_device_train_batch_size: 1\nnum_train_epochs: 1\nfsdp: full_shard\noutput_dir: out\n",
    "shardlint.toml": '[facts]\nmodel.params = "7B"\nworld_size = 8\n',
}
YOUNG = 50_000
"""Objects made before a collection: the tree of a file of 3,000 lines has fewer, and is freed without one."""


def warm() -> None:
    """Import every rule and table and read one file of each language. What is there now stays, so the
    collector need not look at it again."""
    all_rules()
    for stack in STACKS:
        table(stack)
    home = Path(__file__).parent / "sample"
    texts = {home / name: text for name, text in SAMPLES.items()}
    lint([*texts], Options(home, overlay=texts))
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, 20, 20)
