"""Folders read while nobody waits: which files name which, and what is wrong in those that are not open."""
