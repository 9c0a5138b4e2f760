#!/usr/bin/env python3
"""accuracy_peer.py METHOD FOLDER: one classifier of scikit-learn on a split of the accuracy row, in its own process.

Trains on FOLDER/train.npz (x, y) and prints as JSON the overall and the average accuracy on FOLDER/test.npz, and its
time. METHOD is one of METHODS.
"""

import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import GridSearchCV
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from sklearn_peer import FOLDS, GRID


def one_vs_one() -> Any:
    return GridSearchCV(make_pipeline(StandardScaler(), SVC(kernel="rbf")), GRID, cv=FOLDS)


def one_vs_rest() -> Any:
    """With a grid search of its own."""
    grid = {key.replace("svc__", "onevsrestclassifier__estimator__"): values for key, values in GRID.items()}
    return GridSearchCV(make_pipeline(StandardScaler(), OneVsRestClassifier(SVC(kernel="rbf"))), grid, cv=FOLDS)


METHODS = {
    "one-vs-one": one_vs_one,
    "one-vs-rest": one_vs_rest,
    "random-forest": lambda: RandomForestClassifier(500, random_state=0),
    "lda": lambda: LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto"),
}


def main() -> None:
    method, folder = METHODS[sys.argv[1]](), Path(sys.argv[2])
    train, test = (numpy.load(folder / f"{part}.npz") for part in ("train", "test"))
    start = time.monotonic()
    method.fit(train["x"].astype(float), train["y"])
    outcome = {"seconds": time.monotonic() - start, "parameters": getattr(method, "best_params_", {})}
    predicted = method.predict(test["x"].astype(float))
    outcome["overall"] = float((predicted == test["y"]).mean())
    # The mean of the producer's accuracies.
    outcome["average"] = float(balanced_accuracy_score(test["y"], predicted))
    print(json.dumps(outcome))


main()
