"""Orfeo ToolBox as a peer: its LIBSVM classifier with a Gaussian kernel, trained on the scene's training pixels."""

import sqlite3
from pathlib import Path
from typing import Optional

from . import libsvm, machine, processes
from .scenes import Scene

TOOLS = ("otbcli_TrainVectorClassifier", "otbcli_ImageClassifier")


def missing() -> Optional[str]:
    return next((name for name in TOOLS if machine.tool(name) is None), None)


def _write_samples(path: Path, spectra: list[list[float]], codes: list[int]) -> list[str]:
    """The samples as a table that OGR reads; returns the names of the features."""
    path.unlink(missing_ok=True)
    names = [f"value_{i}" for i in range(len(spectra[0]))]
    database = sqlite3.connect(path)
    columns = ", ".join(f"{name} REAL" for name in names)
    database.execute(f"CREATE TABLE samples (ogc_fid INTEGER PRIMARY KEY, code INTEGER, {columns})")
    places = ", ".join("?" for _ in range(len(names) + 2))
    rows = ((i + 1, code, *spectrum) for i, (spectrum, code) in enumerate(zip(spectra, codes)))
    database.executemany(f"INSERT INTO samples VALUES ({places})", rows)
    database.commit()
    database.close()
    return names


def _write_statistics(path: Path, mean: list[float], deviation: list[float]) -> None:
    def block(name: str, values: list[float]) -> str:
        entries = "\n".join(f'    <StatisticVector value="{value:.9g}" />' for value in values)
        return f'  <Statistic name="{name}">\n{entries}\n  </Statistic>\n'

    path.write_text(
        '<?xml version="1.0" ?>\n<FeatureStatistics>\n'
        + block("mean", mean)
        + block("stddev", deviation)
        + "</FeatureStatistics>\n"
    )


class Classifier:
    """A trained model, ready to classify the scene."""

    def __init__(self, scene: Scene, ram_mb: int) -> None:
        self.scene = scene
        self.ram_mb = ram_mb
        given = libsvm.problem(scene)
        if libsvm.missing() is None:
            C, gamma = libsvm.tuned_parameters(given)
        else:
            C, gamma = 10.0, 1.0 / len(given.spectra[0])
        self.parameters = f"C = {C:g}, gamma = {gamma:g}"
        self.statistics = scene.folder / "otb-statistics.xml"
        self.model = scene.folder / "otb.model"
        self.map = scene.folder / "otb-map.tif"
        _write_statistics(self.statistics, given.standardisation.mean, given.standardisation.deviation)
        samples = scene.folder / "otb-samples.sqlite"
        # OTB standardises with the statistics itself, here as well as when it classifies.
        raw = [
            [value * d + m for value, m, d in zip(row, given.standardisation.mean, given.standardisation.deviation)]
            for row in given.spectra
        ]
        features = _write_samples(samples, raw, given.codes)
        command = [TOOLS[0], "-io.vd", str(samples), "-io.stats", str(self.statistics), "-io.out", str(self.model)]
        command += ["-cfield", "code", "-classifier", "libsvm", "-classifier.libsvm.k", "rbf"]
        command += ["-classifier.libsvm.c", f"{C:g}", "-classifier.libsvm.gamma", f"{gamma:.6g}", "-feat", *features]
        processes.run(command)

    def classify(self) -> processes.Run:
        command = [TOOLS[1], "-in", str(self.scene.image), "-imstat", str(self.statistics)]
        command += ["-model", str(self.model), "-out", str(self.map), "uint8", "-ram", str(self.ram_mb)]
        # Its exit code is 0 even when it fails.
        self.map.unlink(missing_ok=True)
        result = processes.run(command, threads=machine.cores())
        if not self.map.exists():
            raise processes.ProgramError(f"otbcli_ImageClassifier: {result.last_line}")
        return result
