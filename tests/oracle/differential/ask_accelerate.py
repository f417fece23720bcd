"""A worker that asks the installed accelerate what it makes of a config file.

It runs `accelerate launch` on the file up to the point where processes would start, and in the environment
they would get builds an `Accelerator` in a process that passes for rank 0 of the job. The machine is taken
for one with eight GPUs on which whatever a config asks for is installed. Each question gets a process of its
own: accelerate keeps what it learnt in the environment and in classes.
"""

from __future__ import annotations

import io
import os
import sys
import tempfile
import warnings
from contextlib import redirect_stdout
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any
from unittest import mock

from oracle.differential.question import Question
from oracle.differential.serve import Refused, in_child, learn, own_output, serve

PREFIXES = ("ACCELERATE_", "FSDP_", "PARALLELISM_CONFIG_", "MEGATRON_LM_")
for name in [name for name in os.environ if name.startswith(PREFIXES)]:
    del os.environ[name]
os.environ["HF_HOME"] = tempfile.mkdtemp()
os.environ.setdefault("DS_ACCELERATOR", "cpu")

CHANNEL = own_output()

import torch  # noqa: E402

torch.set_num_threads(1)
import accelerate  # noqa: E402
import deepspeed.comm  # noqa: E402
import deepspeed.launcher.runner as runner  # noqa: E402
import torch.distributed.run as torchrun  # noqa: E402
from accelerate.commands import launch  # noqa: E402
from accelerate.commands.config import config_args  # noqa: E402
from accelerate.utils.versions import compare_versions  # noqa: E402
from torch.distributed.elastic.agent.server import WorkerSpec  # noqa: E402
from torch.distributed.elastic.rendezvous import RendezvousParameters  # noqa: E402
from torch.distributed.elastic.rendezvous.static_tcp_rendezvous import create_rdzv_handler  # noqa: E402
from torch.testing._internal.distributed import fake_pg  # noqa: E402

GPUS = 8


class Launched(BaseException):
    """The processes would start now, `world` of them, in this environment."""

    def __init__(self, world: int, environment: dict[str, str]) -> None:
        super().__init__(world)
        self.world = world
        self.environment = environment


def yes(*_: Any, **__: Any) -> bool:
    return True


def no(*_: Any, **__: Any) -> bool:
    return False


def started(command: list[str], env: dict[str, str], **_: Any) -> None:
    """In place of `subprocess.Popen`: what it and the deepspeed command demand of their arguments, and
    nothing started."""
    for part in command:
        os.fsencode(part)
    if command[0] == "deepspeed":
        runner.parse_args(command[1:])
    for name, value in env.items():
        os.fsencode(name), os.fsencode(value)
    ranks = command[command.index("--num_gpus") + 1] if "--num_gpus" in command else "1"
    raise Launched(int(ranks), dict(env))


class Agent:
    """In place of torch's `elastic_launch`."""

    def __init__(self, config: Any, entrypoint: Any) -> None:
        """What torch's agent checks of the number of processes and of the address."""
        meeting = RendezvousParameters(
            config.rdzv_backend,
            config.rdzv_endpoint,
            config.run_id,
            config.min_nodes,
            config.max_nodes,
            config.local_addr,
            **config.rdzv_configs,
        )
        if config.rdzv_backend == "static":
            create_rdzv_handler(meeting)
        if not -(2**31) <= config.nproc_per_node < 2**31:
            raise OverflowError("more processes than any machine has")
        WorkerSpec("worker", config.nproc_per_node, None, entrypoint=entrypoint)
        self.world = config.nproc_per_node * config.max_nodes

    def __call__(self, *_: Any) -> None:
        raise Launched(self.world, dict(os.environ))


def skipped(*_: Any, **__: Any) -> None:
    """In place of the launchers of TPUs and SageMaker, which need what this machine lacks."""
    raise Launched(1, dict(os.environ))


def have_everything() -> None:
    """Eight GPUs, every library, free ports."""
    cuda = torch.cuda
    cuda.is_available = cuda.is_bf16_supported = yes
    cuda.device_count = lambda: GPUS
    cuda.current_device = lambda: 0
    cuda.set_device = lambda device: None
    cuda.get_device_name = lambda device=None: "NVIDIA H100 80GB HBM3"
    cuda.get_device_capability = lambda device=None: (9, 0)
    libraries = ("fp8", "torchao", "transformer_engine", "msamp", "megatron_lm", "cuda", "deepspeed")
    lacking = ("xpu", "npu", "mlu", "musa", "sdaa", "hpu", "neuron", "torch_xla", "habana_gaudi1")
    answers: dict[str, Any] = {f"is_{name}_available": yes for name in libraries}
    answers |= {f"is_{name}_available": no for name in lacking}
    answers["compare_versions"] = newest
    answers |= {"check_cuda_fp8_capability": yes, "check_cuda_p2p_ib_support": yes, "is_port_in_use": no}
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] == "accelerate":
            for known in answers.keys() & vars(module).keys():
                setattr(module, known, answers[known])
    sys.modules["torchao"] = ModuleType("torchao")
    sys.modules["torchao.float8"] = torchao = ModuleType("torchao.float8")
    torchao.Float8LinearConfig = SimpleNamespace  # type: ignore[attr-defined]
    accelerate.DeepSpeedPlugin.set_deepspeed_weakref = skip
    torchrun.elastic_launch = Agent
    launch.tpu_launcher = launch.tpu_pod_launcher = launch.sagemaker_launcher = skipped
    runner.DEEPSPEED_ENVIRONMENT_NAME = os.devnull


def newest(library: str, operation: str, version: str) -> bool:
    """Whether a release is newer or older than another, and every library not installed is the newest."""
    if library == "transformers":
        return ">" in operation
    return compare_versions(library, operation, version)


def skip(*_: Any, **__: Any) -> None:
    """In place of telling transformers about the plugin."""


def ask(question: Question, path: Path) -> None:
    os.chdir(path.parent)
    with redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            config_args.load_config_from_file(str(path))
        except BaseException as error:
            raise Refused("load", error) from error
        if question.layer == "load":
            return
        ready = launched(path)
        if question.layer != "launch":
            build(ready)


def launched(path: Path) -> Launched:
    arguments = launch.launch_command_parser().parse_args(["--config_file", str(path), "train.py"])
    try:
        with mock.patch.object(launch.subprocess, "Popen", started):
            launch.launch_command(arguments)
    except Launched as ready:
        return ready
    except BaseException as error:
        raise Refused("launch", error) from error
    raise RuntimeError("nothing was launched")


def build(ready: Launched) -> None:
    """What the program does first, in one of its processes."""
    os.environ.update(ready.environment)
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29534")
    if ready.world > 1:
        os.environ.update(RANK="0", LOCAL_RANK="0", WORLD_SIZE=str(ready.world))
        torch.distributed.init_process_group(
            "fake", store=fake_pg.FakeStore(), rank=0, world_size=ready.world
        )
        deepspeed.comm.init_distributed("fake", dist_init_required=False, verbose=False)
    try:
        accelerate.Accelerator()
    except BaseException as error:
        raise Refused("config", error) from error


def warm() -> None:
    """Have ready what accelerate imports when it has something to do."""
    top = "compute_environment: LOCAL_MACHINE\nnum_processes: 8\nmixed_precision: bf16\ndistributed_type: "
    for text in (
        "DEEPSPEED\ndeepspeed_config: {zero_stage: 3}\n",
        "FSDP\nfsdp_config: {fsdp_version: 1}\n",
        "FSDP\nfsdp_config: {fsdp_version: 2}\nparallelism_config: {parallelism_config_dp_shard_size: 8}\n",
    ):
        learn(ask, Question({"a.yaml": top + text}, "a.yaml", 8, "config"))


have_everything()

if __name__ == "__main__":
    warm()
    serve(in_child(ask), CHANNEL)
