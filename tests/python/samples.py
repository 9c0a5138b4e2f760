"""What tests of the package have in common: the sample scene, as files and as arrays."""

import os
import pathlib
import subprocess

import rioxarray

SOURCE = pathlib.Path(os.environ["SOURCE"])
PROGRAM = os.environ["PROGRAM"]
SCENE = SOURCE / "sample_data" / "scene.tif"
POLYGONS = SOURCE / "sample_data" / "training.gpkg"
REFERENCE = SOURCE / "sample_data" / "reference.tif"
TRAINING = {"class_field": "class", "where": "split='train'"}


def run_program(*words, check=True):
    return subprocess.run([PROGRAM, *map(str, words)], check=check, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def scene_array():
    """The scene as rioxarray opens it: band, y, x."""
    with rioxarray.open_rasterio(SCENE) as opened:
        return opened.load()


def scene_values():
    """The scene as rows, columns, bands."""
    return scene_array().transpose("y", "x", "band").to_numpy().copy()


def label_values():
    with rioxarray.open_rasterio(REFERENCE) as opened:
        return opened[0].to_numpy().copy()


def files_in(folder):
    """Everything in the folder and below, with what is hidden."""
    return sorted(str(path.relative_to(folder)) for path in pathlib.Path(folder).rglob("*"))
