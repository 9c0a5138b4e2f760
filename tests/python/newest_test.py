"""The newest numpy and scikit-learn of PyPI, in a virtual environment beside the build.

scikit-learn's checks of the estimator pass there, the blocks of docs/python.md about it run, and models and maps have the bytes that they have here. Skipped without a network.
`newest_test.py digests` prints the versions and these bytes' digests, for the matrix of docs/installing.md.
"""

import hashlib
import json
import os
import pathlib
import subprocess
import sys
import unittest

import numpy as np
import sklearn

import parsimap
from parsimap import Classifier

# Beside the folder python of the build, and kept: only what is new is fetched again.
ENVIRONMENT = pathlib.Path(parsimap.__file__).parents[2] / "newest-packages"
PACKAGES = ["numpy", "scikit-learn", "pandas"]

# The table of training samples that the documents have before.
SAMPLES = """
import numpy as np
import pandas as pd
labels = np.arange(300) % 3
values = np.random.default_rng(0).normal(size=(300, 6)) + labels[:, np.newaxis]
samples = pd.DataFrame(values, columns=[f"{400 + 50 * band} nm" for band in range(6)])
samples = samples.assign(**{"class": labels, "region": np.arange(300) // 3 % 10})
"""


def digests():
    """Of a model, its predictions and a map, from numbers that every numpy makes alike."""
    places = np.arange(90 * 8).reshape(90, 8)
    X = (places * places * 31 % 101) / 50
    y = np.arange(90) % 3
    X[np.arange(90), y] += 2.5
    model = Classifier(n_jobs=1).fit(X, y).model_
    scene = np.moveaxis(X.reshape(9, 10, 8), -1, 0).astype(np.float32)
    layers = model.classify(np.moveaxis(scene, 0, -1), layers=["probabilities"])
    made = {"model": model.to_bytes(), "predictions": model.predict_proba(X).tobytes(), "map": layers["map"].tobytes(),
            "probabilities": layers["probabilities"].tobytes()}
    return {name: hashlib.sha256(content).hexdigest() for name, content in made.items()}


class Newest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not (ENVIRONMENT / "bin/pip").exists():
            subprocess.run(["/usr/bin/python3", "-m", "venv", "--clear", ENVIRONMENT], check=True)
        installed = subprocess.run([ENVIRONMENT / "bin/pip", "install", "--quiet", "--retries", "1", "--upgrade", *PACKAGES],
                                   capture_output=True, text=True)
        if installed.returncode != 0:
            print("skipped: PyPI cannot be reached for", *PACKAGES, "\n", installed.stderr)
            sys.exit(77)

    def run_there(self, *arguments):
        result = subprocess.run([ENVIRONMENT / "bin/python", *arguments], capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stdout

    def test_bytes_are_those_of_this_python(self):
        lines = self.run_there(__file__, "digests").splitlines()
        print(lines[0])
        self.assertEqual(json.loads(lines[1]), digests())

    def test_every_check_of_scikit_learn(self):
        self.run_there(pathlib.Path(__file__).with_name("classifier_test.py"), "Checks", "Frames")

    def test_blocks_about_scikit_learn(self):
        from documents_test import blocks_of  # which the digests are without

        blocks = [block for block in blocks_of("docs/python.md") if "Classifier(" in block]
        self.assertGreater(len(blocks), 1)
        self.run_there("-c", SAMPLES + "".join(blocks))


if __name__ == "__main__":
    if sys.argv[1:] == ["digests"]:
        print("Python", sys.version.split()[0], "numpy", np.__version__, "scikit-learn", sklearn.__version__)
        print(json.dumps(digests()))
    else:
        os.environ.setdefault("OMP_NUM_THREADS", "2")
        unittest.main()
