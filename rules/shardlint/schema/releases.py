"""What the tables ask of a set of releases; `settings.versions.VersionSet` is one."""

from __future__ import annotations

from typing import Protocol

from shardlint.schema.key import Key

PRODUCTS = {"deepspeed": "DeepSpeed", "accelerate": "accelerate", "hf-trainer": "transformers"}
"""The product whose releases the rows of a stack count in."""

PACKAGES = {"deepspeed": "deepspeed", "accelerate": "accelerate", "hf-trainer": "transformers"}
"""The package that carries those releases."""


NEWEST = {"deepspeed": "0.19.8", "accelerate": "1.15.0", "transformers": "5.24.0"}
"""The newest releases the tables describe."""


class Releases(Protocol):
    """The releases of a package that may be installed."""

    @property
    def known(self) -> bool: ...

    @property
    def text(self) -> str: ...

    def all_at_least(self, version: str) -> bool: ...

    def none_at_least(self, version: str) -> bool: ...


def arrived(releases: Releases | None, since: str) -> bool:
    """Whether some possible release has what came with `since`; true where nothing is known of them."""
    return not since or releases is None or not releases.none_at_least(since)


def gone(releases: Releases | None, removed: str) -> bool:
    """Whether every possible release is without what `removed` took away; false where nothing is known."""
    return bool(removed) and releases is not None and releases.all_at_least(removed)


def exists(key: Key, releases: Releases | None) -> bool:
    """Whether some possible release has the key."""
    return arrived(releases, key.since) and not gone(releases, key.removed)
