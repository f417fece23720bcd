"""Emacs with eglot, as it is set up by the lines of its page."""

from __future__ import annotations

from pathlib import Path

from editors.probing import FIXED, PROBES, WIDE, probed
from editors.programs import emacs, need
from editors.snippets import snippets


def test_a_file_in_emacs(tmp_path: Path) -> None:
    program = need(emacs(), "Emacs with eglot")
    settings = tmp_path / "init.el"
    settings.write_text(snippets("emacs", "Eglot", "elisp")[0], encoding="utf-8")
    seen = probed([str(program), "--batch", "-l", str(settings), "-l", str(PROBES / "probe.el")], tmp_path)
    assert seen["mode"] == "js-json-mode"
    shown = {(one["message"].partition("[")[2].partition("]")[0], one["text"]) for one in seen["diagnostics"]}
    assert {("batch-triangle-mismatch", "256"), ("unknown-key", f'"{WIDE}"')} <= shown
    assert "GiB" in seen["hover"]
    assert "reduce_bucket_size" in " ".join(seen["completion"])
    assert seen["text"] == FIXED
