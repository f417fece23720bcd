"""Versions the project asks for: lock files, requirements and project files near a config."""

from shardlint.settings.pins.pin import Pin
from shardlint.settings.pins.project import ProjectPins

__all__ = ["Pin", "ProjectPins"]
