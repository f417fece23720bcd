"""The hostfile of the DeepSpeed launcher: `worker-1 slots=8`, one node a line.

Source: DeepSpeed 0.19.8 `launcher/runner.py`. MPI hostfiles share the name and part of the syntax.
"""

from __future__ import annotations

from shardlint.formats.draft import Draft
from shardlint.formats.reading import Reading
from shardlint.formats.values import count
from shardlint.plan import DERIVED, GIVEN, Fact
from shardlint.report import file_place, value_place
from shardlint.syntax.document import Document
from shardlint.syntax.view import Dialect, View


class HostfileFormat:
    """The nodes of a job and the slots (GPUs) of each."""

    name = "hostfile"
    schema = None
    rank = 60
    tells = frozenset({"slots="})

    def matches(self, document: Document) -> bool:
        """A good line, and in a file of another name no bad one."""
        if document.language != "text" or "slots=" not in document.text:
            return False
        hosts = _hosts(document)
        return bool(hosts.roots) and ("hostfile" in _base_name(document) or not hosts.faults)

    def read(self, document: Document, dialect: Dialect | None = None) -> Reading:
        from shardlint.syntax.hostfile import HOSTFILE

        hosts = _hosts(document)
        draft = Draft(View(hosts, dialect or HOSTFILE))
        if not hosts.faults and not any(mark.kind == "duplicate-key" for mark in hosts.marks):
            _ranks(draft)
        origin = f"{document.name} is read by the deepspeed launcher"
        return draft.reading(self, Fact("deepspeed", origin, DERIVED))


FORMAT = HostfileFormat()


def _base_name(document: Document) -> str:
    return document.name.replace("\\", "/").rpartition("/")[2].lower()


def _hosts(document: Document) -> Document:
    """The document as host lines; a text that was parsed as plain text has no tree yet."""
    from shardlint.syntax.hostfile import parse_hostfile

    if document.roots:
        return document
    hosts = parse_hostfile(document.name, document.text)
    hosts.faults = document.faults + hosts.faults
    return hosts


def _ranks(draft: Draft) -> None:
    """All slots are the world; the caller has seen to it that the launcher takes the file."""
    document = draft.view.document
    entries = draft.view.entries()
    slots = [found for entry in entries if (found := count(entry.value)) is not None]
    if not entries or len(slots) < len(entries):
        return
    first, nodes = entries[0], len(entries)
    alone = nodes == 1
    place = value_place(document, first) if alone else file_place(document, first.pair_span)
    line = document.position(first.pair_span.start).line
    origin = f"{document.name}:{line}" if alone else f"{document.name}: {sum(slots)} slots on {nodes} nodes"
    draft.terms["world"] = Fact(sum(slots), origin, GIVEN, place)
    draft.terms["nodes"] = Fact(nodes, origin, GIVEN, place)
    if len(set(slots)) == 1:
        draft.terms["gpus_per_node"] = Fact(slots[0], origin, GIVEN, value_place(document, first))
