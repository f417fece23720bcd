"""The valid configs that mutants are made of."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent / "seeds"


class Seed(NamedTuple):
    """A config, the files it refers to, and the world size it is valid in."""

    name: str
    framework: str
    language: str
    text: str
    world: int
    others: dict[str, str]

    @property
    def target(self) -> str:
        return f"config.{self.language}"

    def files(self, text: str) -> dict[str, str]:
        """The texts of the job by name, with `text` in place of the seed's own."""
        return {self.target: text, **self.others}


def seeds(framework: str) -> list[Seed]:
    """DeepSpeed files carry their world size in the name, accelerate files in the text."""
    folder = FOLDER / framework
    language = "json" if framework == "deepspeed" else "yaml"
    texts = {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.iterdir())}
    found: list[Seed] = []
    for name, text in texts.items():
        if name.endswith(f".{language}"):
            others = {other: texts[other] for other in texts if not other.endswith(f".{language}")}
            found.append(Seed(name, framework, language, text, _world(name, text), others))
    return found


def _world(name: str, text: str) -> int:
    stated = re.search(r"\.w(\d+)\.json\Z", name) or re.search(r"^num_processes: (\d+)", text, re.MULTILINE)
    if stated is None:
        raise ValueError(f"{name} says no world size")
    return int(stated.group(1))
