"""The row about accuracy: spectra alone against an earlier version, the own grid and scikit-learn, on one split."""

import json
import statistics
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Callable, Optional, Sequence

from . import accuracy_split, machine, processes
from .accuracy_scenes import DEFINITIONS, Definition
from .accuracy_split import Outcome, Split
from .context import Context
from .figures import Table, Target
from .scenes import data_folder

DEFAULT, BY_PLOT, BASELINE, OWN_GRID = "parsimap", "parsimap --group-field plot", "baseline", "own Gaussian grid"
PEERS = {
    "SVC one against one": "one-vs-one",
    "SVC one against rest": "one-vs-rest",
    "random forest": "random-forest",
    "shrunk LDA": "lda",
}
# The pooled covariance of more features takes minutes and gigabytes.
MOST_FEATURES_OF_LDA = 2000
QUANTITIES = ("overall", "average", "printed", "printed - true", "calibration error", "seconds")


@dataclass
class AccuracyTable(Table):
    """Methods below each other, means and standard deviations over the draws."""

    outcomes: dict[str, list[Outcome]] = field(default_factory=dict)

    def take(self, method: str, outcomes: list[Outcome]) -> None:
        self.outcomes[method] = outcomes
        for quantity in QUANTITIES:
            values = quantities(outcomes, quantity)
            if values:
                unit = {"seconds": "s", "calibration error": ""}.get(quantity, "%")
                self.add(f"{method}: {quantity}", unit, values)

    def mean(self, method: str, quantity: str) -> Optional[float]:
        values = quantities(self.outcomes.get(method, []), quantity)
        return statistics.mean(values) if values else None

    def text(self, earlier: Sequence[dict[str, Any]] = ()) -> str:
        """Earlier runs are not shown: `--baseline` is another program in the same run."""
        width = max(map(len, self.outcomes), default=0)
        lines = [f"{self.row}: {self.title}", f"scene: {self.scene}"]
        lines.append("  " + " " * width + "".join(quantity.rjust(19) for quantity in QUANTITIES))
        for method, outcomes in self.outcomes.items():
            cells = [_mean_and_deviation(quantities(outcomes, quantity), quantity) for quantity in QUANTITIES]
            lines.append("  " + method.ljust(width) + "".join(cell.rjust(19) for cell in cells).rstrip())
        for claim in self.claims:
            value, unit = claim.figure.median, claim.figure.unit
            verdict = "met" if claim.met else "NOT MET"
            lines.append(f"  {claim.figure.what}: {value:.4g} {unit}, target {claim.target.text()}: {verdict}")
        return "\n".join(lines + [f"  note: {note}" for note in self.notes])


def quantities(outcomes: list[Outcome], quantity: str) -> list[float]:
    """By draw; accuracies in percent. Empty where the method has no such quantity."""
    values: dict[str, Callable[[Outcome], Optional[float]]] = {
        "overall": lambda outcome: 100 * outcome.overall,
        "average": lambda outcome: 100 * outcome.average,
        "printed": lambda outcome: None if outcome.printed is None else 100 * outcome.printed,
        "printed - true": lambda outcome: (
            None if outcome.printed is None else 100 * (outcome.printed - outcome.overall)
        ),
        "calibration error": lambda outcome: outcome.calibration_error,
        "seconds": lambda outcome: outcome.seconds,
    }
    found = [values[quantity](outcome) for outcome in outcomes]
    return [value for value in found if value is not None]


def _mean_and_deviation(values: list[float], quantity: str) -> str:
    digits = {"calibration error": 3, "seconds": 1}.get(quantity, 2)
    if not values:
        return "-"
    deviation = f" +- {statistics.stdev(values):.{digits}f}" if len(values) > 1 else ""
    return f"{statistics.mean(values):.{digits}f}{deviation}"


@dataclass(frozen=True)
class Accuracy:
    """What the row is asked for, beside the context."""

    baseline: Optional[Path]
    again: bool  # measure peers again whose results are kept
    work: Path

    def kept(self, split: Split, method: str, measured: Callable[[], Outcome]) -> Outcome:
        """What was measured on the same samples before; measured now where nothing was."""
        path = self.work / "peers" / f"{split.scene}-{split.seed}-{method}.json"
        if path.exists() and not self.again:
            record = json.loads(path.read_text())
            if record["digest"] == split.record["digest"]:
                return Outcome(**record["outcome"])
        outcome = measured()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"digest": split.record["digest"], "outcome": asdict(outcome)}) + "\n")
        return outcome


def accuracy(context: Context, asked: Accuracy, scene: str) -> Table:
    definition = DEFINITIONS[scene]
    table = AccuracyTable("accuracy", "accuracy on test pixels in %, mean and standard deviation of the draws", "")
    program, python = context.parsimap.program, machine.python_with("numpy", "osgeo")
    if python is None:
        table.scene = scene
        table.notes.append("numpy or GDAL's module is absent (Debian packages python3-numpy, python3-gdal)")
        return table
    count = 1 if context.quick else definition.seeds
    splits = [
        accuracy_split.make(python, program, data_folder(), scene, seed, asked.work) for seed in range(1, count + 1)
    ]
    table.scene = f"{scene}, {definition.text}; {splits[0].text}; draws: {count}"
    _own(table, program, asked, definition, splits)
    _peers(table, asked, splits)
    _claim(table, definition)
    return table


def _own(table: AccuracyTable, program: Path, asked: Accuracy, definition: Definition, splits: list[Split]) -> None:
    table.take(DEFAULT, [accuracy_split.parsimap(program, split) for split in splits])
    if definition.by_plot:
        options = ("--group-field", "plot")
        try:
            table.take(BY_PLOT, [accuracy_split.parsimap(program, split, *options) for split in splits])
        except processes.ProgramError as error:
            table.notes.append(f"no column for --group-field plot: {error}")
    if asked.baseline:
        baseline = asked.baseline
        table.take(BASELINE, [accuracy_split.parsimap(baseline, split) for split in splits])
    grid = [asked.kept(split, "own-grid", lambda: accuracy_split.own_grid(program, split)) for split in splits]
    table.take(OWN_GRID, grid)


def _peers(table: AccuracyTable, asked: Accuracy, splits: list[Split]) -> None:
    python = machine.python_with_sklearn()
    if python is None:
        table.notes.append("scikit-learn is not installed (Debian package python3-sklearn): no comparison with it")
        return
    for name, method in PEERS.items():
        if method == "lda" and splits[0].record["bands"] > MOST_FEATURES_OF_LDA:
            table.notes.append(f"no shrunk LDA for more than {MOST_FEATURES_OF_LDA} features")
            continue
        if method == "one-vs-rest" and splits[0].record["classes"] == 2:
            table.notes.append("of two classes, one against rest is one against one")
            continue
        table.take(
            name, [asked.kept(split, method, lambda: accuracy_split.peer(python, split, method)) for split in splits]
        )


def _claim(table: AccuracyTable, definition: Definition) -> None:
    """The issue's targets, of the means over the draws."""
    overall, average = table.mean(DEFAULT, "overall"), table.mean(DEFAULT, "average")
    if definition.overall:
        table.claim("overall accuracy", "%", [overall], Target(definition.overall, at_least=True))
    if definition.average:
        table.claim("average accuracy", "%", [average], Target(definition.average, at_least=True))
    if definition.calibrated:
        error = table.mean(DEFAULT, "calibration error")
        table.claim("calibration error", "", [error], Target(0.05, at_least=False))
    if definition.honest:
        optimism = table.mean(DEFAULT, "printed - true")
        table.claim("printed - true accuracy", "points", [optimism], Target(8, at_least=False))
    if definition.over_own_grid:
        difference = overall - table.mean(OWN_GRID, "overall")
        table.claim("above the own grid", "points", [difference], Target(0, at_least=True))
    one_vs_one = table.mean("SVC one against one", "overall")
    if definition.over_one_vs_one and one_vs_one is not None:
        bound = Target(definition.over_one_vs_one, at_least=True)
        table.claim("above SVC one against one", "points", [overall - one_vs_one], bound)
    others = [table.mean(name, "overall") for name in (OWN_GRID, "SVC one against one", "shrunk LDA")]
    best = max(value for value in others if value is not None)
    what = "above the best of own grid, SVC one against one and LDA"
    table.claim(what, "points", [overall - best], Target(-0.3, at_least=True))
