"""What shardlint says about a text, in this process, told what the framework is told."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from oracle.differential.question import Question, within
from shardlint.engine import Options, lint
from shardlint.report import Finding, Severity

ROOT = Path("/differential")
"""Nothing is on the disk there: all texts are laid over it."""


class Setting(NamedTuple):
    """The releases and the reader, as `--set` gives them."""

    framework: str
    version: str
    others: tuple[str, ...] = ("versions.torch=2.13.0", "launch.cwd=.")

    def sets(self, world: int) -> tuple[str, ...]:
        own = (f"versions.{self.framework}={self.version}", f"consumer={self.framework}", *self.others)
        return (
            (*own, f"world_size={world}", "code.builds_optimizer=false")
            if self.framework == "deepspeed"
            else own
        )


def findings(question: Question, setting: Setting) -> tuple[Finding, ...]:
    """All findings about the target. RuntimeError where shardlint itself failed."""
    overlay: dict[Path, str | bytes] = {ROOT / name: text for name, text in question.files.items()}
    options = Options(root=ROOT, sets=setting.sets(question.world), overlay=overlay)
    report = lint([ROOT / question.target], options)
    if report.notices:
        raise RuntimeError("; ".join(notice.message for notice in report.notices))
    return report.findings


def errors(found: tuple[Finding, ...], layer: str) -> list[Finding]:
    """Those that say the run fails at the layer or before it."""
    return [one for one in found if one.severity == Severity.ERROR and within(one.fails_at or "", layer)]
