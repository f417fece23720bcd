"""Optimizers and schedules: what DeepSpeed takes, and who decides where two places name one."""
