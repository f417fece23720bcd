"""What is written beside values: one module a kind of hint, each a pure function of a Look."""
