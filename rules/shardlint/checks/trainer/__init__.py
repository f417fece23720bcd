"""The Trainer of transformers and accelerate: what they fill in, compare and refuse."""
