"""Which table a path of a file belongs to."""

from __future__ import annotations

import pytest

from shardlint.schema.places import Located, locate
from shardlint.syntax.keypath import KeyPath


@pytest.mark.parametrize(
    ("schema", "path", "found"),
    [
        ("deepspeed", ("bf16", "enabled"), Located("deepspeed", ("bf16", "enabled"))),
        ("hf-args", ("deepspeed",), Located("hf-args", ("deepspeed",))),
        ("hf-args", ("deepspeed", "bf16"), Located("deepspeed", ("bf16",), ("deepspeed",))),
        ("hf-args", ("fsdp_config", "version"), Located("hf-args", ("fsdp_config", "version"))),
        ("fsdp", ("version",), Located("fsdp", ("version",))),
        ("fsdp", ("fsdp_config",), Located("hf-args", ("fsdp_config",))),
        ("fsdp", ("fsdp_config", "version"), Located("fsdp", ("version",), ("fsdp_config",))),
    ],
)
def test_tables_inside_tables(schema: str, path: KeyPath, found: Located) -> None:
    assert locate(schema, path) == found
