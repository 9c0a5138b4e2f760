"""The scene of sample_data, and what the program makes of it, for several tests."""

import atexit
import functools
import os
import pathlib
import subprocess
import tempfile

import parsimap

SOURCE = pathlib.Path(os.environ["SOURCE"])
SCENE = SOURCE / "sample_data" / "scene.tif"
LABELS = SOURCE / "sample_data" / "training.gpkg"
REFERENCE = SOURCE / "sample_data" / "reference.tif"
TRAINING = {"class_field": "class", "where": "split='train'"}

_folder = tempfile.TemporaryDirectory()
atexit.register(_folder.cleanup)
WORK = pathlib.Path(_folder.name)


def run(*arguments, check=True):
    return subprocess.run([os.environ["PROGRAM"], *map(str, arguments)], check=check, capture_output=True, text=True)


@functools.lru_cache(maxsize=None)
def model(*options):
    """The model that the program trains with these options on few pixels, and its file."""
    path = WORK / f"model{len(list(WORK.iterdir()))}"
    run("train", SCENE, LABELS, path, "--class-field", "class", "--where", "split='train'", "--samples-per-class", 30,
        "--quiet", *options)
    return parsimap.Model.load(path), path


@functools.lru_cache(maxsize=None)
def map_of_program(model_path, *options):
    """The map that the program makes with a model file and these options, as a DataArray."""
    path = WORK / f"map{len(list(WORK.iterdir()))}.tif"
    run("classify", SCENE, model_path, path, "--quiet", *options)
    return opened(path).isel(band=0)


def scene():
    """The scene as a DataArray in memory."""
    return opened(SCENE)


def opened(path):
    # Here, since workers of a cluster import the test's module, and are to do without GDAL.
    import rioxarray

    with rioxarray.open_rasterio(path) as raster:
        return raster.load()


def scene_values():
    """The scene as an array of rows, columns and bands."""
    return scene().transpose("y", "x", "band").to_numpy().copy()


def label_values():
    """Codes of all pixels as an array of rows and columns."""
    return opened(REFERENCE)[0].to_numpy().copy()


def files_in(folder):
    """Everything in the folder and below it, with what is hidden."""
    return sorted(str(path.relative_to(folder)) for path in pathlib.Path(folder).rglob("*"))
