"""What holds for every finding on every config: places, honesty, and that an unknown value is never wrong."""

from __future__ import annotations

import json
import random
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from corpus import corpus_root, manifest, requires_corpus
from shardlint.engine import Options, lint
from shardlint.report import ERROR, WARNING, Finding, Report
from shardlint.syntax.parse import parse
from shardlint.syntax.tree import Mapping, Node, Scalar, Sequence

EXAMPLES = Path(__file__).parents[2] / "examples"
TRAINING = {"deepspeed", "accelerate", "fsdp", "trl", "hostfile"}


def report_on(name: str, text: str, sets: tuple[str, ...] = ()) -> Report:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        return lint([path], Options(root=Path(folder), overlay={path: text}, sets=sets))


def training_texts(count: int, seed: int) -> Iterator[tuple[str, str]]:
    root = corpus_root()
    assert root is not None
    rows = [row for row in manifest() if row.label in TRAINING]
    for row in random.Random(seed).sample(rows, min(count, len(rows))):
        path = root / row.path
        yield path.name, path.read_bytes().decode("utf-8", "replace")


def assert_sound(report: Report, text: str) -> None:
    assert not report.notices, report.notices
    for finding in report.findings:
        place = finding.place
        assert place.document is not None
        assert 0 <= place.span.start <= place.span.end <= len(text), finding
        assert finding.severity != ERROR or finding.confidence == "certain", finding
        assert (finding.fails_at is not None) == (finding.severity == ERROR), finding
        assert finding.severity <= finding.default_severity, finding
        assert_at_key(finding)


def assert_at_key(finding: Finding) -> None:
    """The span of a finding at a key lies on that key's pair."""
    place = finding.place
    if not place.key or place.document is None or place.key.startswith("#"):
        return
    last = place.key.rsplit(".", 1)[-1].split("[")[0].strip('"')
    line_start = place.document.text.rfind("\n", 0, place.span.start) + 1
    before = place.document.text[: place.span.end]
    assert last in before[line_start:] or last in before, finding


@requires_corpus
def test_every_finding_on_real_files_stands_in_the_text_and_only_the_certain_is_an_error() -> None:
    for name, text in training_texts(250, seed=1):
        assert_sound(report_on(name, text), text.removeprefix("\ufeff"))


@requires_corpus
def test_a_placeholder_in_place_of_any_scalar_never_adds_a_warning() -> None:
    drawn = random.Random(2)
    for name, text in training_texts(120, seed=3):
        before = loud(report_on(name, text))
        for span in drawn.sample(spans := scalar_spans(name, text), min(6, len(spans))):
            template = '"${FILL_ME}"' if name.endswith("json") else "${FILL_ME}"
            changed = text[: span[0]] + template + text[span[1] :]
            added = loud(report_on(name, changed)) - before
            assert not added, (name, text[span[0] : span[1]], added)


def loud(report: Report) -> Counter[str]:
    """How often each rule warns; one that tells several keys at once may move to the next of them."""
    return Counter(f.rule for f in report.findings if f.severity >= WARNING)


def scalar_spans(name: str, text: str) -> list[tuple[int, int]]:
    """Values (not keys) of a text that are written on one line."""
    document = parse(text, name)
    if document.faults:
        return []
    pending: list[Node] = list(document.roots)
    spans: list[tuple[int, int]] = []
    while pending:
        node = pending.pop()
        if isinstance(node, Scalar) and node.style not in ("missing", "literal", "folded"):
            spans.append((node.span.start, node.span.end))
        elif isinstance(node, Mapping):
            pending.extend(pair.value for pair in node.pairs)
        elif isinstance(node, Sequence):
            pending.extend(node.items)
    return sorted(spans)


def plan_spellings() -> Iterator[tuple[str, str, str]]:
    drawn = random.Random(4)
    for _ in range(12):
        config = {
            "train_micro_batch_size_per_gpu": drawn.choice([1, 2, 4]),
            "gradient_accumulation_steps": drawn.choice([1, 8]),
            "bf16": {"enabled": drawn.choice([True, False])},
            "zero_optimization": {
                "stage": drawn.choice([0, 1, 2, 3]),
                "reduce_bucket_size": drawn.choice([50_000_000, 500_000_000]),
                "overlap_comm": drawn.choice([True, False]),
            },
        }
        yield json.dumps(config, indent=2), as_yaml(config), as_toml(config)


def as_yaml(config: dict[str, object], indent: str = "") -> str:
    lines: list[str] = []
    for key, value in config.items():
        if isinstance(value, dict):
            lines.append(f"{indent}{key}:\n{as_yaml(value, indent + '  ')}")
        else:
            lines.append(f"{indent}{key}: {json.dumps(value)}\n")
    return "".join(lines)


def as_toml(config: dict[str, object]) -> str:
    plain = [f"{key} = {json.dumps(value)}" for key, value in config.items() if not isinstance(value, dict)]
    for key, value in config.items():
        if isinstance(value, dict):
            plain += [f"[{key}]", *(f"{name} = {json.dumps(inner)}" for name, inner in value.items())]
    return "\n".join(plain) + "\n"


@pytest.mark.parametrize(("as_json", "yaml", "toml"), list(plan_spellings()))
def test_json_yaml_and_toml_spellings_of_one_plan_give_the_same_ledger(
    as_json: str, yaml: str, toml: str
) -> None:
    sets = ("world_size=8", "model.params=7B")
    ledgers = [
        [plan["ledger"] for job in report_on(name, text, sets).jobs for plan in job["plans"]]  # type: ignore[union-attr]
        for name, text in (("ds.json", as_json), ("ds.hjson", as_json), ("ds.yaml", yaml), ("ds.toml", toml))
    ]
    assert ledgers[0]
    assert all(ledger == ledgers[0] for ledger in ledgers)


def test_the_shipped_examples_are_sound() -> None:
    report = lint([EXAMPLES], Options(root=EXAMPLES))
    for finding in report.findings:
        if finding.place.document is not None:
            assert_sound(Report((), (finding,)), finding.place.document.text)


@pytest.mark.parametrize(
    ("ignore", "settings"), [(("misplaced-key",), ""), ((), '[lint]\nignore = ["misplaced-key"]\n')]
)
def test_a_silenced_rule_hides_nothing_else(tmp_path: Path, ignore: tuple[str, ...], settings: str) -> None:
    text = json.dumps({"train_batch_size": 8, "zero_optimization": {"stage": 2}, "overlap_comm": True})
    overlay = {tmp_path / "ds.json": text, tmp_path / "shardlint.toml": settings}
    report = lint([tmp_path / "ds.json"], Options(root=tmp_path, ignore=ignore, overlay=overlay))
    assert [f.rule for f in report.findings if f.place.key == "overlap_comm"] == ["unknown-key"]
