"""try-wheel.py MODULE...: uses parsimap in one process with other modules that bring a GDAL, loaded in the order given.
try-wheel.py --estimator: runs the checks of scikit-learn, prints how many have passed, and writes model and map.tif."""

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


def signed_bytes_are_read(rasterio, parsimap):
    """Int8 of GDAL 3.7 and later, which Debian 12's GDAL cannot write: the same numbers as Int16 give the same map."""
    with rasterio.open(SCENE) as scene:
        values, profile = scene.read().astype(float), scene.profile
    small = 200 * (values - values.min()) / (values.max() - values.min()) - 100
    maps = []
    for kind in ("int8", "int16"):
        profile.update(driver="GTiff", dtype=kind, nodata=None)
        with rasterio.open(kind + ".tif", "w", **profile) as scene:
            scene.write(small.astype(kind))
        model = parsimap.train(kind + ".tif", LABELS, class_field="class", where="split='train'")
        maps.append(parsimap.classify(kind + ".tif", model).tobytes())
    assert maps[0] == maps[1], "signed bytes are not read as such"


READERS = {"rasterio": rasterio_reads, "osgeo.gdal": gdal_reads}

# This check also shuffles the samples, whose order changes the seventh digit (tests/python/classifier_test.py); its names until
# scikit-learn 1.5, which asks the estimator for it, and since 1.6.
FAILING = dict.fromkeys(["check_sample_weights_invariance", "check_sample_weight_equivalence_on_dense_data"], "order of samples")


def checks_of(estimator):
    from sklearn.utils import estimator_checks

    if hasattr(estimator_checks, "estimator_checks_generator"):
        return estimator_checks.estimator_checks_generator(estimator, expected_failed_checks=FAILING, mark="skip")
    return estimator_checks.check_estimator(estimator, generate_only=True)


def try_estimator():
    import unittest
    import warnings

    import parsimap

    warnings.simplefilter("ignore")
    passed = skipped = 0
    for estimator, check in checks_of(parsimap.Classifier()):
        try:
            check(estimator)
            passed += 1
        except unittest.SkipTest:
            skipped += 1
    parsimap.train(SCENE, LABELS, "model", class_field="class", where="split='train'", overwrite=True)
    parsimap.classify(SCENE, "model", "map.tif", overwrite=True)
    print("{} passed, {} skipped".format(passed, skipped))


if sys.argv[1:] == ["--estimator"]:
    try_estimator()
    sys.exit()
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
if "rasterio" in modules:
    signed_bytes_are_read(modules["rasterio"], parsimap)
for name, module in modules.items():
    assert READERS[name](module, "try.tif") == codes, name
loaded = {line.split()[-1] for line in open("/proc/self/maps") if "libgdal" in line}
print("with", *sys.argv[1:], "in one process: overall accuracy", accuracy, "; other GDAL:", *(loaded or ["none"]))
