"""Scenes on which steps that look at neighbours are judged: an image, labels to train on, and pixels to test on.

Needs numpy and GDAL's Python module. Training and test pixels lie in separate blocks, crowns of separate plots or, in
simulated scenes, anywhere.
"""

import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable

import numpy
from osgeo import gdal, ogr

from .small_objects import SIZES, Layout

gdal.UseExceptions()
ogr.UseExceptions()

Array = numpy.ndarray


@dataclass
class SpatialScene:
    name: str
    seed: int
    folder: Path
    image: Path
    labels: Path
    label_options: list[str]
    tests: dict[str, Array] = field(default_factory=dict)  # codes on the grid, 0 = not tested; "all" is one of them


def write_envi(path: Path, values: Array) -> None:
    """bands x height x width or height x width, as uint8 or float32."""
    cube = values if values.ndim == 3 else values[None]
    kind = {"uint8": 1, "float32": 4}[str(cube.dtype)]
    cube.tofile(path)
    path.with_suffix(".hdr").write_text(
        f"ENVI\nsamples = {cube.shape[2]}\nlines = {cube.shape[1]}\nbands = {cube.shape[0]}\nheader offset = 0\n"
        f"file type = ENVI Standard\ndata type = {kind}\ninterleave = bsq\nbyte order = 0\n"
    )


def drawn(codes: Array, per_class: int, seed: int) -> Array:
    """The codes of up to `per_class` pixels of every class, at random; 0 elsewhere."""
    random = numpy.random.default_rng(seed)
    result = numpy.zeros_like(codes)
    for code in numpy.unique(codes[codes > 0]):
        chosen = random.permutation(numpy.flatnonzero(codes == code))[:per_class]
        result.flat[chosen] = code
    return result


def far_from(mask: Array, distance: int) -> Array:
    """Where no pixel of the mask is within so many rows and columns."""
    near = mask.copy()
    for axis in (0, 1):
        spread = near.copy()
        for step in range(1, distance + 1):
            for sign in (-1, 1):
                moved = numpy.roll(near, sign * step, axis)
                edge = [slice(None)] * 2
                edge[axis] = slice(0, step) if sign > 0 else slice(-step, None)
                moved[tuple(edge)] = False
                spread |= moved
        near = spread
    return ~near


def checkerboard(shape: tuple[int, int], side: int, seed: int) -> Array:
    """Blocks of one colour, shifted by the seed."""
    rows, columns = numpy.indices(shape)
    shift = numpy.random.default_rng(seed).integers(0, 2 * side, 2)
    return ((rows + shift[0]) // side + (columns + shift[1]) // side) % 2 == 0


def finish(scene: SpatialScene, train: Array, tests: dict[str, Array]) -> SpatialScene:
    write_envi(scene.labels, train.astype("u1"))
    known = numpy.unique(train[train > 0])
    scene.tests = {name: numpy.where(numpy.isin(codes, known), codes, 0) for name, codes in tests.items()}
    return scene


def salinas(data: Path, folder: Path, seed: int, noise: float = 0.6, per_class: int = 20) -> SpatialScene:
    """Salinas-A with white noise of `noise` standard deviations of each band; checkerboard of 17 pixels, and test
    pixels at least 5 rows or columns from any training pixel."""
    cube = gdal.Open(str(data / "salinasA" / "salinasA.bil")).ReadAsArray().astype("f4")
    codes = gdal.Open(str(data / "salinasA" / "salinasA_gt.img")).ReadAsArray().astype(int)
    random = numpy.random.default_rng(1000 + seed)
    cube += noise * cube.std(axis=(1, 2), keepdims=True) * random.standard_normal(cube.shape).astype("f4")
    write_envi(folder / "scene.img", cube.astype("f4"))
    board = checkerboard(codes.shape, 17, seed)
    train = drawn(codes * board, per_class, seed)
    test = codes * ~board * far_from(train > 0, 4)
    scene = SpatialScene("salinas-noise", seed, folder, folder / "scene.img", folder / "train.img", [])
    return finish(scene, train, {"all": test})


def objects(make_scene: Path, folder: Path, seed: int, bands: int = 60, noise: float = 0.004, separation: float = 0.1,
            pixels: int = 700) -> SpatialScene:
    """Fields, lines and small objects: the layout of benchmarks/small_objects with another draw of sites and spectra."""
    layout = Layout(seed)
    side = layout.side
    codes = numpy.array(layout.codes, "u1").reshape(side, side)
    sizes = numpy.array(layout.sizes).reshape(side, side)
    write_envi(folder / "layout.img", codes)
    command = [make_scene, "--output", folder, "--layout-map", folder / "layout.img", "--bands", bands, "--train-pixels",
               pixels, "--separation", separation, "--noise", noise, "--mixed", 0.08, "--seed", seed]
    subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL)
    train = gdal.Open(str(folder / "train.img")).ReadAsArray().astype(int)
    test = codes.astype(int) * (train == 0)
    tests = {"all": test}
    tests |= {name: numpy.where(sizes == i, test, 0) for i, name in enumerate(SIZES)}
    tests["lines"] = numpy.where((sizes >= 1) & (sizes <= 3), test, 0)
    scene = SpatialScene("objects", seed, folder, folder / "scene.img", folder / "train.img", [])
    scene.tests = tests
    return scene


def covered(feature: ogr.Feature, grid: gdal.Dataset) -> Array:
    """Which pixels of the grid have their centre in a polygon, as a window and a mask."""
    left, right, bottom, top = feature.GetGeometryRef().GetEnvelope()
    x0, step, _, y0, _, _ = grid.GetGeoTransform()
    columns = [min(max(int((value - x0) // step), 0), grid.RasterXSize - 1) for value in (left, right)]
    rows = [min(max(int((y0 - value) // step), 0), grid.RasterYSize - 1) for value in (top, bottom)]
    width, height = columns[1] - columns[0] + 1, rows[1] - rows[0] + 1
    mask = gdal.GetDriverByName("MEM").Create("", width, height, 1)
    if feature.GetGeometryRef().GetSpatialReference() is not None:
        mask.SetProjection(feature.GetGeometryRef().GetSpatialReference().ExportToWkt())
    mask.SetGeoTransform((x0 + columns[0] * step, step, 0, y0 - rows[0] * step, 0, -step))
    layer_source = ogr.GetDriverByName("Memory").CreateDataSource("")
    layer = layer_source.CreateLayer("one", feature.GetGeometryRef().GetSpatialReference(), ogr.wkbUnknown)
    one = ogr.Feature(layer.GetLayerDefn())
    one.SetGeometry(feature.GetGeometryRef())
    layer.CreateFeature(one)
    gdal.RasterizeLayer(mask, [1], layer, burn_values=[1])
    return (slice(rows[0], rows[0] + height), slice(columns[0], columns[0] + width)), mask.ReadAsArray() > 0


def berlin(data: Path, folder: Path, seed: int) -> SpatialScene:
    """Level_2 of the polygons: blocks of 10 x 10 pixels by halves; of those for training up to 100 pixels per class."""
    image = data / "enmap_berlin" / "EnMAP_BerlinUrbanGradient.bsq"
    grid = gdal.Open(str(image))
    codes = numpy.zeros((grid.RasterYSize, grid.RasterXSize), int)
    claims = numpy.zeros_like(codes)
    source = ogr.Open(str(data / "enmap_berlin" / "LandCov_BerlinUrbanGradient.shp"))
    for feature in source.GetLayer(0):
        part, inside = covered(feature, grid)
        codes[part][inside] = feature.GetField("Level_2_ID")
        claims[part] += inside
    codes[claims != 1] = 0
    for code in numpy.unique(codes):
        if (codes == code).sum() < 10:
            codes[codes == code] = 0
    rows, columns = numpy.indices(codes.shape) // 10
    blocks = rows * (columns.max() + 1) + columns
    order = numpy.random.default_rng(seed).permutation(blocks.max() + 1)
    for_training = numpy.isin(blocks, order[: len(order) // 2])
    scene = SpatialScene("berlin", seed, folder, image, folder / "train.img", [])
    return finish(scene, drawn(codes * for_training, 100, seed), {"all": codes * ~for_training})


def osbs(data: Path, folder: Path, seed: int, species: int = 3) -> SpatialScene:
    """Crowns of the most frequent species, up to 300 pixels of each of the training plots; all of the test plots. Every
    crown is one multi-point."""
    taxa = ["PIPA2", "QULA2", "QUGE2", "PIEL", "QUHE2", "ACRU"][:species]
    image = data / "idtrees_osbs" / "mosaic.vrt"
    grid = gdal.Open(str(image))
    nodata = grid.GetRasterBand(1).GetNoDataValue()
    valid = grid.GetRasterBand(1).ReadAsArray() != nodata
    source = ogr.Open(str(data / "idtrees_osbs" / "crowns_OSBS.gpkg"))
    layer = source.GetLayer(0)
    reference = layer.GetSpatialRef().Clone()
    codes = {part: numpy.zeros(valid.shape, "u1") for part in ("train", "test")}
    crowns = numpy.zeros(valid.shape, "i4")
    mixed = numpy.zeros(valid.shape, bool)
    for feature in layer:
        if feature.GetField("taxonID") not in taxa:
            continue
        part, inside = covered(feature, grid)
        target, code = codes[feature.GetField("split")], taxa.index(feature.GetField("taxonID")) + 1
        mixed[part] |= inside & (target[part] != 0) & (target[part] != code)
        fresh = inside & (target[part] == 0)
        target[part][inside] = code
        crowns[part][fresh] = feature.GetFID() + 1
    for part in codes.values():
        part[mixed | ~valid] = 0
    train = drawn(codes["train"], 300, seed)
    labels = folder / "train.gpkg"
    labels.unlink(missing_ok=True)
    target = ogr.GetDriverByName("GPKG").CreateDataSource(str(labels))
    points = target.CreateLayer("pixels", reference, ogr.wkbMultiPoint)
    points.CreateField(ogr.FieldDefn("code", ogr.OFTInteger))
    x0, step, _, y0, _, _ = grid.GetGeoTransform()
    chosen = numpy.argwhere(train > 0)
    for crown in numpy.unique(crowns[train > 0]):
        multi = ogr.Geometry(ogr.wkbMultiPoint)
        members = [(r, c) for r, c in chosen if crowns[r, c] == crown]
        for row, column in members:
            point = ogr.Geometry(ogr.wkbPoint)
            point.AddPoint_2D(x0 + (float(column) + 0.5) * step, y0 - (float(row) + 0.5) * step)
            multi.AddGeometry(point)
        feature = ogr.Feature(points.GetLayerDefn())
        feature.SetField("code", int(train[members[0]]))
        feature.SetGeometry(multi)
        points.CreateFeature(feature)
    scene = SpatialScene(f"osbs-{species}", seed, folder, image, labels, ["--class-field", "code"])
    scene.tests = {"all": codes["test"].astype(int)}
    scene.train_codes = train
    return scene


def pavia(data: Path, folder: Path, seed: int, per_class: int = 30) -> SpatialScene:
    """The genuine window of 50 x 50 pixels: a checkerboard of 10 pixels, test pixels 3 rows or columns from any
    training pixel."""
    source = data / "pavia_university"
    codes = gdal.Open(str(source / "paviau_sub50_gt.img")).ReadAsArray().astype(int)
    board = checkerboard(codes.shape, 10, seed)
    train = drawn(codes * board, per_class, seed)
    for code in numpy.unique(train[train > 0]):
        if (train == code).sum() < 5:
            train[train == code] = 0
    scene = SpatialScene("pavia-50", seed, folder, source / "paviau_sub50.bil", folder / "train.img", [])
    return finish(scene, train, {"all": codes * ~board * far_from(train > 0, 2)})


def maker(name: str, data: Path, make_scene: Path) -> Callable[[Path, int], SpatialScene]:
    makers = {
        "salinas-noise": lambda folder, seed: salinas(data, folder, seed),
        "objects": lambda folder, seed: objects(make_scene, folder, seed),
        "objects-hard": lambda folder, seed: objects(make_scene, folder, seed, 100, 0.016, 0.1, 140),
        "berlin": lambda folder, seed: berlin(data, folder, seed),
        "osbs-3": lambda folder, seed: osbs(data, folder, seed),
        "osbs-6": lambda folder, seed: osbs(data, folder, seed, 6),
        "pavia-50": lambda folder, seed: pavia(data, folder, seed),
    }

    def make(folder: Path, seed: int) -> SpatialScene:
        folder.mkdir(parents=True, exist_ok=True)
        return makers[name](folder, seed)

    return make
