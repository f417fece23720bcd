"""What `explain` says about the sections of shardlint.toml, and about settings that share a prefix."""

from __future__ import annotations

from shardlint.settings.names import OPEN_PREFIXES, Setting, all_settings

BUDGET = "budget."

SECTIONS = {
    "facts": "What the files leave open; a fact that contradicts a file is a finding.",
    "budget": "What a rank may hold beside its model states.",
    "jobs": (
        "`[[jobs]]` lists under `files` what belongs together without naming each other, as a config and "
        "a hostfile, by path from the settings file; `facts` below it hold for that job alone."
    ),
    "files": (
        "`[[files]]` gives `facts` to the files that a pattern under `match` fits, as `configs/70b/**`, "
        "by path from the settings file."
    ),
    "lint": (
        "Which rules count, by code, name or family: `select` and `ignore` are lists, `severity` gives a "
        "rule another severity, `per-file-ignores` silences rules in a file, in the files of a pattern or, "
        "behind a colon, at a key."
    ),
}


def section_text(word: str) -> str:
    """The text of a section or of one of its options, or the settings below a prefix; empty if neither."""
    name = word.strip("[]")
    top = name.partition(".")[0]
    if name in SECTIONS:
        text = f"# [{name}] (section of shardlint.toml)\n\n{SECTIONS[name]}"
        return "\n\n".join([text, *_listed(_of_section(name))])
    if top in ("jobs", "files", "lint"):
        return section_text(top)
    below = [setting for setting in all_settings().values() if setting.name.startswith(f"{name}.")]
    return "\n\n".join([f"# {name} (settings of shardlint)", *_listed(below)]) if below else ""


def _of_section(section: str) -> list[Setting]:
    if section not in ("facts", "budget"):
        return []
    in_budget = section == "budget"
    return [s for s in all_settings().values() if s.name.startswith(BUDGET) == in_budget]


def _listed(settings: list[Setting]) -> list[str]:
    lines = [f"- {setting.name}: {setting.meaning}" for setting in settings]
    if any(setting.name == "world_size" for setting in settings):
        lines += [f"- {prefix}NAME: any NAME" for prefix in OPEN_PREFIXES]
        lines.append("- roles.ROLE.NAME: any of these for one role, where a file has several")
    return ["\n".join(lines)] if lines else []
