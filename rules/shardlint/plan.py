"""TrainingPlan, ParameterGroup and Fact: the one normalised model every figure and rule stands on."""

from __future__ import annotations

from collections.abc import Mapping as MappingType
from typing import Any, Generic, NamedTuple, TypeVar

from shardlint.report import Place

T = TypeVar("T")
V = TypeVar("V")

GIVEN, DERIVED, DEFAULT, ASSUMED = "given", "derived", "default", "assumed"


class Fact(Generic[T]):
    """A value, or None with the reason why it is unknown. Facts are compared by content and never changed.

    `origin` says where it comes from, for people: `ds.json:5`, `shardlint.toml:3`, `--set`,
    `DeepSpeed default (0.19.8)`, `DP 8 = 256 / (4 x 8)`. `standing` is given, derived, default or
    assumed. `place` is where a finding about it stands. `against` are the sources that disagree.
    """

    __slots__ = ("against", "origin", "place", "standing", "value")

    def __init__(
        self,
        value: T | None = None,
        origin: str = "",
        standing: str = GIVEN,
        place: Place | None = None,
        against: tuple[Fact[T], ...] = (),
    ) -> None:
        self.value = value
        self.origin = origin
        self.standing = standing
        self.place = place
        self.against = against

    def _content(self) -> tuple[object, ...]:
        return self.value, self.origin, self.standing, self.place, self.against

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Fact) and self._content() == other._content()

    def __hash__(self) -> int:
        return hash(self._content())

    def __repr__(self) -> str:
        return f"Fact({self.value!r}, {self.origin!r}, {self.standing})"

    @property
    def known(self) -> bool:
        return self.value is not None

    @property
    def certain(self) -> bool:
        """Known, and neither assumed nor contradicted."""
        return self.value is not None and self.standing != ASSUMED and not self.against

    def get(self, default: T) -> T:
        return default if self.value is None else self.value

    def or_else(self, other: Fact[T]) -> Fact[T]:
        return self if self.value is not None else other

    def disagreeing(self, other: Fact[T]) -> Fact[T]:
        return Fact(self.value, self.origin, self.standing, self.place, (*self.against, other))

    def meaning(self, value: V) -> Fact[V]:
        """Another value read off the same source; what disagreed with the first is left behind."""
        return Fact(value, self.origin, self.standing, self.place)


def unknown(reason: str) -> Fact[Any]:
    """A fact nobody states; `reason` says what would."""
    return Fact(None, reason, ASSUMED)


class Tensor(NamedTuple):
    """A parameter tensor of a model whose shapes are known. `shape` in elements."""

    name: str
    shape: tuple[int, ...]
    trainable: bool = True

    @property
    def numel(self) -> int:
        total = 1
        for size in self.shape:
            total *= size
        return total


class ParameterGroup:
    """Parameters held alike. `count` in elements; `stored` is a dtype or the name of a quantisation."""

    __slots__ = ("count", "name", "stored", "trainable")

    def __init__(self, name: str, count: int, trainable: bool = True, stored: str | None = None) -> None:
        self.name = name
        self.count = count
        self.trainable = trainable
        self.stored = stored

    def _content(self) -> tuple[object, ...]:
        return self.name, self.count, self.trainable, self.stored

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ParameterGroup) and self._content() == other._content()

    def __hash__(self) -> int:
        return hash(self._content())

    def __repr__(self) -> str:
        return f"ParameterGroup{self._content()!r}"


COUNT: Fact[int] = Fact(None, "not stated", ASSUMED)
TEXT: Fact[str] = Fact(None, "not stated", ASSUMED)
NUMBER: Fact[float] = Fact(None, "not stated", ASSUMED)
SWITCH: Fact[bool] = Fact(None, "not stated", ASSUMED)
RESHARD: Fact[bool | int] = Fact(None, "not stated", ASSUMED)
"""What a plan holds where nothing is stated."""


class TrainingPlan(NamedTuple):
    """What one role of a job runs. Every field is a Fact; counts are elements, sizes bytes.

    `world` is all ranks, `batch_dp` what the framework divides the batch by, `shard` the ranks one
    copy of the states is split over, `replicate` the copies: they differ under TP, Ulysses, HSDP, hpZ.
    `required_dp` is the DP degree the batch keys need, kept apart from any source that states it.

    framework: deepspeed, fsdp1, fsdp2, ddp, single, megatron.
    stage: ZeRO stage 0-3 (DeepSpeed). strategy: FULL_SHARD, SHARD_GRAD_OP, NO_SHARD, HYBRID_SHARD,
    HYBRID_SHARD_ZERO2 (FSDP1). reshard: FSDP2 reshard_after_forward, true, false or a group size.
    precision: fp32, bf16, fp16, autocast (weights fp32, compute 16 bit), fp8.
    load_dtype: dtype the model is loaded in. accum_dtype: data_types.grad_accum_dtype.
    options: the knobs only one framework's ledger reads, by their own names (`reduce_bucket_size`).
    """

    role: str = "train"
    framework: Fact[str] = TEXT
    stage: Fact[int] = COUNT
    strategy: Fact[str] = TEXT
    reshard: Fact[bool | int] = RESHARD
    world: Fact[int] = COUNT
    nodes: Fact[int] = COUNT
    batch_dp: Fact[int] = COUNT
    required_dp: Fact[int] = COUNT
    shard: Fact[int] = COUNT
    replicate: Fact[int] = COUNT
    tensor: Fact[int] = COUNT
    pipeline: Fact[int] = COUNT
    context: Fact[int] = COUNT
    sequence: Fact[int] = COUNT
    expert: Fact[int] = COUNT
    micro_batch: Fact[int] = COUNT
    accumulation: Fact[int] = COUNT
    train_batch: Fact[int] = COUNT
    precision: Fact[str] = TEXT
    load_dtype: Fact[str] = TEXT
    accum_dtype: Fact[str] = TEXT
    optimizer: Fact[str] = TEXT
    offload_optimizer: Fact[str] = TEXT
    offload_param: Fact[str] = TEXT
    wrap: Fact[str] = TEXT
    params: Fact[int] = COUNT
    trainable: Fact[int] = COUNT
    groups: tuple[ParameterGroup, ...] = ()
    gpu_name: Fact[str] = TEXT
    gpu_bytes: Fact[int] = COUNT
    capability: Fact[float] = NUMBER
    host_bytes: Fact[int] = COUNT
    sequence_length: Fact[int] = COUNT
    checkpointing: Fact[bool] = SWITCH
    activations: Fact[int] = COUNT
    reserve: Fact[int] = COUNT
    fragmentation: Fact[float] = NUMBER
    options: MappingType[str, Fact[object]] = {}

    @property
    def label(self) -> str:
        """What people call this way of sharding: `ZeRO-3`, `FSDP FULL_SHARD`, `FSDP2`, `DDP`."""
        return _label(self)

    @property
    def strategy_place(self) -> Place | None:
        """The value that decides how states are sharded: stage, strategy, reshard or framework."""
        for fact in (self.stage, self.strategy, self.reshard, self.framework):
            if fact.place is not None:
                return fact.place
        return None

    def option(self, name: str) -> Fact[object]:
        found = self.options.get(name)
        return found if found is not None else Fact(None, "not stated", DEFAULT)

    def number(self, name: str, default: int) -> int:
        """An option as an int; the default where it is absent, a placeholder or no number."""
        value = self.option(name).value
        if isinstance(value, bool) or not isinstance(value, int | float):
            return default
        return int(value)

    def switch(self, name: str, default: bool) -> bool:
        value = self.option(name).value
        return value if isinstance(value, bool) else default

    def word(self, name: str, default: str) -> str:
        value = self.option(name).value
        return value if isinstance(value, str) else default


def _label(plan: TrainingPlan) -> str:
    framework = plan.framework.value
    if framework == "deepspeed":
        return f"ZeRO-{plan.stage.get(0)}"
    if framework == "fsdp1":
        return f"FSDP {plan.strategy.get('FULL_SHARD')}"
    if framework == "fsdp2":
        return "FSDP2"
    return {"ddp": "DDP", "single": "Single-process", "megatron": "Megatron"}.get(
        framework or "", "Unsharded"
    )
