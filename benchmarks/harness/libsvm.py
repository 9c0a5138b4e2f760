"""LIBSVM's command-line tools as a peer: a tuned model of a scene, and the rate of its kernel evaluations."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

from . import machine, processes
from .envi import Standardisation, labelled
from .scenes import Scene


def missing() -> Optional[str]:
    return next((name for name in ("svm-train", "svm-predict") if machine.tool(name) is None), None)


# Of one measurement: more would take longer to read than to classify.
MOST_PIXELS = 40_000


@dataclass
class Problem:
    """The training pixels of a scene, standardised, as a file for svm-train."""

    scene: Scene
    spectra: list[list[float]]
    codes: list[int]
    standardisation: Standardisation
    file: Path


def write_problem(path: Path, spectra: list[list[float]], codes: list[int]) -> None:
    with path.open("w") as stream:
        for spectrum, code in zip(spectra, codes):
            features = " ".join(f"{i + 1}:{value:.7g}" for i, value in enumerate(spectrum))
            stream.write(f"{code} {features}\n")


def problem(scene: Scene) -> Problem:
    pixels, codes = labelled(scene.train)
    raw = scene.file.spectra(pixels)
    standardisation = Standardisation(raw)
    spectra = [standardisation.apply(spectrum) for spectrum in raw]
    file = scene.folder / "train.svm"
    write_problem(file, spectra, codes)
    return Problem(scene, spectra, codes, standardisation, file)


def tuned_parameters(given: Problem) -> tuple[float, float]:
    """C and gamma by svm-train's own cross-validation on a small grid; found once per scene."""
    kept = given.scene.folder / "libsvm-parameters.json"
    if not kept.exists():
        bands = len(given.spectra[0])
        best = (-1.0, 1.0, 1.0)
        for C in (1.0, 10.0, 100.0):
            for gamma in (0.1 / bands, 1.0 / bands):
                command = ["svm-train", "-q", "-v", "3", "-c", str(C), "-g", str(gamma), str(given.file)]
                accuracy = re.search(r"Accuracy = ([\d.]+)", processes.run(command, threads=1).output)
                best = max(best, (float(accuracy[1]) if accuracy else 0.0, C, gamma))
        kept.write_text(json.dumps(best))
    _, C, gamma = json.loads(kept.read_text())
    return C, gamma


def train(file: Path, C: float, gamma: float) -> tuple[Path, int]:
    """A model and the number of its support vectors."""
    model = file.with_suffix(".model")
    processes.run(["svm-train", "-q", "-c", str(C), "-g", str(gamma), str(file), str(model)], threads=1)
    with model.open() as stream:
        for line in stream:
            if line.startswith("total_sv"):
                return model, int(line.split()[1])
    raise processes.ProgramError(f"{model}: no total_sv")


class KernelRate:
    """Kernel evaluations per second of svm-predict with one thread.

    Starting and reading the model fall out as the difference of two numbers of pixels, reading the pixels as the
    difference of two models: the tuned one and one of a handful of support vectors. Its processor time counts, which
    other work on the machine hardly changes.
    """

    def __init__(self, scene: Scene, evaluations: float) -> None:
        """Measures on so many evaluations, or fewer where that would take too many pixels."""
        given = problem(scene)
        self.C, self.gamma = tuned_parameters(given)
        self.model, self.support_vectors = train(given.file, self.C, self.gamma)
        small = scene.folder / "handful.svm"
        first_of_two = [given.codes.index(code) for code in sorted(set(given.codes))[:2]]
        write_problem(small, [given.spectra[i] for i in first_of_two], [given.codes[i] for i in first_of_two])
        self.small_model, self.small_support_vectors = train(small, self.C, self.gamma)

        test_pixels, test_codes = labelled(scene.test)
        self.many = round(min(evaluations / self.support_vectors, MOST_PIXELS))
        self.few = self.many // 5
        distinct = min(self.many, len(test_pixels))
        # All over the scene, and again from its start where there are not enough.
        chosen = [i * len(test_pixels) // distinct for i in range(distinct)]
        raw = scene.file.spectra([test_pixels[i] for i in chosen])
        times = -(-self.many // distinct)
        spectra = ([given.standardisation.apply(row) for row in raw] * times)[: self.many]
        codes = ([test_codes[i] for i in chosen] * times)[: self.many]
        self.few_file = scene.folder / "few.svm"
        self.many_file = scene.folder / "many.svm"
        write_problem(self.few_file, spectra[: self.few], codes[: self.few])
        write_problem(self.many_file, spectra, codes)
        self.output = scene.folder / "predicted.txt"

    def _seconds(self, pixels: Path, model: Path) -> float:
        return processes.run(["svm-predict", "-q", str(pixels), str(model), str(self.output)], threads=1).cpu_seconds

    def measure(self) -> float:
        full = self._seconds(self.many_file, self.model) - self._seconds(self.few_file, self.model)
        handful = self._seconds(self.many_file, self.small_model) - self._seconds(self.few_file, self.small_model)
        pixels = self.many - self.few
        return pixels * (self.support_vectors - self.small_support_vectors) / (full - handful)
