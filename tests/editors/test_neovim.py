"""Neovim as users have it: the release of Debian, and one that pulls diagnostics and shows inlay hints."""

from __future__ import annotations

from pathlib import Path

import pytest

from editors.probing import FIXED, PROBES, WIDE, probed
from editors.programs import need, neovim
from editors.snippets import snippets

HEADINGS = {"0.7": "Neovim 0.7", "0.11": "Neovim 0.11 and newer"}
ASK = "vim.lsp.config('shardlint', { init_options = { shardlint = { diagnostics = 'pull' } } })"
ENCODINGS = {"0.7": "utf-16", "0.11": "utf-8"}


@pytest.mark.parametrize("release", [*HEADINGS, "0.11 that asks"])
def test_a_file_in_neovim(release: str, tmp_path: Path) -> None:
    release, _, asks = release.partition(" ")
    program = need(neovim(release), f"Neovim {release}")
    settings = tmp_path / "init.lua"
    lines = [*snippets("neovim", HEADINGS[release], "lua"), *([ASK] if asks else [])]
    settings.write_text("\n".join(lines), encoding="utf-8")
    start = [str(program), "--headless", "-n", "-i", "NONE", "-u", str(settings)]
    seen = probed([*start, "-c", f"luafile {PROBES / 'probe.lua'}"], tmp_path)
    assert seen["release"] == release
    assert seen["encoding"] == ENCODINGS[release]
    shown = {(one["code"], one["text"]) for one in seen["diagnostics"]}
    assert {("batch-triangle-mismatch", "256"), ("unknown-key", f'"{WIDE}"')} <= shown
    assert {one["source"] for one in seen["diagnostics"]} == {"shardlint"}
    assert "13.04 GiB" in seen["hover"] or "16.30 GiB" in seen["hover"]
    assert "reduce_bucket_size" in " ".join(seen["completion"])
    assert seen["text"] + "\n" == FIXED
    if release == "0.11":
        assert seen.get("pulled") == (len(seen["diagnostics"]) if asks else None)
        assert any("GiB/rank" in hint for hint in seen["hints"])
