"""A small simulated scene with its labels, to try the algorithms with."""

import json
import os

from qgis.core import Qgis, QgsProcessingFeedback, QgsProcessingUtils, QgsProject, QgsRasterLayer, QgsVectorLayer
from qgis.utils import iface

from . import program

SPEC = {
    "width": 120,
    "height": 100,
    "bands": 60,
    "first_wavelength": 420,
    "last_wavelength": 2450,
    "pixel_size": 2,
    "origin": [363000, 4836000],
    "epsg": 32631,
    "seed": 20,
    "layout": {"kind": "voronoi", "sites": 36, "gap": 1},
    "classes": [
        {"name": "winter wheat", "dimension": 6, "colour": [221, 170, 51]},
        {"name": "sunflower", "dimension": 5, "colour": [187, 85, 102]},
        {"name": "deciduous forest", "dimension": 8, "colour": [34, 136, 51]},
        {"name": "water", "dimension": 3, "colour": [0, 68, 136]},
    ],
    "polygons": {"per_class": 12, "smallest_radius": 2, "largest_radius": 4.5, "train_fraction": 0.5},
}


def load_sample():
    """Makes the scene in the temporary folder and adds it to the project, with its labels above it."""
    spec = QgsProcessingUtils.generateTempFilename("spec.json")
    folder = os.path.join(os.path.dirname(spec), "sample")
    with open(spec, "w") as file:
        json.dump(SPEC, file)
    try:
        program.run(["simulate", spec, folder], QgsProcessingFeedback(False), str)
    except program.ProgramError as error:
        iface.messageBar().pushMessage("parsimap", str(error), Qgis.MessageLevel.Warning)
        return
    scene = QgsRasterLayer(os.path.join(folder, "scene.tif"), "sample scene")
    labels = QgsVectorLayer(os.path.join(folder, "training.gpkg"), "sample labels")
    QgsProject.instance().addMapLayers([labels, scene])
    iface.messageBar().pushMessage(
        "parsimap",
        "Run Train of the toolbox of Processing with this scene and these labels; their class field is “class”.",
        Qgis.MessageLevel.Info,
    )
