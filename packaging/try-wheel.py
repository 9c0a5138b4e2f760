"""try-wheel.py MODULE...: uses parsimap in one process with other modules that bring a GDAL, loaded in the order given."""

import importlib
import sys

SCENE, LABELS = "sample_data/scene.tif", "sample_data/training.gpkg"


def rasterio_reads(rasterio, path):
    from rasterio.warp import transform

    assert abs(transform("EPSG:32633", "EPSG:4326", [500000], [5500000])[0][0] - 15) < 1e-9
    with rasterio.open(path) as raster:
        return raster.read(1).tobytes()


def gdal_reads(gdal, path):
    from osgeo import osr

    systems = [osr.SpatialReference() for _ in range(2)]
    systems[0].ImportFromEPSG(32633)
    systems[1].ImportFromEPSG(4326)
    assert abs(osr.CoordinateTransformation(*systems).TransformPoint(500000, 5500000)[1] - 15) < 1e-9
    raster = gdal.Open(path)  # bands do not keep it
    return raster.GetRasterBand(1).ReadRaster()


READERS = {"rasterio": rasterio_reads, "osgeo.gdal": gdal_reads}

modules = {}
for name in sys.argv[1:]:
    modules[name] = importlib.import_module(name)
    if name == "parsimap":
        modules[name].info(SCENE)
    else:
        READERS[name](modules[name], SCENE)

parsimap = modules.pop("parsimap")
model = parsimap.train(SCENE, LABELS, class_field="class", where="split='train'")
parsimap.classify(SCENE, model, "try.tif", overwrite=True)
accuracy = parsimap.assess("try.tif", LABELS, class_field="class", where="split='test'")["overall_accuracy"]
assert accuracy > 0.97, accuracy
codes = parsimap.classify(SCENE, model).astype("uint8").tobytes()
for name, module in modules.items():
    assert READERS[name](module, "try.tif") == codes, name
loaded = {line.split()[-1] for line in open("/proc/self/maps") if "libgdal" in line}
print("with", *sys.argv[1:], "in one process: overall accuracy", accuracy, "; other GDAL:", *(loaded or ["none"]))
