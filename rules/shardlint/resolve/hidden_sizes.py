"""Sizes of a DeepSpeed file that are `auto`: the Trainer and accelerate make them from the hidden size.

Source: transformers 5.24 `integrations/deepspeed.py:trainer_config_finalize`, accelerate 1.15
`accelerator.py:_prepare_deepspeed`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from shardlint.plan import DERIVED, Fact

FROM_HIDDEN: dict[str, Callable[[int], int]] = {
    "reduce_bucket_size": lambda hidden: hidden * hidden,
    "stage3_prefetch_bucket_size": lambda hidden: int(0.9 * hidden * hidden),
    "stage3_param_persistence_threshold": lambda hidden: 10 * hidden,
}
"""Key of zero_optimization -> elements, by the hidden size."""


def filled_sizes(options: Mapping[str, Fact[object]]) -> dict[str, Fact[object]]:
    """The sizes that are open, worked out; none while the hidden size is not known."""
    hidden = options.get("model.hidden_size")
    if hidden is None or not isinstance(hidden.value, int) or isinstance(hidden.value, bool):
        return {}
    origin = f"hidden_size {hidden.value}, {hidden.origin}"
    return {
        name: Fact(made(hidden.value), origin, DERIVED, stated.place)
        for name, made in FROM_HIDDEN.items()
        if (stated := options.get(name)) is not None and not stated.known
    }
