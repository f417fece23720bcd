"""Changes whose outcome no file decides: what is installed, how much memory there is, what the model is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from oracle.differential.texts import Pairs, Path, find, has

LARGEST_BUFFER = 10**9
"""Elements: a larger one fails for want of memory on this machine and works on another."""

BUFFERS = ("reduce_bucket_size", "allgather_bucket_size", "buffer_size", "buffer_count", "sub_group_size")
WRITER = ("type", "data_parallel")
MONITORS = ("tensorboard", "wandb", "csv_monitor", "comet")

LARGEST_MESH = 10**8
"""Ranks, of 8 bytes each."""

RANK_WORDS = ("auto", "cpu", "gpu", "xpu")

Decides = Callable[[Pairs], bool]


def decidable(layer: str) -> Decides:
    """Whether the file alone decides, for a tree that is asked about up to a layer."""
    return _in_a_config if layer != "engine" else _in_an_engine


def _in_a_config(tree: Pairs) -> bool:
    """Not: files at absolute paths; MPI, TPUs and SageMaker, which are not here; direct storage, which needs
    a GPU; per-head Muon, which needs attention layers; a number of processes or an address that the command
    line may give; sizes whose product must be as many devices as the machine has, and sizes of which
    accelerate lists the ranks before it compares them, in more memory than a machine has."""
    direct = _value(tree, ("aio", "use_gds"))
    heads = _value(tree, ("optimizer", "params", "per_head_muon"))
    if "distributed_type" in tree.names() and (_left_to_the_command(tree) or _left_to_the_machine(tree)):
        return False
    abroad = str(_value(tree, ("deepspeed_config", "deepspeed_config_file"))).startswith(("/", "~"))
    if abroad or _value(tree, ("mpirun_config", "mpirun_hostfile")):
        return False
    elsewhere = (
        _value(tree, ("distributed_type",)) == "XLA"
        or _value(tree, ("compute_environment",)) == "AMAZON_SAGEMAKER"
    )
    return not direct and not heads and not elsewhere


def _left_to_the_command(tree: Pairs) -> bool:
    missing = _value(tree, ("num_processes",)) is None and _value(tree, ("distributed_type",)) != "NO"
    several = _value(tree, ("num_machines",)) not in (None, 0, 1)
    address = _value(tree, ("main_process_ip",)) and _value(tree, ("main_process_port",))
    return missing or (several and not address)


def _left_to_the_machine(tree: Pairs) -> bool:
    """torchrun starts as many processes as there are devices where it is told a word for the number; a list
    of all ranks takes memory."""
    counted = _value(tree, ("num_processes",)) in RANK_WORDS
    sizes = _value(tree, ("parallelism_config",))
    return isinstance(sizes, Pairs) and (counted or any(_is_huge(size) for _, size in sizes))


def _is_huge(size: Any) -> bool:
    return isinstance(size, int) and size > LARGEST_MESH


def _in_an_engine(tree: Pairs) -> bool:
    """Nor: buffers beyond this machine, monitors and their packages, superoffload and the fast checkpoint
    writer, which need CUDA, a writer without data_parallel, for which the program must pass an mpu, and
    tensor and expert parallelism, for which the model must be a known one."""
    split = _value(tree, ("tensor_parallel", "autotp_size")) not in (None, 0, 1, "1")
    experts = _value(tree, ("expert_parallel", "enabled"))
    writer = _value(tree, ("checkpoint", "writer"))
    fast = isinstance(writer, Pairs) and (
        str(_value(writer, ("type",))).lower() in ("none", "fast")
        or _value(writer, ("data_parallel",)) is None
    )
    if split or fast or experts:
        return False
    monitored = any(_value(tree, (name, "enabled")) not in (None, False) for name in MONITORS)
    zero = _value(tree, ("zero_optimization",))
    return _in_a_config(tree) and not monitored and not (isinstance(zero, Pairs) and _too_large(zero))


def _too_large(zero: Pairs) -> bool:
    for name, value in zero:
        if isinstance(value, Pairs) and _too_large(value):
            return True
        if name in BUFFERS and isinstance(value, int | float) and value > LARGEST_BUFFER:
            return True
        if name == "super_offload" and value:
            return True
    return False


def _value(tree: Pairs, path: Path) -> Any:
    return find(tree, path) if has(tree, path) else None
