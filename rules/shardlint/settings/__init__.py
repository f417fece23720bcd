"""shardlint.toml, [tool.shardlint], --set, comment pragmas and editor settings: one typed table of names."""

from shardlint.settings.lint import FileIgnore, LintSettings, names_rule
from shardlint.settings.loader import SettingsLoader
from shardlint.settings.names import Setting, all_settings, find_setting
from shardlint.settings.pragmas import Suppression, suppressed, suppressions
from shardlint.settings.settings import Budget, Settings
from shardlint.settings.source import JobSpec
from shardlint.settings.versions import VersionSet, parse_version

__all__ = [
    "Budget",
    "FileIgnore",
    "JobSpec",
    "LintSettings",
    "Setting",
    "Settings",
    "SettingsLoader",
    "Suppression",
    "VersionSet",
    "all_settings",
    "find_setting",
    "names_rule",
    "parse_version",
    "suppressed",
    "suppressions",
]
