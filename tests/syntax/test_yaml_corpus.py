"""Real YAML files: the values PyYAML loads, places that hold, and no finding PyYAML would not share."""

from __future__ import annotations

import datetime
import math
import random

import yaml

from corpus import corpus_bytes, manifest, requires_corpus
from shardlint.syntax.dialects.pyyaml import PYYAML
from shardlint.syntax.tree import Node, Scalar, Sequence
from shardlint.syntax.view import Template, follow, merge_sources, to_value
from shardlint.syntax.yaml_parser import parse_yaml
from wellformed import check_document

pytestmark = requires_corpus

SUFFIXES = (".yaml", ".yml")
CIRCULAR = 250


def paths() -> list[str]:
    return [row.path for row in manifest() if row.path.endswith(SUFFIXES)]


def text_of(path: str) -> str:
    return corpus_bytes(path).decode("utf-8-sig")


def loaded(text: str, loader: type = yaml.SafeLoader) -> tuple[object, bool]:
    """What PyYAML gives, and whether it gives anything."""
    try:
        return yaml.load(text, Loader=loader), True
    except (yaml.YAMLError, ValueError):
        return None, False


def plain(node: Node | None, depth: int = 0) -> object:
    """The node's value with keys read as PyYAML reads them."""
    seen = follow(node)
    if seen is None or depth > CIRCULAR:
        return None
    if isinstance(seen, Scalar):
        return PYYAML.read(seen)
    if isinstance(seen, Sequence):
        return [plain(item, depth + 1) for item in seen.items]
    value: dict[object, object] = {}
    for source in reversed(merge_sources(seen)):
        inherited = plain(source, depth + 1)
        assert isinstance(inherited, dict)
        value.update(inherited)
    for pair in seen.pairs:
        if pair.key.text != "<<" or pair.key.style != "plain":
            key = PYYAML.read(pair.key)
            value[pair.key.text if isinstance(key, Template) else key] = plain(pair.value, depth + 1)
    return value


def same(ours: object, theirs: object) -> bool:
    """Equal values and types; a date is text here, a placeholder is whatever text it is there."""
    if isinstance(ours, Template):
        return isinstance(theirs, str)
    if isinstance(theirs, datetime.date):
        return isinstance(ours, str)
    if isinstance(theirs, dict):
        return (
            isinstance(ours, dict)
            and [str(key) for key in ours] == [str(key) for key in theirs]
            and all(map(same, ours.values(), theirs.values()))
        )
    if isinstance(theirs, list):
        return isinstance(ours, list) and len(ours) == len(theirs) and all(map(same, ours, theirs))
    if isinstance(theirs, float) and math.isnan(theirs):
        return isinstance(ours, float) and math.isnan(ours)
    return type(ours) is type(theirs) and ours == theirs


def test_every_file_has_the_values_pyyaml_gives() -> None:
    """All files by PyYAML's C loader, which is quick, and every tenth by `safe_load` itself."""
    fast = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    compared = compare(paths(), fast) + compare(paths()[::10], yaml.SafeLoader)
    assert compared > 1_400


def compare(some: list[str], loader: type) -> int:
    """How many files were compared; raises at the first that has other values."""
    compared = 0
    for path in some:
        text = text_of(path)
        value, readable = loaded(text, loader)
        if not readable or "recursive" in path:
            continue
        compared += 1
        document = parse_yaml(path, text)
        assert not document.faults, path
        assert same(plain(document.roots[0]) if document.roots else None, value), path
    return compared


def test_to_value_is_the_same_reading() -> None:
    for path in paths()[::20]:
        text = text_of(path)
        value, readable = loaded(text)
        document = parse_yaml(path, text)
        if readable and document.roots and isinstance(value, dict) and _all_text(value):
            assert same(to_value(document.roots[0], PYYAML), value), path


def _all_text(value: object) -> bool:
    if isinstance(value, dict):
        return all(isinstance(key, str) for key in value) and all(map(_all_text, value.values()))
    return all(map(_all_text, value)) if isinstance(value, list) else True


def test_places_hold_in_every_file() -> None:
    for path in paths():
        check_document(parse_yaml(path, text_of(path)), PYYAML)


def test_an_error_worthy_fault_is_one_for_safe_load_too() -> None:
    """In real files and in 400 random edits of them: what we call broken, PyYAML refuses."""
    rng = random.Random(7)
    texts = [text for path in rng.sample(paths(), 120) if len(text := text_of(path)) < 3_000]
    for _ in range(400):
        text = rng.choice(texts)
        at = rng.randrange(len(text) + 1)
        new = "".join(rng.choices("\t\n {}[]:,\"'#-?&*!|>%@`~", k=rng.randrange(1, 3)))
        text = text[:at] + new + text[at + rng.randrange(3) :]
        document = parse_yaml("x.yaml", text)
        certain = [fault for fault in document.faults if not fault.limit]
        refused = [mark for mark in document.marks if PYYAML.refusal(mark.kind)]
        if certain or refused:
            assert not loaded(text)[1], (certain, refused, text)


def test_the_corpus_files_we_call_broken_are() -> None:
    broken = [path for path in paths() if parse_yaml(path, text_of(path)).faults]
    assert 0 < len(broken) < 10
    assert [path for path in broken if loaded(text_of(path))[1]] == []
