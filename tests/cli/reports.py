"""Reports built by hand: what the renderers are given, without an engine behind them."""

from __future__ import annotations

from shardlint.report import ERROR, INFO, WARNING, FileReport, Finding, Fix, Place, Related, Report, Severity
from shardlint.syntax.document import Document
from shardlint.syntax.tree import Span

DEEPSPEED = '{\n  "zero_optimization": {\n    "stage": 3\n  },\n  "train_batch_size": 30\n}\n'
ACCELERATE = "num_machines: 1\nnum_processes: 8\n"


def place_of(text: str, word: str, path: str = "ds.json", key: str = "k", at: int = 0) -> Place:
    """The place of the first `word` at or after offset `at` of a text."""
    start = text.index(word, at)
    return Place(path, key, Span(start, start + len(word)), Document(path, text, "json"))


def finding_at(place: Place, message: str = "a message", severity: Severity = WARNING) -> Finding:
    return Finding(
        message,
        place,
        severity,
        rule="some-rule",
        code="KEY001",
        default_severity=severity,
        jobs=(place.path,),
    )


def batch_report() -> Report:
    """An error with all its parts and an information, in two files."""
    error = Finding(
        "train_batch_size 30 is not micro_batch 1 x accumulation 1 x DP 8 = 8; DeepSpeed refuses to start",
        place_of(DEEPSPEED, "30", key="train_batch_size"),
        ERROR,
        fails_at="config",
        help="One of the three numbers must change.",
        related=(
            Related(
                place_of(ACCELERATE, "8", "accelerate.yaml", "num_processes"), "8 processes come from here"
            ),
        ),
        fixes=(Fix("set train_batch_size to 8"), Fix("remove train_batch_size", safe=True)),
        rule="batch-mismatch",
        code="BAT001",
        default_severity=ERROR,
        jobs=("accelerate.yaml",),
    )
    note = Finding(
        "ZeRO-3 state is 13.04 GiB/rank but activations not budgeted",
        place_of(DEEPSPEED, "3", key="zero_optimization.stage"),
        INFO,
        confidence="estimated",
        assumes=("mixed-precision Adam",),
        rule="activations-not-budgeted",
        code="MEM001",
        default_severity=INFO,
        jobs=("accelerate.yaml",),
    )
    files = (FileReport("accelerate.yaml", "accelerate"), FileReport("ds.json", "deepspeed"))
    return Report(files, (note, error), ({"id": "accelerate.yaml"},))
