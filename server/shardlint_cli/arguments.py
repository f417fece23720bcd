"""An argument parser that names the nearest known word, and the value types the commands share."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn


class Parser(argparse.ArgumentParser):
    """Options by their full names only; a usage error is one line and exit code 2.

    Arguments are added to groups: added to the parser itself, each is tried in the layout of the help, for
    which argparse imports `shutil` (and from Python 3.14 on `dataclasses`), 3 ms of a cold start and more.
    """

    def __init__(self, command: str, description: str, examples: str) -> None:
        super().__init__(
            prog=f"shardlint {command}",
            description=description,
            epilog=f"examples:\n{examples}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
            add_help=False,
        )
        self.arguments = self.add_argument_group("arguments")
        self.options = self.add_argument_group("options")
        self.add_argument("-h", "--help", action="help", help="show this help message and exit")

    def add_argument(self, *names: str, **settings: Any) -> argparse.Action:
        group = self.options if names[0].startswith("-") else self.arguments
        return group.add_argument(*names, **settings)

    def read(self, argv: Sequence[str]) -> argparse.Namespace:
        """The parsed arguments; a word nothing takes ends the run."""
        arguments, extra = self.parse_known_args(argv)
        if extra:
            word = extra[0].partition("=")[0]
            self.error(f"unknown argument {extra[0]}{did_you_mean(word, self._option_string_actions)}")
        return arguments

    def error(self, message: str) -> NoReturn:
        from shardlint_cli.terminal import screen_of

        told = screen_of(sys.stderr).safe(message)
        self.exit(2, f"{self.prog}: {told}; see `{self.prog} --help`\n")


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
