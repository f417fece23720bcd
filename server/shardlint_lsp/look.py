"""What is known of one open text: the ground every feature stands on."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from shardlint.compose.job import Job
from shardlint.engine import Analysis
from shardlint.formats.reading import Reading
from shardlint.report import Finding
from shardlint.syntax.document import Document
from shardlint_lsp.client import Client
from shardlint_lsp.positions import Positions
from shardlint_lsp.preferences import Preferences
from shardlint_lsp.roots import Root
from shardlint_lsp.texts import OpenText


class Look:
    """An open text as it was at `revision`, with the lint of it and of the files it belongs with.

    Made on the worker's thread, and read there; the loop reads jobs, reading and document of the last one for
    a `Draft`. It never changes.
    """

    def __init__(
        self,
        text: OpenText,
        revision: int,
        root: Root,
        analysis: Analysis,
        document: Document,
        client: Client,
        preferences: Preferences,
    ) -> None:
        self.text = text
        self.revision = revision
        self.root = root
        self.analysis = analysis
        self.document = document
        self.client = client
        self.preferences = preferences
        self._positions: dict[str, Positions] = {}

    @property
    def name(self) -> str:
        """The path as findings call it."""
        return self.document.name

    @cached_property
    def jobs(self) -> tuple[Job, ...]:
        """The jobs the file takes part in."""
        return tuple(job for job in self.analysis.jobs if self.name in job.files)

    @cached_property
    def reading(self) -> Reading | None:
        """The file as the reader of its first job reads it; None where no format recognises it."""
        return next((r for job in self.jobs for r in job.readings if r.name == self.name), None)

    @property
    def positions(self) -> Positions:
        """The positions of the open text itself."""
        return self.positions_of(self.document)

    def positions_of(self, document: Document) -> Positions:
        """The positions of a file of the analysis."""
        known = self._positions.get(document.name)
        if known is None:
            lead = self.text.lead if document.name == self.name else 0
            known = self._positions[document.name] = Positions(document, self.client.encoding, lead)
        return known

    def path(self, name: str) -> Path:
        """The path of a file that findings call `name`."""
        return self.root.workspace.absolute(name)

    def findings(self, name: str) -> Iterator[Finding]:
        """What is said about one of the files."""
        return (finding for finding in self.analysis.report.findings if finding.place.path == name)
