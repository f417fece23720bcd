"""Files: read once, found by the names others call them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from shardlint.report import Notice
from shardlint.syntax.document import Document
from shardlint.workspace import MAX_BYTES, Workspace


def make(root: Path, *names: str, text: str = "{}") -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")


def test_a_file_is_parsed_once_for_one_content(tmp_path: Path) -> None:
    make(tmp_path, "ds.json", text='{"a": 1}')
    space = Workspace(tmp_path)
    first = space.read(tmp_path / "ds.json")
    assert isinstance(first, Document)
    assert first.name == "ds.json"
    assert space.read(Path("ds.json")) is first
    make(tmp_path, "ds.json", text='{"a": 2}')
    second = space.read(tmp_path / "ds.json")
    assert isinstance(second, Document) and second is not first and second.text == '{"a": 2}'


def test_the_overlay_wins_over_the_disk(tmp_path: Path) -> None:
    make(tmp_path, "ds.json", text='{"a": 1}')
    space = Workspace(tmp_path, {tmp_path / "ds.json": '{"a": 3}', tmp_path / "new.json": "{}"})
    document = space.read(tmp_path / "ds.json")
    assert isinstance(document, Document) and document.text == '{"a": 3}'
    assert space.exists(tmp_path / "new.json")
    assert space.head(tmp_path / "ds.json", 4) == '{"a"'


def test_derived_things_are_made_once_for_one_content(tmp_path: Path) -> None:
    made: list[Document] = []

    def length(document: Document) -> int:
        made.append(document)
        return len(document.text)

    space, path = Workspace(tmp_path), tmp_path / "ds.json"
    assert [space.derived(path, "{}", length) for _ in range(2)] == [2, 2]
    assert len(made) == 1
    assert space.derived(path, "{ }", length) == 3
    assert len(made) == 2


def test_what_was_read_is_dropped_but_the_last(tmp_path: Path) -> None:
    space = Workspace(tmp_path)
    first = space.parsed(tmp_path / "a.json", "{}")
    last = space.parsed(tmp_path / "b.json", "{}")
    space.forget(keep=1)
    assert space.parsed(tmp_path / "b.json", "{}") is last
    assert space.parsed(tmp_path / "a.json", "{}") is not first


def test_what_cannot_be_read_is_a_notice(tmp_path: Path) -> None:
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "large.json").write_bytes(b" " * (MAX_BYTES + 1))
    os.mkfifo(tmp_path / "pipe.json")
    space = Workspace(tmp_path)
    for name, says in [
        ("absent.json", "absent.json cannot be read: no such file"),
        ("folder.json", "folder.json is a folder, not a file"),
        ("pipe.json", "pipe.json is a pipe, not a file"),
        ("large.json", "large.json is 4.0 MiB; files above 4 MiB are not read"),
        ("nul\0.json", "cannot be read"),
    ]:
        found = space.read(tmp_path / name)
        assert isinstance(found, Notice)
        assert says in found.message
        assert space.text(tmp_path / name) is None
    assert space.head(tmp_path / "pipe.json") is None
    assert space.head(tmp_path / "folder.json") is None


def test_a_vanished_file_is_a_notice(tmp_path: Path) -> None:
    make(tmp_path, "ds.json")
    space = Workspace(tmp_path)
    assert isinstance(space.read(tmp_path / "ds.json"), Document)
    (tmp_path / "ds.json").unlink()
    assert isinstance(space.read(tmp_path / "ds.json"), Notice)


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_without_permission_is_a_notice(tmp_path: Path) -> None:
    make(tmp_path, "ds.json")
    (tmp_path / "ds.json").chmod(0)
    assert isinstance(Workspace(tmp_path).read(tmp_path / "ds.json"), Notice)


def test_the_head_is_text_in_any_encoding(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes("\ufeff{é".encode("utf-16"))
    (tmp_path / "b.json").write_bytes(b"\xef\xbb\xbf{")
    space = Workspace(tmp_path)
    assert space.head(tmp_path / "a.json") == "{é"
    assert space.head(tmp_path / "b.json") == "{"


def test_a_name_is_tried_from_the_root_then_the_folder_then_upward(tmp_path: Path) -> None:
    make(
        tmp_path, "a/b/c/train.yaml", "ds.json", "a/ds.json", "a/b/zero.json", "a/b/c/own.json", "a/zero.json"
    )
    space = Workspace(tmp_path)
    base = tmp_path / "a/b/c/train.yaml"
    assert space.resolve("ds.json", base).path == tmp_path / "ds.json"
    assert space.resolve("own.json", base).path == tmp_path / "a/b/c/own.json"
    found = space.resolve("zero.json", base)
    assert found.path == tmp_path / "a/b/zero.json"
    assert found.tried == ("zero.json", "a/b/c/zero.json")
    assert space.resolve("../zero.json", base).path == tmp_path / "a/b/zero.json"
    assert space.resolve(str(tmp_path / "ds.json"), base).path == tmp_path / "ds.json"
    assert space.resolve("own.json", tmp_path / "a/b/c").path == tmp_path / "a/b/c/own.json"


def test_a_name_that_leads_nowhere_says_what_was_tried(tmp_path: Path) -> None:
    make(tmp_path, "a/train.yaml")
    found = Workspace(tmp_path).resolve("x/ds.json", tmp_path / "a/train.yaml")
    assert found.path is None
    assert found.tried == ("x/ds.json", "a/x/ds.json")


@pytest.mark.parametrize("target", ["", "  ", "a\0b", "~nobody-of-that-name/x", "x" * 5000, "..", "."])
def test_no_name_raises(tmp_path: Path, target: str) -> None:
    make(tmp_path, "train.yaml")
    assert Workspace(tmp_path).resolve(target, tmp_path / "train.yaml").path is None


def test_a_file_outside_the_root_is_resolved_in_its_own_folder(tmp_path: Path) -> None:
    make(tmp_path, "in/x.json", "out/a/train.yaml", "out/ds.json", "out/a/zero.json")
    space = Workspace(tmp_path / "in")
    base = tmp_path / "out/a/train.yaml"
    assert space.resolve("ds.json", base).path is None
    assert space.resolve("zero.json", base).path == tmp_path / "out/a/zero.json"
    assert space.display(base) == "../out/a/train.yaml"
