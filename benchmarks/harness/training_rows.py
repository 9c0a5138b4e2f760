"""The rows about training: against scikit-learn's grid search, and many pixels."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable

from . import machine, processes
from .context import Context
from .figures import Table, Target, in_turn, quotients
from .parsimap import Trained
from .scenes import Recipe, Scene

PEER = Path(__file__).resolve().parent.parent / "sklearn_peer.py"
GRID_TEXT = "GridSearchCV(SVC(rbf)), 7 x 6 grid, 5 folds"


RADIUS_MARGIN = ("--criterion", "radius-margin")


@dataclass
class Comparison:
    """Runs of all that is compared on one scene, taken in turn."""

    default: list[Trained]
    radius_margin: list[Trained]
    grid: list[dict[str, Any]]  # empty without scikit-learn


def _grid_search(python: str, scene: Scene) -> dict[str, Any]:
    command = [python, str(PEER), str(scene.image), str(scene.train), str(scene.test), str(machine.cores())]
    return json.loads(processes.run(command).output)


# By scene: both rows stand beside the same grid searches, which take minutes.
_measured: dict[str, Comparison] = {}


def _comparison(context: Context, scene: Scene) -> Comparison:
    if scene.name not in _measured:
        python = machine.python_with_sklearn()
        runs: list[Callable[[], Any]] = [
            lambda: context.parsimap.train(scene),
            lambda: context.parsimap.train(scene, *RADIUS_MARGIN),
        ]
        if python is not None:
            runs.append(lambda: _grid_search(python, scene))
        outcome = in_turn(1 if context.quick else min(context.repeats, 3), *runs)
        _measured[scene.name] = Comparison(outcome[0], outcome[1], outcome[2] if python else [])
    return _measured[scene.name]


def _describe(context: Context, scene: Scene, table: Table, trained: list[Trained], bound: float) -> None:
    """Times and accuracy of ours beside those of the grid search."""
    grid = _comparison(context, scene).grid
    seconds = [each.run.seconds for each in trained]
    table.add("parsimap train, whole process", "s", seconds)
    for stage in trained[0].record["stages"]:
        table.add(f"  stage {stage}", "s", [each.record["stages"][stage] for each in trained])
    table.add("  peak memory", "MB", [each.run.peak_mb for each in trained])
    accuracy = 100 * context.parsimap.accuracy(scene, trained[-1].model)
    table.add("  test accuracy", "%", [accuracy])
    table.notes.append(f"parsimap's model: {trained[-1].text}")
    if not grid:
        table.notes.append("scikit-learn is not installed (Debian package python3-sklearn): no comparison")
        return
    grid_seconds = [each["seconds"] for each in grid]
    table.add(GRID_TEXT, "s", grid_seconds)
    table.add("  test accuracy, its SVC (one against one)", "%", [100 * grid[0]["accuracy"]])
    one_vs_rest = 100 * grid[0]["one_vs_rest_accuracy"]
    table.add("  test accuracy, one-vs-rest SVC", "%", [one_vs_rest])
    at_most = Target(bound, at_least=False)
    table.claim("parsimap / scikit-learn", "of its time", quotients(seconds, grid_seconds), at_most)
    table.claim("parsimap - one-vs-rest SVC", "points", [accuracy - one_vs_rest], Target(-0.5, at_least=True))
    table.notes.append(
        f"scikit-learn: n_jobs = {machine.cores()}, without its start and reading; "
        f"best C = {grid[0]['C']:g}, gamma = {grid[0]['gamma']:g}"
    )


def train(context: Context, scene: Scene) -> Table:
    table = Table("train", f"train --spatial none against {GRID_TEXT}", scene.text)
    _describe(context, scene, table, _comparison(context, scene).default, 0.15)
    return table


def radius_margin(context: Context, scene: Scene) -> Table:
    table = Table("radius-margin", f"train --criterion radius-margin, all pixels, against {GRID_TEXT}", scene.text)
    _describe(context, scene, table, _comparison(context, scene).radius_margin, 2)
    return table


MINUTES = 10
MILLION_MINUTES = 30
MEMORY_GB = 8


def _train_many(context: Context, scene: Scene, table: Table, timeout: float, *few: str) -> Table:
    """Trains on all pixels within `timeout` seconds, and on fewer by the options `few`."""
    # An address space of more than the memory allowed: the peak itself is what counts. It stops a program that would
    # take all of the machine's.
    run = context.parsimap.train_run(scene, timeout=timeout, memory_gb=2 * MEMORY_GB)
    if run.code != 0:
        reason = f"stopped after {timeout:g} s" if run.timed_out else run.last_line
        table.claim("trained", "1 = yes", [0], Target(1, at_least=True))
        table.notes.append(f"NOT TRAINED after {run.seconds:.1f} s: {reason}")
        return table
    table.claim("peak memory", "GB", [run.peak_mb / 1024], Target(MEMORY_GB, at_least=False))
    table.claim("time", "s", [run.seconds], Target(timeout, at_least=False))
    fewer = context.parsimap.train(scene, *few)
    many_accuracy = 100 * context.parsimap.accuracy(scene, context.parsimap.model_of(scene))
    few_accuracy = 100 * context.parsimap.accuracy(scene, fewer.model)
    table.add(f"test accuracy, {scene.train_pixels} pixels", "%", [many_accuracy])
    table.add(f"test accuracy, {' '.join(few)}", "%", [few_accuracy])
    table.claim("difference", "points", [many_accuracy - few_accuracy], Target(0, at_least=True))
    return table


def large_training(context: Context, _: Scene) -> Table:
    pixels = 50_000
    scene = context.scenes.pavia(pixels)
    table = Table("large-training", f"{pixels} training pixels", scene.text)
    timeout = 60.0 if context.quick else 60.0 * MINUTES
    return _train_many(context, scene, table, timeout, "--samples-per-class", str(4000 // scene.classes))


def million_training(context: Context, _: Scene) -> Table:
    pixels = 100_000 if context.quick else 1_000_000
    scene = context.scenes.overlapping(pixels)
    table = Table("million-training", f"{pixels} training pixels, against exact machines of fewer", scene.text)
    few = ("--centres", "none", "--samples-per-class", str(pixels // 20 // scene.classes))
    return _train_many(context, scene, table, 60.0 * MILLION_MINUTES, *few)


THREADS = 2


@dataclass(frozen=True)
class ThreadedTraining:
    """One training on one thread or several, without reading and writing."""

    seconds: float
    processor_seconds: float  # of the whole process
    ready: float  # threads that were running or waiting for a processor, on the average


def _threaded_training(context: Context, scene: Scene, threads: int, *options: str) -> ThreadedTraining:
    run, record = context.parsimap.train_watched(scene, "--threads", str(threads), *options)
    stages = record["stages"]
    # In the other stages one thread is at work.
    others = sum(seconds for stage, seconds in stages.items() if stage != "train")
    ready = (run.ready_seconds - others) / stages["train"]
    return ThreadedTraining(stages["train"], run.processor_seconds, ready)


def threads(context: Context, _: Scene) -> Table:
    """Efficiency = T1 / (2 T2), for machines that train side by side and for what is inside of each."""
    many, few = (5000, 1000) if context.quick else (20_000, 2500)
    table = Table(
        "threads",
        f"train on {THREADS} threads against one",
        f"simulated, 300 x 300 pixels x 103 bands; {many} training pixels, {few} for radius-margin",
    )
    for what, pixels, options in (("leave-one-out", many, ()), ("radius-margin", few, RADIUS_MARGIN)):
        for classes in (2, 3, 9):
            scene = context.scenes.make(f"threads-{classes}-{pixels}", Recipe(103, 300, 300, classes, pixels))
            one, two = in_turn(
                min(context.repeats, 3),
                lambda: _threaded_training(context, scene, 1, *options),
                lambda: _threaded_training(context, scene, THREADS, *options),
            )
            name = f"{what}, {classes} classes"
            table.add(f"{name}: 1 thread", "s", [run.seconds for run in one])
            table.add(f"{name}: {THREADS} threads", "s", [run.seconds for run in two])
            halves = quotients([run.seconds for run in one], [THREADS * run.seconds for run in two])
            table.add(f"{name}: T1 / ({THREADS} T{THREADS})", "", halves)
            # The same without what other programs take of the processors: a thread that waits for one is at work.
            more = quotients([run.processor_seconds for run in two], [run.processor_seconds for run in one])
            efficiency = quotients([run.ready / THREADS for run in two], more)
            table.claim(f"{name}: efficiency, load apart", "", efficiency, Target(0.8, at_least=True))
    table.notes.append(
        "efficiency, load apart: part of the time in which both threads were running or waiting for a processor, "
        "divided by how many times the processor time of one thread they took"
    )
    return table
