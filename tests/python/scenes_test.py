"""Maps of scenes that are arrays of numpy or DataArrays of xarray, and how a model shows itself."""

import re
import unittest

import numpy as np
import pandas
import xarray

import parsimap
import sample


class Sample(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.model, cls.path = sample.model("--spatial", "none")
        cls.scene = sample.scene()
        cls.cube = cls.scene.transpose("y", "x", "band").values


class Arrays(Sample):
    def test_a_map_is_that_of_the_program(self):
        for rule in ("none", "neighbours:1", "auto"):
            expected = sample.map_of_program(self.path, "--regularise", rule)
            found = self.model.classify(self.cube, regularise=rule)
            self.assertEqual(found.dtype, np.uint16)
            np.testing.assert_array_equal(found, expected.values)

    def test_layers(self):
        found = self.model.classify(self.cube, layers=["novelty", "probabilities", "decision_values"])
        self.assertEqual(list(found), ["map", "novelty", "probabilities", "decision_values"])
        self.assertEqual(found["novelty"].shape, (100, 120))
        np.testing.assert_allclose(found["probabilities"].sum(axis=2), 1, rtol=1e-5)
        spectra = self.cube.reshape(-1, 60)
        np.testing.assert_allclose(found["decision_values"].reshape(-1, 5), self.model.decision_function(spectra),
                                   rtol=1e-4, atol=1e-4)
        codes = np.array([entry.code for entry in self.model.classes])
        np.testing.assert_array_equal(found["map"], codes[found["probabilities"].argmax(axis=2)])

    def test_other_units_are_refused(self):
        for factor in (1e4, 1e-4):
            with self.assertRaisesRegex(parsimap.DataError, "the median size of its spectra is .*, which are different units"):
                self.model.classify(self.cube * factor)
        self.assertEqual(self.model.classify(self.cube[:1, :1] * 0).shape, (1, 1))  # no unit
        with self.assertWarnsRegex(parsimap.ParsimapWarning, "usually 0.01 times as large as those of training"):
            self.model.classify(self.cube / 100)

    def test_pixels_without_a_value_are_0(self):
        cube = self.cube.astype(np.float32)
        cube[3, 4, 5] = np.nan
        cube[7, 8, 9] = -9999
        found = self.model.classify(cube, nodata=-9999)
        self.assertEqual(list(zip(*np.nonzero(found == 0))), [(3, 4), (7, 8)])

    def test_pixels_can_be_rejected(self):
        found = self.model.classify(self.cube, layers="confidence")
        sure = self.model.classify(self.cube, reject=0.9)
        np.testing.assert_array_equal(sure == 0, found["confidence"] < np.float32(0.9))

    def test_progress_is_reported(self):
        fractions = []
        self.model.classify(self.cube, progress=fractions.append)
        self.assertEqual(fractions[-1], 1)

    def test_a_mask_of_numpy_is_refused_and_a_list_is_an_array(self):
        masked = np.ma.masked_less(self.cube, 0)
        with self.assertRaisesRegex(TypeError, "masked array"):
            self.model.classify(masked)
        with self.assertRaisesRegex(TypeError, "masked array"):
            self.model.predict(masked.reshape(-1, 60))
        part = self.cube[:3, :4]
        np.testing.assert_array_equal(self.model.classify(part.tolist()), self.model.classify(part))

    def test_bands_of_an_array_without_names_are_those_of_the_model(self):
        nameless = xarray.DataArray(self.cube, dims=("y", "x", "band"))
        expected = self.model.classify(self.scene).values
        for array in (nameless, nameless.values):
            np.testing.assert_array_equal(np.asarray(self.model.classify(array)), expected)

    def test_what_does_not_fit_is_an_error(self):
        with self.assertRaisesRegex(parsimap.DataError, "bands"):
            self.model.classify(self.cube[:, :, :-1])
        with self.assertRaisesRegex(parsimap.ConfigError, "regularisation 'much'"):
            self.model.classify(self.cube, regularise="much")
        with self.assertRaisesRegex(parsimap.ConfigError, "layer 'colour' is unknown"):
            self.model.classify(self.cube, layers=["colour"])
        with self.assertRaisesRegex(ValueError, "3 dimensions"):
            self.model.classify(self.cube[0])
        with self.assertRaises(TypeError):
            self.model.classify(np.full((2, 2, 60), "a"))

    def test_a_dataset_stands_for_its_only_image(self):
        cube = self.scene.transpose("y", "x", "band")
        mask = xarray.DataArray(self.cube[:, :, 0], dims=("y", "x"))
        expected = self.model.classify(cube)
        for dataset in (xarray.Dataset({"reflectance": cube}), xarray.Dataset({"reflectance": cube, "mask": mask, "crs": 0})):
            self.assertTrue(self.model.classify(dataset).equals(expected))
            self.assertTrue(self.model.predict(dataset).equals(expected))
            self.assertTrue(parsimap.classify(dataset, self.model, progress=False).to_numpy().any())
        with self.assertRaisesRegex(TypeError, r"one DataArray of it.*to_array.*a \(y, x, band\), b \(y, x, band\)"):
            self.model.classify(xarray.Dataset({"a": cube, "b": cube}))
        with self.assertRaisesRegex(TypeError, "scene must be the name of a file or an array, and is dict"):
            parsimap.classify({"a": self.cube}, self.model, progress=False)


class DataArrays(Sample):
    def test_coordinates_and_crs_are_those_of_the_scene(self):
        found = self.model.classify(self.scene)
        expected = sample.map_of_program(self.path)
        self.assertEqual(found.dims, ("y", "x"))
        np.testing.assert_array_equal(found.values, expected.values)
        for name in ("x", "y"):
            np.testing.assert_array_equal(found[name].values, self.scene[name].values)
        self.assertEqual(found.rio.crs, expected.rio.crs)
        self.assertEqual(found.rio.transform(), expected.rio.transform())
        self.assertEqual(found.rio.nodata, 0)
        self.assertEqual(found.attrs["flag_meanings"].split()[:2], ["bare_soil", "deciduous_forest"])

    def test_a_dataset_of_layers(self):
        found = self.model.classify(self.scene, layers=["probabilities", "uncertainty"])
        self.assertIsInstance(found, xarray.Dataset)
        self.assertEqual(found.probabilities.dims, ("class", "y", "x"))
        self.assertEqual(list(found["class"].values), [entry.name for entry in self.model.classes])
        self.assertEqual(list(found["measure"].values), ["margin uncertainty", "entropy"])
        self.assertEqual(found.rio.crs, self.scene.rio.crs)

    def test_dimensions_may_have_any_order(self):
        expected = self.model.classify(self.scene).values
        for order in (("x", "band", "y"), ("y", "x", "band")):
            found = self.model.classify(self.scene.transpose(*order))
            np.testing.assert_array_equal(found.transpose("y", "x").values, expected)
        with self.assertRaisesRegex(ValueError, "must have the dimensions y and x"):
            self.model.classify(self.scene.rename(y="z"))

    def test_bands_are_found_by_wavelength_or_by_name(self):
        expected = self.model.classify(self.scene).values
        names = self.scene.attrs["long_name"]
        micrometres = ("band", [float(name.split()[0]) / 1000 for name in names], {"units": "um"})
        bare = self.scene.copy()
        bare.attrs = {}
        for scene in (bare.assign_coords(wavelength=micrometres), bare.assign_coords(label=("band", list(names)))):
            np.testing.assert_array_equal(self.model.classify(scene[::-1]).values, expected)
            with self.assertRaisesRegex(parsimap.DataError, "420"):
                self.model.classify(scene[1:])

    def test_no_data_and_scale_of_the_file(self):
        scene = self.scene.astype(np.int32)
        scene.values[:, 5, 6] = -1
        scene.attrs["_FillValue"] = -1
        self.assertEqual(np.count_nonzero(self.model.classify(scene) == 0), 1)
        expected = self.model.classify(scene).values
        for chunks in (None, {"x": 50}):
            halved = scene.copy(data=np.where(scene == -1, -1, scene * 2)).assign_attrs(scene.attrs, scale_factor=0.5)
            found = self.model.classify(halved.chunk(chunks) if chunks else halved)
            np.testing.assert_array_equal(found.values, expected)

    def test_predictions_of_a_scene_and_of_its_spectra(self):
        codes = self.model.predict(self.scene)
        np.testing.assert_array_equal(codes.values, sample.map_of_program(self.path).values)
        table = self.scene.stack(pixel=("y", "x"))
        self.assertEqual(self.model.predict(table).dims, ("pixel",))
        # Early stages decide most pixels of scenes, and no single spectra (docs/method.md, "Stages of a map").
        labels = self.model.predict(table).values.reshape(100, 120)
        self.assertLessEqual(np.mean(labels != codes.values), 0.001)
        exact = self.model.decision_function(self.scene).transpose("y", "x", "class")
        code_of = np.array([entry.code for entry in self.model.classes])
        np.testing.assert_array_equal(labels, code_of[exact.values.argmax(axis=2)])
        for method in ("predict_proba", "decision_function"):
            values = getattr(self.model, method)(table)
            self.assertEqual(values.dims, ("pixel", "class"))
            of_scene = getattr(self.model, method)(self.scene).transpose("y", "x", "class")
            np.testing.assert_allclose(values.values.reshape(100, 120, 5), of_scene.values, rtol=1e-4, atol=1e-4)
        self.assertEqual(self.model.novelty(self.scene).dims, ("y", "x"))
        with self.assertRaisesRegex(ValueError, "2 dimensions"):
            self.model.predict(self.scene[:, 0, 0])


    def test_spectra_are_found_like_the_pixels_of_a_scene(self):
        """Bands by wavelength or name, missing values and scales."""
        scene = self.scene.astype(np.int32)
        scene.values[:, 5, 6] = -1
        scene.attrs["_FillValue"] = -1
        halved = scene.copy(data=np.where(scene == -1, -1, scene * 2)).assign_attrs(scene.attrs, scale_factor=0.5)
        wavelengths = [float(name.split()[0]) for name in scene.attrs["long_name"]]
        bare = scene.assign_coords(wavelength=("band", wavelengths, {"units": "nm"})).drop_vars("band")
        for of_scene in (scene[::-1], halved, bare[::-1], bare[::-1].rename(band="feature")):
            table = of_scene.stack(pixel=("y", "x"))
            self.assertEqual(np.count_nonzero(self.model.predict(table) == 0), 1)
            known = np.arange(12000) != 5 * 120 + 6
            for method in ("predict", "predict_proba", "novelty"):
                found = getattr(self.model, method)(table)
                np.testing.assert_array_equal(found, getattr(self.model, method)(table.chunk(pixel=5000)))
                expected = getattr(self.model, method)(self.scene.stack(pixel=("y", "x")))
                np.testing.assert_array_equal(found[known], expected[known])
                self.assertTrue(found.pixel.equals(table.pixel))

    def test_columns_of_a_data_frame_are_the_bands(self):
        frame = pandas.DataFrame(self.cube[0], columns=self.scene.attrs["long_name"])
        expected = self.model.predict(frame.to_numpy())
        rounded = frame.set_axis([f"{float(name.split()[0]):.0f} nm" for name in frame], axis=1)
        for fitting in (frame, rounded, frame.set_axis(range(60), axis=1)):
            np.testing.assert_array_equal(self.model.predict(fitting), expected)
        for other in (frame.iloc[:, ::-1], frame.rename(columns={"420.0 nm": "height"})):
            for method in ("predict", "predict_proba", "decision_function", "novelty"):
                with self.assertRaisesRegex(parsimap.DataError, "column 1 is '(2450.0 nm|height)', but band 1 of the model is '420.0 nm'"):
                    getattr(self.model, method)(other)


class Profiles(Sample):
    def test_radii_in_metres_are_those_of_the_scene(self):
        model, path = sample.model("--spatial", "profiles", "--radii", "2m,6m", "--kernel", "gaussian")
        expected = sample.map_of_program(path).values
        np.testing.assert_array_equal(model.classify(self.scene).values, expected)
        np.testing.assert_array_equal(model.classify(self.cube, pixel_metres=2), expected)
        with self.assertRaisesRegex(parsimap.DataError, "metres"):
            model.classify(self.cube)
        with self.assertRaisesRegex(parsimap.DataError, "no single spectra"):
            model.predict(self.scene.stack(pixel=("y", "x")))


class Neighbours(Sample):
    def test_a_model_that_was_trained_to_ask_neighbours_has_them_asked(self):
        model, path = sample.model("--spatial", "neighbours")
        expected = sample.map_of_program(path).values
        np.testing.assert_array_equal(model.classify(self.scene).values, expected)
        self.assertFalse(np.array_equal(model.classify(self.scene, regularise="none").values, expected))
        with self.assertRaisesRegex(parsimap.ConfigError, "chosen from the whole scene"):
            model.classify(self.scene.chunk({"x": 50}))
        np.testing.assert_array_equal(model.predict(self.scene.chunk({"x": 50})).values,
                                      model.classify(self.scene, regularise="none").values)


class Views(Sample):
    def test_a_card_for_notebooks(self):
        card = self.model._repr_html_()
        self.assertIn("Left-out accuracy", card)
        self.assertEqual(card.count("<path"), 5)
        for entry in self.model.classes:
            self.assertIn(entry.name, card)
        self.assertLess(len(card), 10000)

    def test_a_page(self):
        page = self.model.report()
        self.assertTrue(page.startswith("<!DOCTYPE html>"))
        self.assertIn("<h1>Model of 5 classes</h1>", page)
        self.assertNotRegex(re.sub(r"<script.*?</script>", "", page, flags=re.S), r"src=\"(?!data:)|href=\"http")

    def test_a_model_of_arrays_shows_itself_as_well(self):
        rng = np.random.default_rng(2)
        labels = np.repeat(["a <b>", "c & d"], 30)
        spectra = rng.normal(size=(60, 8)) + (labels == "c & d")[:, None] * 5
        model = parsimap.Classifier(n_jobs=1).fit(spectra, labels).model_
        self.assertIn("a &lt;b&gt;", model._repr_html_())
        self.assertIn("c &amp; d", model.report())
        self.assertNotIn("a <b>", model._repr_html_())


if __name__ == "__main__":
    unittest.main()
