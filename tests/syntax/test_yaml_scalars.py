"""Every scalar read as the loader itself reads it: PyYAML and ruamel.yaml asked, OmegaConf by a table."""

from __future__ import annotations

import math
import string

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from shardlint.syntax.dialects.omegaconf import OMEGACONF
from shardlint.syntax.dialects.pyyaml import PYYAML
from shardlint.syntax.dialects.yaml12 import YAML12
from shardlint.syntax.tree import Mapping, Scalar, Span
from shardlint.syntax.view import Template
from shardlint.syntax.yaml_parser import parse_yaml
from shardlint.syntax.yaml_scalars import YamlDialect

WORDS = """
    yes YES Yes yeS no NO No nO on ON On oN off OFF Off ofF true TRUE True truE false FALSE False
    falsE null NULL Null nulL y Y n N nan NAN Nan naN inf INF Inf inF none NONE None nonE auto AUTO
    Auto autO ~ ~~ = << + . .. ...x -. +. _ __ -_ ._ ._1 1_ 1__0 _1
"""
NUMBERS = """
    0 -0 +0 00 007 010 08 019 0_ 0_7 -010 +12 1_000 1_000_ -1_0 0b 0b1 0b_ 0b_1 -0b11 0b12 0B1 0x
    0xfF 0x_ 0x_f -0x1 0X1F 0xg 0o 0o7 0o17 -0o17 0o8 0O7 0o_ 1:30 1:30:45 12:30:45 -1:30 1:60 1:5
    01:30 0:30 1:30.5 1:30. 1_0:30 1e5 1e-5 1e+5 1E5 1.e5 1.e+5 1.5e3 1.5e+3 1.0e-5 1.e-5 5e-06 2e8
    1e e5 1e5.0 1_0e5 1_e5 .5 -.5 +.5 5. -5. .5e3 .5e-3 .5e+3 ._5 .5_ .5_0 1._5 1_.5 1__0.5 .inf
    -.inf +.inf .INF .Inf .iNf .nan .NaN .NAN -.nan inf -inf nan 1.2.3 1.2e 0.1e- 1e999 -1e999
    1.0e+999 1.7976931348623157e+308 12345678901234567890123 3.14159265358979323846264338 4.
    2024-01-02 2024-1-2 2024-01-02T03:04:05Z 1-2 1/2 1% 1GiB 1,000 0.0 -0.0 +1_0.5e+1_0
"""
NOT_TEMPLATES = [*WORDS.split(), *NUMBERS.split(), "1" * 400]

RUAMEL = YAML(typ="safe", pure=True)


def scalar(text: str, style: str = "plain", tag: str = "") -> Scalar:
    return Scalar(Span(0, len(text)), text, text, style if text or style != "plain" else "missing", tag)


def same(ours: object, theirs: object) -> bool:
    if type(theirs).__name__ in ("date", "datetime"):
        return isinstance(ours, str)
    if isinstance(theirs, float) and math.isnan(theirs):
        return isinstance(ours, float) and math.isnan(ours)
    return type(ours) is type(theirs) and ours == theirs


def pyyaml(text: str) -> object:
    try:
        return yaml.safe_load(f"k: {text}\n")["k"]
    except (ValueError, yaml.YAMLError):
        return text  # resolved as a number that the loader cannot build, or no scalar for it


def ruamel(text: str) -> object:
    try:
        return RUAMEL.load(f"k: {text}\n")["k"]
    except Exception:
        return text


def parsed(text: str) -> Scalar | None:
    """The scalar the parser makes of the text as a value; None where it is no scalar by itself."""
    root = parse_yaml("x.yaml", f"k: {text}\n")
    if root.faults or len(root.roots) != 1 or not isinstance(node := root.roots[0], Mapping):
        return None
    value = node.pairs[0].value
    return value if len(node.pairs) == 1 and isinstance(value, Scalar) else None


@pytest.mark.parametrize("text", NOT_TEMPLATES)
def test_plain_as_pyyaml(text: str) -> None:
    node = parsed(text)
    assert node is not None
    assert same(PYYAML.read(node), pyyaml(text)), text


@pytest.mark.parametrize("text", NOT_TEMPLATES)
def test_plain_as_ruamel(text: str) -> None:
    node = parsed(text)
    assert node is not None
    assert same(YAML12.read(node), ruamel(text)), text


NUMERIC = st.text(alphabet="0123456789+-._:eExXoObBaAfFnNiI", min_size=1, max_size=9)
PRINTABLE = st.text(alphabet=string.ascii_letters + string.digits + "+-._:~=/*", min_size=1, max_size=6)


@settings(deadline=None)
@given(NUMERIC | PRINTABLE)
def test_drawn_scalars_as_pyyaml(text: str) -> None:
    node = parsed(text)
    if node is not None and "*" not in text and not isinstance(read := PYYAML.read(node), Template):
        assert same(read, pyyaml(text))


@settings(deadline=None)
@given(NUMERIC | PRINTABLE)
def test_drawn_scalars_as_ruamel(text: str) -> None:
    node = parsed(text)
    if node is not None and "*" not in text and not isinstance(read := YAML12.read(node), Template):
        assert same(read, ruamel(text))


TAGGED = [
    ("!!str", "1"), ("!!str", "no"), ("!!str", ""), ("!!int", "'1_0'"), ("!!int", '"0x1F"'), ("!!int", "010"),
    ("!!int", "x"), ("!!float", "3"), ("!!float", "'1e5'"), ("!!float", ".inf"), ("!!bool", "'yes'"),
    ("!!bool", "YES"), ("!!null", "x"), ("!", "12"), ("!", "'12'"), ("!<tag:yaml.org,2002:int>", "'7'"),
]  # fmt: skip


@pytest.mark.parametrize(("tag", "text"), TAGGED)
def test_tagged_as_pyyaml(tag: str, text: str) -> None:
    node = parsed(f"{tag} {text}")
    assert node is not None
    assert node.tag == tag
    try:
        expected = yaml.safe_load(f"k: {tag} {text}\n")["k"]
    except ValueError:
        expected = text
    assert same(PYYAML.read(node), expected)


@pytest.mark.parametrize("dialect", [PYYAML, YAML12, OMEGACONF], ids=lambda d: d.name)
def test_quoted_is_text(dialect: YamlDialect) -> None:
    for style in ("single", "double", "literal", "folded"):
        assert dialect.read(scalar("1", style)) == "1"
        assert dialect.read(scalar("no", style)) == "no"
        assert dialect.read(scalar("", style)) == ""


@pytest.mark.parametrize("dialect", [PYYAML, YAML12, OMEGACONF], ids=lambda d: d.name)
def test_missing_is_none_and_template_is_unknown(dialect: YamlDialect) -> None:
    assert dialect.read(scalar("", "missing")) is None
    for text in ("${X}", "{{ x }}", "a/${X}/b"):
        assert dialect.read(scalar(text)) == Template(text)
        assert dialect.read(scalar(text, "double")) == Template(text)


@pytest.mark.parametrize("dialect", [PYYAML, YAML12, OMEGACONF], ids=lambda d: d.name)
def test_a_huge_integer_stays_text(dialect: YamlDialect) -> None:
    digits = "1" * 5000
    assert dialect.read(scalar(digits)) == digits


OMEGACONF_TABLE = {
    "1e-5": 1e-05, "5e-06": 5e-06, "1e5": 100000.0, "1E5": 100000.0, "1.5e3": 1500.0, "1_0e5": 1000000.0,
    "1_e5": "1_e5", "no": False, "on": True, "010": 8, "08": "08", "1:30": 90, "1:30.5": 90.5, "1_000": 1000,
    "0o17": "0o17", ".5": 0.5, "-.5": "-.5", "._5": "._5", ".inf": math.inf, "2024-01-02": "2024-01-02",
    "~": None, "Null": None, "none": "none", "12:30:45": 45045, "0x1F": 31, "y": "y", "1.": 1.0, "1_.5": 1.5,
}  # fmt: skip


@pytest.mark.parametrize(("text", "value"), OMEGACONF_TABLE.items())
def test_plain_as_omegaconf(text: str, value: object) -> None:
    assert same(OMEGACONF.read(scalar(text)), value)


def test_the_omegaconf_table_is_what_omegaconf_reads() -> None:
    """The table asked of the real loader, where it is installed."""
    omegaconf = pytest.importorskip(
        "omegaconf", reason="OmegaConf is not installed: its table stands unasked"
    )
    for text in [*NOT_TEMPLATES, *OMEGACONF_TABLE]:
        try:
            theirs = omegaconf.OmegaConf.to_container(omegaconf.OmegaConf.create(f"k: {text}\n"))["k"]
        except Exception:
            theirs = text
        node = parsed(text)
        assert node is not None
        assert same(OMEGACONF.read(node), theirs), text


def test_refusals() -> None:
    assert PYYAML.refusal("duplicate-key") is None
    assert PYYAML.refusal("comment") is None
    assert PYYAML.refusal("multi-document") is not None
    assert OMEGACONF.refusal("duplicate-key") is not None
    assert YAML12.refusal("duplicate-key") is not None
