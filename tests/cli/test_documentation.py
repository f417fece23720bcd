from __future__ import annotations

from shardlint_cli.documentation import layout, summary
from shardlint_cli.terminal import Screen

MARKDOWN = """\
Something is
bad.

## What it does
Reports a thing whose name is much longer than anybody would want it to be.

## Example
```json ds_config.json
{"stage": 3}
```
Fires at `stage`.

- https://example.org/a
- another point that runs over the end of the line
"""

LAID_OUT = """\
Something is bad.

What it does
Reports a thing whose name is much
longer than anybody would want it to be.

Example
  ds_config.json
    {"stage": 3}
Fires at `stage`.

- https://example.org/a
- another point that runs over the end
  of the line
"""


def test_the_summary_is_the_first_paragraph_on_one_line() -> None:
    assert summary(MARKDOWN) == "Something is bad."
    assert summary("") == ""


def test_markdown_is_laid_out_for_a_narrow_screen() -> None:
    assert "".join(f"{line}\n" for line in layout(MARKDOWN, Screen(40))) == LAID_OUT


def test_a_pipe_gets_the_markdown_itself() -> None:
    assert "".join(f"{line}\n" for line in layout(MARKDOWN, Screen())) == MARKDOWN
