"""DeepSpeed hostfiles: `worker-0 slots=8` a line, as the launcher reads them.

Source: `deepspeed/launcher/runner.py` `_parse_hostfile` (0.19.8): lines are stripped, empty ones and
those that start with `#` skipped, the rest must match `^(\\S+)\\s+slots=(\\d+)`; what follows is ignored.
"""

from __future__ import annotations

import re

from shardlint.syntax.document import Document, Fault, Mark
from shardlint.syntax.expression import expression
from shardlint.syntax.template import is_template
from shardlint.syntax.tree import Mapping, Pair, Scalar, Span
from shardlint.syntax.view import Plain, Refusal, Template

_LINE = expression(r"[^\r\n]+")
_ENTRY = expression(r"(\S+)\s+slots=(\d+)")
_OPEN_SLOTS = expression(r"(\S+)\s+slots=[\"']?([^\s\"'].*?)[\"']?")
_OPEN_LINE = expression(r"((.+))")
_COMMENT = expression(r"(?<=\s)#.*")
_LONGEST = 60


class HostfileDialect:
    """Slots are whole numbers, `08` is 8; a placeholder is open."""

    name = "DeepSpeed hostfile"

    def read(self, scalar: Scalar) -> Plain:
        if is_template(scalar.text, scalar.style):
            return Template(scalar.raw)
        try:
            return int(scalar.text)
        except ValueError:
            return scalar.text

    def refusal(self, mark: str) -> Refusal | None:
        """A host named twice is refused."""
        return Refusal("refuses a host that is defined twice") if mark == "duplicate-key" else None


HOSTFILE = HostfileDialect()


def parse_hostfile(name: str, text: str) -> Document:
    """A mapping host -> slots. Never raises.

    Faults: `bad-hostfile-line`, the launcher raises on such a line. Marks: `comment`, and `duplicate-key`
    for a host that is named again (`related` is where it was named first).
    """
    pairs: list[Pair] = []
    faults: list[Fault] = []
    marks: list[Mark] = []
    comments: list[Span] = []
    first: dict[str, Span] = {}
    for line in _LINE.finditer(text):
        content = line.group().strip()
        start = line.start() + len(line.group()) - len(line.group().lstrip())
        if not content:
            continue
        if content.startswith("#"):
            comments.append(Span(start, start + len(content)))
            continue
        entry = _ENTRY.match(content) or _open_entry(content)
        if entry is None:
            faults.append(_fault(content, start))
            continue
        pair = _pair(entry, start)
        pairs.append(pair)
        if first.setdefault(pair.key.text, pair.key.span) is not pair.key.span:
            marks.append(Mark("duplicate-key", pair.key.span, first[pair.key.text]))
        remark = _COMMENT.search(content, entry.end())
        if remark is not None:
            comments.append(Span(start + remark.start(), start + remark.end()))
    marks.extend(Mark("comment", span) for span in comments)
    marks.sort(key=lambda mark: mark.span)
    root = Mapping(Span(pairs[0].span.start, pairs[-1].span.end), pairs, flow=False) if pairs else None
    return Document(name, text, "text", (root,) if root else (), tuple(faults), tuple(marks), tuple(comments))


def _pair(entry: re.Match[str], base: int) -> Pair:
    host = Scalar(Span(base + entry.start(1), base + entry.end(1)), entry.group(1), entry.group(1))
    slots = Scalar(Span(base + entry.start(2), base + entry.end(2)), entry.group(2), entry.group(2))
    return Pair(host, slots, Span(host.span.start, slots.span.end))


def _open_entry(content: str) -> re.Match[str] | None:
    """A line that another program fills in: its slots, or hosts and slots, are a placeholder."""
    for form in (_OPEN_SLOTS, _OPEN_LINE):
        entry = form.fullmatch(content)
        if entry is not None and is_template(entry.group(2), "plain"):
            return entry
    return None


def _fault(content: str, start: int) -> Fault:
    shown = content if len(content) <= _LONGEST else content[: _LONGEST - 3] + "..."
    message = f"`{shown}` is not a host and its slots, like `worker-0 slots=8`"
    return Fault("bad-hostfile-line", Span(start, start + len(content)), message)
