"""Scenes over dask: maps in blocks are those of the program."""

import unittest

import dask
import dask.array
import distributed
import numpy as np

import parsimap
import sample


def libraries():
    """Names of the shared libraries of this process."""
    with open("/proc/self/maps", encoding="utf-8") as maps:
        return {line.split("/")[-1].strip() for line in maps if ".so" in line}


class Blocks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.model, cls.path = sample.model("--spatial", "none")
        cls.scene = sample.scene()

    def check(self, model, chunks, **options):
        expected = model.classify(self.scene, **options)
        lazy = model.classify(self.scene.chunk(chunks), **options)
        names = list(expected) if options.get("layers") else [None]
        for name in names:
            part, whole = (lazy, expected) if name is None else (lazy[name], expected[name])
            self.assertIsInstance(part.data, dask.array.Array)
            self.assertEqual(part.dims, whole.dims)
            self.assertEqual(part.dtype, whole.dtype)
            np.testing.assert_array_equal(part.compute(scheduler="threads", num_workers=2).values, whole.values)
        self.assertEqual(lazy.rio.crs, self.scene.rio.crs)

    def test_the_map_is_the_same_for_all_chunks(self):
        for rule in ("none", "neighbours:1", "gaussian:2.5"):
            for chunks in ({"x": 17, "y": 23, "band": 20}, {"x": 120, "y": 3, "band": 60}, {"x": 1, "y": 100}):
                if rule == "none" and chunks["x"] == 1:
                    continue  # as many tasks as columns, for nothing
                self.check(self.model, chunks, regularise=rule)

    def test_layers_and_limits(self):
        self.check(self.model, {"x": 50, "y": 40}, regularise="neighbours:1", reject=0.8, reject_novelty=0.99,
                   layers=["probabilities", "confidence", "uncertainty", "novelty"])

    def test_what_reaches_beyond_the_scene(self):
        small = self.scene[:, :20, :12]
        for rule in ("gaussian:5", "neighbours:20"):
            expected = self.model.classify(small, regularise=rule)
            found = self.model.classify(small.chunk({"x": 5, "y": 7}), regularise=rule)
            np.testing.assert_array_equal(found.compute(scheduler="sync").values, expected.values)

    def test_profiles_and_neighbours_together(self):
        model, path = sample.model("--spatial", "profiles", "--radii", "2m,6m")
        for rule in ("none", "neighbours:1"):
            self.check(model, {"x": 31, "y": 64}, regularise=rule)
            np.testing.assert_array_equal(
                model.classify(self.scene.chunk({"x": 31, "y": 64}), regularise=rule).values,
                sample.map_of_program(path, "--regularise", rule).values)

    def test_a_choice_from_the_whole_scene_is_refused(self):
        with self.assertRaisesRegex(parsimap.ConfigError, "chosen from the whole scene"):
            self.model.classify(self.scene.chunk({"x": 17}), regularise="auto")

    def test_wrong_options_are_refused_before_anything_is_computed(self):
        lazy = self.scene.chunk({"x": 17})
        with self.assertRaisesRegex(parsimap.ConfigError, "layer 'colour' is unknown"):
            self.model.classify(lazy, layers=["colour"])
        with self.assertRaisesRegex(parsimap.DataError, "bands"):
            self.model.classify(lazy.data[:-1].transpose(1, 2, 0))
        with self.assertRaisesRegex(ValueError, "3 dimensions"):
            self.model.classify(lazy.data[0])

    def test_arrays_of_dask_alone(self):
        cube = self.scene.data.transpose(1, 2, 0)
        found = self.model.classify(dask.array.from_array(cube, chunks=(40, 40, 15)), regularise="neighbours:1")
        self.assertIsInstance(found, dask.array.Array)
        np.testing.assert_array_equal(found.compute(), self.model.classify(cube, regularise="neighbours:1"))

    def test_predictions_of_a_scene_and_of_spectra(self):
        lazy = self.scene.chunk({"x": 50, "band": 20})
        table = self.scene.stack(pixel=("y", "x")).chunk({"pixel": 5000, "band": 20})
        for method in ("predict", "predict_proba", "decision_function", "novelty"):
            for spectra, whole in ((lazy, self.scene), (table, table.compute()), (table.T.data, table.values.T)):
                found = getattr(self.model, method)(spectra)
                expected = getattr(self.model, method)(whole)
                self.assertTrue(dask.is_dask_collection(found))
                self.assertEqual(found.shape, expected.shape)
                self.assertEqual(found.dtype, expected.dtype)
                np.testing.assert_array_equal(np.asarray(found), np.asarray(expected))

    def test_names_of_tasks_follow_from_model_scene_and_options(self):
        lazy = self.scene.chunk({"x": 50})
        again = parsimap.Model.from_bytes(self.model.to_bytes())
        name = self.model.classify(lazy).data.name
        self.assertEqual(again.classify(lazy).data.name, name)
        self.assertNotEqual(self.model.classify(lazy, regularise="neighbours:1").data.name, name)


class Cluster(unittest.TestCase):
    """Two processes that share the work."""

    def test_the_map_of_two_workers_is_that_of_the_program(self):
        model, path = sample.model()
        # An array that the client sends, so that workers read no file and need no GDAL.
        scene = sample.scene().chunk({"x": 40, "y": 30})
        with dask.config.set({"distributed.comm.timeouts.connect": "60s"}), \
                distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True,
                                         dashboard_address=None) as cluster, distributed.Client(cluster) as client:
            for rule in ("none", "neighbours:1"):
                expected = sample.map_of_program(path, "--regularise", rule)
                found = model.classify(scene, regularise=rule).compute()
                np.testing.assert_array_equal(found.values, expected.values)
                self.assertEqual(found.rio.crs, expected.rio.crs)
            np.testing.assert_array_equal(model.predict(scene).compute().values,
                                          sample.map_of_program(path, "--regularise", "none").values)
            loaded = client.run(libraries)
        self.assertEqual(len(loaded), 2)
        for names in loaded.values():
            self.assertTrue(any(name.startswith("libparsimap-c-arrays") for name in names), "no work for a worker")
            self.assertFalse({name for name in names if "gdal" in name})


if __name__ == "__main__":
    unittest.main()
