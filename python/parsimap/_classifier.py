"""The estimator for scikit-learn."""

from __future__ import annotations

import os
from typing import Any, Dict, List, Optional, Tuple, Union

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, check_is_fitted, column_or_1d

from . import _mathematics
from ._model import Model

_LARGEST_CODE = 65535
_TYPES = [np.float64, np.float32]


def _class_table(classes: npt.NDArray[Any]) -> List[Tuple[int, str]]:
    """Code and name of each class: labels that are valid codes of a map are used as codes."""
    is_code = np.issubdtype(classes.dtype, np.integer) and classes[0] >= 1 and classes[-1] <= _LARGEST_CODE
    return [(int(label) if is_code else place, str(label)) for place, label in enumerate(classes, start=1)]


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
    scaling : {"global", "none", "standardise"}, default "global"
        Centre all columns and divide them by one factor, do not scale, or scale each column to unit variance.
    class_weights : {"none", "balanced"}, default "none"
        Whether all classes have the same weight in training, regardless of their numbers of samples.
    support : {"reduced", "all"}, default "reduced"
        Fewer support spectra for faster predictions, if this costs at most 0.1 points for left-out samples; or all.
    centres : int, "none" or None, default None
        Number of spectra shared by the classifiers of all classes. None means 1000 with more than 50000 samples, and
        "none" otherwise.
    seed : int, default 0
        Seed of all random draws: the same samples, options and seed give the same model.
    threads : int, default 0
        Number of threads; 0 for all processors. Results do not depend on it.

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
        scaling: str = "global",
        class_weights: str = "none",
        support: str = "reduced",
        centres: Optional[Union[int, str]] = None,
        seed: int = 0,
        threads: int = 0,
    ):
        self.kernel = kernel
        self.criterion = criterion
        self.dimension = dimension
        self.scaling = scaling
        self.class_weights = class_weights
        self.support = support
        self.centres = centres
        self.seed = seed
        self.threads = threads

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike, groups: Optional[npt.ArrayLike] = None) -> Classifier:
        """Train on labelled spectra.

        Parameters
        ----------
        X : array of shape (n, bands)
            Spectra, in any unit; rounded to single precision.
        y : array of shape (n,)
            Labels: numbers or strings.
        groups : array of shape (n,), optional
            Group of each sample, such as its polygon or plot. Groups are left out together when the metric is chosen.
            By default each sample is left out separately.

        Returns
        -------
        Classifier
            The estimator itself.

        Raises
        ------
        ValueError
            X, y or groups are invalid, there are fewer than two classes, or a parameter is unknown.
        """
        X, y = self._validate_data(X, y, dtype=_TYPES, order="C", ensure_min_samples=2)
        check_classification_targets(y)
        classes, labels = np.unique(y, return_inverse=True)
        if len(classes) < 2:
            raise ValueError(f"y has 1 class ({classes[0]}); at least two classes are needed")
        units = None
        if groups is not None:
            units = np.asarray(column_or_1d(groups))
            check_consistent_length(X, units)
            units = np.unique(units, return_inverse=True)[1]
        bands = [(name, None) for name in getattr(self, "feature_names_in_", ())]
        model = _mathematics.train(X, labels, _class_table(classes), units, bands, self._options(), self.threads)
        self.classes_ = classes
        self.model_ = Model(model)
        return self

    def predict(self, X: npt.ArrayLike) -> npt.NDArray[Any]:
        """Return the class of each row of X, an array of shape (n,) with the labels passed to `fit`."""
        X = self._spectra(X)
        return self.classes_[self.model_._model.labels(X, self.threads)]

    def predict_proba(self, X: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Return the probabilities of the classes, an array of shape (n, classes) in the order of `classes_`."""
        X = self._spectra(X)
        return self.model_.predict_proba(X, threads=self.threads)

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
            return self.model_._model.log_odds(X, self.threads)[:, 0]
        return self.model_.decision_function(X, threads=self.threads)

    def novelty(self, X: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Return the novelty of each row of X, its difference from all classes, an array of shape (n,) in [0, 1]."""
        X = self._spectra(X)
        return self.model_.novelty(X, threads=self.threads)

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
            Parameters of the estimator for later calls, such as threads.

        Returns
        -------
        Classifier
            Its `classes_` are the names of the classes, or the codes if all names equal their codes.
        """
        self = cls(**parameters)
        self.model_ = Model.load(path)
        table = self.model_.classes
        are_codes = all(entry.name == str(entry.code) for entry in table)
        self.classes_ = np.array([entry.code if are_codes else entry.name for entry in table])
        self.n_features_in_ = self.model_.scene_bands
        return self

    def _spectra(self, X: npt.ArrayLike) -> npt.NDArray[Any]:
        check_is_fitted(self)
        return self._validate_data(X, dtype=_TYPES, order="C", reset=False)

    def _options(self) -> Dict[str, str]:
        """The parameters as options of the command `train`."""
        options = {"kernel": self.kernel, "criterion": self.criterion, "dimension": self.dimension,
                   "scaling": self.scaling, "class-weights": self.class_weights, "support": self.support,
                   "seed": str(self.seed)}
        if self.centres is not None:
            options["centres"] = str(self.centres)
        return options
