"""From the figures on the command line of `ledger` to training plans: one, or one a way of sharding."""

from __future__ import annotations

from argparse import ArgumentTypeError, Namespace

from shardlint.compose.plans import plan_from
from shardlint.plan import ASSUMED, Fact, TrainingPlan

FRAMEWORKS = {"deepspeed": "deepspeed", "fsdp": "fsdp1", "fsdp1": "fsdp1", "fsdp2": "fsdp2", "ddp": "ddp"}
PRECISIONS = ("bf16", "fp16", "fp32", "pure-bf16")
STRATEGIES = ("NO_SHARD", "SHARD_GRAD_OP", "FULL_SHARD")
STAGES = (0, 1, 2, 3)

Terms = dict[str, Fact[object]]


def count(text: str) -> int:
    """`8`, `7e9` or `7B`, as the settings read a count."""
    from shardlint.settings.values import read

    found = read("count", text)
    if not isinstance(found.value, int):
        raise ArgumentTypeError(f"{text} {found.complaint}")
    return found.value


def optimizer(text: str) -> str:
    from shardlint.catalog.optimizers import find_optimizer, suggest_optimizers

    if find_optimizer(text) is None:
        raise ArgumentTypeError(f"no table has the optimizer {text}{_near(suggest_optimizers(text))}")
    return text


def gpu(text: str) -> str:
    from shardlint.catalog.gpus import find_gpu, suggest_gpus

    if find_gpu(text) is None:
        raise ArgumentTypeError(f"no table has the card {text}{_near(suggest_gpus(text))}")
    return text


def plans_of(arguments: Namespace) -> list[TrainingPlan]:
    """The plan the flags describe; where they leave the way of sharding open, a plan for each."""
    framework = FRAMEWORKS[arguments.framework or "deepspeed"]
    terms = _terms(arguments, framework)
    if framework == "deepspeed":
        stages = STAGES if arguments.stage is None else (arguments.stage,)
        ways: list[Terms] = [{"stage": _flag("stage", stage)} for stage in stages]
    elif framework == "fsdp1":
        strategies = STRATEGIES if arguments.strategy is None else (arguments.strategy.upper(),)
        ways = [{"strategy": _flag("strategy", strategy)} for strategy in strategies]
    else:
        ways = [{}]
    return [_with_model(plan_from({**terms, **way}, "train"), arguments) for way in ways]


def _terms(arguments: Namespace, framework: str) -> Terms:
    """The flags in the vocabulary of TrainingPlan."""
    terms: Terms = {"framework": _or_default("framework", arguments.framework, framework)}
    stated = {
        "world": ("dp", arguments.dp),
        "accum_dtype": ("grad-accum", arguments.grad_accum),
        "optimizer": ("optimizer", arguments.optimizer),
        "offload_optimizer": ("offload-optimizer", arguments.offload_optimizer),
        "offload_param": ("offload-param", arguments.offload_param),
    }
    terms |= {term: _flag(name, value) for term, (name, value) in stated.items() if value is not None}
    if arguments.precision is None:
        return {**terms, "precision": Fact("bf16", "default of this command", ASSUMED)}
    return terms | _precision(arguments.precision, framework)


def _precision(word: str, framework: str) -> Terms:
    """Pure bf16 is a switch of DeepSpeed; in torch, a model loaded in bf16 that nothing mixes."""
    if word != "pure-bf16":
        return {"precision": _flag("precision", word)}
    if framework == "deepspeed":
        switch = _flag("precision", True)
        return {"precision": _flag("precision", "bf16"), "options.bf16_master_weights_and_grads": switch}
    return {"precision": _flag("precision", "no"), "load_dtype": _flag("precision", "bf16")}


def _with_model(plan: TrainingPlan, arguments: Namespace) -> TrainingPlan:
    known = plan._replace(params=Fact(arguments.params, "--params"))
    if arguments.gpu is None:
        return known
    from shardlint.catalog.gpus import find_gpu

    card = find_gpu(arguments.gpu)
    if card is None:
        return known
    return known._replace(gpu_name=Fact(card.name, "--gpu"), gpu_bytes=Fact(card.memory, "--gpu"))


def _or_default(name: str, stated: object, value: object) -> Fact[object]:
    return _flag(name, value) if stated is not None else Fact(value, "default of this command", ASSUMED)


def _flag(name: str, value: object) -> Fact[object]:
    return Fact(value, f"--{name}")


def _near(words: tuple[str, ...]) -> str:
    return f" (did you mean {' or '.join(words)}?)" if words else ""
