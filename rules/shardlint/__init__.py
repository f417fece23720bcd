"""What is true of a sharding config: a pure library (no printing, no LSP, no network, no torch)."""

__version__ = "0.1.0"
