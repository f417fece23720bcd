"""Configs the tests open. Before each place of interest on its line stand characters of every width."""

from __future__ import annotations

from pathlib import Path

WIDE = "größe 模型 🚀"
"""Two, three and four bytes; one and two units of UTF-16."""
FACTS = '[facts]\nworld_size = 8\nmodel.params = "7B"\n'
BATCH = f"""\
{{
  "{WIDE}": 1, "train_batch_size": 256,
  "train_micro_batch_size_per_gpu": 4,
  "gradient_accumulation_steps": 4,
  "zero_optimization": {{"{WIDE}": 1, "stage": 3}}
}}
"""
"""256 is not 4 x 4 x 8."""
FITTING = BATCH.replace("256", "128")
LAUNCHER = f"""\
# {WIDE}
compute_environment: LOCAL_MACHINE
distributed_type: DEEPSPEED
deepspeed_config: {{deepspeed_config_file: ds.json, zero3_init_flag: true}}
num_processes: 8
num_machines: 1
"""
MISMATCH = "batch-triangle-mismatch"
UNKNOWN = "unknown-key"
UNBUDGETED = "activations-not-budgeted"


def lay(folder: Path, files: dict[str, str]) -> Path:
    """Write files into a folder; the path of the last."""
    path = folder
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return path


TYPO = BATCH.replace('"stage": 3', '"stage": 3, "overlap_com": true, "reduce_bucket_size": 500000000')
"""A key that resembles one, and a bucket."""
TOML = f'[facts]  # {WIDE}\nworld_size = 8\ngpu.name = ""\nmodel.params = "7B"\n'
