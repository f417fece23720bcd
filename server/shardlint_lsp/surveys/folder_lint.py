"""The lint of a whole folder, one entry file a step: together they find what a lint of the folder finds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from lsprotocol import types

from shardlint.checks.registry import all_rules
from shardlint.engine.judge import once, ordered, unsuperseded
from shardlint.report import Finding
from shardlint.syntax.document import Document
from shardlint_lsp.client import Client
from shardlint_lsp.diagnostics import PLAIN, UriOf, diagnostic
from shardlint_lsp.look import Look
from shardlint_lsp.preferences import Preferences
from shardlint_lsp.result_ids import result_id
from shardlint_lsp.roots import Root
from shardlint_lsp.texts import OpenText


class Terms(NamedTuple):
    """What a step depends on besides the files."""

    overlay: Mapping[Path, str]
    preferences: Preferences
    client: Client
    uri_of: UriOf
    notice: Callable[[str], object]


class Filed(NamedTuple):
    """What is said about a file, and the name of it."""

    result_id: str
    diagnostics: Sequence[types.Diagnostic]


class _Held(NamedTuple):
    """A finding without the texts it was found in, and its diagnostic."""

    finding: Finding
    diagnostic: types.Diagnostic


class FolderLint:
    """What was found, by file and by the entry it was found with. Only the worker's thread calls it."""

    def __init__(self, root: Root) -> None:
        self._root = root
        self._configs: dict[Path, None] = {}
        self._held: dict[Path, dict[Path, list[_Held]]] = {}
        self._files: dict[Path, frozenset[Path]] = {}

    def walk(self, most: int, overlay: Mapping[Path, str]) -> Iterator[bool]:
        """Read the config files of the folder, one a step, at most so many; false at last where there are
        more."""
        self._configs = {}
        self._root.lay(overlay)
        for count, path in enumerate(self._root.workspace.walk([self._root.folder])):
            if count >= most:
                yield False
                return
            self.reread(path)
            self._root.forget()
            yield True

    def reread(self, path: Path) -> None:
        """Note whether a file is a config, and what it names."""
        if self._root.referrers.read(path) is not None:
            self._configs[path] = None
        else:
            self._configs.pop(path, None)

    def entries(self) -> tuple[Path, ...]:
        """The files a job starts from: those no other config names, those that `[[jobs]]` put together, and
        the first of files that name each other. The folder stands for its settings."""
        reached = {path: self._root.referrers.reached(path) - {path} for path in self._configs}
        named = frozenset[Path]().union(*reached.values())
        stated = self._root.in_stated_jobs(path for path in self._configs if path in named)
        found = [self._root.folder, *(path for path in self._configs if path not in named or path in stated)]
        covered = {*found}.union(*(reached.get(path, ()) for path in found))
        for path in self._configs:
            if path not in covered and any(path in reached.get(other, ()) for other in reached[path]):
                found.append(path)
                covered |= {path, *reached[path]}
        return tuple(found)

    def near(self, changed: Path) -> tuple[Path, ...]:
        """The entries whose findings may be different now that a file is."""
        return tuple(
            entry
            for entry in self.entries()
            if entry == changed or changed in self._files.get(entry, (changed,)) or changed.parent == entry
        )

    def lint(self, entry: Path, terms: Terms) -> dict[Path, Filed]:
        """Lint the job of an entry; what is said now about the files it concerns."""
        root = self._root
        analysis = root.lint(() if entry == root.folder else (entry,), terms.overlay, terms.preferences)
        for notice in analysis.report.notices:
            terms.notice(notice.message)
        text = OpenText(terms.uri_of(entry), entry, "", None, "")
        document = Document(root.workspace.display(entry), "", "text")
        look = Look(text, 0, root, analysis, document, terms.client, terms.preferences)
        before = self._files.pop(entry, frozenset())
        for path in before:
            self._held.get(path, {}).pop(entry, None)
        for finding in analysis.report.findings:
            if finding.code != PLAIN or terms.preferences.syntax != "never":
                held = _Held(_bare(finding), diagnostic(look, finding, terms.uri_of))
                self._held.setdefault(look.path(finding.place.path), {}).setdefault(entry, []).append(held)
        read = (look.path(name) for job in analysis.jobs for name in job.files)
        said = (path for path, by_entry in self._held.items() if entry in by_entry)
        self._files[entry] = frozenset((*read, *said))
        root.forget()
        return self._filed(before | self._files[entry])

    def keep(self, entries: Iterable[Path]) -> dict[Path, Filed]:
        """Forget what was found with any other entry; what is said now about the files that concerns."""
        kept, touched = {*entries}, set[Path]()
        for entry in [entry for entry in self._files if entry not in kept]:
            files = self._files.pop(entry)
            touched |= files
            for path in files:
                self._held.get(path, {}).pop(entry, None)
        return self._filed(touched)

    def _filed(self, paths: Iterable[Path]) -> dict[Path, Filed]:
        found: dict[Path, Filed] = {}
        for path in paths:
            diagnostics = _merged(self._held.get(path, {}))
            if not diagnostics:
                self._held.pop(path, None)
            found[path] = Filed(result_id(diagnostics), diagnostics)
        return found


def _merged(by_entry: Mapping[Path, Sequence[_Held]]) -> list[types.Diagnostic]:
    """Each finding once, and none that another makes superfluous, as if all entries were linted together."""
    held = [one for of_entry in by_entry.values() for one in of_entry]
    if len(by_entry) < 2:
        return [one.diagnostic for one in held]
    by_finding = {one.finding._replace(jobs=()): one.diagnostic for one in held}
    kept = unsuperseded(once(one.finding for one in held), {rule.name: rule for rule in all_rules()})
    return [by_finding[finding._replace(jobs=())] for finding in ordered(kept)]


def _bare(finding: Finding) -> Finding:
    """A finding that keeps no text alive."""
    return finding._replace(place=finding.place._replace(document=None), related=(), fixes=())
