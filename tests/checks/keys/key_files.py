"""Files with one thing in them that a KEY rule looks at."""

from __future__ import annotations

import json

from checks.linting import facts

RUN_BY_DEEPSPEED = facts(consumer="deepspeed", versions__deepspeed="0.19.8")
"""Settings under which a refusal is certain."""


def ds(**top: object) -> dict[str, str]:
    """A DeepSpeed file `ds.json` at stage 2 with these top-level keys."""
    body = {"train_micro_batch_size_per_gpu": 1, "zero_optimization": {"stage": 2}, **top}
    return {"ds.json": json.dumps(body, indent=2)}


def zero(**section: object) -> dict[str, str]:
    """A DeepSpeed file with these keys beside the stage."""
    return ds(zero_optimization={"stage": 2, **section})


def adam(**params: object) -> dict[str, str]:
    """A DeepSpeed file with these optimizer parameters."""
    return ds(optimizer={"type": "AdamW", "params": params})


def training(*lines: str) -> dict[str, str]:
    """TrainingArguments `train.yaml` with these lines added."""
    head = ("model_name_or_path: a/b", "output_dir: out", "bf16: true", "max_grad_norm: 1.0")
    return {"train.yaml": "\n".join((*head, *lines, ""))}
