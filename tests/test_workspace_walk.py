"""The walk: config files, in one order, without what is ignored."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from shardlint.workspace import Walk, Workspace


def make(root: Path, *names: str, text: str = "{}") -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")


def walked(root: Path, *paths: str) -> list[str]:
    space = Workspace(root)
    return [space.display(path) for path in space.walk([root / path for path in paths or (".",)])]


def test_names_of_configs_are_given_in_order(tmp_path: Path) -> None:
    make(tmp_path, "b.json", "a.yaml", "c.yml", "d.toml", "e.jsonc", "f.hjson", "x.py", "README.md")
    make(tmp_path, "conf/hostfile", "conf/my_hostfile.txt", "conf/B.JSON", "zz/a.json")
    assert walked(tmp_path) == [
        "a.yaml",
        "b.json",
        "c.yml",
        "conf/B.JSON",
        "conf/hostfile",
        "conf/my_hostfile.txt",
        "d.toml",
        "e.jsonc",
        "f.hjson",
        "zz/a.json",
    ]


def test_some_folders_are_never_entered(tmp_path: Path) -> None:
    make(
        tmp_path,
        *(f"{name}/a.json" for name in (".git", "node_modules", ".venv", "__pycache__", "kept", ".hidden")),
    )
    assert walked(tmp_path) == [".hidden/a.json", "kept/a.json"]


def test_gitignore_holds_where_it_stands_and_below(tmp_path: Path) -> None:
    make(tmp_path, ".gitignore", text="out/\n*.yaml\n!keep.yaml\n/top.json\n")
    make(
        tmp_path,
        "out/a.json",
        "a.yaml",
        "keep.yaml",
        "top.json",
        "sub/top.json",
        "sub/out/b.json",
        "sub/b.yaml",
    )
    make(tmp_path, "sub/.gitignore", text="!b.yaml\nlocal.json\n")
    make(tmp_path, "sub/local.json", "local.json")
    assert walked(tmp_path) == ["keep.yaml", "local.json", "sub/b.yaml", "sub/top.json"]


def test_gitignore_of_the_repository_above_holds(tmp_path: Path) -> None:
    make(tmp_path, ".git/config", ".gitignore", text="secret/\n")
    make(tmp_path, "a/secret/x.json", "a/b/ok.json")
    assert walked(tmp_path, "a") == ["a/b/ok.json"]


def test_gitignore_outside_a_repository_does_not_reach_down_from_above(tmp_path: Path) -> None:
    make(tmp_path, ".gitignore", text="*.json\n")
    make(tmp_path, "a/x.json")
    assert walked(tmp_path, "a") == ["a/x.json"]


def test_a_file_that_is_named_is_given_whatever_it_is(tmp_path: Path) -> None:
    make(tmp_path, ".gitignore", text="*.json\n")
    make(tmp_path, "notes.txt", "a.json")
    assert walked(tmp_path, "notes.txt", "a.json", "notes.txt") == ["notes.txt", "a.json"]


def test_no_file_is_given_twice(tmp_path: Path) -> None:
    make(tmp_path, "a/x.json", "a/y.json")
    assert walked(tmp_path, "a/y.json", "a", ".") == ["a/y.json", "a/x.json"]


def test_loops_of_links_end(tmp_path: Path) -> None:
    make(tmp_path, "a/x.json")
    (tmp_path / "a/loop").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "self.json").symlink_to("self.json")
    (tmp_path / "link.json").symlink_to("a/x.json")
    assert walked(tmp_path) == ["a/x.json", "link.json"]
    assert walked(tmp_path, "a/loop/a") == ["a/loop/a/x.json"]


def test_what_is_missing_is_noticed_and_the_rest_is_given(tmp_path: Path) -> None:
    make(tmp_path, "a.json")
    os.mkfifo(tmp_path / "pipe.json")
    space = Workspace(tmp_path)
    walk = Walk(space)
    found = list(space.walk([tmp_path / "absent", tmp_path / "pipe.json", tmp_path], walk))
    assert found == [tmp_path / "a.json"]
    assert [notice.message for notice in walk.notices] == [
        "absent cannot be read: no such file or directory",
        "pipe.json is neither a file nor a folder",
    ]
    assert all(notice.asked for notice in walk.notices)


@pytest.mark.skipif(os.geteuid() == 0, reason="root opens everything")
def test_a_closed_folder_is_noticed(tmp_path: Path) -> None:
    make(tmp_path, "a/x.json", "b.json")
    (tmp_path / "a").chmod(0)
    walk = Walk(Workspace(tmp_path))
    found = list(walk.files([tmp_path]))
    (tmp_path / "a").chmod(0o700)
    assert found == [tmp_path / "b.json"]
    assert [notice.asked for notice in walk.notices] == [False]


def test_a_deep_tree_is_walked(tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*(["d"] * 200))
    deep.mkdir(parents=True)
    (deep / "x.json").write_text("{}")
    assert len(walked(tmp_path)) == 1


def test_an_unsaved_file_that_is_named_is_given(tmp_path: Path) -> None:
    path = tmp_path / "new.json"
    assert list(Workspace(tmp_path, {path: "{}"}).walk([path])) == [path]
