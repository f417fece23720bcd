"""Real configs under the real frameworks: what they take has no error, what they refuse has one at the cause.

`python -m oracle.differential.real_files --framework deepspeed` with `tests` on the path.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import PurePath
from typing import Any, NamedTuple

import yaml

from corpus import corpus_bytes, corpus_root, manifest
from oracle.differential.ours import Setting, errors, findings
from oracle.differential.question import Answer, Question
from oracle.differential.texts import Pairs, Path, drop, has, paired, write
from oracle.differential.undecidable import decidable
from oracle.differential.worker import Worker
from oracle.environments import RELEASES, find, make
from shardlint.formats.registry import recognise
from shardlint.report import Finding
from shardlint.syntax.dialects.hjson import HJSON
from shardlint.syntax.dialects.pyyaml import PYYAML
from shardlint.syntax.keypath import parse
from shardlint.syntax.parse import parse as parse_text
from shardlint.syntax.view import Template, View

SUFFIXES = {"deepspeed": (".json", ".jsonc", ".hjson"), "accelerate": (".yaml", ".yml", ".json")}
WORLD = 8
OPEN, UNKNOWN, AGREE, FALSE_ALARM, MISS, ELSEWHERE, BROKEN = (
    "filled in by a script",
    "not taken for a config of the framework",
    "agree",
    "false alarm",
    "miss",
    "elsewhere",
    "broken",
)


class Case(NamedTuple):
    """A file of the corpus, what the framework answered and what we call errors in it."""

    path: str
    outcome: str
    answer: Answer
    ours: tuple[Finding, ...]


def texts(framework: str) -> list[tuple[str, str]]:
    """Path and text of every file of the corpus that the framework reads."""
    found: list[tuple[str, str]] = []
    for row in manifest():
        if row.label == framework and PurePath(row.path).suffix in SUFFIXES[framework]:
            try:
                found.append((row.path, corpus_bytes(row.path).decode("utf-8")))
            except UnicodeDecodeError:
                continue
    return found


def judge(path: str, text: str, setting: Setting, worker: Worker) -> Case:
    """One file, alone: what it refers to is not there."""
    data = _data(text, setting.framework)
    if is_open(text, path) or (isinstance(data, Pairs) and not decidable("config")(data)):
        return Case(path, OPEN, Answer(None), ())
    target = f"config{PurePath(path).suffix}"
    question = Question({target: text}, target, world_of(data), "config")
    answer = worker.ask(question)
    ours = tuple(errors(findings(question, setting), "config"))
    if recognise(parse_text(text, target)) is None:
        return Case(path, UNKNOWN, answer, ours)
    if answer.broken:
        return Case(path, BROKEN, answer, ours)
    if answer.refused is None:
        return Case(path, FALSE_ALARM if ours else AGREE, answer, ours)
    if not ours:
        return Case(path, MISS, answer, ours)
    right = any(_is_cause(one, data, question, answer, worker) for one in ours)
    return Case(path, AGREE if right else ELSEWHERE, answer, ours)


def is_open(text: str, path: str) -> bool:
    """Whether placeholders stand in the text: no framework gets it as it is."""
    document = parse_text(text, path)
    if any(mark.kind == "template" for mark in document.marks):
        return True
    return any(
        isinstance(entry.value, Template)
        for entry in View(document, HJSON if document.language == "json" else PYYAML).walk()
    )


def world_of(data: Any) -> int:
    """The world size the batch keys ask for, else a usual one."""
    if not isinstance(data, Pairs):
        return WORLD
    keys = ("train_batch_size", "train_micro_batch_size_per_gpu", "gradient_accumulation_steps")
    batch, micro, steps = (data.at(key) if key in data.names() else None for key in keys)
    numbers = [value for value in (batch, micro, steps) if isinstance(value, int) and value > 0]
    if len(numbers) == len(keys) and batch % (micro * steps) == 0:
        return batch // (micro * steps)
    return WORLD


def _data(text: str, framework: str) -> Any:
    """The file as pairs, or None where it is not plain; DeepSpeed's comments are taken out."""
    try:
        if framework == "deepspeed":
            import hjson

            return paired(hjson.loads(text))
        return paired(yaml.safe_load(text))
    except Exception:
        return None


def _is_cause(finding: Finding, data: Any, question: Question, before: Answer, worker: Worker) -> bool:
    """Whether the framework answers something else once the key is gone, or the key is what is missing."""
    if finding.code.startswith("SYN") or finding.place.missing is not None:
        return True
    places = (finding.place, *(one.place for one in finding.related))
    keys: list[Path] = [tuple(str(step) for step in parse(place.key)) for place in places if place.key]
    if not isinstance(data, Pairs) or not keys or not has(data, keys[0]):
        return False
    tree = paired_copy(data)
    for where in keys:
        drop(tree, where)
    language = "json" if question.target.endswith("json") else "yaml"
    after = worker.ask(question._replace(files={question.target: write(tree, language)}))
    return after.refused is None or after.message != before.message


def paired_copy(data: Pairs) -> Pairs:
    return Pairs([key, paired_copy(value) if isinstance(value, Pairs) else value] for key, value in data)


def cases(framework: str, version: str) -> list[Case]:
    """Every real file of a framework, judged under one release."""
    environment = find(framework, version) or make(framework, version)
    setting = Setting(framework, version)
    with Worker(environment) as worker:
        return [judge(path, text, setting, worker) for path, text in texts(framework)]


def told(found: list[Case]) -> str:
    """The counts, and every case in which the two do not agree."""
    counts = Counter(case.outcome for case in found)
    refused = sum(case.answer.refused is not None for case in found)
    lines = [f"{len(found)} files, {refused} refused: {dict(counts)}"]
    for case in found:
        if case.outcome in (MISS, FALSE_ALARM, ELSEWHERE, BROKEN):
            lines.append(f"{case.outcome}: {case.path}")
            lines.append(f"    theirs: {case.answer.refused} {case.answer.message}{case.answer.broken}")
            lines += [f"    ours: {one.code} at {one.place.key!r}: {one.message}" for one in case.ours[:3]]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m oracle.differential.real_files", description=__doc__)
    parser.add_argument("--framework", choices=list(RELEASES), required=True)
    parser.add_argument("--version", help="a release; the newest known by default")
    asked = parser.parse_args()
    if corpus_root() is None:
        print("no corpus: set SHARDLINT_CORPUS to its folder")
        return 2
    found = cases(asked.framework, asked.version or RELEASES[asked.framework][0])
    print(told(found))
    return 0 if all(case.outcome in (AGREE, OPEN, UNKNOWN) for case in found) else 1


if __name__ == "__main__":
    sys.exit(main())
