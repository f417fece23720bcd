"""CPU time of parse and values over a folder of real files, beside each language's plain loader, in one run.

    python benchmarks/parse.py FOLDER

Per language: median, 95th percentile and maximum in milliseconds, best of three a file. The loaders beside
it (json.loads, PyYAML's C loader, tomllib) give values alone: no places, no comments, no faulty text.
"""

from __future__ import annotations

import json
import sys
import time
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from shardlint.syntax.dialects.pyyaml import PYYAML
from shardlint.syntax.dialects.strict_json import STRICT_JSON
from shardlint.syntax.dialects.toml import TOML
from shardlint.syntax.parse import parse
from shardlint.syntax.view import Dialect, to_value

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 3


class Language(NamedTuple):
    name: str
    suffixes: tuple[str, ...]
    dialect: Dialect
    loader: str
    load: Callable[[str], Any]


def pyyaml() -> tuple[str, Callable[[str], Any]]:
    yaml: Any = import_module("yaml")
    loader = getattr(yaml, "CSafeLoader", None)
    if loader is None:
        return "PyYAML (pure)", yaml.safe_load
    return "PyYAML (C)", lambda text: yaml.load(text, Loader=loader)


def tomllib() -> tuple[str, Callable[[str], Any]]:
    name = "tomllib" if sys.version_info >= (3, 11) else "tomli"
    return name, import_module(name).loads


LANGUAGES = (
    Language("JSON", (".json",), STRICT_JSON, "json.loads", json.loads),
    Language("YAML", (".yaml", ".yml"), PYYAML, *pyyaml()),
    Language("TOML", (".toml",), TOML, *tomllib()),
)


REFUSALS: tuple[type[Exception], ...] = (ValueError, RecursionError, import_module("yaml").YAMLError)


def best(work: Callable[[], object]) -> float:
    """Milliseconds of CPU, the best of ROUNDS. Work that raises counts as well."""
    times: list[float] = []
    for _ in range(ROUNDS):
        begin = time.process_time()
        with suppress(*REFUSALS):
            work()
        times.append(1e3 * (time.process_time() - begin))
    return min(times)


def parse_and_read(text: str, path: Path, language: Language) -> None:
    for root in parse(text, path.name).roots:
        to_value(root, language.dialect)


def row(name: str, times: list[float]) -> str:
    times = sorted(times)
    median, p95 = times[len(times) // 2], times[min(len(times) * 95 // 100, len(times) - 1)]
    return f"{name:<24} {len(times):>6} {median:>9.3f} {p95:>9.3f} {times[-1]:>9.3f}"


def measure(language: Language, folder: Path) -> None:
    files = [
        path for path in sorted(folder.rglob("*")) if path.suffix in language.suffixes and path.is_file()
    ]
    texts = [(path, path.read_text(encoding="utf-8-sig", errors="replace")) for path in files]
    if not texts:
        return
    parse_and_read(texts[0][1], texts[0][0], language)  # imports are not what is measured
    ours = [best(partial(parse_and_read, text, path, language)) for path, text in texts]
    theirs = [best(partial(language.load, text)) for _, text in texts]
    print(row(f"{language.name} parse + values", ours))
    print(row(f"{language.name} {language.loader}", theirs))


def main(folder: Path) -> None:
    print(f"{'ms CPU':<24} {'files':>6} {'median':>9} {'p95':>9} {'max':>9}")
    for language in LANGUAGES:
        measure(language, folder)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python benchmarks/parse.py FOLDER")
    main(Path(sys.argv[1]))
