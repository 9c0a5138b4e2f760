"""A split of a scene of the accuracy row, made by accuracy_splits.py, and the methods that are run on it.

In the folder of a split:
  split.json   image, labels and label_options as `parsimap train` is given them; digest of all samples; bands,
               classes, train_pixels, test_pixels
  test.img     the test pixels as a float32 ENVI image of one column; test.codes their classes, one byte each
  train.npz, test.npz                                         x (float32), y: for scikit-learn
  train.data, train.labels, test.data, test.labels            the same as text: for `parsimap run`
"""

import array
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional

from . import processes
from .accuracy_scenes import TABLES, SIMULATED

HERE = Path(__file__).resolve().parent.parent
BINS = 15


@dataclass(frozen=True)
class Split:
    scene: str
    seed: int
    folder: Path
    record: dict[str, Any]  # split.json

    @property
    def text(self) -> str:
        keys = ("train_pixels", "test_pixels", "bands", "classes")
        return ", ".join(f"{self.record[key]} {key.replace('_', ' ')}" for key in keys)


@dataclass(frozen=True)
class Outcome:
    """Of one method on one split; accuracies are fractions."""

    overall: float
    average: float
    seconds: float
    printed: Optional[float] = None  # the accuracy that training itself tells
    calibration_error: Optional[float] = None


def needs_data(scene: str) -> bool:
    return scene not in SIMULATED


def make(python: str, program: Path, data: Optional[Path], scene: str, seed: int, work: Path) -> Split:
    """Makes the split anew: that takes seconds, and what was kept might be of other pixels."""
    folder = work / f"{scene}-{seed}"
    command = [python, "-B", str(HERE / "accuracy_splits.py"), str(program), str(data or "-"), scene, str(seed)]
    processes.run([*command, str(folder)])
    return Split(scene, seed, folder, json.loads((folder / "split.json").read_text()))


def parsimap(program: Path, split: Split, *options: str) -> Outcome:
    """`train` with the options given, and its map of the test pixels, which have no neighbours."""
    model, labels = split.folder / "model.parsimap", [split.record["labels"], *split.record["label_options"]]
    common = ["--overwrite", "--quiet", "--json"]
    command = [str(program), "train", split.record["image"], *labels, str(model), "--spatial", "none"]
    train = processes.run([*command, *common, *options])
    class_map, probabilities = split.folder / "map.img", split.folder / "probabilities.img"
    classify = [str(program), "classify", str(split.folder / "test.img"), str(model), str(class_map), "--of", "ENVI"]
    processes.run([*classify, "--probabilities", str(probabilities), *common])
    reference, predicted = (split.folder / "test.codes").read_bytes(), class_map.read_bytes()
    right = [code == truth for code, truth in zip(predicted, reference)]
    record = json.loads(train.output)
    if record["training_pixels"] != split.record["train_pixels"]:
        raise processes.ProgramError(f"{split.scene}: trained on {record['training_pixels']} pixels of another split")
    # Versions up to 0.1.0 print the leave-one-out accuracy.
    printed = record.get("left_out_accuracy", record.get("leave_one_out_accuracy"))
    average = mean_recall(list(reference), right)
    confidence = largest(array.array("f", probabilities.read_bytes()), len(right))
    return Outcome(sum(right) / len(right), average, train.seconds, printed, calibration_error(confidence, right))


def mean_recall(reference: list[int], right: list[bool]) -> float:
    """The average accuracy: the mean of the producer's accuracies of the classes tested."""
    recalls = []
    for code in set(reference):
        hits = [hit for truth, hit in zip(reference, right) if truth == code]
        recalls.append(sum(hits) / len(hits))
    return sum(recalls) / len(recalls)


def largest(probabilities: array.array, pixels: int) -> list[float]:
    """Of every pixel; the bands of the file follow each other."""
    return [max(probabilities[pixel::pixels]) for pixel in range(pixels)]


def calibration_error(confidence: list[float], right: list[bool]) -> float:
    """Mean distance of confidence and accuracy over bins of equal width, weighed by their pixels (Guo et al., 2017)."""
    totals = [0.0] * BINS
    for value, hit in zip(confidence, right):
        totals[min(int(value * BINS), BINS - 1)] += value - hit
    return sum(abs(total) for total in totals) / len(right)


def own_grid(program: Path, split: Split) -> Outcome:
    """The program's Gaussian kernel with C and one width from its cross-validated grid."""
    tables = {
        part: {"features": str(split.folder / f"{part}.data"), "labels": str(split.folder / f"{part}.labels")}
        for part in ("train", "test")
    }
    experiment = {
        "title": split.scene,
        "methods": [{"kernel": "gaussian", "criterion": "cross-validation"}],
        "data": [{"name": split.scene, "tables": tables}],
    }
    config, output = split.folder / "own-grid.json", split.folder / "own-grid"
    config.write_text(json.dumps(experiment))
    command = [str(program), "run", str(config), "--output-dir", str(output), "--overwrite", "--quiet"]
    run = processes.run(command)
    test = json.loads((output / "results.json").read_text())["runs"][0]["tests"][0]
    counts = test["confusion_matrix"]["counts"]
    recalls = [row[i] / sum(row) for i, row in enumerate(counts) if sum(row) > 0]
    return Outcome(test["overall_accuracy"], sum(recalls) / len(recalls), run.seconds)


def peer(python: str, split: Split, method: str) -> Outcome:
    """A classifier of scikit-learn, on one thread."""
    command = [python, "-B", str(HERE / "accuracy_peer.py"), method, str(split.folder)]
    found = json.loads(processes.run(command, threads=1).output)
    return Outcome(found["overall"], found["average"], found["seconds"])
