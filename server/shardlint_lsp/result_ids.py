"""Names for what was said: the same name for the same diagnostics, whenever they are worked out."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

from lsprotocol import types


def result_id(*said: Sequence[types.Diagnostic]) -> str:
    """A digest of diagnostics, of one file or of several."""
    written = "\n".join(repr([*diagnostics]) for diagnostics in said)
    return blake2b(written.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


NOTHING = result_id(())
