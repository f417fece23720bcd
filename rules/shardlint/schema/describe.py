"""What the tables know about a key, as Markdown: the one text behind `explain`, hover and JSON Schema."""

from __future__ import annotations

from collections.abc import Iterator

from shardlint.report import listing
from shardlint.schema.fills import fills
from shardlint.schema.key import Key, Word
from shardlint.schema.releases import PRODUCTS, Releases, arrived, gone
from shardlint.schema.table import Table, table
from shardlint.schema.values import MOST_WORDS, expected
from shardlint.syntax.keypath import KeyPath

READERS = {"deepspeed": "DeepSpeed", "accelerate": "accelerate", "hf-trainer": "Hugging Face Trainer"}
"""What people call the stacks."""


def describe(stack: str, path: KeyPath | str, versions: Releases | None = None) -> str:
    """The Markdown of one key, every variant of it; empty where the table of the stack has no such key.

    `stack` is a name `table` takes. `versions` are the releases that may be installed: words none of them
    takes are left out, and a key none of them has says so.
    """
    here = table(stack)
    variants = here.variants(path)
    if not variants:
        return ""
    told: dict[tuple[str, str], list[str]] = {}
    for key in sorted(variants, key=lambda key: not key.when):
        bullets = "\n".join(f"- {point}" for point in (*points(here, key, versions), here.link(key)))
        told.setdefault((key.meaning, bullets), []).append(key.when)
    return "\n\n".join((f"# {variants[0].path} ({READERS[here.stack]})", *_told(told)))


def _told(told: dict[tuple[str, str], list[str]]) -> Iterator[str]:
    """What is said of each variant, under the conditions it is true of; a meaning they share comes first."""
    meanings = {meaning for meaning, _ in told}
    if len(meanings) == 1:
        yield from meanings
    for (meaning, bullets), conditions in told.items():
        if all(conditions):
            yield f"Where {listing(conditions, 'or')}:"
        elif len(told) > 1:
            yield "Otherwise:"
        if len(meanings) > 1:
            yield meaning
        yield bullets


def points(here: Table, key: Key, versions: Releases | None = None) -> Iterator[str]:
    """What there is to say about a key beside its meaning, one phrase each."""
    if key.is_section:
        names = table(here.stack).names(key.path)
        if names:
            yield f"keys: {', '.join(names)}"
    else:
        yield _takes(key, versions)
    if key.default == "required":
        yield "required"
    elif key.default:
        yield f"default: {key.default}"
    if key.unit:
        yield f"unit: {key.unit}"
    if key.alias:
        yield f"also written {key.alias}"
    yield from _filled(key)
    yield from lifetime(here, key, versions)
    if key.effective:
        yield "nothing reads it" if key.effective == "nowhere" else f"has an effect: {key.effective}"


def lifetime(here: Table, key: Key, versions: Releases | None = None) -> Iterator[str]:
    """The releases that have the key, what replaced it, and whether the ones that may run have it."""
    product = PRODUCTS[here.stack]
    if key.since:
        yield f"since {product} {key.since}{_unless(versions, arrived(versions, key.since))}"
    if key.removed:
        lost = _unless(versions, not gone(versions, key.removed))
        yield f"removed in {product} {key.removed}{lost}" + (
            f"; write {key.replaced}" if key.replaced else ""
        )
    elif key.replaced:
        yield f"deprecated; write {key.replaced}"


def _unless(versions: Releases | None, has_it: bool) -> str:
    return "" if has_it or versions is None else f", and {versions.text} does not have it"


def _takes(key: Key, versions: Releases | None) -> str:
    """Every word a key takes, with the releases that do, where not all of them do."""
    words = [word for word in key.words if arrived(versions, word.since) and not gone(versions, word.removed)]
    aged = [word for word in words if word.since or word.removed]
    if not words or (len(words) == len(key.words) and not aged and len(words) <= MOST_WORDS):
        return f"takes {expected(key)}"
    return f"takes one of {', '.join(map(_word, words))}"


def _word(word: Word) -> str:
    since = f"since {word.since}" if word.since else ""
    until = f"until {word.removed}" if word.removed else ""
    ages = ", ".join(age for age in (since, until) if age)
    return f"{word.text} ({ages})" if ages else word.text


def _filled(key: Key) -> Iterator[str]:
    readers = [READERS.get(reader, "the key itself") for reader in key.auto]
    if readers:
        sources = [fill.source for reader in key.auto if (fill := fills(reader).get(key.path)) is not None]
        origin = f" from {listing(dict.fromkeys(sources))}" if sources else ""
        yield f"auto is filled in by {listing(readers, 'and')}{origin}"
