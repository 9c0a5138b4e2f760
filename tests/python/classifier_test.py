"""The estimator: scikit-learn's own checks, and what its tools do with it."""

import inspect
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings

import joblib
import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import parsimap
from parsimap import Classifier, ParsimapWarning


def blobs(n=120, bands=12, classes=3, seed=1):
    return make_blobs(n_samples=n, n_features=bands, centers=classes, cluster_std=4.0, random_state=seed)


# Checks that also shuffle the samples, by their names until scikit-learn 1.5 (which asks the estimator) and since 1.6.
FAILING = {name: "the order of samples changes the seventh digit"
           for name in ("check_sample_weights_invariance", "check_sample_weight_equivalence_on_dense_data")}


def checks_of(estimator):
    """The checks of scikit-learn, from 1.2 on."""
    try:
        from sklearn.utils.estimator_checks import estimator_checks_generator
    except ImportError:
        return check_estimator(estimator, generate_only=True)
    return estimator_checks_generator(estimator, expected_failed_checks=FAILING, mark="skip")


class Checks(unittest.TestCase):
    def test_every_check_of_scikit_learn(self):
        """As `check_estimator` runs them; one compares more digits than the order of samples leaves alone."""
        for estimator, check in checks_of(Classifier()):
            with self.subTest(check=getattr(check, "func", check).__name__):
                check(estimator)
        self.assertEqual(list(Classifier()._more_tags()["_xfail_checks"]), ["check_sample_weights_invariance"])


class Predictions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.X, cls.y = blobs()
        cls.classifier = Classifier(n_jobs=1).fit(cls.X, cls.y)

    def test_labels_are_those_of_the_largest_values(self):
        best = self.classifier.classes_[self.classifier.predict_proba(self.X).argmax(axis=1)]
        np.testing.assert_array_equal(self.classifier.predict(self.X), best)
        np.testing.assert_allclose(self.classifier.predict_proba(self.X).sum(axis=1), 1)
        self.assertEqual(self.classifier.decision_function(self.X).shape, (120, 3))

    def test_texts_as_labels(self):
        names = np.array(["water", "asphalt", "gravel"])[self.y]
        found = Classifier(n_jobs=1).fit(self.X, names)
        self.assertEqual(list(found.classes_), ["asphalt", "gravel", "water"])
        self.assertGreater(found.score(self.X, names), 0.9)
        self.assertEqual([entry.code for entry in found.model_.classes], [1, 2, 3])

    def test_numbers_that_maps_can_hold_are_codes(self):
        found = Classifier(n_jobs=1).fit(self.X, self.y * 10 + 5)
        self.assertEqual([tuple(entry) for entry in found.model_.classes],
                         [(5, "5", None), (15, "15", None), (25, "25", None)])

    def test_whole_real_numbers_are_codes_too(self):
        y = (self.y * 10 + 5).astype(float)
        for labels in (y, pd.Series(y, dtype="Int64")):
            found = Classifier(kernel="gaussian", n_jobs=1).fit(self.X, labels)
            self.assertEqual([tuple(entry) for entry in found.model_.classes],
                             [(5, "5", None), (15, "15", None), (25, "25", None)])
            self.assertTrue(np.isin(found.predict(self.X), y).all())

    def test_missing_labels_are_named(self):
        names = np.array(["water", "asphalt", "gravel"], dtype=object)[self.y]
        names[4] = None
        for labels in (names, pd.Series(names, dtype="string"), names[:, None]):
            with self.assertRaisesRegex(ValueError, "y has no label for sample 5, counted from 1"):
                Classifier(kernel="gaussian", n_jobs=1).fit(self.X, labels)
        for empty in ("", " "):
            names[4] = empty
            for labels in (names, names.astype(str), names.astype("S")):
                with self.assertRaisesRegex(ValueError, "y has no label for sample 5, counted from 1"):
                    Classifier(kernel="gaussian", n_jobs=1).fit(self.X, labels)
        with self.assertRaisesRegex(ValueError, "groups has no value for sample 5, counted from 1"):
            Classifier(kernel="gaussian", n_jobs=1).fit(self.X, self.y, groups=names.astype(str))

    def test_the_same_rows_in_other_orders_are_named(self):
        X, y = pd.DataFrame(self.X), pd.Series(self.y)
        with self.assertWarnsRegex(parsimap.ParsimapWarning, "X and y name the same rows .index. in different orders"):
            Classifier(kernel="gaussian", n_jobs=1).fit(X[::-1], y)
        with warnings.catch_warnings():
            warnings.simplefilter("error", parsimap.ParsimapWarning)
            for labels in (y[::-1], y.set_axis(y.index + 7), y.to_numpy()[::-1], y.tolist()[::-1]):
                Classifier(kernel="gaussian", n_jobs=1).fit(X[::-1], labels)

    def test_numbers_as_objects_are_numbers(self):
        found = Classifier(kernel="gaussian", n_jobs=1).fit(self.X, pd.Series(self.y + 1, dtype=object))
        self.assertEqual(found.classes_.tolist(), [1, 2, 3])
        self.assertEqual([entry.code for entry in found.model_.classes], [1, 2, 3])
        mixed = np.array([1, "water", "gravel"], dtype=object)[self.y]
        with self.assertRaisesRegex(ValueError, "y has numbers and other labels, such as 1 and '(water|gravel)'"):
            Classifier(kernel="gaussian", n_jobs=1).fit(self.X, mixed)

    def test_bytes_name_classes_as_texts(self):
        found = Classifier(kernel="gaussian", n_jobs=1).fit(self.X, np.array([b"water", b"asphalt", "Gr\u00fcn".encode()])[self.y])
        self.assertEqual([entry.name for entry in found.model_.classes], ["Gr\u00fcn", "asphalt", "water"])
        self.assertEqual(set(found.predict(self.X).tolist()), {b"water", b"asphalt", "Gr\u00fcn".encode()})

    def test_novelty_is_large_far_away(self):
        far = self.X + 1000
        self.assertGreater(self.classifier.novelty(far).min(), 0.99)
        self.assertLess(np.median(self.classifier.novelty(self.X)), 0.9)

    def test_types_and_orders_of_memory_do_not_matter(self):
        X = self.X.astype(np.float32)
        expected = self.classifier.predict_proba(X)
        for same in (X.astype(float), np.asfortranarray(X), X.astype(">f4"), X[::-1][::-1]):
            np.testing.assert_array_equal(self.classifier.predict_proba(same), expected)

    def test_other_units_are_warned_of(self):
        X, y = self.X + 30, self.y
        classifier = Classifier(n_jobs=1).fit(X, y)
        for factor, warned in ((0.01, True), (0.1, False), (1, False), (0, False), (10, False), (100, True)):
            with self.subTest(factor=factor), warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                classifier.predict(X * factor)
                classifier.predict_proba(X[:1] * factor)
            self.assertEqual([entry.category for entry in caught], [ParsimapWarning] * 2 * warned)
            self.assertTrue(all(entry.filename == __file__ and "times as large" in str(entry.message) for entry in caught))

    def test_threads_do_not_matter(self):
        many = Classifier(n_jobs=3).fit(self.X, self.y)
        self.assertEqual(many.model_.to_bytes(), self.classifier.model_.to_bytes())


class Weights(unittest.TestCase):
    def setUp(self):
        self.X, self.y = blobs()
        self.weights = np.random.default_rng(2).uniform(0.2, 2, 120)

    def model(self, *arguments, parameters={}, **fit):
        return Classifier(n_jobs=1, **parameters).fit(*(arguments or (self.X, self.y)), **fit).model_

    def test_weight_zero_is_removal(self):
        self.weights[::3] = 0
        kept = self.weights > 0
        groups = np.arange(120) // 4
        self.assertEqual(self.model(sample_weight=self.weights, groups=groups).to_bytes(),
                         self.model(self.X[kept], self.y[kept], sample_weight=self.weights[kept], groups=groups[kept]).to_bytes())

    def test_only_relations_of_weights_count(self):
        plain = self.model().to_bytes()
        self.assertEqual(self.model(sample_weight=np.full(120, 3.0)).to_bytes(), plain)
        weighted = self.model(sample_weight=self.weights).to_bytes()
        self.assertNotEqual(weighted, plain)
        self.assertEqual(self.model(sample_weight=4 * self.weights).to_bytes(), weighted)

    def test_heavy_samples_are_right(self):
        """Overlapping classes: the errors of the class with heavy samples become few."""
        X, y = make_blobs(n_samples=160, n_features=4, centers=2, cluster_std=12, random_state=3)
        for parameters in ({}, {"kernel": "gaussian"}, {"centres": 40}):
            plain = Classifier(n_jobs=1, **parameters).fit(X, y).predict(X)
            heavy = Classifier(n_jobs=1, **parameters).fit(X, y, sample_weight=np.where(y == 1, 20, 1)).predict(X)
            self.assertGreater((heavy == 1)[y == 1].mean(), (plain == 1)[y == 1].mean())
            self.assertGreater((heavy == 1)[y == 1].mean(), 0.97)

    def test_weights_of_classes_are_weights_of_their_samples(self):
        of_class = self.model(parameters={"class_weight": {0: 2, 2: 0.5}}, sample_weight=self.weights)
        of_samples = self.model(sample_weight=self.weights * np.choose(self.y, [2, 1, 0.5]))
        self.assertEqual(of_class.to_bytes(), of_samples.to_bytes())
        X, y = self.X[self.y.argsort()][:100], np.sort(self.y)[:100]
        counts = np.bincount(y)
        balanced = Classifier(n_jobs=1, class_weight="balanced").fit(X, y).decision_function(X)
        by_hand = Classifier(n_jobs=1, class_weight=dict(enumerate(100 / 3 / counts))).fit(X, y).decision_function(X)
        np.testing.assert_allclose(balanced, by_hand, atol=1e-6)

    def test_masked_arrays(self):
        masked = np.ma.masked_less(self.X, 0)
        with self.assertRaisesRegex(TypeError, "masked array"):
            Classifier(n_jobs=1).fit(masked, self.y)
        with self.assertRaisesRegex(TypeError, "masked array"):
            Classifier(n_jobs=1).fit(self.X, np.ma.masked_less(self.y, 1))
        with self.assertRaisesRegex(TypeError, "masked array"):
            Classifier(n_jobs=1).fit(self.X, self.y).predict(masked)
        for name in ("groups", "sample_weight"):
            with self.subTest(name), self.assertRaisesRegex(TypeError, "masked array"):
                self.model(**{name: np.ma.masked_less(np.arange(120), 3)})

    def test_wrong_weights(self):
        for weights, text in [(-self.weights, "Negative"), (self.weights[:5], "shape"), (self.weights * np.nan, "NaN"),
                              (self.weights * 0, "all weights of samples are 0|Sample weights must contain at least one non-zero")]:
            with self.subTest(text=text), self.assertRaisesRegex(ValueError, text):
                self.model(sample_weight=weights)
        with self.assertRaisesRegex(ValueError, "class_weight of 1 is '3'; it must be a number"):
            self.model(parameters={"class_weight": {1: "3"}})
        with self.assertRaisesRegex(ValueError, "class_weight names the class 7"):
            self.model(parameters={"class_weight": {7: 1}})
        with self.assertRaisesRegex(ValueError, "names the class 1, which is not in y; its labels are such as '"):
            Classifier(n_jobs=1, class_weight={1: 5}).fit(self.X, self.y.astype(str))
        with self.assertRaisesRegex(ValueError, "names the class '1', which is not in y; its labels are such as "):
            Classifier(n_jobs=1, class_weight={"1": 5}).fit(self.X, self.y)
        with self.assertRaisesRegex(ValueError, "class weights 'heavy'"):
            self.model(parameters={"class_weight": "heavy"})
        with self.assertRaisesRegex(parsimap.ConfigError, "criterion radius-margin"):
            self.model(parameters={"criterion": "radius-margin"}, sample_weight=self.weights)


class Parameters(unittest.TestCase):
    def setUp(self):
        self.X, self.y = blobs(n=60)

    def test_random_state(self):
        def seed(random_state):
            fitted = Classifier(n_jobs=1, random_state=random_state).fit(self.X, self.y)
            return fitted.model_.describe()["provenance"]["seed"]

        self.assertEqual(seed(7), 7)
        self.assertEqual(seed(np.random.RandomState(5)), seed(np.random.RandomState(5)))
        self.assertNotEqual(seed(None), seed(None))

    def test_no_parameter_has_two_names(self):
        self.assertEqual(sorted(Classifier().get_params()), ["centres", "class_weight", "criterion", "dimension", "kernel", "n_jobs",
                                                             "random_state", "scaling"])

    def test_threads_respect_the_limits_of_others(self):
        """Without n_jobs: of OMP_NUM_THREADS, threadpoolctl, and joblib's worker processes and threads."""
        code = ("import joblib, os, sys, threading, time, numpy as np, threadpoolctl; from parsimap import Classifier;"
                "X = np.random.default_rng(0).normal(size=(160, 20)); y = np.arange(160) % 4\n"
                "def most():\n"
                "    seen, stop = [], threading.Event()\n"
                "    def look():\n"
                "        while not stop.wait(0.002): seen.append(len(os.listdir('/proc/self/task')))\n"
                "    watcher = threading.Thread(target=look); watcher.start(); before = len(os.listdir('/proc/self/task'))\n"
                "    Classifier(n_jobs=eval(sys.argv[1])).fit(X, y); stop.set(); watcher.join()\n"
                "    return max(seen) - before\n"
                "if sys.argv[2] == 'limit':\n"
                "    with threadpoolctl.threadpool_limits(1): print(most())\n"
                "elif sys.argv[2] == 'alone': print(most())\n"
                "else:\n"
                "    with joblib.parallel_backend(sys.argv[2]): print(max(joblib.Parallel(2)(joblib.delayed(most)() for _ in range(1))))\n")

        def threads(n_jobs, how, **variables):
            result = subprocess.run([sys.executable, "-c", code, n_jobs, how], check=True, timeout=120, capture_output=True,
                                    text=True, env={**os.environ, "OMP_NUM_THREADS": "3", "OMP_WAIT_POLICY": "passive", **variables})
            return int(result.stdout)

        # One thread runs the work, and the others help it.
        self.assertEqual(threads("None", "alone"), 3)
        self.assertEqual(threads("None", "alone", OMP_NUM_THREADS="1"), 1)
        self.assertEqual(threads("2", "alone"), 2)
        self.assertEqual(threads("None", "limit"), 1)
        self.assertEqual(threads("None", "threading"), 1)


class Groups(unittest.TestCase):
    def test_samples_of_a_group_are_left_out_together(self):
        # Samples come in groups that share an offset: judged one by one they seem easy to tell apart.
        rng = np.random.default_rng(3)
        y = np.repeat([0, 1], 60)
        groups = np.repeat(np.arange(24), 5)
        X = rng.normal(size=(24, 30))[groups] * 3 + rng.normal(size=(120, 30)) * 0.1
        single = Classifier(n_jobs=1).fit(X, y).model_.describe()["left_out"]
        together = Classifier(n_jobs=1).fit(X, y, groups=groups).model_.describe()["left_out"]
        self.assertGreater(single["accuracy"], 0.95)
        self.assertLess(together["accuracy"], 0.8)
        widths = [left_out["interval"][1] - left_out["interval"][0] for left_out in (single, together)]
        self.assertLess(2 * widths[0], widths[1])

    def test_wrong_groups(self):
        X, y = blobs()
        with self.assertRaises(ValueError):
            Classifier().fit(X, y, groups=[1, 2])
        with self.assertRaises(ValueError):
            Classifier().fit(X, y, groups=np.zeros((120, 2)))
        plots = np.arange(120) // 4
        for missing in (np.where(plots == 1, np.nan, plots), [None if plot == 1 else f"plot {plot}" for plot in plots],
                        pd.Series(plots, dtype="Int64").where(plots != 1)):
            with self.subTest(type(missing)), self.assertRaisesRegex(ValueError, "groups has no value for sample 5,"):
                Classifier().fit(X, y, groups=missing)


class Frames(unittest.TestCase):
    def test_columns_named_by_wavelengths_are_bands_with_wavelengths(self):
        X, y = blobs(n=60)
        frame = pd.DataFrame(X, columns=[f"{400 + 10 * k} nm" for k in range(12)])
        fitted = Classifier(n_jobs=1).fit(frame, y)
        self.assertEqual([band["wavelength"] for band in fitted.model_.describe()["bands"]], [400 + 10 * k for k in range(12)])
        np.testing.assert_array_equal(fitted.predict(frame), Classifier(n_jobs=1).fit(X, y).predict(X))
        frame.columns = [f"{0.4 + 0.01 * k:.2f} [um]" for k in range(12)]
        self.assertAlmostEqual(Classifier(n_jobs=1).fit(frame, y).model_.describe()["bands"][3]["wavelength"], 430)
        frame.columns = [*frame.columns[:-1], "height"]
        self.assertIsNone(Classifier(n_jobs=1).fit(frame, y).model_.describe()["bands"][3]["wavelength"])

    def test_a_model_from_a_file_refuses_other_columns(self):
        X, y = blobs(bands=4)
        frame = pd.DataFrame(X, columns=["460 nm", "520 nm", "600 nm", "700 nm"])
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "model"
            Classifier().fit(frame, y).save(path)
            again = Classifier.load(path)
        self.assertEqual(again.score(frame, y), Classifier().fit(frame, y).score(frame, y))
        with self.assertRaisesRegex(parsimap.DataError, "column 1 is '700 nm', but band 1 of the model is '460 nm'"):
            again.predict(frame[frame.columns[::-1]])


class Tools(unittest.TestCase):
    def setUp(self):
        self.X, self.y = blobs()
        self.groups = np.arange(120) // 4

    def test_cross_validation_with_groups(self):
        # The name of the parameter until scikit-learn 1.3, and since 1.4.
        name = "params" if "params" in inspect.signature(cross_val_score).parameters else "fit_params"
        scores = cross_val_score(Classifier(n_jobs=1), self.X, self.y, groups=self.groups, cv=GroupKFold(3),
                                 **{name: {"groups": self.groups}})
        self.assertGreater(scores.min(), 0.8)

    def test_pipeline_and_search(self):
        search = GridSearchCV(make_pipeline(StandardScaler(), Classifier(n_jobs=1)),
                              {"classifier__kernel": ["hdda", "gaussian"]}, cv=3, n_jobs=2)
        search.fit(self.X, self.y)
        self.assertGreater(search.best_score_, 0.8)

    def test_clone(self):
        copy = clone(Classifier(kernel="pca", random_state=5))
        self.assertEqual(copy.get_params()["kernel"], "pca")
        self.assertEqual(copy.get_params()["random_state"], 5)

    def test_unknown_words_are_errors_with_the_program_s_sentence(self):
        with self.assertRaisesRegex(parsimap.ConfigError, "kernel 'cubic'"):
            Classifier(kernel="cubic").fit(self.X, self.y)
        self.assertTrue(issubclass(parsimap.ConfigError, ValueError))


class Interruption(unittest.TestCase):
    def test_ctrl_c_stops_training(self):
        code = ("import _thread, threading, time, numpy as np; from parsimap import Classifier;"
                "rng = np.random.default_rng(0); X = rng.normal(size=(20000, 60)); y = rng.integers(0, 8, size=20000);"
                "threading.Timer(0.5, _thread.interrupt_main).start();"
                "\ntry: Classifier(n_jobs=2).fit(X, y)\n"
                "except KeyboardInterrupt: print('stopped')")
        result = subprocess.run([sys.executable, "-c", code], check=True, timeout=120, capture_output=True, text=True)
        self.assertEqual(result.stdout, "stopped\n")

    def test_other_threads_go_on(self):
        """The lock of the interpreter is not held while a model is trained."""
        X, y = blobs(n=3000, bands=40)
        counts = []
        training = threading.Thread(target=lambda: Classifier(n_jobs=1).fit(X, y))
        training.start()
        while training.is_alive():
            counts.append(time.monotonic())
            time.sleep(0.001)
        self.assertGreater(len(counts), 20)


class Keeping(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.X, cls.y = blobs()
        cls.classifier = Classifier(n_jobs=1).fit(cls.X, cls.y)

    def test_a_pickle_holds_the_model_file(self):
        self.assertIn(self.classifier.model_.to_bytes(), pickle.dumps(self.classifier))
        again = pickle.loads(pickle.dumps(self.classifier))
        np.testing.assert_array_equal(again.decision_function(self.X), self.classifier.decision_function(self.X))

    def test_joblib(self):
        with tempfile.NamedTemporaryFile(suffix=".joblib") as file:
            joblib.dump(self.classifier, file.name)
            again = joblib.load(file.name)
        np.testing.assert_array_equal(again.predict(self.X), self.classifier.predict(self.X))

    def test_model_files(self):
        import pathlib
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "blobs.parsimap"
            self.classifier.save(path)
            self.assertEqual(path.read_bytes(), self.classifier.model_.to_bytes())
            again = Classifier.load(path, n_jobs=1)
            np.testing.assert_array_equal(again.predict(self.X), again.classes_[self.y])
            path.write_bytes(path.read_bytes()[:-1])
            with self.assertRaisesRegex(parsimap.DataError, "truncated"):
                Classifier.load(path)
            with self.assertRaisesRegex(parsimap.DataError, "does not exist"):
                Classifier.load(pathlib.Path(folder) / "absent")
            with self.assertRaises(OSError):
                self.classifier.save(pathlib.Path(folder) / "absent" / "x.parsimap")

    def test_a_fork_after_work_can_work(self):
        """Threads of the parent do not exist in its child, which must not wait for them."""
        code = ("import os, numpy as np; from parsimap import Classifier;"
                "X = np.random.default_rng(0).normal(size=(60, 5)); y = np.arange(60) % 3;"
                "c = Classifier(n_jobs=2).fit(X, y);"
                "pid = os.fork();"
                "c.predict(np.tile(X, (500, 1)));"
                "assert pid == 0 or os.waitpid(pid, 0)[1] == 0")
        subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


if __name__ == "__main__":
    unittest.main()
