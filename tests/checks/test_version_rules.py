"""Releases of the project: contradicting, unreadable, and newer than anything known."""

from __future__ import annotations

import pytest

from checks.linting import accelerate, deepspeed, facts, findings, only

DISAGREE, UNREADABLE, NEWER = "versions-disagree", "unreadable-version", "version-newer-than-known"
PROJECT = '[project]\ndependencies = ["deepspeed>=0.19.7"]\n'


def test_two_files_that_contradict_each_other_are_both_named() -> None:
    files = {**deepspeed(2), "requirements.txt": "torch\ndeepspeed==0.18.9\n", "pyproject.toml": PROJECT}
    found = only(files, DISAGREE)
    assert found.message == (
        "DeepSpeed is 0.18.9 here, but >=0.19.7 in pyproject.toml:2; every release counts as possible"
    )
    assert (found.place.path, found.severity.word) == ("requirements.txt", "warning")
    document = found.place.document
    assert document is not None and document.position(found.place.span.start).line == 2
    assert [other.place.path for other in found.related] == ["pyproject.toml"]


def test_alternatives_are_an_information() -> None:
    files = {**deepspeed(2), "requirements.txt": "deepspeed==0.18.9\n"}
    files["requirements-old.txt"] = "deepspeed==0.9.0\n"
    assert only(files, DISAGREE).severity.word == "info"


def test_a_setting_that_contradicts_the_project() -> None:
    files = {**deepspeed(2), "requirements.txt": "deepspeed==0.18.9\n", **facts(versions__deepspeed="0.19.8")}
    found = only(files, DISAGREE)
    assert (found.place.path, found.severity.word) == ("shardlint.toml", "info")
    assert found.message == (
        "DeepSpeed is 0.19.8 by this setting, but ==0.18.9 in requirements.txt:1; the setting counts"
    )


@pytest.mark.parametrize(
    "files",
    [
        {"requirements.txt": "deepspeed>=0.18\n", "pyproject.toml": PROJECT},
        {"requirements.txt": "deepspeed==0.18.9\n"},
        {"requirements.txt": "deepspeed==0.18.9\ndeepspeed==0.17.0\n"},
        {
            "requirements.txt": "accelerate==1.0.0\n",
            "pyproject.toml": PROJECT.replace("deepspeed", "accelerate"),
        },
        {"requirements.txt": "deepspeed==newest\n", "pyproject.toml": PROJECT},
        {},
    ],
)
def test_files_that_agree_or_concern_nobody_here_are_silent(files: dict[str, str]) -> None:
    assert [
        f.rule for f in findings({**deepspeed(2), **files}) if f.rule in (DISAGREE, UNREADABLE, NEWER)
    ] == []


def test_an_unreadable_release_is_told_and_every_release_stays_possible() -> None:
    files = {**deepspeed(2, elasticity={"enabled": False}), "requirements.txt": "deepspeed==newest\n"}
    found = only(files, UNREADABLE)
    assert found.message == "==newest is no version, so every DeepSpeed release counts as possible"
    assert only(files, "removed-key").severity.word == "warning"


@pytest.mark.parametrize("version", ["0.19.9", "99.0", "0.20.0rc1", ">=1.0"])
def test_a_release_newer_than_known_is_told(version: str) -> None:
    found = only({**deepspeed(2), **facts(versions__deepspeed=version)}, NEWER)
    assert found.severity.word == "info"
    assert "is newer than 0.19.8, the newest DeepSpeed shardlint knows" in found.message


@pytest.mark.parametrize("version", ["0.19.8", "0.19.8+cu128", ">=0.19", "0.9.0", "<99"])
def test_known_and_open_releases_are_not_newer(version: str) -> None:
    assert findings({**deepspeed(2), **facts(versions__deepspeed=version)}, NEWER) == []


def test_the_newest_rules_apply_as_warnings() -> None:
    wrong = deepspeed(2, train_batch_size=0)
    known = {**wrong, **facts(versions__deepspeed="0.19.8", consumer="deepspeed")}
    newer = {**wrong, **facts(versions__deepspeed="0.21.0", consumer="deepspeed")}
    errors = [found.rule for found in findings(known) if found.severity.word == "error"]
    assert errors
    later = {found.rule: found for found in findings(newer)}
    for name in errors:
        assert (later[name].severity.word, later[name].confidence) == ("warning", "assumed")
        assert "DeepSpeed 0.21.0 still does what 0.19.8 does" in later[name].assumes


def test_a_file_that_cannot_be_loaded_stays_an_error() -> None:
    broken = {"ds.json": '{"zero_optimization": {"stage": 2}', **facts(versions__deepspeed="0.21.0")}
    assert "error" in {found.severity.word for found in findings(broken)}


def test_each_file_has_a_reader_of_its_own() -> None:
    files = {**accelerate("MULTI_GPUS"), **facts(versions__deepspeed="0.21.0")}
    assert "error" in {found.severity.word for found in findings(files)}
