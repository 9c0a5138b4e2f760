"""The estimator and the program make the same model of the same samples."""

import csv
import os
import pathlib
import subprocess
import tempfile
import unittest

import numpy as np

from parsimap import Classifier, Model

PROGRAM = os.environ["PROGRAM"]
SAMPLE = pathlib.Path(os.environ["SOURCE"]) / "sample_data"


def without_origin(model):
    """What a model says of itself, but for what arrays do not have: files, wavelengths, positions, regions, and a scene with shares of classes
    and distances from labels, on which the accuracy that is expected of a map rests, and with pixels for early stages of maps."""
    facts = model.describe()
    for key in ("path", "bands", "provenance", "left_out_accuracy", "early_stages"):
        facts.pop(key)
    for one in facts["classes"]:
        one.pop("regions", None)
    for key in ("unit_design", "other_places", "map_shares", "accuracy", "average_accuracy", "interval", "average_interval", "condition",
                "by_distance", "not_measured", "inside"):
        facts["left_out"].pop(key)
    return facts


class SameModel(unittest.TestCase):
    def check(self, *options, **parameters):
        with tempfile.TemporaryDirectory() as folder:
            model_file, kept = pathlib.Path(folder) / "model", pathlib.Path(folder) / "kept.csv"
            subprocess.run([PROGRAM, "train", SAMPLE / "scene.hdr", SAMPLE / "training.gpkg", model_file, "--class-field",
                            "class", "--where", "split='train'", "--samples-out", kept, "--spatial", "none", "--quiet",
                            "--samples-per-class", "30", *options], check=True, capture_output=True)
            model = Model.load(model_file)
            with open(kept, newline="") as file:
                rows = list(csv.DictReader(file))
        bands = [name for name in rows[0] if name.endswith(" nm")]
        X = np.array([[row[band] for band in bands] for row in rows], dtype=np.float32)
        names = [row["class"] for row in rows]
        found = Classifier(n_jobs=1, **parameters).fit(X, names, groups=[int(row["group"]) for row in rows])
        self.assertEqual(without_origin(found.model_), without_origin(model))
        for values in ("predict", "predict_proba", "decision_function"):
            np.testing.assert_array_equal(getattr(found.model_, values)(X), getattr(model, values)(X))
        # Novelty is learnt by regions, whatever is left out together. Others left out together may choose another scaling.
        same = {**parameters, "scaling": model.describe()["scaling"]}
        by_region = Classifier(n_jobs=1, **same).fit(X, names, groups=[int(row["region"]) for row in rows]).model_
        np.testing.assert_array_equal(by_region.novelty(X), model.novelty(X))
        self.assertEqual([one["regions"] for one in by_region.describe()["classes"]],
                         [one["regions"] for one in model.describe()["classes"]])

    def test_as_it_is(self):
        self.check()

    def test_with_options(self):
        self.check("--kernel", "gaussian", "--scaling", "standardise", "--class-weights", "balanced", "--seed", "4",
                   kernel="gaussian", scaling="standardise", class_weight="balanced", random_state=4)

    def test_by_the_bound(self):
        self.check("--criterion", "radius-margin", "--support", "all", criterion="radius-margin")


if __name__ == "__main__":
    unittest.main()
