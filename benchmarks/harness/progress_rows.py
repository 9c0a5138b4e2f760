"""The row about progress: what is shown of the share done and of the time left, against what was so in the end."""

import json
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from .context import Context
from .figures import Table, Target
from .processes import ProgramError
from .scenes import data_folder

SPEC = Path(__file__).resolve().parent.parent.parent / "sample_data" / "spec.json"
TENTHS = range(1, 10)


@dataclass
class Shown:
    """What a command has shown: seconds since its start, the share done and the seconds left."""

    moments: list[tuple[float, float, float]]
    seconds: float

    def at(self, share: float) -> tuple[float, float]:
        """The share and the seconds left that stood on the screen after this share of the time."""
        before = [moment for moment in self.moments if moment[0] <= share * self.seconds]
        return before[-1][1:] if before else (0.0, float("nan"))

    @property
    def largest_error(self) -> float:
        """In points, over the tenths of the time."""
        return max(abs(100 * self.at(tenth / 10)[0] - 10 * tenth) for tenth in TENTHS)

    @property
    def largest_factor(self) -> float:
        """Between the time left as shown and as it was, over the tenths after the first fifth."""
        factors = []
        for tenth in TENTHS[1:]:
            shown, true = self.at(tenth / 10)[1], (1 - tenth / 10) * self.seconds
            factors.append(max(shown / true, true / shown) if shown > 0 else float("inf"))
        return max(factors)

    @property
    def text(self) -> str:
        shares = " ".join(f"{100 * self.at(tenth / 10)[0]:3.0f}" for tenth in TENTHS)
        totals = " ".join(f"{self.at(tenth / 10)[1]:5.1f}" for tenth in TENTHS)
        return f"{self.seconds:6.1f} s, shown at each tenth: {shares} %; left: {totals} s"


def watched(command: list[str]) -> Shown:
    """Runs a command and reads its progress. ProgramError: the share goes back, or a time left is unknown."""
    begin = time.monotonic()
    child = subprocess.Popen(
        [*command, "--progress", "json"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    moments: list[tuple[float, float, float]] = []
    said = ""
    for line in child.stderr or ():
        if not line.startswith("{"):
            said = line.strip()
            continue
        shown = json.loads(line)
        if "text" in shown:
            continue
        if shown["seconds_left"] is None or (moments and shown["fraction"] < moments[-1][1]):
            child.kill()
            raise ProgramError(f"{' '.join(command)}: progress goes back or is unknown: {line.strip()}")
        moments.append((time.monotonic() - begin, shown["fraction"], shown["seconds_left"]))
    if child.wait() != 0:
        raise ProgramError(f"{' '.join(command)}: {said}")
    return Shown(moments, time.monotonic() - begin)


def commands(context: Context) -> dict[str, list[str]]:
    """The commands to watch, on the real Salinas-A, where it is, and on a simulated scene."""
    folder = context.parsimap.folder / "progress"
    folder.mkdir(exist_ok=True)
    spec = json.loads(SPEC.read_text())
    spec.update({"width": 1500, "height": 1000, "bands": 100})
    spec["layout"]["sites"] = 400
    spec["polygons"]["per_class"] = 60
    large = folder / "large"
    (folder / "spec.json").write_text(json.dumps(spec))
    scene, labels, reference = (str(large / name) for name in ("scene.img", "training.gpkg", "reference.tif"))
    model, several, map_, more = (str(folder / name) for name in ("model", "several", "map.tif", "more.tif"))
    probabilities = str(folder / "p.tif")
    table = {
        "simulate": ["simulate", str(folder / "spec.json"), str(large)],
        "train": ["train", scene, labels, model, "--class-field", "class"],
        "train --validate folds:5": ["train", scene, labels, several, "--class-field", "class", "--validate", "folds:5"],
        "classify": ["classify", scene, model, map_, "--probabilities", probabilities],
        "classify --regularise neighbours:1": ["classify", scene, model, more, "--regularise", "neighbours:1"],
        "assess": ["assess", map_, reference, "--probabilities", probabilities, "--report", str(folder / "page.html")],
        "suggest": ["suggest", scene, model, str(folder / "places.gpkg")],
        "inspect": ["inspect", model, scene, labels, "--class-field", "class"],
    }
    real = data_folder()
    if real is not None:
        salinas = [str(real / "salinasA" / name) for name in ("salinasA.bil", "salinasA_train_block8.tif")]
        table |= {
            "train, Salinas-A": ["train", *salinas, several],
            "train --criterion radius-margin, Salinas-A": ["train", *salinas, several, "--criterion", "radius-margin"],
            "train --spatial auto, Salinas-A": ["train", *salinas, several, "--spatial", "auto"],
            "inspect --wavelengths, Salinas-A": ["inspect", several, *salinas, "--wavelengths"],
        }
    experiment = json.loads((SPEC.parent.parent / "config" / "paper" / "simulated.json").read_text())
    experiment["repeats"] = 2
    (folder / "experiment.json").write_text(json.dumps(experiment))
    table["run, two repeats of config/paper/simulated.json"] = [
        *("run", str(folder / "experiment.json"), "--output-dir", str(folder / "results"))
    ]
    return table


def progress(context: Context) -> Table:
    table = Table("progress", "the share and the time left that are shown, at each tenth of the time", "see the notes")
    for name, arguments in commands(context).items():
        shown = watched([str(context.parsimap.program), *arguments, "--overwrite"])
        table.notes.append(f"{name}: {shown.text}")
        if shown.seconds > 5:
            table.claim(f"{name}: share", "points", [shown.largest_error], Target(10, at_least=False))
            table.claim(f"{name}: time left", "x", [shown.largest_factor], Target(1.5, at_least=False))
    return table
