"""Fill what the files do not say from settings, the catalog and a model's config.json."""

from __future__ import annotations

from collections.abc import Mapping

from shardlint.plan import Fact, TrainingPlan
from shardlint.resolve.hardware import hardware
from shardlint.resolve.hidden_sizes import filled_sizes
from shardlint.resolve.known import Known
from shardlint.resolve.model import ResolvedModel, resolve_model
from shardlint.resolve.training import adapted, sequence_length, trained
from shardlint.settings import Settings
from shardlint.workspace import Workspace


def resolve(
    plan: TrainingPlan,
    settings: Settings,
    terms: Mapping[str, Fact[object]] | None = None,
    workspace: Workspace | None = None,
) -> TrainingPlan:
    """The plan with model, GPU, host and budget filled in, each with its origin and standing.

    `terms` are what the files of the job state (`model.*`, `training_args.*` among them); `workspace` is
    where a `model.name` that is a path is looked up. What is known of the model stands in `options`
    as `model.<name>`.
    """
    known = Known(settings, terms or {})
    model = resolve_model(known, workspace)
    card = hardware(settings)
    trainable, groups = trained(known, model)
    adapters = adapted(known)
    budget = settings.budget
    options = {**model.options, **({"model.lora": adapters} if adapters.known else {}), **plan.options}
    return plan._replace(
        params=plan.params.or_else(model.params),
        trainable=plan.trainable.or_else(trainable),
        groups=plan.groups or groups,
        gpu_name=plan.gpu_name.or_else(card.name),
        gpu_bytes=plan.gpu_bytes.or_else(card.memory),
        capability=plan.capability.or_else(card.capability),
        host_bytes=plan.host_bytes.or_else(card.host),
        sequence_length=plan.sequence_length.or_else(sequence_length(known)),
        activations=plan.activations.or_else(budget.activations),
        reserve=plan.reserve.or_else(budget.reserve),
        fragmentation=plan.fragmentation.or_else(budget.fragmentation),
        options={**options, **filled_sizes(options)},
    )


__all__ = ["Known", "ResolvedModel", "resolve", "resolve_model"]
