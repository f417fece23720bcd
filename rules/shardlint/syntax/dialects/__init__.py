"""How each stack's own loader reads a text: one module a loader."""
