"""Ledgers in Markdown: a small table for a tooltip, a whole document."""
