"""Rules about keys: unknown, misplaced, old or unread ones, and values that are none."""
