"""Files: read once, walked safely, found from the names other files call them by."""

from shardlint.workspace.walk import CONFIG_SUFFIXES, Walk
from shardlint.workspace.workspace import MAX_BYTES, Workspace

__all__ = ["CONFIG_SUFFIXES", "MAX_BYTES", "Walk", "Workspace"]
