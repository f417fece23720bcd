"""`shardlint ledger`: what each rank must hold, for the jobs of a file or for figures given as flags."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path

from shardlint.ledger import ledger, ledger_to_data
from shardlint.ledger.wording import Account
from shardlint.plan_json import plan_to_data
from shardlint.report import Notice
from shardlint_cli import flags
from shardlint_cli.arguments import Parser, add_format, one_of
from shardlint_cli.main import FAILURE, OK
from shardlint_cli.notices import tell
from shardlint_cli.render.json_report import SCHEMA, dumps
from shardlint_cli.render.ledger_text import compared, detailed
from shardlint_cli.request import current_folder
from shardlint_cli.terminal import Screen, screen_of

EXAMPLES = """\
  shardlint ledger --params 7B --dp 8                  every ZeRO stage
  shardlint ledger --params 7B --dp 8 --stage 3        one, term by term
  shardlint ledger --params 7B --dp 8 --framework fsdp --optimizer sgd
  shardlint ledger ds_config.json --params 7B --dp 8   the job of a file

A plan of your own is made of flags alone. With FILE, the file decides how the
job is sharded; --params, --dp, --gpu and --set give what it leaves open.
"""

OF_A_PLAN = (
    "framework",
    "stage",
    "strategy",
    "precision",
    "optimizer",
    "grad_accum",
    "offload_optimizer",
    "offload_param",
)
DEVICES = ("cpu", "nvme", "none")


def parser() -> Parser:
    made = Parser("ledger", "Print the model states each rank must hold, with formulas.", EXAMPLES)
    made.add_argument("file", nargs="?", metavar="FILE", help="a config file; its job is shown")
    made.add_argument("--params", type=flags.count, metavar="COUNT", help="parameters of the model, as 7B")
    made.add_argument("--dp", type=flags.count, metavar="N", help="data-parallel ranks")
    made.add_argument("--gpu", type=flags.gpu, metavar="NAME", help="card, as A100-80GB")
    made.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="with FILE: a fact")
    made.add_argument("--config", type=Path, metavar="SETTINGS", help="with FILE: settings file to use")
    _add_plan(made)
    add_format(made)
    return made


def _add_plan(made: Parser) -> None:
    plan = made.add_argument_group("a plan of your own (without FILE)")
    frameworks = one_of("framework", flags.FRAMEWORKS)
    plan.add_argument("--framework", type=frameworks, metavar="NAME", help="deepspeed, fsdp, fsdp2 or ddp")
    plan.add_argument("--stage", type=int, choices=flags.STAGES, help="ZeRO stage")
    strategies = one_of("strategy", [name.lower() for name in flags.STRATEGIES])
    plan.add_argument(
        "--strategy", type=strategies, metavar="NAME", help="FSDP: full_shard, shard_grad_op, no_shard"
    )
    precisions = one_of("precision", flags.PRECISIONS)
    plan.add_argument("--precision", type=precisions, metavar="NAME", help="bf16, fp16, fp32 or pure-bf16")
    plan.add_argument("--optimizer", type=flags.optimizer, metavar="NAME", help="as adamw, sgd, adamw_8bit")
    dtypes = one_of("dtype", ("fp32", "bf16", "fp16"))
    plan.add_argument("--grad-accum", type=dtypes, metavar="DTYPE", help="dtype gradients are summed in")
    devices = one_of("device", DEVICES)
    plan.add_argument("--offload-optimizer", type=devices, metavar="DEVICE", help="cpu, nvme or none")
    plan.add_argument("--offload-param", type=devices, metavar="DEVICE", help="cpu, nvme or none")


def run(argv: Sequence[str]) -> int:
    made = parser()
    arguments = made.read(argv)
    if arguments.file is None and arguments.params is None:
        made.error("give a FILE, or figures such as --params 7B --dp 8")
    if arguments.file is None:
        _refuse_idle(made, arguments)
        return _of_flags(arguments)
    for name in OF_A_PLAN:
        if getattr(arguments, name) is not None:
            made.error(
                f"--{name.replace('_', '-')} is for a plan without FILE; {arguments.file} decides it here"
            )
    return _of_file(arguments)


def _refuse_idle(made: Parser, arguments: Namespace) -> None:
    """A flag that would change nothing is a mistake: the figures would not be those asked for."""
    for name in ("set", "config"):
        if getattr(arguments, name):
            made.error(f"--{name} needs a FILE")
    framework = flags.FRAMEWORKS[arguments.framework or "deepspeed"]
    for name, owner in (("stage", "deepspeed"), ("strategy", "fsdp1")):
        if getattr(arguments, name) is not None and framework != owner:
            made.error(f"--{name} is for {owner.rstrip('1')}, not for {framework.rstrip('1')}")


def _of_flags(arguments: Namespace) -> int:
    plans = flags.plans_of(arguments)
    accounts = [Account(plan, ledger(plan)) for plan in plans]
    if arguments.format == "json":
        data = [{**plan_to_data(a.plan), "ledger": ledger_to_data(a.ledger)} for a in accounts]
        consumer = {"value": None, "origin": "no file", "standing": "assumed"}
        _print_json([{"id": "command line", "files": [], "consumer": consumer, "plans": data}])
        return OK
    screen = screen_of(sys.stdout)
    _print(compared(accounts, screen) if len(accounts) > 1 else detailed(accounts[0], screen))
    return OK


def _of_file(arguments: Namespace) -> int:
    from shardlint.engine import Options, job_data, jobs_of

    root = current_folder()
    sets = [*arguments.set]
    given = (("model.params", arguments.params), ("world_size", arguments.dp), ("gpu.name", arguments.gpu))
    sets += [f"{name}={value}" for name, value in given if value is not None]
    jobs, notices = jobs_of([root / arguments.file], Options(root, tuple(sets), arguments.config))
    if arguments.format == "json":
        _print_json([job_data(job, ledger) for job in jobs])
    else:
        screen = screen_of(sys.stdout)
        accounts = [
            Account(plan, ledger(plan), f"{job.id} {plan.role}" if plan.role != "train" else job.id)
            for job in jobs
            for plan in job.plans
        ]
        _print(_separated(accounts, screen))
        if not accounts and not notices:
            notices = (Notice(arguments.file, "no training job to account for in this file"),)
    sys.stdout.flush()
    tell(notices)
    return FAILURE if any(notice.asked for notice in notices) else OK


def _separated(accounts: Sequence[Account], screen: Screen) -> Iterator[str]:
    for at, account in enumerate(accounts):
        if at:
            yield ""
        yield from detailed(account, screen)


def _print(lines: Iterator[str]) -> None:
    for line in lines:
        sys.stdout.write(f"{line}\n")


def _print_json(jobs: Sequence[dict[str, object]]) -> None:
    sys.stdout.write(dumps({"schema": SCHEMA, "jobs": list(jobs)}) + "\n")
