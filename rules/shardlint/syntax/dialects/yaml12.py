"""YAML 1.2 as ruamel.yaml's safe load reads it: `1e-5` is a float, `no` a string, `010` is 10.

Source: ruamel.yaml 0.19.1, `resolver.py` and `constructor.py`.
"""

from __future__ import annotations

from shardlint.syntax.expression import expression
from shardlint.syntax.yaml_scalars import Schema, YamlDialect

_BOOLS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_INTEGER = r"[-+]?0b[0-1_]+|[-+]?0o?[0-7_]+|[-+]?[0-9_]+|[-+]?0x[0-9a-fA-F_]+"
_DECIMAL = (
    r"[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+]?[0-9]+)?|[-+]?[0-9][0-9_]*[eE][-+]?[0-9]+"
    r"|[-+]?\.[0-9_]+(?:[eE][-+][0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)
_REFUSALS = {
    "duplicate-key": "refuses a key that is given twice",
    "multi-document": "refuses a file that holds several documents",
}

YAML12 = YamlDialect(
    "ruamel.yaml", Schema(_BOOLS, expression(_INTEGER), expression(_DECIMAL), old=False), _REFUSALS
)
