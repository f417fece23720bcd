"""Which table the keys of a file belong to: a file may hold that of another stack."""

from __future__ import annotations

from typing import NamedTuple

from shardlint.syntax.keypath import KeyPath


class Located(NamedTuple):
    """A path inside the table `stack` names (see `table`), which lies at `base` in the document."""

    stack: str
    path: KeyPath
    base: KeyPath = ()


def locate(schema: str, path: KeyPath) -> Located:
    """The table a path of a document belongs to.

    An inline `deepspeed` mapping of arguments is a DeepSpeed file, an `fsdp_config` around the keys of an
    FSDP file is one of the arguments.
    """
    first = path[0] if path else ""
    if schema == "hf-args" and first == "deepspeed" and len(path) > 1:
        return Located("deepspeed", path[1:], path[:1])
    if schema == "fsdp":
        if first == "fsdp_config" and len(path) > 1:
            return Located("fsdp", path[1:], path[:1])
        return Located("hf-args" if first in ("fsdp", "fsdp_config") else "fsdp", path)
    return Located(schema, path)
