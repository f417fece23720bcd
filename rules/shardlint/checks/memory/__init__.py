"""Rules about bytes: what a rank must hold against what its GPU has."""
