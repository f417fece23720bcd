"""Workspace: the files of one lint, with the unsaved texts of an editor laid over them."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, TypeVar, cast

from shardlint.report import Notice
from shardlint.syntax.document import Document
from shardlint.workspace.walk import Walk

T = TypeVar("T")

MAX_BYTES = 4 * 1024 * 1024
"""Larger files are not read: no config of a training job comes near it."""


class Resolved(NamedTuple):
    """The file a name leads to, or None, and the paths that were tried, as people are shown them."""

    path: Path | None
    tried: tuple[str, ...]


class Workspace:
    """Files below `root` (paths are shown relative to it). `overlay` holds unsaved texts by path.

    Nothing here raises for what is on the disk: a file that cannot be read is a Notice.
    """

    def __init__(self, root: Path, overlay: Mapping[Path, str | bytes] | None = None) -> None:
        self.root = absolute(root)
        self.overlay: dict[Path, str | bytes] = {}
        self.lay(overlay or {})
        self._documents: dict[Path, tuple[bytes | str, Document]] = {}
        self._derived: dict[tuple[Path, Callable[[Document], object]], tuple[Document, object]] = {}

    def lay(self, overlay: Mapping[Path, str | bytes]) -> None:
        """Unsaved texts from now on, in place of those before."""
        self.overlay = {absolute(path): text for path, text in overlay.items()}

    def forget(self, keep: int = 0) -> None:
        """Drop what was read, but the `keep` files read last."""
        for path in [*self._documents][: len(self._documents) - keep]:
            del self._documents[path]
        for key in [key for key in self._derived if key[0] not in self._documents]:
            del self._derived[key]

    def display(self, path: Path) -> str:
        """A path as people and machines are shown it: relative to the root, with `/`."""
        return _shown(str(absolute(path)), str(self.root))

    def absolute(self, name: str) -> Path:
        """The path of a file that `display` shows as `name`."""
        return absolute(self.root / name)

    def read(self, path: Path) -> Document | Notice:
        """The parsed file; the same Document again as long as its content is the same."""
        content = self.content(path)
        if isinstance(content, Notice):
            self._documents.pop(self._full(path), None)
            return content
        return self.parsed(path, content)

    def parsed(self, path: Path, content: str | bytes) -> Document:
        """A file with that content, parsed; the same Document again as long as it is the same."""
        path = self._full(path)
        known = self._documents.pop(path, None)
        if known is None or known[0] != content:
            from shardlint.syntax.parse import parse

            known = (content, parse(content, self.display(path)))
        self._documents[path] = known
        return known[1]

    def derived(self, path: Path, content: str | bytes, make: Callable[[Document], T]) -> T:
        """What `make` makes of a file with that content, made once for it."""
        document = self.parsed(path, content)
        key = (self._full(path), make)
        known = self._derived.get(key)
        if known is None or known[0] is not document:
            known = (document, make(document))
            self._derived[key] = known
        return cast("T", known[1])

    def text(self, path: Path) -> str | None:
        """The text of a file, or None where it cannot be read."""
        content = self.content(path)
        if isinstance(content, Notice):
            return None
        return content if isinstance(content, str) else content.decode("utf-8-sig", "replace")

    def content(self, path: Path) -> bytes | str | Notice:
        """What an editor or standard input gives in its place, else its bytes, or why there are none."""
        path = self._full(path)
        unsaved, name = self.overlay.get(path), self.display(path)
        if unsaved is not None:
            limit = MAX_BYTES // 1024**2
            too_large = Notice(name, f"{name} is more than {limit} MiB, which is not read")
            return too_large if len(unsaved) > MAX_BYTES else unsaved
        try:
            info = path.stat()
            if not stat.S_ISREG(info.st_mode):
                return Notice(name, f"{name} is {_kind(info.st_mode)}, not a file")
            if info.st_size > MAX_BYTES:
                size = info.st_size / (1024 * 1024)
                return Notice(
                    name, f"{name} is {size:.1f} MiB; files above {MAX_BYTES // 1024**2} MiB are not read"
                )
            return path.read_bytes()
        except (OSError, ValueError) as error:
            return Notice(name, f"{name} cannot be read: {_reason(error)}")

    def head(self, path: Path, size: int = 4096) -> str | None:
        """The first bytes of a file as text, for a test before any parse; None where it cannot be read."""
        path = self._full(path)
        unsaved = self.overlay.get(path)
        if unsaved is not None:
            return unsaved[:size] if isinstance(unsaved, str) else _decoded(unsaved[:size])
        try:
            if not stat.S_ISREG(path.stat().st_mode):
                return None
            with path.open("rb") as file:
                return _decoded(file.read(size))
        except (OSError, ValueError):
            return None

    def exists(self, path: Path) -> bool:
        """Whether there is a regular file, or an unsaved text, at a path."""
        path = self._full(path)
        try:
            return path in self.overlay or path.is_file()
        except (OSError, ValueError):
            return False

    def resolve(self, target: str, base: Path) -> Resolved:
        """The file a config calls `target`: from the root, then the folder of `base` (a file or folder), then
        that folder's ancestors up to the root."""
        tried: list[str] = []
        for candidate in self._candidates(target, self._full(base)):
            if self.exists(candidate):
                return Resolved(candidate, tuple(tried))
            tried.append(self.display(candidate))
        return Resolved(None, tuple(tried))

    def walk(self, paths: Iterable[Path], walk: Walk | None = None) -> Iterator[Path]:
        """The files to look at: those named, and the config files below the folders named, in a fixed order.

        `walk.notices` holds what could not be looked at.
        """
        yield from (walk or Walk(self)).files(self._full(path) for path in paths)

    def _candidates(self, target: str, base: Path) -> Iterator[Path]:
        if not target.strip() or "\0" in target:
            return
        wanted = Path(os.path.expanduser(target))  # noqa: PTH111
        if wanted.is_absolute():
            yield wanted
            return
        folder = base if os.path.isdir(base) else base.parent  # noqa: PTH112 - Path.is_dir raises
        seen: set[Path] = set()
        for level in (self.root, folder, *self._ancestors(folder)):
            candidate = absolute(level / wanted)
            if candidate not in seen:
                seen.add(candidate)
                yield candidate

    def _ancestors(self, folder: Path) -> Iterator[Path]:
        if self.root not in folder.parents:
            return
        for level in folder.parents:
            if level == self.root:
                return
            yield level

    def _full(self, path: Path) -> Path:
        return absolute(path if path.is_absolute() else self.root / path)


def absolute(path: Path) -> Path:
    """The path without `.` and `..`, symbolic links kept."""
    name = str(path)
    return _plain(name) if path.is_absolute() else Path(os.path.abspath(name))  # noqa: PTH100


@lru_cache(maxsize=4096)
def _plain(name: str) -> Path:
    return Path(os.path.normpath(name))


@lru_cache(maxsize=4096)
def _shown(name: str, root: str) -> str:
    try:
        return os.path.relpath(name, root).replace(os.sep, "/")
    except ValueError:
        return name.replace(os.sep, "/")


def _decoded(start: bytes) -> str:
    for mark, encoding in ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if start.startswith(mark):
            return start.decode(encoding, "ignore").lstrip("\ufeff")
    return start.decode("utf-8", "replace").lstrip("\ufeff")


def _kind(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return "a folder"
    return "a pipe" if stat.S_ISFIFO(mode) else "a device or socket"


def _reason(error: Exception) -> str:
    reason = getattr(error, "strerror", None) or str(error)
    return str(reason)[:1].lower() + str(reason)[1:]
