#!/usr/bin/env python3
"""scikit-learn's side of the training rows, in its own process: the runner itself needs no numpy.

sklearn_peer.py SCENE TRAIN TEST JOBS: standard scaling and a grid search of SVC(rbf), as JSON: its time, and the test
accuracy of the best SVC (one against one) and of one-vs-rest Gaussian SVCs at its parameters.
"""

import json
import sys
import time
from pathlib import Path

import numpy
from sklearn.model_selection import GridSearchCV
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from harness.envi import EnviFile

FOLDS = 5
GRID = {
    "svc__C": [10.0**power for power in range(-1, 6)],
    "svc__gamma": [10.0**power for power in range(-5, 1)],
}


def spectra(file: EnviFile) -> numpy.ndarray:
    """Pixels x bands, row by row."""
    values = numpy.fromfile(file.path, file.numpy_type)
    if file.interleave == "bil":
        values = values.reshape(file.height, file.bands, file.width).transpose(0, 2, 1)
    elif file.interleave == "bsq":
        values = values.reshape(file.bands, file.height, file.width).transpose(1, 2, 0)
    return values.reshape(-1, file.bands).astype(float)


def main() -> None:
    scene, train, test = (Path(argument) for argument in sys.argv[1:4])
    jobs = int(sys.argv[4])
    pixels = spectra(EnviFile(scene))
    train_codes = numpy.fromfile(train, "u1")
    chosen = train_codes > 0
    x, y = pixels[chosen], train_codes[chosen]

    start = time.monotonic()
    search = GridSearchCV(make_pipeline(StandardScaler(), SVC(kernel="rbf")), GRID, cv=FOLDS, n_jobs=jobs)
    search.fit(x, y)
    outcome = {
        "seconds": time.monotonic() - start,
        "C": search.best_params_["svc__C"],
        "gamma": search.best_params_["svc__gamma"],
        "cross_validation_accuracy": search.best_score_,
    }
    test_codes = numpy.fromfile(test, "u1")
    held_out = test_codes > 0
    one_vs_rest = make_pipeline(
        StandardScaler(), OneVsRestClassifier(SVC(C=outcome["C"], gamma=outcome["gamma"]), n_jobs=jobs)
    ).fit(x, y)
    outcome["accuracy"] = search.score(pixels[held_out], test_codes[held_out])
    outcome["one_vs_rest_accuracy"] = one_vs_rest.score(pixels[held_out], test_codes[held_out])
    print(json.dumps(outcome))


if __name__ == "__main__":
    main()
