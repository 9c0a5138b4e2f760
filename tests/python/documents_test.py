"""Blocks of Python in the documents run, one after the other, in a folder like that of the project."""

import contextlib
import io
import os
import pathlib
import pickle
import re
import subprocess
import sys
import tempfile
import unittest

import numpy as np
from osgeo import gdal

gdal.UseExceptions()
SOURCE = pathlib.Path(os.environ["SOURCE"])

# What QGIS does when it starts, and a project with the layers that the block wants.
IN_QGIS = """
from qgis.core import QgsApplication, QgsProject, QgsRasterLayer, QgsVectorLayer
application = QgsApplication([], True)
application.initQgis()
QgsProject.instance().addMapLayers([QgsRasterLayer("sample_data/scene.tif", "scene"),
                                    QgsVectorLayer("sample_data/training.gpkg|layername=training", "training")])
{block}
layer = QgsProject.instance().mapLayersByName("map")[0]
assert layer.isValid() and layer.renderer().type() == "paletted"
application.exitQgis()
"""


def blocks_of(name):
    text = (SOURCE / name).read_text(encoding="utf-8")
    return re.findall(r"^```python\n(.*?)^```$", text, flags=re.M | re.S)


def small_sample(folder):
    """The sample data with smaller polygons, so that a few pixels of each train."""
    folder.mkdir()
    (folder / "scene.tif").symlink_to(SOURCE / "sample_data" / "scene.tif")
    gdal.VectorTranslate(str(folder / "training.gpkg"), str(SOURCE / "sample_data" / "training.gpkg"), layerName="training",
                         SQLDialect="SQLite", SQLStatement="SELECT ST_Buffer(geom, -2) AS geom, class, split FROM training")


class Documents(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)
        os.mkdir("build")
        small_sample(pathlib.Path("sample_data"))

    def test_python(self):
        names = {"__name__": "__main__"}
        blocks = blocks_of("docs/python.md")
        self.assertGreater(len(blocks), 8)
        for number, block in enumerate(blocks, start=1):
            with self.subTest(block=number), contextlib.redirect_stdout(io.StringIO()):
                exec(compile(block, f"block {number} of docs/python.md", "exec"), names)
        self.as_in_the_enmap_box(blocks[-1], names["spectra"], names["codes"])

    def as_in_the_enmap_box(self, code, spectra, codes):
        names = {}
        exec(code, names)
        classifier = names["classifier"]
        rows = slice(0, None, 40)
        classifier.fit(spectra[rows], codes[rows].astype(np.uint8).reshape(-1, 1).ravel())
        classifier = pickle.loads(pickle.dumps({"classifier": classifier}))["classifier"]
        bands = [spectra[:, band] for band in range(spectra.shape[1])]
        labels = classifier.predict(np.transpose(bands))
        self.assertGreater(np.mean(labels == codes), 0.9)

    def test_console_of_qgis(self):
        (block,) = blocks_of("docs/qgis.md")
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "HOME": os.getcwd()}
        result = subprocess.run([sys.executable, "-c", IN_QGIS.format(block=block)], env=environment, capture_output=True,
                                text=True)
        self.assertEqual(result.returncode, 0, result.stderr)


if __name__ == "__main__":
    unittest.main()
