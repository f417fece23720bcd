"""The Markdown of rules and keys, laid out for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from shardlint_cli.terminal import Screen, wrap

FENCE = "```"
BULLET = "- "


def summary(markdown: str) -> str:
    """The first paragraph, on one line."""
    return " ".join(markdown.strip().partition("\n\n")[0].split())


def layout(markdown: str, screen: Screen) -> Iterator[str]:
    """Lines for a screen: headings stand out, paragraphs are wrapped anew, code is indented.

    Without a width the Markdown stays as it is.
    """
    if screen.width is None:
        yield from markdown.splitlines()
        return
    paragraph: list[str] = []
    in_code = False
    for line in markdown.splitlines():
        fenced = line.startswith(FENCE)
        if in_code or fenced or not line.strip() or line.startswith(("#", BULLET)):
            yield from _wrapped(paragraph, screen)
            paragraph = []
        if fenced:
            in_code = not in_code
            yield from _caption(line, screen) if in_code else ()
        elif in_code:
            yield f"    {screen.safe(line)}"
        elif line.startswith("#"):
            yield screen.paint(line.lstrip("# "), "bold")
        elif line.strip():
            paragraph.append(line)
        else:
            yield ""
    yield from _wrapped(paragraph, screen)


def _caption(line: str, screen: Screen) -> Iterator[str]:
    """The file name behind the language of a code fence."""
    name = line.removeprefix(FENCE).partition(" ")[2].strip()
    if name:
        yield screen.paint(f"  {name}", "dim")


def _wrapped(paragraph: list[str], screen: Screen) -> Iterator[str]:
    text = " ".join(" ".join(paragraph).split())
    if not text:
        return
    first = BULLET if text.startswith(BULLET) else ""
    hanging = " " * len(first)
    room = None if screen.width is None else screen.width - len(first)
    for at, line in enumerate(wrap(screen.safe(text.removeprefix(BULLET)), room)):
        yield (hanging if at else first) + line
