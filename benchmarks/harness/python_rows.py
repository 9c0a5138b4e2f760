"""The row about the package of Python."""

import json
import os
from pathlib import Path

from . import processes
from .context import Context
from .figures import Table, Target, in_turn, quotients
from .scenes import Scene

WORKER = Path(__file__).resolve().parent.parent / "predict_array.py"
PYTHON = "/usr/bin/python3"  # the one that the package is built for
MEGABYTE = 1e6


def python_arrays(context: Context, scene: Scene) -> Table:
    table = Table("python-arrays", "probabilities of an array in Python against the compute stage of classify", scene.text)
    trained = context.trained(scene, "--support", "all")
    table.notes.append(f"parsimap's model: {trained.text}, one thread")
    package = context.parsimap.program.parent / "python"
    os.environ["PYTHONPATH"] = str(package)

    def predict(kind: str) -> dict:
        return json.loads(processes.run([PYTHON, str(WORKER), str(trained.model), str(scene.image), kind]).output)

    def stage() -> float:
        _, record = context.parsimap.classify(scene.image, trained.model, "--threads", "1")
        return record["stages"]["compute"]

    single, double, stages = in_turn(
        max(3, context.repeats), lambda: predict("float32"), lambda: predict("float64"), stage
    )
    table.add("parsimap classify, compute stage", "s", stages)
    for name, runs in (("float32", single), ("float64", double)):
        seconds = [run["seconds"] for run in runs]
        table.add(f"predict_proba, {name}", "s", seconds)
        table.claim(f"  {name} / classify", "of its time", quotients(seconds, stages), Target(1.05, at_least=False))
        beyond = [run["beyond_output_bytes"] / MEGABYTE for run in runs]
        table.claim(f"  {name}, memory beyond input and output", "MB", beyond, Target(50, at_least=False))
    imports = [run["import_seconds"] for run in single + double]
    table.claim("import parsimap and its Model", "s", imports, Target(0.2, at_least=False))
    return table
