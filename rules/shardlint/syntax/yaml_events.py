"""Where YAML events come from: ruamel's C parser, its pure one where that is missing or as a second opinion.

Imports ruamel.yaml (some 12 ms): import this module inside functions only, on the first YAML text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.loader import SafeLoader

from shardlint.syntax.expression import expression
from shardlint.syntax.yaml_tree import MAX_DEPTH, Stop, TooDeep, Tree

if TYPE_CHECKING:
    from collections.abc import Callable

    from shardlint.syntax.tree import Node

_TAB_AFTER_SIGN = expression(r"(?<=[:,-])\t+(?=\S)")

_c_parser: Any
try:
    from _ruamel_yaml import CParser as _c_parser  # pyright: ignore
except ImportError:  # no wheel of ruamel.yaml.clib for this machine
    _c_parser = None


def read_c(text: str, anchors: dict[str, Node] | None = None) -> Tree:
    """Read with the C parser, or with the pure one where there is none. Never raises; see `Tree.stop`."""
    if _c_parser is not None:
        return _read(text, _c_source, anchors)
    tree = read_pure(text, anchors)
    if tree.stop is not None and (spaced := _TAB_AFTER_SIGN.sub(_as_blanks, text)) != text:
        return read_pure(spaced, anchors)
    return tree


def read_pure(text: str, anchors: dict[str, Node] | None = None) -> Tree:
    """Read with the pure parser: some 30 times slower, takes more (`[http://x]`) and less (`k:<tab>v`)."""
    return _read(text, _pure_source, anchors)


def _as_blanks(found: re.Match[str]) -> str:
    return " " * len(found.group())


def _c_source(text: str) -> Callable[[], Any]:
    next_event: Callable[[], Any] = _c_parser(text).get_event
    return next_event


def _pure_source(text: str) -> Callable[[], Any]:
    loader: Any = SafeLoader(text)
    return loader.get_event


def _read(text: str, source: Callable[[str], Callable[[], Any]], anchors: dict[str, Node] | None) -> Tree:
    tree = Tree(text, {} if anchors is None else anchors)
    try:
        tree.run(source(text))
    except TooDeep:
        at = tree.stack[-1].node.span.start
        tree.stop = Stop(at, None, f"more than {MAX_DEPTH} levels of nesting", too_deep=True)
    except MarkedYAMLError as fault:
        tree.stop = _stop_of(fault)
    except (YAMLError, ValueError, IndexError, AttributeError, TypeError, KeyError, StopIteration) as fault:
        # the pure parser raises bare errors for some junk (an escape beyond U+10FFFF, a cut text)
        position = getattr(fault, "position", tree.last)
        tree.stop = Stop(position, None, str(getattr(fault, "reason", fault)))
    if tree.stop is not None:
        tree.close_open()
    return tree


def _stop_of(fault: MarkedYAMLError) -> Stop:
    detail: Any = fault
    opener: int | None = detail.context_mark.index if detail.context_mark is not None else None
    at: int = detail.problem_mark.index if detail.problem_mark is not None else opener or 0
    return Stop(at, opener, str(detail.problem or detail.context or "not YAML"))
