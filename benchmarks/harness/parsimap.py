"""The program under measurement."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional

from . import processes
from .scenes import Scene


@dataclass
class Trained:
    run: processes.Run
    record: dict[str, Any]
    model: Path

    @property
    def evaluations_per_pixel(self) -> int:
        return sum(entry["support_vectors"] for entry in self.record["classes"])

    @property
    def text(self) -> str:
        dimensions = ", ".join(str(entry["dimension"]) for entry in self.record["classes"])
        return f"dimensions {dimensions}; {self.evaluations_per_pixel} kernel evaluations per pixel"


# Peers classify pixel by pixel, and what is compared with them does so, too.
BY_SPECTRA = ["--spatial", "none"]


class Parsimap:
    def __init__(self, program: Path, decision_benchmark: Path, read_scene: Path, folder: Path) -> None:
        self.program = program
        self.decision_benchmark = decision_benchmark
        self.read_scene = read_scene
        self.folder = folder

    def train_run(
        self, scene: Scene, *options: str, timeout: Optional[float] = None, memory_gb: Optional[float] = None
    ) -> processes.Run:
        command = [str(self.program), "train", str(scene.image), str(scene.train), str(self.model_of(scene, *options))]
        command += [*BY_SPECTRA, "--overwrite", "--quiet", "--json", *options]
        return processes.run(command, timeout=timeout, memory_gb=memory_gb, check=False)

    def train(self, scene: Scene, *options: str) -> Trained:
        run = self.train_run(scene, *options)
        if run.code != 0:
            raise processes.ProgramError(f"parsimap train on {scene.name}: {run.last_line}")
        return Trained(run, json.loads(run.output), self.model_of(scene, *options))

    def train_watched(self, scene: Scene, *options: str) -> tuple[processes.WatchedRun, dict[str, Any]]:
        model = self.folder / "watched.parsimap"
        command = [str(self.program), "train", str(scene.image), str(scene.train), str(model)]
        run = processes.run_watched([*command, *BY_SPECTRA, "--overwrite", "--quiet", "--json", *options])
        return run, json.loads(run.output)

    def model_of(self, scene: Scene, *options: str) -> Path:
        """Where the model of these options goes."""
        return scene.folder / ("-".join(["model", *options]).replace("/", "_") + ".parsimap")

    def classify(self, image: Path, model: Path, *options: str) -> tuple[processes.Run, dict[str, Any]]:
        command = [str(self.program), "classify", str(image), str(model), str(self.map)]
        run = processes.run([*command, "--overwrite", "--quiet", "--json", *options])
        return run, json.loads(run.output)

    def read_alone(self, *images: Path) -> processes.Run:
        """GDAL's part of a map; without an image a program that is linked with GDAL and does nothing."""
        return processes.run([str(self.read_scene), *map(str, images)])

    def info(self, file: Path) -> processes.Run:
        return processes.run([str(self.program), "info", str(file), "--json"])

    def version(self) -> processes.Run:
        return processes.run([str(self.program), "--version"])

    @property
    def map(self) -> Path:
        return self.folder / "map.tif"

    def accuracy(self, scene: Scene, model: Path) -> float:
        """Overall accuracy on the test pixels."""
        self.classify(scene.image, model)
        return self.map_accuracy(self.map, scene)

    def map_accuracy(self, class_map: Path, scene: Scene) -> float:
        return self._agreement(class_map, scene.test)

    def differing_labels(self, scene: Scene, model: Path, other: Path) -> float:
        """Share of the pixels of the scene to which the models give different labels."""
        self.classify(scene.image, other)
        reference = self.map.replace(self.folder / "reference-map.tif")
        self.classify(scene.image, model)
        return 1 - self._agreement(self.map, reference)

    def _agreement(self, class_map: Path, reference: Path) -> float:
        run = processes.run([str(self.program), "assess", str(class_map), str(reference), "--quiet", "--json"])
        return json.loads(run.output)["overall_accuracy"]

    def decision_rates(self, scene: Scene, model: Path, pixels: int, repeats: int) -> dict[str, Any]:
        run = processes.run([str(self.decision_benchmark), str(model), str(scene.image), str(pixels), str(repeats)])
        return json.loads(run.output)
