"""Commands as functions: what they return is what the program writes, for files and for arrays."""

import concurrent.futures
import functools
import json
import pathlib
import pickle
import shutil
import tempfile
import unittest
import unittest.mock
import warnings

import numpy as np
import pandas
import rioxarray
import xarray

import parsimap
from sample import LABELS, REFERENCE, SCENE, TRAINING, files_in, label_values, run, scene_values
from sample import scene as scene_array

# Of each class as many pixels as are enough to compare models by, so that training takes little time.
FEW = {**TRAINING, "samples_per_class": 30}
# Where any model does.
QUICK = {**TRAINING, "samples_per_class": 20, "kernel": "gaussian", "spatial": "none"}


@functools.lru_cache
def sample_model():
    return parsimap.train(SCENE, LABELS, **FEW)


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.model = sample_model()

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)


class Training(Case):
    def test_the_model_is_that_of_the_program(self):
        file, other = self.folder / "program", self.folder / "python"
        run("train", SCENE, LABELS, file, "--class-field", "class", "--where", "split='train'", "--samples-per-class", 30)
        self.assertEqual(self.model.to_bytes(), file.read_bytes())
        written = parsimap.train(str(SCENE), LABELS, other, threads=1, **FEW)
        self.assertEqual(other.read_bytes(), file.read_bytes())
        self.assertEqual(written.record["model"], str(other))

    def test_without_a_name_no_file_is_written(self):
        parsimap.train(SCENE, LABELS, samples_per_class=20, **TRAINING)
        self.assertEqual(files_in("."), self.here)
        self.assertIsNone(self.model.record["model"])
        self.assertEqual(len(self.model.record["classes"]), 5)

    def setUp(self):
        super().setUp()
        self.here = files_in(".")

    def test_arrays_make_the_model_of_their_files(self):
        scene, labels = scene_values(), label_values()
        model = parsimap.train(scene, labels, samples_per_class=15)
        again = parsimap.train(scene.copy(), np.asfortranarray(labels), samples_per_class=15, threads=1)
        self.assertEqual(model.to_bytes(), again.to_bytes())
        of_files = parsimap.train(SCENE, REFERENCE, samples_per_class=15)
        np.testing.assert_array_equal(parsimap.classify(SCENE, model), parsimap.classify(SCENE, of_files))
        self.assertEqual([entry["path"] for entry in model.describe()["provenance"]["inputs"]], ["scene array", "labels array"])
        self.assertNotIn(b"vsimem", model.to_bytes())

    def test_polygons_lie_on_a_scene_with_coordinates(self):
        model = parsimap.train(scene_array(), LABELS, **FEW)
        np.testing.assert_array_equal(parsimap.classify(SCENE, model), parsimap.classify(SCENE, self.model))

    def test_several_scenes_and_a_mask_as_arrays(self):
        scene, labels = scene_values(), label_values()
        mask = np.ones(labels.shape, dtype=bool)
        mask[:, :50] = False
        model = parsimap.train(scene, labels, mask=mask, samples_per_class=20, further_scenes=[(scene[:50], labels[:50])])
        self.assertEqual([entry["path"] for entry in model.describe()["provenance"]["inputs"]],
                         ["scene array", "labels array", "further scenes 1 array", "further scenes 1 array", "mask array"])

    def test_a_page_calls_arrays_by_their_names(self):
        parsimap.train(scene_values(), label_values(), samples_per_class=20, report=self.folder / "page.html")
        page = (self.folder / "page.html").read_text()
        self.assertIn("scene array", page)
        self.assertNotIn("vsimem", page)
        self.assertEqual(files_in(self.folder), ["page.html"])

    def test_pickles_without_its_record(self):
        loaded = pickle.loads(pickle.dumps(self.model))
        self.assertEqual(loaded.to_bytes(), self.model.to_bytes())
        self.assertIsNone(loaded.record)


class Maps(Case):
    def test_a_map_in_memory_is_that_of_the_file(self):
        file = self.folder / "map.tif"
        record = parsimap.classify(SCENE, self.model, file, confidence=self.folder / "c.tif", regularise="auto")
        self.assertEqual(record["map"], str(file))
        self.assertEqual(record["model"], "model object")
        with rioxarray.open_rasterio(file) as codes, rioxarray.open_rasterio(self.folder / "c.tif") as confidence:
            made = parsimap.classify(SCENE, self.model, confidence=True, probabilities=True, regularise="auto")
            np.testing.assert_array_equal(made["map"], codes[0])
            np.testing.assert_array_equal(made["confidence"], confidence[0])
        self.assertEqual(made["probabilities"].shape, (*made["map"].shape, 5))
        self.assertEqual(made["map"].dtype, np.uint16)

    def test_a_netcdf_map_names_its_classes_for_xarray(self):
        expected = parsimap.classify(SCENE, self.model)
        meanings = " ".join(entry.name.replace(" ", "_") for entry in self.model.classes)
        for name, options in (("map.nc", []), ("classic.nc", ["FORMAT=NC"])):
            parsimap.classify(SCENE, self.model, self.folder / name, co=options)
            with rioxarray.open_rasterio(self.folder / name, mask_and_scale=False) as written:
                np.testing.assert_array_equal(written[0], expected)
                self.assertEqual(written.attrs["flag_meanings"], meanings)
        with xarray.open_dataset(self.folder / "classic.nc", engine="scipy", mask_and_scale=False) as written:
            self.assertEqual(written["Band1"].attrs["flag_meanings"], meanings)
            np.testing.assert_array_equal(written["Band1"].attrs["flag_values"], [entry.code for entry in self.model.classes])

    def test_model_file_and_program_make_the_same_map(self):
        self.model.save(self.folder / "model")
        run("classify", SCENE, self.folder / "model", self.folder / "a.tif")
        parsimap.classify(SCENE, self.folder / "model", self.folder / "b.tif")
        self.assertEqual((self.folder / "a.tif").read_bytes(), (self.folder / "b.tif").read_bytes())

    def test_arrays_of_any_order_and_type(self):
        expected = parsimap.classify(SCENE, self.model)
        scene = scene_values()
        wide = np.zeros((scene.shape[0], 2 * scene.shape[1], scene.shape[2]), dtype=scene.dtype)
        wide[:, ::2] = scene
        swapped = scene.astype(scene.dtype.newbyteorder())
        for values in (scene, np.asfortranarray(scene), wide[:, ::2], scene[::-1].copy()[::-1], scene.astype(float), swapped,
                       scene.astype(np.int64), np.ascontiguousarray(scene.transpose(2, 0, 1)).transpose(1, 2, 0)):
            with self.subTest(strides=values.strides, dtype=values.dtype):
                np.testing.assert_array_equal(parsimap.classify(values, self.model), expected)

    def test_scale_and_offset_are_applied(self):
        scene = scene_array()
        stored = (scene * 2 + 100).astype(np.uint16).assign_attrs(scene.attrs, scale_factor=0.5, add_offset=-50.0)
        np.testing.assert_array_equal(parsimap.classify(stored, self.model), parsimap.classify(SCENE, self.model))

    def test_missing_values_are_0(self):
        scene = scene_values().astype(np.float32)
        scene[3, 4, 5] = np.nan
        codes = parsimap.classify(scene, self.model)
        self.assertEqual(codes[3, 4], 0)
        self.assertEqual(np.count_nonzero(codes == 0), 1)
        empty = scene_array()
        empty[:, 3, 4] = 7
        made = parsimap.classify(empty.assign_attrs(_FillValue=7), self.model)
        np.testing.assert_array_equal(made == 0, codes == 0)

    def test_a_data_array_keeps_its_place(self):
        scene = scene_array()
        made = parsimap.classify(scene, self.model)
        self.assertIsInstance(made, xarray.DataArray)
        self.assertEqual(made.dims, ("y", "x"))
        np.testing.assert_array_equal(made.y, scene.y)
        np.testing.assert_array_equal(made.x, scene.x)
        self.assertEqual(made.rio.crs, scene.rio.crs)
        self.assertEqual(made.rio.transform(), scene.rio.transform())
        self.assertEqual(made.rio.nodata, 0)
        self.assertEqual(made.attrs["class_names"], [entry.name for entry in self.model.classes])
        np.testing.assert_array_equal(made, parsimap.classify(SCENE, self.model))
        made.rio.to_raster(self.folder / "map.tif")
        with rioxarray.open_rasterio(self.folder / "map.tif") as written:
            np.testing.assert_array_equal(written[0], made)

    def test_reference_systems_may_be_named(self):
        """Labels in degrees lie on a scene whose reference system is WKT, a code or a text of PROJ."""
        scene = scene_array()
        west, south, east, north = scene.rio.transform_bounds("EPSG:4326")
        corners = [(0.1, 0.1), (0.1, 0.9), (0.9, 0.1), (0.9, 0.9)]
        table = pandas.DataFrame([{"class": "ab"[i % 2], "longitude": west + right * (east - west), "latitude": south + up * (north - south)}
                                  for i, (right, up) in enumerate(corners)])
        for crs in (scene.spatial_ref.attrs["crs_wkt"], "EPSG:32631", "+proj=utm +zone=31 +datum=WGS84"):
            scene.spatial_ref.attrs["crs_wkt"] = crs
            record = parsimap.train(scene, table, class_field="class", kernel="gaussian").record
            self.assertEqual(record["training_pixels"], 4)
        scene.spatial_ref.attrs["crs_wkt"] = "nonsense"
        with self.assertRaisesRegex(parsimap.DataError, "the scene array has the crs 'nonsense', which is no known reference system"):
            parsimap.train(scene, table, class_field="class", kernel="gaussian")

    def test_dimensions_in_any_order_and_layers_as_a_dataset(self):
        scene = scene_array().transpose("x", "band", "y").rename(band="feature")
        made = parsimap.classify(scene, self.model, uncertainty=True, novelty=True, probabilities=True)
        self.assertIsInstance(made, xarray.Dataset)
        self.assertEqual(made["probabilities"].dims, ("class", "y", "x"))
        self.assertEqual(list(made["probabilities"]["class"].values), [entry.name for entry in self.model.classes])
        self.assertEqual(made["uncertainty"].sizes["measure"], 2)
        np.testing.assert_allclose(made["probabilities"].sum("class"), 1, rtol=1e-5)
        np.testing.assert_array_equal(made["map"], parsimap.classify(SCENE, self.model))

    def test_every_layer_has_the_bands_of_its_file(self):
        names = ("probabilities", "uncertainty", "decision_values", "applicability", "deciding", "sets_out")
        three = parsimap.train(SCENE, LABELS, class_field="class", where="\"class\" in ('water', 'sunflower', 'bare soil')", spatial="none", samples_per_class=50)
        parsimap.classify(SCENE, three, self.folder / "map.tif", **{name: self.folder / f"{name}.tif" for name in names})
        made = parsimap.classify(scene_array(), three, **dict.fromkeys(names, True))
        for name in names:
            with self.subTest(name), rioxarray.open_rasterio(self.folder / f"{name}.tif") as written:
                self.assertEqual(made[name].coords[made[name].dims[0]].values.tolist(), list(written.attrs["long_name"]))
                np.testing.assert_array_equal(made[name], written)

    def test_a_grid_mapping_may_have_any_name(self):
        named = scene_array().rename(spatial_ref="crs")
        said = named.copy()
        said.encoding["grid_mapping"] = "crs"
        for scene in (named, said.assign_coords(other=xarray.Variable((), 0, {"crs_wkt": "EPSG:4326"}))):
            made = parsimap.classify(scene, self.model, confidence=True)
            for layer in (made["map"], made["confidence"]):
                self.assertEqual((layer.rio.crs, layer.rio.transform()), (scene_array().rio.crs, scene_array().rio.transform()))
            parsimap.classify(scene, self.model, self.folder / "map.tif", overwrite=True)
            with rioxarray.open_rasterio(self.folder / "map.tif") as written:
                self.assertEqual(written.rio.crs, scene_array().rio.crs)

    def test_wavelengths_find_bands(self):
        """Bands in another order are found by their wavelengths."""
        known = scene_array().assign_coords(wavelength=("band", np.linspace(400, 2500, 60), {"units": "nm"}))
        model = parsimap.train(known, REFERENCE, samples_per_class=30)
        expected = parsimap.classify(known, model)
        micrometres = known.assign_coords(wavelength=("band", known.wavelength.values / 1000, {"units": "um"}))
        np.testing.assert_array_equal(parsimap.classify(micrometres[::-1], model), expected)

    def test_files_do_not_go_with_a_map_in_memory(self):
        for options in ({"report": "page.html"}, {"confidence": "c.tif"}, {"shard": "1/2"}, {"of": "GTiff"}):
            with self.subTest(options=options), self.assertRaises(parsimap.ConfigError):
                parsimap.classify(SCENE, self.model, **options)
        with self.assertRaisesRegex(parsimap.ConfigError, "confidence is True"):
            parsimap.classify(SCENE, self.model, self.folder / "map.tif", confidence=True)
        self.assertEqual(files_in(self.folder), [])

    def test_several_scenes(self):
        record = parsimap.classify(model=self.model, several_scenes=[SCENE], output_dir=self.folder / "maps")
        self.assertIn("maps/scene_map.tif", files_in(self.folder))
        self.assertEqual(len(record["scenes"]), 1)


class Judgements(Case):
    TEST = {"class_field": "class", "where": "split='test'"}

    def test_assess_says_what_the_program_prints(self):
        parsimap.classify(SCENE, self.model, self.folder / "map.tif")
        printed = json.loads(run("assess", self.folder / "map.tif", LABELS, "--class-field", "class", "--where",
                                         "split='test'", "--json").stdout)
        record = parsimap.assess(self.folder / "map.tif", LABELS, **self.TEST)
        for document in (printed, record):
            document.pop("seconds")
        self.assertEqual(record, printed)

    def test_assess_of_arrays(self):
        of_file = parsimap.assess(parsimap.classify(scene_array(), self.model), LABELS, **self.TEST)
        self.assertGreater(of_file["overall_accuracy"], 0.9)
        self.assertIn("wheat", json.dumps(of_file))
        codes = parsimap.classify(SCENE, parsimap.train(SCENE, REFERENCE, samples_per_class=30))
        self.assertGreater(parsimap.assess(codes, label_values())["overall_accuracy"], 0.9)
        self.assertEqual(parsimap.assess(codes, codes.astype(np.int64))["overall_accuracy"], 1)

    def test_inspect_of_arrays_and_of_files(self):
        options = {"repeats": 1, "seed": 3}
        of_files = parsimap.inspect(self.model, SCENE, LABELS, **TRAINING, **options)
        of_arrays = parsimap.inspect(self.model, scene_array(), LABELS, **TRAINING, **options)
        self.assertEqual(of_arrays["scene"], "scene array")
        self.assertEqual(of_arrays["regions"], of_files["regions"])


    def test_suggest_info_and_report(self):
        places = self.folder / "places.gpkg"
        record = parsimap.suggest(scene_array(), self.model, places, count=3)
        without = parsimap.suggest(scene_array(), self.model, count=3)
        self.assertIsNone(without["file"])
        self.assertEqual(without["places"], record["places"])
        self.assertEqual((len(record["places"]), record["scene"], record["model"]), (3, "scene array", "model object"))
        self.assertTrue(places.exists())
        printed = json.loads(run("info", SCENE, "--json").stdout)
        self.assertEqual(parsimap.info(SCENE), printed)
        self.assertEqual(parsimap.info(scene_values())["width"], printed["width"])
        self.assertEqual(parsimap.info(self.model)["classes"], self.model.describe()["classes"])
        map_file, page = self.folder / "map.tif", self.folder / "page.html"
        parsimap.classify(SCENE, self.model, map_file)
        accuracy = parsimap.assess(map_file, LABELS, **self.TEST)
        self.assertEqual(parsimap.report(self.model, map_file, accuracy, output=page), {"report": str(page), "warnings": []})
        (self.folder / "accuracy.json").write_text(json.dumps(accuracy))
        self.model.save(self.folder / "model")
        text = parsimap.report(self.folder / "model", map_file, self.folder / "accuracy.json")
        self.assertIn("map.tif", text)
        self.assertEqual(text[:200], page.read_text(encoding="utf-8")[:200])


class Tables(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.kept = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.kept.cleanup)
        cls.file = pathlib.Path(cls.kept.name) / "samples.csv"
        run("train", SCENE, LABELS, cls.file.with_suffix(".parsimap"), "--class-field", "class", "--where", "split='train'",
            "--samples-per-class", 30, "--samples-out", cls.file)
        cls.table = pandas.read_csv(cls.file)

    def check_same(self, model, expected):
        pixels = scene_values().reshape(-1, 60)[::50]
        np.testing.assert_array_equal(model.decision_function(pixels), expected.decision_function(pixels))

    def test_a_data_frame_of_spectra_is_a_library(self):
        expected = parsimap.train(library=self.file, class_field="class")
        model = parsimap.train(library=self.table, class_field="class")
        self.check_same(model, expected)
        self.assertEqual(model.describe()["provenance"]["inputs"][0]["path"], "library table")
        half = len(self.table) // 2
        self.check_same(parsimap.train(library=[self.table[:half], self.table[half:]], class_field="class"), expected)

    def test_parquet_is_read_by_pandas(self):
        path = self.folder / "samples.parquet"
        path.write_bytes(b"PAR1")
        with unittest.mock.patch("pandas.read_parquet", return_value=self.table) as read:
            model = parsimap.train(library=path, class_field="class", kernel="gaussian")
        read.assert_called_once_with(str(path))
        self.assertEqual(model.describe()["provenance"]["inputs"][0]["path"], str(path))

    def test_a_data_frame_of_points_is_labels(self):
        points = self.table[["x", "y", "class", "group"]]
        model = parsimap.train(SCENE, points, class_field="class", group_field="group")
        self.assertEqual(sum(entry["samples"] for entry in model.describe()["classes"]), len(points))
        accuracy = parsimap.assess(parsimap.classify(scene_array(), model), points, class_field="class")
        self.assertGreater(accuracy["overall_accuracy"], 0.95)
        with self.assertRaisesRegex(parsimap.DataError, "labels table"):
            parsimap.train(SCENE, points.drop(columns="y"), class_field="class")

    def test_a_table_of_geopandas_is_a_vector_file(self):
        class Frame(pandas.DataFrame):
            def to_file(self, path, driver, **options):
                assert driver == "GPKG"
                assert options == {"FID": "parsimap_fid"}  # for a column `fid` with equal numbers, which a GeoPackage refuses
                shutil.copyfile(LABELS, path)

        model = parsimap.train(SCENE, Frame({"class": [1]}), **FEW)
        np.testing.assert_array_equal(parsimap.classify(SCENE, model), parsimap.classify(SCENE, self.model))


class Bands(Case):
    def test_bands_of_rioxarray_are_chosen_by_name_and_wavelength(self):
        scene = scene_array()
        names = [scene.attrs["long_name"][k] for k in (4, 9, 30)]
        for bands in (names, ["5", "10", "31"], np.array([5, 10, 31]), ["555-560nm", "725-735nm", "1450-1455nm"]):
            with self.subTest(bands=bands):
                model = parsimap.train(scene, LABELS, bands=bands, **QUICK)
                self.assertEqual([band["name"] for band in model.describe()["bands"] if band["band"] in (5, 10, 31)], names)

    def test_a_selection_of_bands_keeps_their_names(self):
        scene = scene_array()
        model = parsimap.train(scene, LABELS, bands=["5", "10", "31"], **QUICK)
        expected = parsimap.classify(scene, model)
        for selection in (scene.sel(band=[31, 10, 5]), scene[::-1], scene.isel(band=slice(4, 40))):
            np.testing.assert_array_equal(parsimap.classify(selection, model), expected)
            np.testing.assert_array_equal(model.classify(selection), expected)


class Refusals(Case):
    def sentence(self, kind, *arguments, **options):
        with self.assertRaises(kind) as caught:
            parsimap.train(*arguments, **options)
        return str(caught.exception)

    def test_kinds_and_sentences_are_those_of_the_program(self):
        cases = [
            (parsimap.ConfigError, ValueError, 2, {"class_field": "clas"}, ["--class-field", "clas"]),
            (parsimap.ConfigError, ValueError, 2, {"class_field": "class", "seed": -1}, ["--class-field", "class", "--seed=-1"]),
            (parsimap.ConfigError, ValueError, 2, {"class_field": "class", "kernel": "x"}, ["--class-field", "class", "--kernel=x"]),
        ]
        for kind, base, code, options, words in cases:
            with self.subTest(options=options):
                program = run("train", SCENE, LABELS, self.folder / "model", *words, check=False)
                self.assertEqual(program.returncode, code)
                self.assertIn(self.sentence(kind, SCENE, LABELS, self.folder / "model", **options), program.stderr)
                self.assertTrue(issubclass(kind, base))
        missing = self.sentence(parsimap.DataError, self.folder / "none.tif", LABELS)
        self.assertIn(str(self.folder / "none.tif"), missing)
        self.assertEqual(files_in(self.folder), [])

    def test_a_missing_file_is_also_an_error_of_the_system(self):
        path = str(self.folder / "none.tif")
        for call in (lambda: parsimap.train(path, LABELS, **FEW), lambda: parsimap.classify(path, self.model, self.folder / "map.tif"),
                     lambda: parsimap.info(path), lambda: parsimap.Model.load(path),
                     lambda: parsimap.suggest(SCENE, self.model, exclude=[path])):
            with self.assertRaises(FileNotFoundError) as caught:
                call()
            self.assertIsInstance(caught.exception, parsimap.DataError)
            self.assertEqual(caught.exception.filename, path)
            self.assertIn(path, str(caught.exception))
            again = pickle.loads(pickle.dumps(caught.exception))
            self.assertEqual((str(again), again.filename), (str(caught.exception), path))
        # A file that is there and cannot be read is none that is missing.
        (self.folder / "none.tif").write_text("no image")
        with self.assertRaises(parsimap.DataError) as caught:
            parsimap.info(path)
        self.assertNotIsInstance(caught.exception, OSError)

    def test_an_option_that_is_no_file_is_none_that_is_missing(self):
        with self.assertRaisesRegex(parsimap.DataError, "labels table has no geometries") as caught:
            parsimap.train(SCENE, pandas.DataFrame({"a": [1.0, 2.0], "class": ["b", "c"]}), class_field="class")
        self.assertNotIsInstance(caught.exception, OSError)

    def test_arrays_in_the_order_of_rasterio_are_recognised(self):
        moved = np.moveaxis(scene_values(), -1, 0)
        for call in (lambda: parsimap.train(moved, label_values(), **{}), lambda: parsimap.classify(moved, self.model),
                     lambda: self.model.classify(moved)):
            with self.assertRaisesRegex(ValueError, r"pass numpy\.moveaxis\(scene, 0, -1\)"):
                call()

    def test_an_output_that_exists(self):
        (self.folder / "model").write_text("kept")
        self.assertIn("exists", self.sentence(parsimap.ConfigError, SCENE, LABELS, self.folder / "model", **FEW))
        self.assertEqual((self.folder / "model").read_text(), "kept")

    def test_arguments_that_are_missing(self):
        self.assertEqual(self.sentence(parsimap.ConfigError, SCENE), "argument LABELS is missing")
        self.assertEqual(self.sentence(parsimap.ConfigError), "argument SCENE is missing")
        with self.assertRaisesRegex(parsimap.ConfigError, "argument SCENE is missing"):
            parsimap.classify(model=self.model)

    def test_arrays_that_are_no_scenes(self):
        scene, labels = scene_values(), label_values()
        for values, kind, text in [
            (scene[:0], ValueError, "the scene array has no values"),
            (scene[:, :, 0].ravel(), ValueError, r"must have the dimensions"),
            (scene.astype(object), TypeError, "must hold real numbers"),
            (scene.astype(complex), TypeError, "must hold real numbers"),
            (scene.astype(str), TypeError, "must hold real numbers"),
            (np.ma.masked_less(scene, 0), TypeError, "masked array"),
            (scene.tolist(), TypeError, "scene must be the name of a file or an array, and is list"),
            ({"a": 1}, TypeError, "scene must be the name of a file or an array, and is dict"),
            (scene[:50], parsimap.DataError, "scene array"),
        ]:
            with self.subTest(text=text), self.assertRaisesRegex(kind, text) as caught:
                parsimap.train(values, labels)
            self.assertNotIn("vsimem", str(caught.exception))
        with self.assertRaisesRegex(TypeError, "the labels array must hold real numbers"):
            parsimap.train(scene, labels.astype(str))
        with self.assertRaisesRegex(TypeError, "labels must be the name of a file or an array, and is dict"):
            parsimap.train(scene, {"a": 1})
        with self.assertRaisesRegex(ValueError, "dimensions y and x"):
            parsimap.classify(scene_array().rename(y="z"), self.model)
        uneven = scene_array().assign_coords(x=np.linspace(0, 1, 120) ** 2)
        with self.assertRaisesRegex(ValueError, "evenly spaced"):
            parsimap.classify(uneven, self.model)

    def test_names_of_files_that_are_no_text(self):
        name = self.folder.__fspath__().encode() + b"/\xff.tif"
        self.assertIn("\udcff", self.sentence(parsimap.DataError, name, LABELS))


class Hearing(Case):
    def test_progress_is_called_with_stage_and_fraction(self):
        seen = []
        parsimap.train(SCENE, LABELS, progress=lambda stage, fraction: seen.append((stage, fraction)), **QUICK)
        self.assertIn("training", [stage for stage, _ in seen])
        fractions = [fraction for stage, fraction in seen if stage == "training"]
        self.assertEqual(fractions, sorted(fractions))
        self.assertLessEqual(fractions[-1], 1)

    def test_an_exception_of_progress_ends_the_work_and_leaves_nothing(self):
        def stop(stage, fraction):
            raise LookupError(stage)

        with self.assertRaises(LookupError):
            parsimap.train(SCENE, LABELS, self.folder / "model", progress=stop, validate="folds:5", **FEW)
        self.assertEqual(files_in(self.folder), [])

    def test_an_exception_at_the_last_call_leaves_nothing_either(self):
        seen = []
        parsimap.classify(SCENE, self.model, self.folder / "first.tif", progress=lambda *event: seen.append(event))
        kept = files_in(self.folder)
        stage, fraction = seen[-1]

        def stop(*event):
            if event[0] == stage and event[1] >= fraction:
                raise LookupError(stage)

        for _ in range(3):
            with self.assertRaises(LookupError):
                parsimap.classify(SCENE, self.model, self.folder / "map.tif", progress=stop)
            self.assertEqual(files_in(self.folder), kept)

    def test_messages_are_logged_and_warnings_warn(self):
        with self.assertLogs("parsimap", "INFO") as log:
            parsimap.train(SCENE, LABELS, **QUICK)
        self.assertTrue(any("training 5 classes" in line for line in log.output))
        with self.assertWarnsRegex(parsimap.ParsimapWarning, "every pixel of scene array was rejected") as caught:
            parsimap.classify(scene_values() * 1.001, self.model, reject_novelty=1e-9)  # no spectrum of training
        self.assertEqual(caught.filename, __file__)

    def test_warnings_may_be_errors(self):
        with warnings.catch_warnings(), self.assertRaises(parsimap.ParsimapWarning):
            warnings.simplefilter("error")
            parsimap.classify(scene_values() * 1.001, self.model, reject_novelty=1e-9)


class Together(Case):
    def test_threads_of_python_do_not_disturb_each_other(self):
        """Nor does the number of arrays at work show in a model."""
        scene, labels = scene_values(), label_values()
        expected = parsimap.train(scene, labels, samples_per_class=10).to_bytes()

        def work(number):
            model = parsimap.train(scene, labels, samples_per_class=10, threads=1)
            return model.to_bytes(), parsimap.classify(scene, model, threads=1)

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            found = list(pool.map(work, range(8)))
        self.assertEqual({content for content, _ in found}, {expected})
        for _, codes in found[1:]:
            np.testing.assert_array_equal(codes, found[0][1])


if __name__ == "__main__":
    unittest.main()
