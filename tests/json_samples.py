"""A DeepSpeed config as people write it, for tests that break JSON."""

SAMPLE = """\
{
  "train_batch_size": 256,
  "bf16": {"enabled": true},
  "optimizer": {
    "type": "AdamW",
    "params": {
      "lr": 2e-5,
      "betas": [0.9, 0.95],
      "eps": 1e-8
    }
  },
  "zero_optimization": {
    "stage": 3,
    "offload_optimizer": {
      "device": "cpu",
      "pin_memory": true
    },
    "overlap_comm": false
  },
  "groups": [
    {
      "name": "a",
      "size": 4
    },
    {
      "name": "b",
      "size": 8
    }
  ],
  "steps_per_print": 100
}
"""
