"""The files that are typed in: a short and a long one of each language."""

from __future__ import annotations

import json
from typing import NamedTuple


class Stroke(NamedTuple):
    """What is typed at the end of a line, or taken out again."""

    line: int
    text: str = " "

    def behind(self, column: int) -> dict[str, int]:
        """The position behind it, where the line it is typed in is that long."""
        *above, last = self.text.split("\n")
        return {"line": self.line + len(above), "character": len(last) if above else column + len(last)}


class Typed(NamedTuple):
    """A text and its language. `stroke` changes nothing, `begun` is a key half-typed in a line of its own;
    hover and completion are asked for at `asked` (line, character)."""

    name: str
    language: str
    text: str
    stroke: Stroke
    asked: tuple[int, int]
    begun: Stroke

    @property
    def lines(self) -> int:
        return len(self.text.splitlines())


SHORT, LONG = 100, 3000


def deepspeed(lines: int) -> Typed:
    """A ZeRO-3 file, filled up to about `lines` lines with compression groups."""
    data: dict[str, object] = {
        "train_batch_size": 256,
        "train_micro_batch_size_per_gpu": 4,
        "gradient_accumulation_steps": 8,
        "gradient_clipping": 1.0,
        "bf16": {"enabled": True},
        "zero_optimization": {
            "stage": 3,
            "overlap_comm": True,
            "contiguous_gradients": True,
            "reduce_bucket_size": 500000000,
            "stage3_prefetch_bucket_size": 50000000,
            "stage3_param_persistence_threshold": 100000,
            "stage3_max_live_parameters": 1000000000,
            "offload_optimizer": {"device": "cpu", "pin_memory": True},
        },
        "optimizer": {"type": "AdamW", "params": {"lr": 0.0001, "betas": [0.9, 0.95], "eps": 1e-8}},
        "scheduler": {"type": "WarmupLR", "params": {"warmup_min_lr": 0, "warmup_max_lr": 0.0001}},
        "activation_checkpointing": {"partition_activations": True, "cpu_checkpointing": False},
        "steps_per_print": 100,
    }
    groups: dict[str, object] = {}
    data["compression_training"] = {"weight_quantization": {"different_groups": groups}}
    while len(json.dumps(data, indent=2).splitlines()) < lines:
        params = {"start_bits": 8, "target_bits": 8, "quantization_period": 50}
        modules = [f"layer.{len(groups)}.attention", f"layer.{len(groups)}.mlp"]
        groups[f"group_{len(groups)}"] = {"params": params, "modules": modules}
    text = json.dumps(data, indent=2) + "\n"
    line = next(at for at, line in enumerate(text.splitlines()) if "steps_per_print" in line)
    stage = next(at for at, line in enumerate(text.splitlines()) if '"stage"' in line)
    return Typed("ds_config.json", "json", text, Stroke(line), (stage, 8), Stroke(line, '\n  "gradient_cl'))


def trainer(lines: int) -> Typed:
    """A file of training arguments, filled up to `lines` lines with data sources."""
    head = """\
model_name_or_path: meta-llama/Llama-2-7b-hf
output_dir: out
per_device_train_batch_size: 4
gradient_accumulation_steps: 8
learning_rate: 1.0e-4
lr_scheduler_type: cosine
warmup_ratio: 0.03
num_train_epochs: 3
logging_steps: 10
save_steps: 500
bf16: true
gradient_checkpointing: true
fsdp: full_shard auto_wrap
fsdp_config:
  transformer_layer_cls_to_wrap: LlamaDecoderLayer
  backward_prefetch: backward_pre
dataset_mixture:
""".splitlines()
    rows = list(head)
    while len(rows) < lines:
        at = len(rows)
        rows += [f"  - path: data/part_{at}.jsonl", "    split: train", f"    weight: 0.{at}"]
    return Typed(
        "train.yaml", "yaml", "\n".join(rows) + "\n", Stroke(9), (2, 4), Stroke(len(rows) - 1, "\nwarmup_st")
    )


def python(lines: int) -> Typed:
    """Ruff's own kind of file."""
    rows = ["import os", "", ""]
    while len(rows) < lines:
        at = len(rows)
        rows += [
            f"def function_{at}(value: int) -> int:",
            f'    """Doc {at}."""',
            f"    return value + {at}",
            "",
        ]
    return Typed(
        "module.py", "python", "\n".join(rows) + "\n", Stroke(5), (5, 8), Stroke(len(rows) - 1, "\ndef begun")
    )
