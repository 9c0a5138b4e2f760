"""Scenes to measure on: simulated ones, made once per working folder, and the real Salinas-A."""

import hashlib
import json
import os
import random
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Optional

from . import processes
from .envi import EnviFile, labelled


@dataclass(frozen=True)
class Scene:
    """A scene with disjoint training and test labels, all uncompressed ENVI."""

    name: str
    image: Path
    train: Path
    test: Path
    classes: int
    train_pixels: int

    @property
    def file(self) -> EnviFile:
        return EnviFile(self.image)

    @property
    def text(self) -> str:
        file = self.file
        return (
            f"{self.name}, {file.height} x {file.width} pixels x {file.bands} bands, {self.classes} classes, "
            f"{self.train_pixels} training pixels"
        )

    @property
    def folder(self) -> Path:
        """For files that are derived from the scene."""
        return self.image.parent


@dataclass(frozen=True)
class Recipe:
    """Arguments of make_scene. Size and classes come from a label raster where there is one."""

    bands: int
    width: int = 0
    height: int = 0
    classes: int = 0
    train_pixels: int = 0
    layout_map: str = ""
    train_map: str = ""
    test_map: str = ""
    # A tuned Gaussian SVM of scikit-learn gets about 95 % on the layout of Pavia, most errors among the mixed pixels.
    separation: float = 0.1
    noise: float = 0.004
    mixed: float = 0.08
    seed: int = 4


def data_folder() -> Optional[Path]:
    folder = os.environ.get("PARSIMAP_DATA")
    return Path(folder) if folder else None


class SceneMaker:
    def __init__(self, program: Path, folder: Path) -> None:
        self.program = program
        self.folder = folder

    def make(self, name: str, recipe: Recipe) -> Scene:
        """Makes the scene unless it is there already."""
        options = {key.replace("_", "-"): value for key, value in asdict(recipe).items() if value}
        # A changed program may make other scenes of the same options.
        key = json.dumps(options, sort_keys=True) + str(self.program.stat().st_mtime_ns)
        target = self.folder / f"{name}-{hashlib.sha256(key.encode()).hexdigest()[:12]}"
        if not target.exists():
            for outdated in self.folder.glob(f"{name}-{'[0-9a-f]' * 12}"):
                shutil.rmtree(outdated)
            part = target.with_suffix(".part")
            shutil.rmtree(part, ignore_errors=True)
            command = [str(self.program), "--output", str(part)]
            for option, value in options.items():
                command += [f"--{option}", str(value)]
            processes.run(command)
            part.rename(target)
        return _scene(name, target / "scene.img", target / "train.img", target / "test.img")

    def pavia(self, train_pixels: int = 0) -> Scene:
        """The scene of the issue; with `train_pixels` other training pixels than the fixed ones."""
        maps = data_folder() / "pavia_university" if data_folder() else None
        if maps is None or not (maps / "paviau_gt.tif").exists():
            recipe = Recipe(103, 340, 610, 9, train_pixels or 3921)
            return self.make(f"pavia-sized{train_pixels or ''}", recipe)
        layout, test = str(maps / "paviau_gt.tif"), str(maps / "paviau_test_disjoint.tif")
        if train_pixels:
            return self.make(
                f"pavia{train_pixels}", Recipe(103, layout_map=layout, test_map=test, train_pixels=train_pixels)
            )
        fixed = str(maps / "paviau_train_fixed.tif")
        return self.make("pavia", Recipe(103, layout_map=layout, train_map=fixed, test_map=test))

    def overlapping(self, train_pixels: int) -> Scene:
        """Many pixels of many bands, and classes that a tenth of them do not tell apart."""
        recipe = Recipe(200, 1100, 1000, 20, train_pixels, separation=0.08, mixed=0.15, seed=15)
        return self.make(f"overlapping{train_pixels}", recipe)

    def five_classes(self) -> Scene:
        return self.make("five-classes", Recipe(60, 200, 200, 5, 1000))

    def drawn(self, seed: int) -> Scene:
        """A scene whose size nobody could have tuned the program to."""
        draw = random.Random(seed)
        recipe = Recipe(
            bands=draw.randint(20, 250),
            width=draw.randint(80, 300),
            height=draw.randint(80, 300),
            classes=draw.randint(2, 16),
            train_pixels=draw.randint(400, 2500),
            seed=seed,
        )
        return self.make(f"drawn{seed}", recipe)

    def salinas(self) -> Optional[Scene]:
        source = data_folder() / "salinasA" if data_folder() else None
        if source is None or not (source / "salinasA.bil").exists():
            return None
        target = self.folder / "salinasA"
        target.mkdir(parents=True, exist_ok=True)
        for file in source.glob("salinasA*"):
            link = target / file.name
            if not link.exists():
                link.symlink_to(file)
        return _scene(
            "salinasA (real)",
            target / "salinasA.bil",
            target / "salinasA_train_block8.img",
            target / "salinasA_test_block8.img",
        )


def _scene(name: str, image: Path, train: Path, test: Path) -> Scene:
    pixels, codes = labelled(train)
    return Scene(name, image, train, test, len(set(codes)), len(pixels))


def repeated(scene: Scene, across: int, down: int, target: Path) -> Path:
    """A virtual raster that shows the scene `across` x `down` times.

    A row of scenes is a virtual raster of its own, so that GDAL keeps across + down sources per band, not their
    product, which would be a good part of the memory that is measured.
    """
    file = scene.file
    row = target.with_name(f"{target.stem}-row.vrt")
    _write_repetition(row, scene.image, file, (file.width, file.height), (across, 1))
    _write_repetition(target, row, file, (file.width * across, file.height), (1, down))
    return target


def _write_repetition(
    target: Path, source: Path, file: EnviFile, size: tuple[int, int], times: tuple[int, int]
) -> None:
    width, height = size
    data_type = {2: "Int16", 12: "UInt16"}[file.data_type]
    lines = [f'<VRTDataset rasterXSize="{width * times[0]}" rasterYSize="{height * times[1]}">']
    for band in range(1, file.bands + 1):
        lines.append(f'<VRTRasterBand dataType="{data_type}" band="{band}">')
        for i in range(times[0] * times[1]):
            column, row = i % times[0] * width, i // times[0] * height
            lines.append(
                f'<SimpleSource><SourceFilename relativeToVRT="0">{source}</SourceFilename>'
                f"<SourceBand>{band}</SourceBand>"
                f'<SourceProperties RasterXSize="{width}" RasterYSize="{height}" DataType="{data_type}"/>'
                f'<SrcRect xOff="0" yOff="0" xSize="{width}" ySize="{height}"/>'
                f'<DstRect xOff="{column}" yOff="{row}" xSize="{width}" ySize="{height}"/></SimpleSource>'
            )
        lines.append("</VRTRasterBand>")
    lines.append("</VRTDataset>")
    target.write_text("\n".join(lines))
