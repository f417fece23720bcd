"""shardlint.toml or [tool.shardlint], read into facts, jobs, file patterns and lint options."""

from __future__ import annotations

from collections.abc import Iterator

from shardlint.plan import Fact
from shardlint.report import Finding, Place, key_place, value_place
from shardlint.settings.entries import children, leaves
from shardlint.settings.layers import FACTS, FILE, JOB, Layer, Values
from shardlint.settings.lint import LintSettings
from shardlint.settings.lint_reader import read_lint
from shardlint.settings.problems import SYNTAX, UNKNOWN, WRONG, problem, understood, unknown_name
from shardlint.settings.spec import FileSpec, JobSpec, Source
from shardlint.syntax.document import Document
from shardlint.syntax.tree import Mapping, Sequence
from shardlint.syntax.view import Entry, View

SECTIONS = ("facts", "budget", "jobs", "files", "lint")


def read_source(document: Document, *table: str) -> Source:
    """The settings in a TOML document, below `table` (tool.shardlint in a pyproject.toml). Never raises."""
    return _Reader(document, table).read()


class _Reader:
    def __init__(self, document: Document, table: tuple[str, ...]) -> None:
        from shardlint.syntax.dialects.toml import TOML

        self.document = document
        self.view = View(document, TOML)
        self.table = table
        self.problems: list[Finding] = []

    def read(self) -> Source:
        self._faults()
        facts: dict[str, Fact[object]] = {}
        jobs: list[JobSpec] = []
        files: list[FileSpec] = []
        lint = LintSettings()
        for entry in self.view.entries(*self.table):
            if entry.name == "jobs":
                jobs.extend(self._job(item) for item in self._tables(entry))
            elif entry.name == "files":
                files.extend(self._file(item) for item in self._tables(entry))
            elif entry.name == "lint":
                lint = read_lint(self.document, entry, self.problems)
            elif entry.name in ("facts", "budget"):
                self._section(entry, facts)
            else:
                self._unknown_section(entry)
        return Source(Layer(FACTS, facts), tuple(jobs), tuple(files), lint, tuple(self.problems))

    def _faults(self) -> None:
        for fault in self.document.faults:
            place = Place(self.document.name, "", fault.span, self.document)
            message = f"{fault.message}; the settings on this line may be left out"
            self.problems.append(problem(SYNTAX, message, place))

    def _unknown_section(self, entry: Entry) -> None:
        from shardlint.catalog.near import nearest
        from shardlint.settings.names import is_fact

        place = key_place(self.document, entry)
        if is_fact(entry.name):
            message = f"{entry.name} stands outside [facts], so nothing reads it; move it below [facts]"
            self.problems.append(problem(WRONG, message, place))
            return
        close = nearest(entry.name, SECTIONS)
        meant = f"; did you mean {close}?" if close else ""
        message = f"{entry.name} is not a section of the settings, so nothing reads it{meant}"
        self.problems.append(problem(UNKNOWN, message, place))

    def _tables(self, entry: Entry) -> Iterator[Entry]:
        node = entry.node
        if isinstance(node, Sequence) and all(isinstance(item, Mapping) for item in node.items):
            yield from (Entry(self.view, (*entry.path, at), None, item) for at, item in enumerate(node.items))
            return
        message = f"{entry.name} must be a list of tables; write [[{entry.name}]]"
        self.problems.append(problem(WRONG, message, key_place(self.document, entry)))

    def _section(self, entry: Entry, facts: dict[str, Fact[object]]) -> None:
        """The facts below `[facts]` or `[budget]`."""
        if not isinstance(entry.node, Mapping):
            message = f"{entry.name} must be a table; write [{entry.name}]"
            self.problems.append(problem(WRONG, message, key_place(self.document, entry)))
            return
        prefix = "" if entry.name == "facts" else "budget."
        for leaf in leaves(entry):
            name = prefix + ".".join(str(step) for step in leaf.path[len(entry.path) :])
            self._fact(name, leaf, facts)

    def _fact(self, name: str, leaf: Entry, facts: dict[str, Fact[object]]) -> None:
        if leaf.guessed or leaf.node.span.end == leaf.node.span.start:
            return
        place = value_place(self.document, leaf)
        origin = f"{self.document.name}:{self.document.position(leaf.value_span.start).line}"
        raw = self.document.text[leaf.node.span.start : leaf.node.span.end]
        fact, finding = understood(name, leaf.value, raw, origin, place)
        if fact is not None:
            facts[name] = fact
        if finding is not None:
            known = finding.code != UNKNOWN[0]
            self.problems.append(finding if known else finding._replace(place=key_place(self.document, leaf)))

    def _own_facts(self, item: Entry, others: tuple[str, ...]) -> Values:
        facts: dict[str, Fact[object]] = {}
        for entry in children(item):
            if entry.name in ("facts", "budget"):
                self._section(entry, facts)
            elif entry.name not in others:
                self.problems.append(unknown_name(entry.name, key_place(self.document, entry)))
        return facts

    def _job(self, item: Entry) -> JobSpec:
        files = self._texts(item, "files")
        place = value_place(self.document, files[0]) if files else key_place(self.document, item)
        return JobSpec(
            tuple(str(entry.value) for entry in files),
            Layer(JOB, self._own_facts(item, ("files",))),
            place,
            tuple(value_place(self.document, entry) for entry in files),
        )

    def _file(self, item: Entry) -> FileSpec:
        match = tuple(str(entry.value) for entry in self._texts(item, "match"))
        return FileSpec(match, Layer(FILE, self._own_facts(item, ("match",))))

    def _texts(self, item: Entry, name: str) -> list[Entry]:
        """The entries of a list of texts; one text stands for a list of one."""
        for entry in children(item):
            if entry.name == name:
                items = children(entry) if isinstance(entry.node, Sequence) else [entry]
                if items and all(isinstance(found.value, str) for found in items):
                    return items
                self.problems.append(
                    problem(WRONG, f"{name} must be a list of paths", value_place(self.document, entry))
                )
                return []
        where = f"[[{item.path[-2]}]]" if len(item.path) > 1 else "the table"
        self.problems.append(
            problem(WRONG, f"{where} has no {name}, so it applies to nothing", key_place(self.document, item))
        )
        return []
