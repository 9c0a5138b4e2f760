"""How processor time and peak memory of each command grow: one of five sizes is doubled twice."""

import math
from dataclasses import dataclass, replace
from typing import Callable, Sequence

from .context import Context
from .figures import Table, Target, in_turn
from .processes import Run
from .scenes import Recipe

FACTORS = (1, 2, 4)
BASE = Recipe(bands=32, width=400, height=600, classes=3, train_pixels=300)
SUPPORT = 100  # spectra, before they are doubled
# A fitted exponent is itself uncertain; a doubling that costs a tenth more than it may is still distinguished.
TOLERANCE = math.log2(1.1)


@dataclass(frozen=True)
class Direction:
    what: str
    scaled: Callable[[Recipe, int], Recipe]
    # Exponents of the processor time of train and classify, at most.
    train: float
    classify: float
    options: Callable[[int], tuple[str, ...]] = lambda k: ("--support", "all")


DIRECTIONS = (
    Direction("pixels", lambda base, k: replace(base, height=base.height * k), 1, 1),
    Direction("bands", lambda base, k: replace(base, bands=base.bands * k), 1, 1),
    # The labels stay as many in all: what is asked is the price of one more class.
    Direction("classes", lambda base, k: replace(base, classes=base.classes * k), 1, 1),
    Direction("labels", lambda base, k: replace(base, train_pixels=base.train_pixels * k), 2, 1),
    # The classes share as many centres, which are the support spectra; there have to be more labels.
    Direction(
        "support spectra",
        lambda base, k: replace(base, train_pixels=2 * FACTORS[-1] * SUPPORT),
        2,
        1,
        lambda k: ("--centres", str(SUPPORT * k)),
    ),
)


def fitted_exponent(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """Slope of the least-squares line through the logarithms."""
    x = [math.log(size) for size in sizes]
    y = [math.log(cost) for cost in costs]
    x_mean, y_mean = sum(x) / len(x), sum(y) / len(y)
    return sum((a - x_mean) * (b - y_mean) for a, b in zip(x, y)) / sum((a - x_mean) ** 2 for a in x)


@dataclass(frozen=True)
class Costs:
    train: Run
    classify: Run
    start: float  # processor time of a program that does nothing


def _costs(context: Context, direction: Direction, k: int) -> Costs:
    scene = context.scenes.make(f"growth-{direction.what.replace(' ', '-')}-{k}", direction.scaled(BASE, k))
    trained = context.parsimap.train(scene, "--threads", "1", *direction.options(k))
    run, _ = context.parsimap.classify(scene.image, trained.model, "--threads", "1")
    return Costs(trained.run, run, context.parsimap.version().cpu_seconds)


def _measure(context: Context, table: Table, direction: Direction) -> None:
    repeats = min(3, context.repeats)
    rounds = list(zip(*in_turn(repeats, *(lambda k=k: _costs(context, direction, k) for k in FACTORS))))
    for command, bound in (("train", direction.train), ("classify", direction.classify)):
        what = f"{command}, {direction.what}"
        seconds = [[getattr(costs, command).cpu_seconds for costs in round] for round in rounds]
        peaks = [[getattr(costs, command).peak_mb for costs in round] for round in rounds]
        for i, k in enumerate(FACTORS):
            table.add(f"{what} x {k}: processor time", "s", [values[i] for values in seconds])
            table.add(f"{what} x {k}: peak memory", "MB", [values[i] for values in peaks])
        table.add(f"{what}: memory", "exponent", [fitted_exponent(FACTORS, values) for values in peaks])
        beyond = [[s - costs.start for s, costs in zip(*pair)] for pair in zip(seconds, rounds)]
        exponents = [fitted_exponent(FACTORS, values) for values in beyond]
        table.claim(f"{what}: processor time", "exponent", exponents, Target(bound + TOLERANCE, at_least=False))


def growth(context: Context, _: object) -> Table:
    table = Table(
        "growth",
        "processor time and peak memory when something doubles, and doubles again",
        f"simulated, from {BASE.height} x {BASE.width} pixels x {BASE.bands} bands, {BASE.classes} classes, "
        f"{BASE.train_pixels} labels, {SUPPORT} support spectra",
    )
    for direction in DIRECTIONS:
        _measure(context, table, direction)
    table.notes.append(
        "whole processes on one thread; exponents of the time beyond that of a start; classes double with the same "
        "number of labels in all; the number of support vectors, and so the cost of classify, is the data's, unless "
        f"it is what doubles; an exponent may exceed its bound by {TOLERANCE:.2f} (10 % per doubling)"
    )
    return table
