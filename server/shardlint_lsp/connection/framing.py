"""Messages cut out of a stream of bytes: header lines, an empty line, so many bytes of JSON.

What is no message is reported as `Malformed`, and the next header that can be found starts the next one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

MOST_BYTES = 256 * 1024**2
"""A longer message is not read: no config and no editor needs one."""
LONGEST_HEADER = 64 * 1024
CHUNK = 256 * 1024

_LENGTH = re.compile(rb"(?i)content-length[ \t]*:[ \t]*(\d{1,18})[ \t]*\r?\n\Z")
_START = re.compile(rb"(?i)content-length[ \t]*:[ \t]*\d")

Read = Callable[[int], bytes]
"""Some bytes, at most so many, as soon as there are any; none at the end of the stream."""


class Malformed(NamedTuple):
    """Bytes that are no message, and why."""

    why: str


def messages(read: Read) -> Iterator[object]:
    """Every message of a stream as what its JSON says, or `Malformed`, until the stream ends."""
    stream = _Stream(read)
    while (length := _length(stream)) is not None:
        if isinstance(length, Malformed):
            yield length
            continue
        body = stream.exactly(length)
        if body is None:
            return
        try:
            yield json.loads(body)
        except (ValueError, RecursionError) as error:
            stream.back(_following(body, error))
            yield Malformed(f"{length} bytes are no JSON: {error}")


def _following(body: bytes, error: Exception) -> bytes:
    """What of a body that is no message belongs to the next one, where its length was wrong."""
    if isinstance(error, json.JSONDecodeError) and error.msg == "Extra data":
        return error.doc[error.pos :].encode("utf-8", "surrogatepass")
    following = _START.search(body)
    return body[following.start() :] if following else b""


def _length(stream: _Stream) -> int | Malformed | None:
    """The bytes the next header announces; lines that are none are passed over. None at the end."""
    length: int | None = None
    passed = False
    while (line := stream.line()) is not None:
        found = _LENGTH.search(line)
        if found:
            length = int(found[1])
        elif line.strip():
            passed = True
        elif length is not None:
            return length if length <= MOST_BYTES else Malformed(f"{length} bytes are too long a message")
        elif passed:
            return Malformed("a header without a Content-Length")
    return None


class _Stream:
    """Bytes by lines and by numbers."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._buffer = bytearray()

    def line(self) -> bytes | None:
        """Up to a line end, which is part of it, or a piece of a line that is too long."""
        searched = 0
        while (end := self._buffer.find(b"\n", searched)) < 0:
            searched = len(self._buffer)
            if searched > LONGEST_HEADER:
                return self._taken(searched)
            if not self._more(CHUNK):
                return None
        return self._taken(end + 1)

    def exactly(self, count: int) -> bytes | None:
        while (missing := count - len(self._buffer)) > 0:
            if not self._more(max(missing, CHUNK)):
                return None
        return self._taken(count)

    def back(self, data: bytes) -> None:
        self._buffer[:0] = data

    def _taken(self, count: int) -> bytes:
        taken = bytes(self._buffer[:count])
        del self._buffer[:count]
        return taken

    def _more(self, most: int) -> bool:
        try:
            data = self._read(min(most, MOST_BYTES))
        except (OSError, ValueError):
            return False
        self._buffer += data
        return bool(data)
