"""shardlint.toml, [tool.shardlint], --set, comment pragmas and editor settings: one typed table of names.

The table itself is `settings.names`, version sets `settings.versions`, pragmas `settings.pragmas`.
"""

from shardlint.settings.lint import FileIgnore, LintSettings, names_rule
from shardlint.settings.loader import SettingsLoader
from shardlint.settings.settings import Budget, Settings
from shardlint.settings.spec import JobSpec

__all__ = [
    "Budget",
    "FileIgnore",
    "JobSpec",
    "LintSettings",
    "Settings",
    "SettingsLoader",
    "names_rule",
]
