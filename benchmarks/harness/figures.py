"""Figures that were measured several times, and ratios of figures that were measured in turn."""

import statistics
from dataclasses import dataclass, field
from typing import Any, Callable, Sequence


@dataclass
class Figure:
    """One quantity, measured once or several times."""

    what: str
    unit: str
    values: list[float]

    @property
    def median(self) -> float:
        return statistics.median(self.values)

    def as_json(self) -> dict[str, Any]:
        return {
            "what": self.what,
            "unit": self.unit,
            "median": self.median,
            "min": min(self.values),
            "max": max(self.values),
            "values": self.values,
        }


@dataclass
class Target:
    """What a figure must reach, as the issue says it."""

    bound: float
    at_least: bool  # otherwise: at most

    def met(self, value: float) -> bool:
        return value >= self.bound if self.at_least else value <= self.bound

    def text(self) -> str:
        return f"{'>=' if self.at_least else '<='} {number(self.bound)}"


@dataclass
class Claim:
    """A figure, usually a ratio, that stands beside its target; the median decides."""

    figure: Figure
    target: Target

    @property
    def met(self) -> bool:
        return self.target.met(self.figure.median)

    def as_json(self) -> dict[str, Any]:
        return {**self.figure.as_json(), "target": self.target.text(), "met": self.met}


@dataclass
class Table:
    """The outcome of one row of the issue on one scene."""

    row: str
    title: str
    scene: str
    figures: list[Figure] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, what: str, unit: str, values: list[float]) -> Figure:
        figure = Figure(what, unit, values)
        self.figures.append(figure)
        return figure

    def claim(self, what: str, unit: str, values: list[float], target: Target) -> None:
        self.claims.append(Claim(Figure(what, unit, values), target))

    def as_json(self) -> dict[str, Any]:
        return {
            "row": self.row,
            "title": self.title,
            "scene": self.scene,
            "figures": [figure.as_json() for figure in self.figures],
            "claims": [claim.as_json() for claim in self.claims],
            "notes": self.notes,
        }

    def text(self, earlier: Sequence[dict[str, Any]] = ()) -> str:
        """`earlier` are tables of an earlier run as as_json() gives them: their medians on the same scene are shown."""
        lines = [f"{self.row}: {self.title}", f"scene: {self.scene}"]
        same = [table for table in earlier if (table["row"], table["scene"]) == (self.row, self.scene)]
        figures = [figure for table in same for figure in table["figures"] + table["claims"]]
        known = {(figure["what"], figure["unit"]): figure["median"] for figure in figures}

        def cells(figure: Figure, target: str = "") -> tuple[str, ...]:
            before = known.get((figure.what, figure.unit))
            compared = f"earlier {number(before)}, x {figure.median / before:.2f}" if before else ""
            return _cells(figure, "  ".join(filter(None, (target, compared))))

        rows = [("", "median", "min", "max", "", "target")]
        rows += [cells(figure) for figure in self.figures]
        rows += [
            cells(claim.figure, f"{claim.target.text()}  {'met' if claim.met else 'NOT MET'}") for claim in self.claims
        ]
        if len(rows) > 1:
            widths = [max(len(row[i]) for row in rows) for i in range(6)]
            for what, *values, unit, target in rows:
                aligned = "  ".join(value.rjust(width) for value, width in zip(values, widths[1:4]))
                lines.append(f"  {what.ljust(widths[0])}  {aligned}  {unit.ljust(widths[4])}  {target}".rstrip())
        lines += [f"  note: {note}" for note in self.notes]
        return "\n".join(lines)


def _cells(figure: Figure, target: str) -> tuple[str, ...]:
    values = (figure.median, min(figure.values), max(figure.values))
    return (figure.what, *(number(value) for value in values), figure.unit, target)


def number(value: float) -> str:
    """Three to four figures, readable: large numbers with an exponent."""
    if value == 0:
        return "0"
    if abs(value) >= 1e6 or abs(value) < 1e-3:
        return f"{value:.2e}"
    if abs(value) >= 1000:
        return f"{value:.0f}"
    return f"{value:.4g}"


def quotients(numerators: list[float], denominators: list[float]) -> list[float]:
    """The ratios run by run: what was measured in turn shares the state of the machine."""
    return [a / b for a, b in zip(numerators, denominators)]


def in_turn(repeats: int, *runs: Callable[[], Any]) -> list[list[Any]]:
    """Calls every function once per round, so that all of them meet the same other work on the machine.

    Returns for each function its results, one per round.
    """
    results: list[list[Any]] = [[] for _ in runs]
    for _ in range(repeats):
        for result, run in zip(results, runs):
            result.append(run())
    return results

