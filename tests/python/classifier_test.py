"""The estimator: scikit-learn's own checks, and what its tools do with it."""

import pathlib
import pickle
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import joblib
import numpy as np
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import parsimap
from parsimap import Classifier


def blobs(n=120, bands=12, classes=3, seed=1):
    return make_blobs(n_samples=n, n_features=bands, centers=classes, cluster_std=4.0, random_state=seed)


class Checks(unittest.TestCase):
    def test_every_check_of_scikit_learn(self):
        """As `check_estimator` runs them: none is expected to fail."""
        for estimator, check in check_estimator(Classifier(), generate_only=True):
            with self.subTest(check=check.func.__name__):
                check(estimator)
        self.assertFalse(Classifier()._get_tags()["_xfail_checks"])


class Predictions(unittest.TestCase):
    def setUp(self):
        self.X, self.y = blobs()
        self.classifier = Classifier(threads=1).fit(self.X, self.y)

    def test_labels_are_those_of_the_largest_values(self):
        best = self.classifier.classes_[self.classifier.predict_proba(self.X).argmax(axis=1)]
        np.testing.assert_array_equal(self.classifier.predict(self.X), best)
        np.testing.assert_allclose(self.classifier.predict_proba(self.X).sum(axis=1), 1)
        self.assertEqual(self.classifier.decision_function(self.X).shape, (120, 3))

    def test_texts_as_labels(self):
        names = np.array(["water", "asphalt", "gravel"])[self.y]
        found = Classifier(threads=1).fit(self.X, names)
        self.assertEqual(list(found.classes_), ["asphalt", "gravel", "water"])
        self.assertGreater(found.score(self.X, names), 0.9)
        self.assertEqual([entry.code for entry in found.model_.classes], [1, 2, 3])

    def test_numbers_that_maps_can_hold_are_codes(self):
        found = Classifier(threads=1).fit(self.X, self.y * 10 + 5)
        self.assertEqual([tuple(entry) for entry in found.model_.classes],
                         [(5, "5", None), (15, "15", None), (25, "25", None)])

    def test_novelty_is_large_far_away(self):
        far = self.X + 1000
        self.assertGreater(self.classifier.novelty(far).min(), 0.99)
        self.assertLess(np.median(self.classifier.novelty(self.X)), 0.9)

    def test_types_and_orders_of_memory_do_not_matter(self):
        X = self.X.astype(np.float32)
        expected = self.classifier.predict_proba(X)
        for same in (X.astype(float), np.asfortranarray(X), X.astype(">f4"), X[::-1][::-1]):
            np.testing.assert_array_equal(self.classifier.predict_proba(same), expected)

    def test_threads_do_not_matter(self):
        many = Classifier(threads=3).fit(self.X, self.y)
        self.assertEqual(many.model_.to_bytes(), self.classifier.model_.to_bytes())


class Groups(unittest.TestCase):
    def test_samples_of_a_group_are_left_out_together(self):
        # Samples come in groups that share an offset: judged one by one they seem easy to tell apart.
        rng = np.random.default_rng(3)
        y = np.repeat([0, 1], 60)
        groups = np.repeat(np.arange(24), 5)
        X = rng.normal(size=(24, 30))[groups] * 3 + rng.normal(size=(120, 30)) * 0.1
        single = Classifier(threads=1).fit(X, y).model_.describe()["left_out_accuracy"]
        together = Classifier(threads=1).fit(X, y, groups=groups).model_.describe()["left_out_accuracy"]
        self.assertGreater(single, 0.95)
        self.assertLess(together, 0.8)

    def test_wrong_groups(self):
        X, y = blobs()
        with self.assertRaises(ValueError):
            Classifier().fit(X, y, groups=[1, 2])
        with self.assertRaises(ValueError):
            Classifier().fit(X, y, groups=np.zeros((120, 2)))


class Tools(unittest.TestCase):
    def setUp(self):
        self.X, self.y = blobs()
        self.groups = np.arange(120) // 4

    def test_cross_validation_with_groups(self):
        scores = cross_val_score(Classifier(threads=1), self.X, self.y, groups=self.groups, cv=GroupKFold(3),
                                 fit_params={"groups": self.groups})
        self.assertGreater(scores.min(), 0.8)

    def test_pipeline_and_search(self):
        search = GridSearchCV(make_pipeline(StandardScaler(), Classifier(threads=1)),
                              {"classifier__kernel": ["hdda", "gaussian"]}, cv=3, n_jobs=2)
        search.fit(self.X, self.y)
        self.assertGreater(search.best_score_, 0.8)

    def test_clone(self):
        copy = clone(Classifier(kernel="pca", seed=5))
        self.assertEqual(copy.get_params()["kernel"], "pca")
        self.assertEqual(copy.get_params()["seed"], 5)

    def test_unknown_words_are_errors_with_the_program_s_sentence(self):
        with self.assertRaisesRegex(parsimap.ConfigError, "kernel 'cubic'"):
            Classifier(kernel="cubic").fit(self.X, self.y)
        self.assertTrue(issubclass(parsimap.ConfigError, ValueError))


class Interruption(unittest.TestCase):
    def test_ctrl_c_stops_training(self):
        code = ("import _thread, threading, time, numpy as np; from parsimap import Classifier;"
                "rng = np.random.default_rng(0); X = rng.normal(size=(20000, 60)); y = rng.integers(0, 8, size=20000);"
                "threading.Timer(0.5, _thread.interrupt_main).start();"
                "\ntry: Classifier(threads=2).fit(X, y)\n"
                "except KeyboardInterrupt: print('stopped')")
        result = subprocess.run([sys.executable, "-c", code], check=True, timeout=120, capture_output=True, text=True)
        self.assertEqual(result.stdout, "stopped\n")

    def test_other_threads_go_on(self):
        """The lock of the interpreter is not held while a model is trained."""
        X, y = blobs(n=3000, bands=40)
        counts = []
        training = threading.Thread(target=lambda: Classifier(threads=1).fit(X, y))
        training.start()
        while training.is_alive():
            counts.append(time.monotonic())
            time.sleep(0.001)
        self.assertGreater(len(counts), 20)


class Keeping(unittest.TestCase):
    def setUp(self):
        self.X, self.y = blobs()
        self.classifier = Classifier(threads=1).fit(self.X, self.y)

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
            again = Classifier.load(path, threads=1)
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
                "c = Classifier(threads=2).fit(X, y);"
                "pid = os.fork();"
                "c.predict(np.tile(X, (500, 1)));"
                "assert pid == 0 or os.waitpid(pid, 0)[1] == 0")
        subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


if __name__ == "__main__":
    unittest.main()
