"""The `shardlint` command: picks the subcommand and turns what happens into an exit code."""

from __future__ import annotations

import gc
import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn, Protocol, cast

from shardlint import __version__
from shardlint_cli.terminal import printable_anywhere

COMMANDS = {
    "check": "lint config files",
    "ledger": "print what each rank must hold, for a file or for figures",
    "explain": "explain a rule, a config key or a setting",
    "rules": "list the rules",
    "schema": "print a JSON Schema for editors",
    "lsp": "serve an editor: diagnostics, hover, completion, inlay hints",
}

OK, FINDINGS, FAILURE, INTERRUPTED, CLOSED_PIPE = 0, 1, 2, 130, 141

EXAMPLES = """\
examples:
  shardlint check                             configs below this folder
  shardlint check ds.json --set world_size=8  with a fact the file leaves open
  shardlint ledger --params 7B --dp 8         GiB a rank, every ZeRO stage
  shardlint explain zero_optimization.stage   what a key means
"""


class Command(Protocol):
    def run(self, argv: Sequence[str]) -> int:
        """Run with the arguments after the command's name; the exit code."""
        ...


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv` (without the program's name) and return its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    _prepare_streams()
    try:
        code = _dispatch(words)
        sys.stdout.flush()
    except BrokenPipeError:
        _discard_output()
        return CLOSED_PIPE
    except KeyboardInterrupt:
        sys.stderr.write("shardlint: interrupted\n")
        return INTERRUPTED
    except OSError as error:
        _discard_output()
        where = f"{error.filename}: " if error.filename else ""
        sys.stderr.write(f"shardlint: {where}{error.strerror or error}\n")
        return FAILURE
    except Exception as error:
        sys.stderr.write(f"shardlint: {_fault_of_ours(error)}\n")
        return FAILURE
    return code


def run() -> NoReturn:
    """The console script. A short run pays neither for garbage collection nor for a tidy end."""
    gc.set_threshold(100_000, 50, 50)
    code = main()
    sys.stderr.flush()
    os._exit(code)


def _fault_of_ours(error: Exception) -> str:
    """A line that is enough for a bug report."""
    from pathlib import Path
    from traceback import extract_tb

    at = extract_tb(error.__traceback__)[-1]
    place = f"{Path(at.filename).name}:{at.lineno}"
    message = " ".join(str(error).split())[:200]
    return f"this is a fault of shardlint, please report it: {type(error).__name__} at {place}: {message}"


def _dispatch(words: list[str]) -> int:
    if not words:
        sys.stderr.write(_help())
        return FAILURE
    name, *rest = words
    if name in COMMANDS:
        command = cast("Command", import_module(f"shardlint_cli.commands.{name}"))
        return command.run(rest)
    if name in ("-h", "--help", "help"):
        sys.stdout.write(_help())
        return OK
    if name in ("-V", "--version", "version"):
        sys.stdout.write(f"shardlint {__version__}\n")
        return OK
    sys.stderr.write(f"shardlint: {_unknown(name)}\n")
    return FAILURE


def _help() -> str:
    commands = "".join(f"  {name:9} {summary}\n" for name, summary in COMMANDS.items())
    return (
        "usage: shardlint COMMAND [ARGUMENTS]\n\n"
        "Lint the config files that decide how a training job is sharded.\n\n"
        f"commands:\n{commands}\n"
        "`shardlint COMMAND --help` lists the arguments of a command,\n"
        "`shardlint --version` says which release this is.\n\n"
        f"{EXAMPLES}"
    )


def _unknown(name: str) -> str:
    from shardlint_cli.arguments import did_you_mean

    if name.startswith("-"):
        return f"unknown option {name}; options follow the command, as in `shardlint check {name}`"
    if os.path.lexists(name):
        return f"{name} is no command; to lint it: shardlint check {name}"
    return f"unknown command {name}{did_you_mean(name, COMMANDS)}; commands are {', '.join(COMMANDS)}"


def _prepare_streams() -> None:
    """Streams that can be written to whatever the caller closed, and show every character somehow."""
    if sys.stdin is None:  # pyright: ignore[reportUnnecessaryComparison]
        sys.stdin = io.TextIOWrapper(io.BytesIO())
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, io.TextIOWrapper(io.BytesIO()))
    printable_anywhere(sys.stdout)
    printable_anywhere(sys.stderr)


def _discard_output() -> None:
    """Nobody takes the output: keep the interpreter from complaining when it flushes at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
