"""The estimator for scikit-learn."""

from __future__ import annotations

import numbers
import os
import re
import threading
from collections import abc
from typing import Any, Dict, List, Optional, Tuple, Union

import joblib
import numpy as np
import numpy.typing as npt
from joblib.parallel import get_active_backend
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state, validation
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_consistent_length, check_is_fitted, column_or_1d

from . import _mathematics
from ._errors import warn
from ._model import Model
from ._rasters import is_table, unmasked, wavelengths_in_names
from ._scenes import refuse_other_columns

_LARGEST_CODE = 65535
_TYPES = [np.float64, np.float32]


def _refuse_masked(*arrays: Any) -> None:
    """Masked arrays are refused; scikit-learn takes what lies behind the mask."""
    for array in arrays:
        if isinstance(array, np.ma.MaskedArray):
            unmasked(array, "array of samples")


def _refuse_missing(y: Any) -> None:
    """A label that is missing or empty is named; scikit-learn takes it for a class, or says that the type of y is unknown."""
    labels = np.asarray(y)
    for place, label in enumerate(labels.ravel().tolist() if labels.dtype.kind in "OUS" and labels.ndim else [], start=1):
        if _is_missing(label):
            raise ValueError(f"y has no label for sample {place}, counted from 1; leave out samples without one")


def _typed(y: Any) -> Any:
    """Numbers that are kept as objects, as in columns of pandas that were mixed before, as numbers; scikit-learn does not know their type."""
    objects = np.asarray(y)
    if objects.dtype.kind != "O" or not objects.ndim:
        return y
    labels = objects.ravel().tolist()
    of_number = [isinstance(label, numbers.Real) for label in labels]
    if any(of_number) and not all(of_number):
        number, other = labels[of_number.index(True)], labels[of_number.index(False)]
        raise ValueError(f"y has numbers and other labels, such as {number!r} and {other!r}; make them all of one type, as by y.astype(str)")
    return np.array(objects.tolist()) if any(of_number) else y


def _is_missing(value: Any) -> bool:
    if isinstance(value, (str, bytes)):
        return not value.strip()
    return value is None or str(value) in ("nan", "<NA>", "NaT")


def _warn_of_other_rows(X: Any, **others: Any) -> None:
    """Rows are matched by position, as in scikit-learn: tables that name the same rows in other orders were mostly sorted by mistake."""
    rows: Any = getattr(X, "index", None)
    for name, values in others.items():
        named: Any = getattr(values, "index", None)
        if hasattr(rows, "equals") and hasattr(named, "equals") and not rows.equals(named) and set(rows) == set(named):
            warn(f"X and {name} name the same rows (index) in different orders; their rows are matched by position")


def _groups(groups: npt.ArrayLike, X: npt.ArrayLike) -> npt.NDArray[Any]:
    """The group of each sample. Samples without one would be a group of their own."""
    units = np.asarray(column_or_1d(groups))
    check_consistent_length(X, units)
    for place, unit in enumerate(units.tolist() if units.dtype.kind in "fOMUS" else [], start=1):
        if _is_missing(unit):
            raise ValueError(f"groups has no value for sample {place}, counted from 1; give each sample without a group one of its own")
    return units


def _validated(estimator: Any, *arrays: Any, **rules: Any) -> Any:
    """The arrays, checked and counted as scikit-learn does: by a function from 1.6 on, by a method before."""
    _refuse_masked(*arrays)
    function = getattr(validation, "validate_data", None)
    return estimator._validate_data(*arrays, **rules) if function is None else function(estimator, *arrays, **rules)


def _class_table(classes: npt.NDArray[Any]) -> List[Tuple[int, str]]:
    """Code and name of each class: labels that are valid codes of a map, also as 1.0, are used as codes."""
    whole = classes.dtype.kind in "iuf"
    is_code = whole and classes[0] >= 1 and classes[-1] <= _LARGEST_CODE
    # Bytes, as h5py and loadtxt give texts, are no names as Python writes them: b'oak'.
    names = [label.decode("utf-8", "replace") if isinstance(label, bytes) else str(int(label) if whole else label) for label in classes]
    return [(int(label) if is_code else place, names[place - 1]) for place, label in enumerate(classes, start=1)]


def _bands(X: Any) -> List[Tuple[str, Optional[float]]]:
    """Name of each column of a data frame, and its wavelength if the names are wavelengths."""
    names = [str(name) for name in getattr(X, "columns", ())]
    return list(zip(names, wavelengths_in_names(names)))


def _threads(n_jobs: Optional[int]) -> int:
    """The number of threads for a call, 0 for as many as OpenMP allows.

    OpenMP's number respects OMP_NUM_THREADS, threadpoolctl, and the limit that joblib sets for its worker processes. joblib sets none for
    its worker threads, which use one thread each.
    """
    if n_jobs is not None:
        return joblib.effective_n_jobs(n_jobs)
    in_worker = get_active_backend()[0].nesting_level > 0 and threading.current_thread() is not threading.main_thread()
    return 1 if in_worker else 0


class Classifier(ClassifierMixin, BaseEstimator):
    """Classifier with parsimonious Mahalanobis kernels.

    A subspace model of each class gives an explicit inverse covariance, even with fewer samples than bands, and a
    support vector machine with the kernel of this metric separates the class from the rest. The metric and the penalty
    are chosen by the accuracy for samples whose group was left out of training; there is no grid to search.

    Parameters
    ----------
    kernel : {"hdda", "pca", "gaussian"}, default "hdda"
        Class directions and the rest, class directions only, or neither.
    criterion : {"leave-one-out", "radius-margin"}, default "leave-one-out"
        Shared parameters of the class metrics, chosen by left-out groups, or the bound of the paper for each class.
    dimension : str, default "scree:0.01"
        Rule for the dimension of the subspace of a class: "scree:S", "bic", "ml", "variance:F" or "fixed:P".
    scaling : {"auto", "global", "none", "standardise", "within-classes"}, default "auto"
        Centre all columns and divide them by one factor, by the deviation of each, or by that within classes; or do not scale.
    class_weight : dict, "balanced" or None, default None
        Weight of each class in training: a dict of labels and numbers, "balanced" for the same total weight of all classes regardless of
        their numbers of samples, or None for the same weight of all samples.
    centres : int, "none" or None, default None
        Number of spectra shared by the classifiers of all classes. None means 1000 with more than 50000 samples, and
        "none" otherwise.
    random_state : int, RandomState or None, default 0
        Seed of all random draws: the same samples, options and seed give the same model. None or a RandomState: a different seed for each
        call of `fit`.
    n_jobs : int or None, default None
        Number of threads; -1 for all processors. None: as many as OpenMP allows, that is all processors unless the environment variable
        OMP_NUM_THREADS, threadpoolctl or joblib sets a limit. Results do not depend on it.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
        The labels of the classes, sorted.
    n_features_in_ : int
        Number of columns of X.
    feature_names_in_ : array of str, shape (n_features_in_,)
        Names of the columns of X, if it was a data frame with names.
    model_ : parsimap.Model
        The trained model.

    References
    ----------
    Fauvel, Villa, Chanussot and Benediktsson, "Parsimonious Mahalanobis kernel for the classification of high
    dimensional data", Pattern Recognition 46 (2013).

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from parsimap import Classifier
    >>> X, y = load_iris(return_X_y=True)
    >>> Classifier().fit(X, y).score(X, y) > 0.9
    True
    """

    classes_: npt.NDArray[Any]
    n_features_in_: int
    feature_names_in_: npt.NDArray[Any]
    model_: Model

    def __init__(
        self,
        kernel: str = "hdda",
        criterion: str = "leave-one-out",
        dimension: str = "scree:0.01",
        scaling: str = "auto",
        class_weight: Union[None, str, Dict[Any, float]] = None,
        centres: Optional[Union[int, str]] = None,
        random_state: Union[None, int, np.random.RandomState] = 0,
        n_jobs: Optional[int] = None,
    ):
        self.kernel = kernel
        self.criterion = criterion
        self.dimension = dimension
        self.scaling = scaling
        self.class_weight = class_weight
        self.centres = centres
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(
        self,
        X: npt.ArrayLike,
        y: npt.ArrayLike,
        groups: Optional[npt.ArrayLike] = None,
        sample_weight: Optional[npt.ArrayLike] = None,
    ) -> Classifier:
        """Train on labelled spectra.

        Parameters
        ----------
        X : array of shape (n, bands), or DataFrame
            Spectra, in any unit; rounded to single precision. The columns of a data frame are the bands; names such as "460 nm" are
            their wavelengths, by which the model finds the bands of scenes.
        y : array of shape (n,)
            Labels: numbers or strings. A `ParsimapWarning` says where a data frame X and a series y name the same rows in different orders.
        groups : array of shape (n,), optional
            Group of each sample, such as its polygon or plot. Groups are left out together when the metric is chosen.
            By default each sample is left out separately.
        sample_weight : array of shape (n,), optional
            Weight of each sample, 0 or more: its error counts so much in training and in the choice of the metric. Samples of weight 0
            are removed. Covariances count all other samples alike.

        Returns
        -------
        Classifier
            The estimator itself.

        Raises
        ------
        ValueError
            X, y, groups or weights are invalid, there are fewer than two classes, or a parameter is unknown.
        """
        bands = _bands(X)
        _warn_of_other_rows(X, y=y, groups=groups, sample_weight=sample_weight)
        _refuse_missing(y)
        X, y = _validated(self, X, _typed(y), dtype=_TYPES, order="C", ensure_min_samples=2)
        check_classification_targets(y)
        _refuse_masked(groups, sample_weight)
        units = None if groups is None else _groups(groups, X)
        weights = self._weights(X, y, sample_weight)
        if weights is not None and not weights.all():
            kept = weights > 0
            X, y, weights = np.asarray(X)[kept], np.asarray(y)[kept], weights[kept]
            units = None if units is None else units[kept]
        classes, labels = np.unique(y, return_inverse=True)
        if len(classes) < 2:
            present = f"y has 1 class ({classes[0]})" if len(classes) else "all weights of samples are 0"
            raise ValueError(f"{present}; at least two classes are needed")
        if units is not None:
            units = np.unique(units, return_inverse=True)[1]
        if weights is not None:
            weights = None if (weights == weights[0]).all() else weights / weights.mean()
        model = _mathematics.train(X, labels, _class_table(classes), units, bands, self._options(), _threads(self.n_jobs), weights)
        self.classes_ = classes
        self.model_ = Model(model)
        return self

    def predict(self, X: npt.ArrayLike) -> npt.NDArray[Any]:
        """Return the class of each row of X, an array of shape (n,) with the labels passed to `fit`.

        A `ParsimapWarning` says where the rows are usually 50 times as large or small as those of training, as in other units.
        """
        X = self._spectra(X)
        return self.classes_[self.model_._model.labels(X, _threads(self.n_jobs))]

    def predict_proba(self, X: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Return the probabilities of the classes, an array of shape (n, classes) in the order of `classes_`."""
        X = self._spectra(X)
        return self.model_.predict_proba(X, threads=_threads(self.n_jobs))

    def decision_function(self, X: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Return the decision values of the classes.

        Parameters
        ----------
        X : array of shape (n, bands)

        Returns
        -------
        array of shape (n, classes), or (n,) for two classes
            The predicted class has the largest value. For two classes, the logarithm of the odds of the second one.
        """
        X = self._spectra(X)
        if len(self.classes_) == 2:
            return self.model_._model.log_odds(X, _threads(self.n_jobs))[:, 0]
        return self.model_.decision_function(X, threads=_threads(self.n_jobs))

    def novelty(self, X: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Return the novelty of each row of X, its difference from all classes, an array of shape (n,) in [0, 1]."""
        X = self._spectra(X)
        return self.model_.novelty(X, threads=_threads(self.n_jobs))

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Write the model file of the program; see `Model.save`."""
        check_is_fitted(self)
        self.model_.save(path)

    @classmethod
    def load(cls, path: Union[str, os.PathLike[str]], **parameters: Any) -> Classifier:
        """Return an estimator with the model of a file.

        Parameters
        ----------
        path : str or os.PathLike
            Model file of the program, or of `save`.
        **parameters
            Parameters of the estimator for later calls, such as n_jobs.

        Returns
        -------
        Classifier
            Its `classes_` are the names of the classes, as numbers if all of them are whole numbers.
        """
        self = cls(**parameters)
        self.model_ = Model.load(path)
        names = [entry.name for entry in self.model_.classes]
        are_numbers = all(re.fullmatch("0|-?[1-9][0-9]{0,17}", name) for name in names)
        self.classes_ = np.array([int(name) for name in names] if are_numbers else names)
        self.n_features_in_ = self.model_.scene_bands
        return self

    def _spectra(self, X: npt.ArrayLike) -> npt.NDArray[Any]:
        check_is_fitted(self)
        spectra: Any = X
        if is_table(X) and not hasattr(self, "feature_names_in_"):  # as of a model from a file, which has the names and wavelengths
            refuse_other_columns(self.model_, spectra.columns)
            spectra = spectra.to_numpy()
        return _validated(self, spectra, dtype=_TYPES, order="C", reset=False)

    def __sklearn_tags__(self) -> Any:
        """Those of a classifier. From 1.6 on, scikit-learn wants this of an estimator that has tags for earlier versions."""
        return super().__sklearn_tags__()

    def _more_tags(self) -> Dict[str, Any]:
        """The checks that fail, by name; scikit-learn 1.6 and later take them as an argument of the checks instead."""
        # The check also shuffles the samples. Their order decides roundings, and through the tolerance of the descent on
        # the hyperparameters the seventh digit of probabilities. In the same order, both models have the same bytes.
        return {"_xfail_checks": {"check_sample_weights_invariance": "the order of samples changes the seventh digit"}}

    def _weights(self, X: npt.ArrayLike, y: npt.ArrayLike, given: Optional[npt.ArrayLike]) -> Optional[npt.NDArray[np.float64]]:
        """The weight of each sample, without the balance of classes; None if all are the same."""
        of_class = self.class_weight if isinstance(self.class_weight, abc.Mapping) else None
        if given is None and of_class is None:
            return None
        weights = _check_sample_weight(given, X, dtype=np.float64, copy=True)
        if (weights < 0).any():
            raise ValueError("Negative values in data passed to `sample_weight`")
        if of_class is not None:
            # By the comparison that weighs the samples: np.isin finds the number 1 among texts, which no text equals.
            labels = np.unique(y).tolist()
            unknown = [label for label in of_class if label not in labels]
            if unknown:
                types = f"; its labels are such as {labels[0]!r}" if str(unknown[0]) in map(str, labels) else ""
                raise ValueError(f"class_weight names the class {unknown[0]!r}, which is not in y{types}")
            for label, weight in of_class.items():
                if not isinstance(weight, numbers.Real) or not np.isfinite(weight) or weight < 0:
                    raise ValueError(f"class_weight of {label!r} is {weight!r}; it must be a number of at least 0")
                weights[y == label] *= weight
        return weights

    def _options(self) -> Dict[str, str]:
        """The parameters as options of the command `train`."""
        of_class, seed = self.class_weight, self.random_state
        if seed is None or isinstance(seed, np.random.RandomState):
            seed = check_random_state(seed).randint(2**31)
        rule = "none" if of_class is None or isinstance(of_class, abc.Mapping) else str(of_class)
        options = {"kernel": self.kernel, "criterion": self.criterion, "dimension": self.dimension,
                   "scaling": self.scaling, "class-weights": rule, "seed": str(seed)}
        if self.centres is not None:
            options["centres"] = str(self.centres)
        return options
