"""Path patterns of the settings: `configs/7b/**`, `*.json`, `a/b.json`."""

from __future__ import annotations

import re
from functools import lru_cache


def matches(pattern: str, path: str) -> bool:
    """Whether a path with `/`, relative to the settings file, is meant by a pattern.

    A pattern without `/` is tried on the last part of the path; `*` and `?` stay within one part, `**`
    crosses them; a pattern that names a folder means everything below it.
    """
    pattern = re.sub(r"(\*\*/)+", "**/", re.sub(r"\*{3,}", "**", pattern.removeprefix("./")))
    target = path if "/" in pattern.rstrip("/") else path.rpartition("/")[2]
    return _regex(pattern).match(target) is not None


@lru_cache(maxsize=256)
def _regex(pattern: str) -> re.Pattern[str]:
    out = ""
    at = 0
    while at < len(pattern):
        if pattern.startswith("**/", at):
            out, at = out + "(?:[^/]+/)*", at + 3
        elif pattern.startswith("**", at):
            out, at = out + ".*", at + 2
        else:
            char = pattern[at]
            out += {"*": "[^/]*", "?": "[^/]"}.get(char, re.escape(char))
            at += 1
    return re.compile(out.removesuffix("/") + ("/.*" if pattern.endswith("/") else "") + r"\Z")
