"""World, batch DP, shard and replicate: kept apart, because frameworks divide by different ones.

Sources: DeepSpeed 0.19.8 `runtime/config.py` divides the batch by the undivided world (autotp) or by
world / sequence_parallel_size, and takes a data_parallel_size beside that as it is; `utils/groups.py`
shards ZeRO states over world / tensor / pipeline (Ulysses ranks share the shards). accelerate 1.15
`ParallelismConfig`: FSDP2 shards over dp_shard x cp.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from shardlint.compose.terms import Terms
from shardlint.plan import ASSUMED, DEFAULT, DERIVED, Fact, unknown

ONE: Fact[int] = Fact(1, "not set", DEFAULT)


class Degrees(NamedTuple):
    world: Fact[int]
    batch_dp: Fact[int]
    required_dp: Fact[int]
    shard: Fact[int]
    replicate: Fact[int]


def integer(terms: Terms, name: str) -> Fact[int]:
    """A term as a positive whole number, else unknown."""
    fact = terms.get(name)
    if fact is None:
        return unknown(f"{name} is not stated")
    return as_integer(fact)


def degree(terms: Terms, name: str) -> Fact[int]:
    """A parallel degree: 1 where nothing states it, unknown where another program fills it in."""
    fact = terms.get(name)
    if fact is not None and fact.value is None:
        return unknown(fact.origin)
    return integer(terms, name).or_else(ONE)


def as_integer(fact: Fact[object]) -> Fact[int]:
    value = fact.value
    if isinstance(value, bool) or not isinstance(value, int | float) or value != int(value) or value < 1:
        return unknown(fact.origin)
    others = tuple(o for o in (as_integer(a) for a in fact.against) if o.known)
    return Fact(int(value), fact.origin, fact.standing, fact.place, others)


def text(terms: Terms, name: str) -> Fact[str]:
    fact = terms.get(name)
    if fact is None or not isinstance(fact.value, str):
        return unknown(f"{name} is not stated")
    others = tuple(
        Fact(a.value, a.origin, a.standing, a.place) for a in fact.against if isinstance(a.value, str)
    )
    return Fact(fact.value, fact.origin, fact.standing, fact.place, others)


def degrees(terms: Terms) -> Degrees:
    """The degrees of a plan from its merged terms; unknown world gives the DP the batch keys require."""
    framework = text(terms, "framework").value or ""
    split = {name: degree(terms, name) for name in ("tensor", "pipeline", "sequence", "context")}
    required = _required(terms)
    world = _world(terms)
    if not world.known and required.known:
        world = _world_required(required, split)
    if not world.known:
        reason = "world size is not stated by any file or setting"
        return Degrees(
            unknown(reason), unknown(reason), required, _stated_shard(terms, reason), unknown(reason)
        )
    open_degree = next((fact for fact in split.values() if not fact.known), None)
    if open_degree is not None:
        return Degrees(world, open_degree, required, open_degree, open_degree)
    data = degree(terms, "data") if "data" in terms else None
    batch = _batch_dp(framework, world, split) if data is None else data
    shard, replicate = _sharding(framework, terms, world, split)
    return Degrees(world, batch, required, shard, replicate)


def _world(terms: Terms) -> Fact[int]:
    if text(terms, "framework").value == "single":
        return Fact(1, "distributed_type NO starts one process", DERIVED)
    world = integer(terms, "world")
    if world.known:
        return world
    nodes, each = integer(terms, "nodes"), integer(terms, "gpus_per_node")
    if nodes.value and each.value:
        origin = f"{nodes.value} nodes x {each.value} GPUs"
        return Fact(nodes.value * each.value, origin, _carried(nodes, each), each.place)
    return world


def _required(terms: Terms) -> Fact[int]:
    """DP = train batch / (micro batch x accumulation), where all three are stated and it divides."""
    batch, micro, steps = (integer(terms, name) for name in ("train_batch", "micro_batch", "accumulation"))
    if not (batch.value and micro.value and steps.value) or batch.value % (micro.value * steps.value):
        return unknown("the batch keys do not give a DP degree")
    dp = batch.value // (micro.value * steps.value)
    origin = f"DP {dp} = {batch.value} / ({micro.value} x {steps.value})"
    return Fact(dp, origin, _carried(batch, micro, steps), batch.place)


def _world_required(required: Fact[int], split: dict[str, Fact[int]]) -> Fact[int]:
    if not split["sequence"].known:
        return unknown(split["sequence"].origin)
    sequence = split["sequence"].get(1)
    value = required.get(1) * sequence
    suffix = f", x sequence parallel {sequence}" if sequence > 1 else ""
    origin = f"required by the batch keys: {required.origin}{suffix}"
    return Fact(value, origin, _carried(required, split["sequence"]), required.place)


def _divided(world: Fact[int], by: Sequence[Fact[int]], why: str) -> Fact[int]:
    """World over the product of some degrees; not certain where the sources of one disagree."""
    total, size = world.get(1), prod(fact.get(1) for fact in by)
    if size == 1:
        return world
    if total % size:
        return unknown(f"world {total} does not divide by {why} {size}")
    return Fact(total // size, f"{total} ranks / {why} {size}", _carried(world, *by), world.place)


def _carried(*sources: Fact[int]) -> str:
    """The standing of what is worked out from these: derived only where each is certain."""
    return DERIVED if all(fact.certain for fact in sources) else ASSUMED


def _batch_dp(framework: str, world: Fact[int], split: dict[str, Fact[int]]) -> Fact[int]:
    if framework == "deepspeed":
        return _divided(world, (split["sequence"], split["pipeline"]), "sequence x pipeline")
    return _divided(world, tuple(split.values()), "tensor x pipeline x sequence x context")


def _sharding(
    framework: str, terms: Terms, world: Fact[int], split: dict[str, Fact[int]]
) -> tuple[Fact[int], Fact[int]]:
    """(shard, replicate) of one copy of the model states."""
    ranks = _divided(world, (split["tensor"], split["pipeline"]), "tensor x pipeline")
    if framework == "megatron":
        return unknown("how megatron shards the states is not modelled"), ranks
    if framework in ("ddp", "single"):
        return Fact(1, f"{framework} does not shard", DERIVED), ranks
    if framework in ("fsdp1", "fsdp2"):
        return _fsdp_sharding(terms, ranks, split)
    return ranks, Fact(1, "one copy", DEFAULT)


def _fsdp_sharding(
    terms: Terms, ranks: Fact[int], split: dict[str, Fact[int]]
) -> tuple[Fact[int], Fact[int]]:
    strategy = text(terms, "strategy").value or ""
    if strategy == "NO_SHARD":
        return Fact(1, "NO_SHARD keeps everything on every rank", DERIVED), ranks
    stated, copies = integer(terms, "shard"), integer(terms, "replicate")
    if stated.value:
        size = stated.value * split["context"].get(1)
        standing = _carried(stated, split["context"])
        return Fact(size, stated.origin, standing, stated.place), copies.or_else(ONE)
    if "HYBRID" in strategy:
        group = integer(terms, "gpus_per_node").or_else(_per_node(terms, ranks))
        if not group.value or not ranks.value or ranks.value % group.value:
            return unknown("the size of the hybrid shard group is not stated (set gpus_per_node)"), copies
        origin = f"HYBRID_SHARD shards within a node of {group.value}"
        nodes = Fact(ranks.value // group.value, origin, _carried(ranks, group))
        return Fact(group.value, origin, _carried(group)), nodes
    if copies.value and ranks.value and ranks.value % copies.value == 0:
        return _divided(ranks, (copies,), "replicas"), copies
    return ranks, ONE


def _per_node(terms: Terms, ranks: Fact[int]) -> Fact[int]:
    nodes = integer(terms, "nodes")
    if nodes.value and ranks.value and ranks.value % nodes.value == 0:
        origin = f"{ranks.value} ranks on {nodes.value} nodes"
        return Fact(ranks.value // nodes.value, origin, _carried(ranks, nodes))
    return unknown("gpus_per_node is not stated")


def _stated_shard(terms: Terms, reason: str) -> Fact[int]:
    """What is known of the shard group without a world size: 1 where nothing is ever sharded."""
    if text(terms, "framework").value in ("ddp", "single") or text(terms, "strategy").value == "NO_SHARD":
        return Fact(1, "nothing is sharded", DERIVED)
    return unknown(reason)
