"""The editors whose capabilities are recorded, each with every encoding of positions it could be given.

With CI=true every editor is tested with every encoding, else each editor with another one.
"""

from __future__ import annotations

import os
from copy import deepcopy
from typing import NamedTuple

from lsprotocol import types
from pytest_lsp import client_capabilities

NAMES = {
    "visual_studio_code": "Visual Studio Code",
    "neovim": "Neovim",
    "emacs": "Emacs (eglot)",
}
"""What the recordings are called, and what the editors call themselves."""
ENCODINGS = tuple(types.PositionEncodingKind)


class Recorded(NamedTuple):
    """One editor that states one encoding of positions."""

    recording: str
    encoding: types.PositionEncodingKind

    def __str__(self) -> str:
        return f"{self.recording}-{self.encoding.value}"

    @property
    def info(self) -> types.ClientInfo:
        return types.ClientInfo(NAMES[self.recording])

    def capabilities(self) -> types.ClientCapabilities:
        said = deepcopy(client_capabilities(self.recording))
        said.general = said.general or types.GeneralClientCapabilities()
        said.general.position_encodings = [self.encoding]
        return said


EVERY = tuple(Recorded(recording, encoding) for recording in NAMES for encoding in ENCODINGS)
EACH = tuple(map(Recorded, NAMES, ENCODINGS))
"""Each editor and each encoding once."""
ASKED = EVERY if os.environ.get("CI") == "true" else EACH
