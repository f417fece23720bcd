"""What the user sets in the editor, asked for or told, for each folder."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from lsprotocol import types
from pygls.uris import from_fs_path

from shardlint.settings.flags import read_editor
from shardlint_lsp.preferences import SECTION, Preferences, preferences_of

if TYPE_CHECKING:
    from shardlint_lsp.server import ShardlintServer

PATIENCE = 10.0
"""Seconds an editor has to say its settings."""
log = logging.getLogger("shardlint")


class Configuration:
    """Keeps the preferences of a server as the editor states them. Where it states none, what it said at
    the start holds."""

    def __init__(self, server: ShardlintServer) -> None:
        self._server = server
        self._initial = Preferences()

    def begin(self, said: object) -> None:
        """The options of `initialize`."""
        self._initial = self._server.defaults = preferences_of(said)

    def follow(self) -> None:
        """Have the editor tell of changes, where it wants to be asked for that."""
        if self._server.client.configuration_registration:
            method = types.WORKSPACE_DID_CHANGE_CONFIGURATION
            options = types.DidChangeConfigurationRegistrationOptions(SECTION)
            self._server.client_register_capability(
                types.RegistrationParams([types.Registration("shardlint-settings", method, options)])
            )

    async def told(self, said: object) -> None:
        """Settings changed: an editor that can be asked is asked, of the others `said` is the answer."""
        if self._server.client.configuration:
            await self.ask()
        elif isinstance(said, Mapping) and said:
            self._take(preferences_of(cast("object", said)), {})

    async def ask(self) -> None:
        """Ask for the settings of every folder; an editor that cannot be asked has said all at the start."""
        server = self._server
        if not server.client.configuration:
            self._take(server.defaults, {})
            return
        folders = [root.folder for root in server.roots.folders]
        items = [types.ConfigurationItem(section=SECTION)]
        items += [types.ConfigurationItem(from_fs_path(str(folder)), SECTION) for folder in folders]
        asked = asyncio.wrap_future(server.workspace_configuration(types.ConfigurationParams(items)))
        await asyncio.wait({asked}, timeout=PATIENCE)
        if not asked.done() or asked.cancelled() or asked.exception() is not None:
            log.warning("the editor did not say its settings, so those before hold")
            return
        general, *own = [*cast("Sequence[object]", asked.result() or ()), *[None] * len(items)][: len(items)]
        everywhere = self._stated(general, self._initial)
        self._take(
            everywhere,
            {folder: self._stated(one, everywhere) for folder, one in zip(folders, own, strict=True)},
        )

    def _stated(self, said: object, otherwise: Preferences) -> Preferences:
        """Nothing, or an empty table, states nothing."""
        return otherwise if said is None or said == {} else preferences_of(said)

    def _take(self, everywhere: Preferences, own: Mapping[Path, Preferences]) -> None:
        server = self._server
        for preferences in (everywhere, *own.values()):
            for problem in preferences.problems:
                server.tell_once(f"editor settings: {problem}")
            for notice in read_editor(preferences.facts).notices:
                server.tell_once(notice.message)
        if (everywhere, own) != (server.defaults, server.preferences):
            server.defaults, server.preferences = everywhere, dict(own)
            server.renewed()
