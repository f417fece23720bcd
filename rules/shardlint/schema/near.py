"""The key a misspelt word was meant to be: near enough to be a slip of the hand, or nothing."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

MISNOMERS = {
    "bfloat16": "bf16",
    "check_overflow": "check_grad_overflow",
    "clip_grad": "gradient_clipping",
    "cpu_offload_params": "offload_param",
    "float16": "fp16",
    "float32": "fp32",
    "fsdp_transformer_cls_names_to_wrap": "fsdp_transformer_layer_cls_to_wrap",
    "grad_accumulation_dtype": "grad_accum_dtype",
    "grad_clip": "gradient_clipping",
    "max_norm": "gradient_clipping",
    "cpuadam": "adam",
    "cuda": "none",
    "deepspeedcpuadam": "adam",
    "fusedadam": "adam",
    "fusedlamb": "lamb",
    "fusedlion": "lion",
    "gpu": "none",
    "transformer_cls_names_to_wrap": "transformer_layer_cls_to_wrap",
    "transformer_layer_cls": "transformer_layer_cls_to_wrap",
}
"""Names that Python code or other frameworks give a setting or value, and the word of the files."""


def suggest(word: str, candidates: Iterable[str], most: int = 3) -> str | None:
    """The one candidate a slip away from the word; None where none is, or where two are equally near.

    A slip is one edit (a letter added, dropped, changed, or two swapped) for words up to five letters,
    two up to twelve, three beyond, and never more than `most`. Case, `-` for `_` and the order of the
    parts of a name are free.
    """
    return _suggested(word, tuple(candidates), most)


@lru_cache(maxsize=256)
def _suggested(word: str, candidates: tuple[str, ...], most: int) -> str | None:
    folded = _fold(word)
    if len(folded) < 3 or not candidates:
        return None
    known = MISNOMERS.get(folded)
    if known in candidates:
        return known
    swapped = _same_parts(folded, candidates)
    if swapped is not None:
        return swapped
    return _nearest(folded, candidates, most)


def is_misnomer(word: str) -> bool:
    """Whether a word is no slip of the hand but another name for something: what is meant is not certain."""
    return _fold(word) in MISNOMERS


def _nearest(folded: str, candidates: tuple[str, ...], most: int) -> str | None:
    """The one candidate with the fewest edits between, swaps of neighbours included."""
    from rapidfuzz.distance.OSA import distance
    from rapidfuzz.process import extract

    limit = min(_allowed(folded), most)
    found = extract(folded, _all_folded(candidates), scorer=distance, score_cutoff=limit, limit=None)
    near = [(edits, candidates[at]) for other, edits, at in found if edits <= _allowed(other)]
    least = min((edits for edits, _ in near), default=0)
    best = {name for edits, name in near if edits == least}
    return best.pop() if len(best) == 1 else None


def _same_parts(folded: str, candidates: tuple[str, ...]) -> str | None:
    """The candidate made of the same parts in another order: overlap_comm for comm_overlap."""
    found = _by_parts(candidates).get(_parts(folded), []) if "_" in folded else []
    return found[0] if len(found) == 1 else None


@lru_cache(maxsize=64)
def _by_parts(candidates: tuple[str, ...]) -> dict[tuple[str, ...], list[str]]:
    found: dict[tuple[str, ...], list[str]] = {}
    for name, folded in zip(candidates, _all_folded(candidates), strict=True):
        found.setdefault(_parts(folded), []).append(name)
    return found


def _parts(folded: str) -> tuple[str, ...]:
    return tuple(sorted(folded.split("_")))


@lru_cache(maxsize=64)
def _all_folded(candidates: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(_fold, candidates))


def abbreviated(word: str, candidates: Iterable[str]) -> str | None:
    """The one candidate of which the word is a short form: gradient_clip, stage3_max_live_params.

    Each part of it begins a part of the candidate or leaves out letters in its middle; parts may be missing
    at the end. A single part is no short form: too much begins with it.
    """
    parts = _fold(word).split("_")
    if len(parts) < 2:
        return None
    found = [name for name in candidates if _shortens(parts, _fold(name).split("_"))]
    return found[0] if len(found) == 1 else None


def _shortens(parts: list[str], whole: list[str]) -> bool:
    return len(parts) <= len(whole) and all(map(_is_short_for, parts, whole))


def _is_short_for(part: str, whole: str) -> bool:
    if len(part) < 3 or whole.startswith(part):
        return whole.startswith(part) and bool(part)
    rest = iter(whole)
    return part[:3] == whole[:3] and part[-1] == whole[-1] and all(letter in rest for letter in part)


@lru_cache(maxsize=4096)
def _fold(word: str) -> str:
    return word.strip().lower().replace("-", "_").replace(" ", "_")


def _allowed(word: str) -> int:
    return 1 if len(word) <= 5 else 2 if len(word) <= 12 else 3
