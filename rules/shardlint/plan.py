"""TrainingPlan, ParameterGroup and Fact: the one normalised model every figure and rule stands on."""

from __future__ import annotations

from collections.abc import Mapping as MappingType
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from shardlint.report import Place

T = TypeVar("T")
U = TypeVar("U")

GIVEN, DERIVED, DEFAULT, ASSUMED = "given", "derived", "default", "assumed"


@dataclass(frozen=True, slots=True)
class Fact(Generic[T]):
    """A value, or None with the reason why it is unknown.

    `origin` says where it comes from, for people: `ds.json:5`, `shardlint.toml:3`, `--set`,
    `DeepSpeed default (0.19.8)`, `DP 8 = 256 / (4 x 8)`. `standing` is given, derived, default or
    assumed. `place` is where a finding about it stands. `against` are the sources that disagree.
    """

    value: T | None = None
    origin: str = ""
    standing: str = GIVEN
    place: Place | None = None
    against: tuple[Fact[T], ...] = ()

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
        return replace(self, against=(*self.against, other))


def unknown(reason: str) -> Fact[T]:
    """A fact nobody states; `reason` says what would."""
    return Fact(None, reason, ASSUMED)


@dataclass(frozen=True, slots=True)
class Tensor:
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


@dataclass(frozen=True, slots=True)
class ParameterGroup:
    """Parameters that are held alike. `count` in elements; `stored` is a dtype or bytes-per-parameter name."""

    name: str
    count: int
    trainable: bool = True
    stored: str | None = None


def _unstated() -> Fact[int]:
    return Fact(None, "not stated", ASSUMED)


def _unstated_text() -> Fact[str]:
    return Fact(None, "not stated", ASSUMED)


def _unstated_number() -> Fact[float]:
    return Fact(None, "not stated", ASSUMED)


def _unstated_switch() -> Fact[bool]:
    return Fact(None, "not stated", ASSUMED)


def _unstated_reshard() -> Fact[bool | int]:
    return Fact(None, "not stated", ASSUMED)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingPlan:
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
    framework: Fact[str] = field(default_factory=_unstated_text)
    stage: Fact[int] = field(default_factory=_unstated)
    strategy: Fact[str] = field(default_factory=_unstated_text)
    reshard: Fact[bool | int] = field(default_factory=_unstated_reshard)
    world: Fact[int] = field(default_factory=_unstated)
    nodes: Fact[int] = field(default_factory=_unstated)
    batch_dp: Fact[int] = field(default_factory=_unstated)
    required_dp: Fact[int] = field(default_factory=_unstated)
    shard: Fact[int] = field(default_factory=_unstated)
    replicate: Fact[int] = field(default_factory=_unstated)
    tensor: Fact[int] = field(default_factory=_unstated)
    pipeline: Fact[int] = field(default_factory=_unstated)
    context: Fact[int] = field(default_factory=_unstated)
    sequence: Fact[int] = field(default_factory=_unstated)
    expert: Fact[int] = field(default_factory=_unstated)
    micro_batch: Fact[int] = field(default_factory=_unstated)
    accumulation: Fact[int] = field(default_factory=_unstated)
    train_batch: Fact[int] = field(default_factory=_unstated)
    precision: Fact[str] = field(default_factory=_unstated_text)
    load_dtype: Fact[str] = field(default_factory=_unstated_text)
    accum_dtype: Fact[str] = field(default_factory=_unstated_text)
    optimizer: Fact[str] = field(default_factory=_unstated_text)
    offload_optimizer: Fact[str] = field(default_factory=_unstated_text)
    offload_param: Fact[str] = field(default_factory=_unstated_text)
    wrap: Fact[str] = field(default_factory=_unstated_text)
    params: Fact[int] = field(default_factory=_unstated)
    trainable: Fact[int] = field(default_factory=_unstated)
    groups: tuple[ParameterGroup, ...] = ()
    gpu_name: Fact[str] = field(default_factory=_unstated_text)
    gpu_bytes: Fact[int] = field(default_factory=_unstated)
    capability: Fact[float] = field(default_factory=_unstated_number)
    host_bytes: Fact[int] = field(default_factory=_unstated)
    sequence_length: Fact[int] = field(default_factory=_unstated)
    checkpointing: Fact[bool] = field(default_factory=_unstated_switch)
    activations: Fact[int] = field(default_factory=_unstated)
    reserve: Fact[int] = field(default_factory=_unstated)
    fragmentation: Fact[float] = field(default_factory=_unstated_number)
    options: MappingType[str, Fact[object]] = field(default_factory=dict[str, Fact[object]])

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
        usable = isinstance(value, int | float) and not isinstance(value, bool)
        return int(value) if usable else default

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
    return {"ddp": "DDP", "single": "Single-process", "megatron": "Megatron"}.get(framework or "", "Unsharded")
