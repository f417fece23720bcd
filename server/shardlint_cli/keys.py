"""What the key tables and the settings know about a name, in Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from shardlint.report import listing
from shardlint.schema import STACKS, Key, Table, Word, expected, fills, table
from shardlint.settings.names import Setting, find_setting

READERS = {"deepspeed": "DeepSpeed", "accelerate": "accelerate", "hf-trainer": "Hugging Face Trainer"}
"""What people call the stacks."""

FEW = 12
"""Words `expected` lists."""


def explained(word: str) -> Iterator[str]:
    """A text for each place where a file may hold this key, and for a setting of that name."""
    for stack in STACKS:
        known = table(stack)
        paths = [word] if known.find(word) is not None else known.places_of(word)
        for path in dict.fromkeys(known.resolve(path) or path for path in paths):
            yield _key_text(known, known.variants(path))
    setting = find_setting(word)
    if setting is not None:
        yield _setting_text(setting)


def known_names() -> list[str]:
    """Every path and name `explained` has something to say about, for suggestions."""
    paths = [path for stack in STACKS for path in table(stack).paths()]
    return [*paths, *(path.rpartition(".")[2] for path in paths)]


def _key_text(known: Table, variants: tuple[Key, ...]) -> str:
    parts = [f"# {variants[0].path} ({READERS[known.stack]})"]
    for key in variants:
        condition = [f"Where {key.when}:"] if key.when else []
        points = "\n".join(f"- {point}" for point in _points(known, key))
        parts += [*condition, key.meaning, points]
    return "\n\n".join(part for part in parts if part)


def _points(known: Table, key: Key) -> Iterator[str]:
    if key.is_section:
        names = known.names(key.path)
        if names:
            yield f"keys: {', '.join(names)}"
    else:
        yield _takes(key)
    if key.default == "required":
        yield "required"
    elif key.default:
        yield f"default: {key.default}"
    if key.unit:
        yield f"unit: {key.unit}"
    if key.alias:
        yield f"also written {key.alias}"
    yield from _filled(key)
    yield from _lifetime(known, key)
    if key.effective:
        yield "nothing reads it" if key.effective == "nowhere" else f"has an effect: {key.effective}"
    yield known.link(key)


def _takes(key: Key) -> str:
    """Every word a key takes, with the releases that do, where not all of them do."""
    aged = [word for word in key.words if word.since or word.removed]
    if not aged and len(key.words) <= FEW:
        return f"takes {expected(key)}"
    return f"takes one of {', '.join(map(_word, key.words))}"


def _word(word: Word) -> str:
    since = f"since {word.since}" if word.since else ""
    until = f"until {word.removed}" if word.removed else ""
    ages = ", ".join(age for age in (since, until) if age)
    return f"{word.text} ({ages})" if ages else word.text


def _filled(key: Key) -> Iterator[str]:
    readers = [READERS.get(reader, "the key itself") for reader in key.auto if reader != "refused"]
    if readers:
        sources = [fill.source for reader in key.auto if (fill := fills(reader).get(key.path)) is not None]
        origin = f" from {listing(dict.fromkeys(sources))}" if sources else ""
        yield f"auto is filled in by {listing(readers, 'and')}{origin}"


def _lifetime(known: Table, key: Key) -> Iterator[str]:
    product = READERS[known.stack]
    if key.since:
        yield f"since {product} {key.since}"
    if key.removed:
        yield f"removed in {product} {key.removed}" + (f"; write {key.replaced}" if key.replaced else "")
    elif key.replaced:
        yield f"deprecated; write {key.replaced}"


def _setting_text(setting: Setting) -> str:
    unit = f" ({setting.unit})" if setting.unit else ""
    meaning = f"{setting.meaning[:1].upper()}{setting.meaning[1:]}{unit}."
    return (
        f"# {setting.name} (setting of shardlint)\n\n{meaning}\n\n"
        f"- in shardlint.toml below [facts], in a comment `# shardlint: {setting.name}=...`, "
        f"or as --set {setting.name}=..."
    )
