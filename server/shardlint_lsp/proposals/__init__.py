"""What can be written at a place of a text, before it becomes edits: one module a source of proposals."""
