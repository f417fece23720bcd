"""What stands at an offset of a text, and what could be written there."""
