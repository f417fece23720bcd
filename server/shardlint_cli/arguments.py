"""An argument parser that names the nearest known word, and the value types the commands share."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import NoReturn

from shardlint_cli.terminal import screen_of


class Parser(argparse.ArgumentParser):
    """Options by their full names only; a usage error is one line and exit code 2."""

    def __init__(self, command: str, description: str, examples: str) -> None:
        super().__init__(
            prog=f"shardlint {command}",
            description=description,
            epilog=f"examples:\n{examples}",
            formatter_class=_Help,
            allow_abbrev=False,
        )

    def read(self, argv: Sequence[str]) -> argparse.Namespace:
        """The parsed arguments; a word nothing takes ends the run."""
        arguments, extra = self.parse_known_args(argv)
        if extra:
            word = extra[0].partition("=")[0]
            self.error(f"unknown argument {extra[0]}{did_you_mean(word, self._option_string_actions)}")
        return arguments

    def error(self, message: str) -> NoReturn:
        told = screen_of(sys.stderr).safe(message)
        self.exit(2, f"{self.prog}: {told}; see `{self.prog} --help`\n")


class _Help(argparse.RawDescriptionHelpFormatter):
    """Help as wide as the terminal. Argparse finds that width with `shutil`, whose import costs 3 ms, and it
    makes a formatter whenever an argument is added."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=(screen_of(sys.stdout).width or 80) - 2)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """` (did you mean X?)`, or nothing where no known word is near."""
    from difflib import get_close_matches

    near = get_close_matches(word, list(known), n=1)
    return f" (did you mean {near[0]}?)" if near else ""


def one_of(what: str, names: Iterable[str]) -> Callable[[str], str]:
    """A type for a word out of a list, in any case."""
    known = tuple(names)

    def convert(text: str) -> str:
        word = text.lower()
        if word in known:
            return word
        near = did_you_mean(word, known)
        raise argparse.ArgumentTypeError(f"unknown {what} {text}{near}, known: {', '.join(known)}")

    return convert


def path(text: str) -> str:
    """A path; an empty word, as an unset variable of a script gives, is none."""
    if not text:
        raise argparse.ArgumentTypeError("an empty word names no file")
    return text


def words(text: str) -> tuple[str, ...]:
    """A comma-separated list."""
    return tuple(word.strip() for word in text.split(",") if word.strip())


def add_format(parser: Parser) -> None:
    """The two formats every command has that only shows something."""
    formats = ("text", "json")
    convert = one_of("format", formats)
    parser.add_argument("--format", type=convert, default="text", metavar="FORMAT", help="text or json")
