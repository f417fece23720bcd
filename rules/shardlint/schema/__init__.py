"""Key tables: what each stack knows about every key of its files, and pure questions to them."""

from shardlint.schema.fills import Fill, fills
from shardlint.schema.key import Bound, Key, Word
from shardlint.schema.near import abbreviated, suggest
from shardlint.schema.table import STACKS, Table, table
from shardlint.schema.values import Problem, check_value, expected

__all__ = [
    "STACKS",
    "Bound",
    "Fill",
    "Key",
    "Problem",
    "Table",
    "Word",
    "abbreviated",
    "check_value",
    "expected",
    "fills",
    "suggest",
    "table",
]
