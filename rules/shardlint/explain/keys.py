"""What the key tables and the settings know about a name, in Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from shardlint.explain.sections import BUDGET, section_text
from shardlint.schema import STACKS, table
from shardlint.schema.describe import describe
from shardlint.settings.names import Setting, all_settings, find_setting


def explained(word: str) -> Iterator[str]:
    """A text for each place where a file may hold this key, and for a setting or section of that name."""
    for stack in STACKS:
        known = table(stack)
        paths = [word] if known.find(word) is not None else known.places_of(word)
        for path in dict.fromkeys(known.resolve(path) or path for path in paths):
            yield describe(stack, path)
    setting = find_setting(word.removeprefix("facts."))
    if setting is not None:
        yield setting_text(setting)
    section = section_text(word)
    if section:
        yield section


def known_names() -> list[str]:
    """Every path and name `explained` has something to say about, for suggestions."""
    paths = [path for stack in STACKS for path in table(stack).paths()]
    return [*paths, *(path.rpartition(".")[2] for path in paths), *all_settings()]


def setting_text(setting: Setting) -> str:
    unit = f" ({setting.unit})" if setting.unit not in setting.meaning else ""
    value = setting.example
    bare = value.strip('"').replace('"', "").replace(" ", "")
    meaning = f"{setting.meaning[:1].upper()}{setting.meaning[1:]}{unit}."
    section, key = (
        ("budget", setting.name[len(BUDGET) :])
        if setting.name.startswith(BUDGET)
        else ("facts", setting.name)
    )
    return (
        f"# {setting.name} (setting of shardlint)\n\n{meaning}\n\n"
        f"- in shardlint.toml below [{section}] as `{key} = {value}`, in a comment "
        f"`# shardlint: {setting.name}={bare}`, or as --set {setting.name}={bare}"
    )
