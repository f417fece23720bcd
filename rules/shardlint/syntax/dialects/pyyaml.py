"""YAML 1.1 as PyYAML's safe load reads it: accelerate, the HF Trainer, axolotl, verl's launchers.

`1e-5` is a string, `no` is False, `010` is 8, `1:30` is 90; the last of two equal keys wins silently.
Source: PyYAML 6.0.4, `yaml/resolver.py` and `yaml/constructor.py`.
"""

from __future__ import annotations

from shardlint.syntax.expression import expression
from shardlint.syntax.yaml_scalars import Schema, YamlDialect

BOOLS = {
    spelling: value
    for words, value in ((("yes", "true", "on"), True), (("no", "false", "off"), False))
    for word in words
    for spelling in (word, word.capitalize(), word.upper())
}

INTEGER = (
    r"[-+]?0b[0-1_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+"
    r"|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+"
)
DECIMAL = (
    r"[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?"
    r"|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)

REFUSALS = {
    "complex-key": "refuses a mapping or list as a key",
    "multi-document": "refuses a file that holds several documents",
    "duplicate-anchor": "refuses an anchor that is defined twice",
    "tab-indent": "refuses a tab outside quotes",
    "tab-separator": "refuses a tab outside quotes",
}

PYYAML = YamlDialect("PyYAML", Schema(BOOLS, expression(INTEGER), expression(DECIMAL), old=True), REFUSALS)
