"""Rules about batch sizes: DeepSpeed wants train batch = micro batch x accumulation x DP."""
