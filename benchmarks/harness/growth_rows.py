"""How the cost of each stage grows: one of pixels, classes, training pixels and bands is doubled twice."""

import math
from dataclasses import dataclass, replace
from typing import Callable

from .context import Context
from .figures import Table, Target, in_turn
from .scenes import Recipe, Scene

FACTORS = (1, 2, 4)
BASE = Recipe(bands=48, width=300, height=300, classes=4, train_pixels=800)
QUICK_BASE = replace(BASE, bands=32, classes=3, train_pixels=400)
# A fitted exponent is itself uncertain; a doubling that costs a tenth more than it may is still told apart.
TOLERANCE = math.log2(1.1)


@dataclass(frozen=True)
class Direction:
    what: str
    scaled: Callable[[Recipe, int], Recipe]
    training: bool  # whether the cost of training depends on it
    exponent: float  # at most


DIRECTIONS = (
    Direction("pixels", lambda base, k: replace(base, height=base.height * k), False, 1),
    # The training pixels stay as many in all: what is asked is the price of one more class.
    Direction("classes", lambda base, k: replace(base, classes=base.classes * k), True, 1),
    Direction("training pixels", lambda base, k: replace(base, train_pixels=base.train_pixels * k), True, 2),
    Direction("bands", lambda base, k: replace(base, bands=base.bands * k), True, 1),
)


def fitted_exponent(factors: tuple[int, ...], costs: list[float]) -> float:
    """Slope of the least-squares line through the logarithms."""
    x = [math.log(factor) for factor in factors]
    y = [math.log(cost) for cost in costs]
    x_mean, y_mean = sum(x) / len(x), sum(y) / len(y)
    return sum((a - x_mean) * (b - y_mean) for a, b in zip(x, y)) / sum((a - x_mean) ** 2 for a in x)


def _training_seconds(context: Context, scene: Scene) -> float:
    stages = context.parsimap.train(scene).record["stages"]
    return sum(seconds for stage, seconds in stages.items() if stage != "read")


def _classifying_seconds(context: Context, scene: Scene) -> float:
    model = context.trained(scene, "--support", "all").model
    _, record = context.parsimap.classify(scene.image, model, "--threads", "1")
    return record["stages"]["compute"]


def _measure(
    context: Context, table: Table, direction: Direction, stage: str, cost: Callable[[Context, Scene], float]
) -> None:
    base = QUICK_BASE if context.quick else BASE
    scenes = [
        context.scenes.make(f"growth-{direction.what.replace(' ', '-')}-{k}", direction.scaled(base, k))
        for k in FACTORS
    ]
    runs = in_turn(context.repeats, *(lambda scene=scene: cost(context, scene) for scene in scenes))
    medians = []
    for factor, values in zip(FACTORS, runs):
        medians.append(table.add(f"{stage}, {direction.what} x {factor}", "s", values).median)
    per_round = [fitted_exponent(FACTORS, list(costs)) for costs in zip(*runs)]
    table.claim(
        f"{stage}, {direction.what}", "exponent", per_round, Target(direction.exponent + TOLERANCE, at_least=False)
    )


def growth(context: Context, _: Scene) -> Table:
    base = QUICK_BASE if context.quick else BASE
    table = Table(
        "growth",
        "cost when something doubles, and doubles again",
        f"simulated, from {base.height} x {base.width} pixels x {base.bands} bands, {base.classes} classes, "
        f"{base.train_pixels} training pixels",
    )
    for direction in DIRECTIONS:
        _measure(context, table, direction, "classify (compute, 1 thread)", _classifying_seconds)
        if direction.training:
            _measure(context, table, direction, "train (without reading)", _training_seconds)
    table.notes.append(
        "classes double with the same number of training pixels in all; the number of support vectors, and so the "
        f"cost of classify, is the data's; an exponent may exceed its bound by {TOLERANCE:.2f} (10 % per doubling)"
    )
    return table
