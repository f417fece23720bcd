"""YAML as OmegaConf reads it (LLaMA-Factory, torchtune, Hydra): PyYAML plus floats without a dot.

A key given twice is refused. `${a.b}` is an interpolation, so its value is unknown here.
Source: OmegaConf 2.3.0, `_utils.get_yaml_loader`.
"""

from __future__ import annotations

from shardlint.syntax.dialects import pyyaml
from shardlint.syntax.expression import expression
from shardlint.syntax.yaml_scalars import Schema, YamlDialect

_DECIMAL = (
    r"[-+]?[0-9]+(?:_[0-9]+)*\.[0-9_]*(?:[eE][-+]?[0-9]+)?|[-+]?[0-9]+(?:_[0-9]+)*[eE][-+]?[0-9]+"
    r"|\.[0-9]+(?:_[0-9]+)*(?:[eE][-+][0-9]+)?|[-+]?[0-9]+(?:_[0-9]+)*(?::[0-5]?[0-9])+\.[0-9_]*"
)

OMEGACONF = YamlDialect(
    "OmegaConf",
    Schema(pyyaml.BOOLS, expression(pyyaml.INTEGER), expression(f"{pyyaml.DECIMAL}|{_DECIMAL}"), old=True),
    {**pyyaml.REFUSALS, "duplicate-key": "refuses a key that is given twice"},
)
