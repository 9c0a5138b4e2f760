#!/usr/bin/env python3
"""accuracy_splits.py PARSIMAP DATA SCENE SEED FOLDER: one split of a scene of the accuracy row, in its own process.

Writes what harness/accuracy_split.py lists into FOLDER: the training pixels as a user of parsimap would have them (an
image and labels), the test pixels as an image of one column, and both as arrays and text tables for the peers. All of
them are the same pixels. Needs numpy and GDAL's Python module. DATA may be '-' for the simulated scenes.
"""

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Callable, Optional

import numpy
from osgeo import gdal, ogr

from harness.accuracy_scenes import SIMULATED, TABLES

gdal.UseExceptions()
ogr.UseExceptions()

Array = numpy.ndarray


def write_column(path: Path, x: Array) -> None:
    """An ENVI image of one column: classified pixel by pixel, it gives what the whole scene would give there."""
    x.astype("<f4").tofile(path)
    write_header(path, 1, len(x), x.shape[1], 4)


def write_header(path: Path, width: int, height: int, bands: int, data_type: int) -> None:
    path.with_suffix(".hdr").write_text(
        f"ENVI\nsamples = {width}\nlines = {height}\nbands = {bands}\nheader offset = 0\nfile type = ENVI Standard\n"
        f"data type = {data_type}\ninterleave = bip\nbyte order = 0\n"
    )


def write_codes(path: Path, codes: Array) -> None:
    codes.astype("u1").tofile(path)
    write_header(path, codes.shape[1], codes.shape[0], 1, 1)


def write_tables(folder: Path, part: str, x: Array, y: Array) -> None:
    """As `parsimap run` reads them."""
    numpy.savetxt(folder / f"{part}.data", x, fmt="%.9g")
    numpy.savetxt(folder / f"{part}.labels", y, fmt="%d")


def finish(folder: Path, split: dict, train: tuple[Array, Array], test: tuple[Array, Array]) -> None:
    """The test image, arrays, tables and the description; test pixels of classes without training are left out."""
    known = numpy.isin(test[1], train[1])
    test = (test[0][known], test[1][known])
    digest = hashlib.sha256()
    for part, (x, y) in (("train", train), ("test", test)):
        x, y = x.astype("f4"), y.astype("u1")
        numpy.savez(folder / f"{part}.npz", x=x, y=y)
        write_tables(folder, part, x, y)
        digest.update(x.tobytes() + y.tobytes())
    write_column(folder / "test.img", test[0])
    test[1].astype("u1").tofile(folder / "test.codes")
    split |= {"digest": digest.hexdigest(), "bands": train[0].shape[1], "classes": len(set(train[1].tolist()))}
    split |= {"train_pixels": len(train[1]), "test_pixels": len(test[1])}
    (folder / "split.json").write_text(json.dumps(split, indent=2) + "\n")


def drawn(codes: Array, per_class: int, seed: int) -> Array:
    """Indices of up to `per_class` samples of every class (codes above 0), at random, by class."""
    random = numpy.random.default_rng(seed)
    classes = [code for code in numpy.unique(codes) if code > 0]
    return numpy.concatenate([random.permutation(numpy.flatnonzero(codes == code))[:per_class] for code in classes])


def read_image(path: Path) -> tuple[Array, Array, tuple[int, int]]:
    """Pixels x bands row by row, which of them have a value, and height and width."""
    source = gdal.Open(str(path))
    values = source.ReadAsArray().astype("f4")
    bands, height, width = values.shape
    nodata = source.GetRasterBand(1).GetNoDataValue()
    x = values.reshape(bands, -1).T
    valid = numpy.ones(len(x), bool) if nodata is None else (x != nodata).all(axis=1)
    return x, valid, (height, width)


def raster_split(folder: Path, image: Path, train: Array, test: Array) -> None:
    """A split by two maps of codes, given row by row; pixels trained on are left out of the test."""
    x, valid, shape = read_image(image)
    train, test = train * valid, test * valid * (train == 0)
    write_codes(folder / "train.img", train.reshape(shape))
    split = {"image": str(image), "labels": str(folder / "train.img"), "label_options": []}
    chosen, held_out = numpy.flatnonzero(train), numpy.flatnonzero(test)
    finish(folder, split, (x[chosen], train[chosen]), (x[held_out], test[held_out]))


def chosen_codes(codes: Array, chosen: Array) -> Array:
    """Codes at the indices chosen, 0 elsewhere."""
    train = numpy.zeros_like(codes)
    train[chosen] = codes[chosen]
    return train


def read_codes(path: Path) -> Array:
    return gdal.Open(str(path)).ReadAsArray().ravel()


def salinas_drawn(_: str, data: Path, folder: Path, seed: int) -> None:
    codes = read_codes(data / "salinasA" / "salinasA_gt.img")
    image = data / "salinasA" / "salinasA.bil"
    raster_split(folder, image, chosen_codes(codes, drawn(codes, 30, seed)), codes)


def salinas_blocks(_: str, data: Path, folder: Path, seed: int) -> None:
    source = data / "salinasA"
    maps = [read_codes(source / f"salinasA_{part}_block8.img") for part in ("train", "test")]
    raster_split(folder, source / "salinasA.bil", *maps)


def covered(feature: ogr.Feature, geotransform: tuple, size: tuple[int, int]) -> tuple[tuple[int, int], Array]:
    """The window of a polygon, by its first column and row, and which pixels have their centre in it."""
    left, right, bottom, top = feature.GetGeometryRef().GetEnvelope()
    x0, step, y0 = geotransform[0], geotransform[1], geotransform[3]
    columns = [min(max(int((value - x0) // step), 0), size[0] - 1) for value in (left, right)]
    rows = [min(max(int((y0 - value) // step), 0), size[1] - 1) for value in (top, bottom)]
    width, height = columns[1] - columns[0] + 1, rows[1] - rows[0] + 1
    mask = gdal.GetDriverByName("MEM").Create("", width, height, 1)
    mask.SetGeoTransform((x0 + columns[0] * step, step, 0, y0 - rows[0] * step, 0, -step))
    layer_source = ogr.GetDriverByName("Memory").CreateDataSource("")
    layer = layer_source.CreateLayer("polygon")
    polygon = ogr.Feature(layer.GetLayerDefn())
    polygon.SetGeometry(feature.GetGeometryRef())
    layer.CreateFeature(polygon)
    gdal.RasterizeLayer(mask, [1], layer, burn_values=[1])
    return (columns[0], rows[0]), mask.ReadAsArray() > 0


def berlin(_: str, data: Path, folder: Path, seed: int) -> None:
    """Blocks of 10 x 10 pixels by halves; of those for training up to 100 pixels of every class."""
    image = data / "enmap_berlin" / "EnMAP_BerlinUrbanGradient.bsq"
    scene = gdal.Open(str(image))
    width, height = scene.RasterXSize, scene.RasterYSize
    source = ogr.Open(str(data / "enmap_berlin" / "LandCov_BerlinUrbanGradient.shp"))
    codes = numpy.zeros((height, width), int)
    claims = numpy.zeros((height, width), int)
    for feature in source.GetLayer(0):
        (column, row), inside = covered(feature, scene.GetGeoTransform(), (width, height))
        part = (slice(row, row + inside.shape[0]), slice(column, column + inside.shape[1]))
        codes[part][inside] = feature.GetField("Level_2_ID")
        claims[part] += inside
    codes[claims != 1] = 0
    for code in numpy.unique(codes):
        if (codes == code).sum() < 10:
            codes[codes == code] = 0
    rows, columns = numpy.indices(codes.shape) // 10
    blocks = rows * (columns.max() + 1) + columns
    order = numpy.random.default_rng(seed).permutation(blocks.max() + 1)
    for_training = numpy.isin(blocks, order[: len(order) // 2]).ravel()
    codes = codes.ravel()
    half = codes * for_training
    raster_split(folder, image, chosen_codes(codes, drawn(half, 100, seed)), codes * ~for_training)


class Crowns:
    """The pixels of the IDTReeS crowns of one part, crown by crown; what crowns of two classes claim is dropped."""

    def __init__(self, folder: Path, taxa: list[str], part: str) -> None:
        self.scene = gdal.Open(str(folder / "mosaic.vrt"))
        self.taxa = taxa
        owners: dict[tuple[int, int], set[str]] = {}
        first: dict[tuple[int, int], tuple[int, str]] = {}  # pixel: crown and plot
        spectra: dict[tuple[int, int], Array] = {}
        nodata = self.scene.GetRasterBand(1).GetNoDataValue()
        source = ogr.Open(str(folder / "crowns_OSBS.gpkg"))
        layer = source.GetLayer(0)
        names = ",".join(f"'{taxon}'" for taxon in taxa)
        layer.SetAttributeFilter(f"split = '{part}' AND taxonID IN ({names})")
        self.reference = layer.GetSpatialRef().Clone()
        for feature in layer:
            (column, row), inside = covered(
                feature, self.scene.GetGeoTransform(), (self.scene.RasterXSize, self.scene.RasterYSize)
            )
            values = self.scene.ReadAsArray(column, row, inside.shape[1], inside.shape[0])
            inside &= (values != nodata).all(axis=0)
            for i, j in zip(*numpy.nonzero(inside)):
                pixel = (row + int(i), column + int(j))
                owners.setdefault(pixel, set()).add(feature.GetField("taxonID"))
                first.setdefault(pixel, (feature.GetFID(), feature.GetField("plot")))
                spectra[pixel] = values[:, i, j]
        self.pixels = [pixel for pixel, taxon in owners.items() if len(taxon) == 1]
        self.crowns = [first[pixel] for pixel in self.pixels]
        self.x = numpy.array([spectra[pixel] for pixel in self.pixels], "f4")
        self.y = numpy.array([taxa.index(next(iter(owners[pixel]))) + 1 for pixel in self.pixels])

    def write(self, path: Path, chosen: Array) -> None:
        """Every crown as one feature, the points of its chosen pixels: so a crown stays one region."""
        path.unlink(missing_ok=True)
        target = ogr.GetDriverByName("GPKG").CreateDataSource(str(path))
        layer = target.CreateLayer("pixels", self.reference, ogr.wkbMultiPoint)
        layer.CreateField(ogr.FieldDefn("code", ogr.OFTInteger))
        layer.CreateField(ogr.FieldDefn("plot", ogr.OFTString))
        x0, step, _, y0, _, _ = self.scene.GetGeoTransform()
        members: dict[int, list[int]] = {}
        for i in chosen:
            members.setdefault(self.crowns[i][0], []).append(int(i))
        for crown in members.values():
            points = ogr.Geometry(ogr.wkbMultiPoint)
            for row, column in (self.pixels[i] for i in crown):
                point = ogr.Geometry(ogr.wkbPoint)
                point.AddPoint_2D(x0 + (column + 0.5) * step, y0 - (row + 0.5) * step)
                points.AddGeometry(point)
            feature = ogr.Feature(layer.GetLayerDefn())
            feature.SetField("code", int(self.y[crown[0]]))
            feature.SetField("plot", self.crowns[crown[0]][1])
            feature.SetGeometry(points)
            layer.CreateFeature(feature)


def osbs(scene: str, data: Path, folder: Path, seed: int) -> None:
    """300 pixels of every species (all, of those with fewer) of the crowns for training; all of those for testing."""
    taxa = ["PIPA2", "QULA2", "QUGE2", "PIEL", "QUHE2", "ACRU"][: 3 if scene == "osbs-3" else 6]
    train = Crowns(data / "idtrees_osbs", taxa, "train")
    test = Crowns(data / "idtrees_osbs", taxa, "test")
    chosen = drawn(train.y, 300, seed)
    train.write(folder / "train.gpkg", chosen)
    split = {"image": str(data / "idtrees_osbs" / "mosaic.vrt"), "labels": str(folder / "train.gpkg")}
    split |= {"label_options": ["--class-field", "code"]}
    finish(folder, split, (train.x[chosen], train.y[chosen]), (test.x, test.y))


def table_split(scene: str, data: Path, folder: Path, seed: int) -> None:
    """Samples without positions: an image of one column, with an unlabelled pixel between any two samples.

    So every sample is a region of its own.
    """
    parts = []
    for part in TABLES[scene]:
        x = numpy.loadtxt(data / f"{part}.data", dtype="f4")
        labels = numpy.loadtxt(data / f"{part}.labels").astype(int)
        parts.append((x, labels))
    names = numpy.unique(parts[0][1])
    train, test = ((x, numpy.searchsorted(names, labels) + 1) for x, labels in parts)
    write_column(folder / "train-image.img", numpy.repeat(train[0], 2, axis=0))
    codes = numpy.zeros((2 * len(train[1]), 1), int)
    codes[::2, 0] = train[1]
    write_codes(folder / "train.img", codes)
    split = {"image": str(folder / "train-image.img"), "labels": str(folder / "train.img"), "label_options": []}
    finish(folder, split, train, test)


def simulated(program: str, scene: str, folder: Path, seed: int) -> None:
    """100 pixels of every class, drawn; the rest of the scene is the test."""
    made = folder / "simulated"
    (folder / "spec.json").write_text(json.dumps(SIMULATED[scene] | {"seed": seed}))
    command = [program, "simulate", str(folder / "spec.json"), str(made), "--overwrite", "--quiet"]
    subprocess.run(command, check=True)
    codes = read_codes(made / "reference.tif").astype(int)
    raster_split(folder, made / "scene.tif", chosen_codes(codes, drawn(codes, 100, seed)), codes)


def maker(scene: str) -> Optional[Callable]:
    if scene in TABLES:
        return lambda _, data, folder, seed: table_split(scene, data, folder, seed)
    if scene in SIMULATED:
        return lambda program, _, folder, seed: simulated(program, scene, folder, seed)
    if scene.startswith("osbs"):
        return lambda _, data, folder, seed: osbs(scene, data, folder, seed)
    return {"salinas-30": salinas_drawn, "salinas-block8": salinas_blocks, "berlin": berlin}.get(scene)


def main() -> None:
    program, data, scene, seed, folder = sys.argv[1:6]
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    maker(scene)(program, Path(data), target, int(seed))


main()
