"""What training leaves: a model, which classifies spectra and scenes."""

import json
import os
from typing import NamedTuple, Optional, Tuple

import numpy as np

from . import _mathematics


class ClassInfo(NamedTuple):
    """A class of a model: its value in maps, its name, and its colour, if it has one."""

    code: int
    name: str
    colour: Optional[Tuple[int, int, int]]


class Model:
    """A trained classifier: the content of a model file of the program `parsimap`.

    A model does not change. It is made by `parsimap.train`, by `Classifier.fit` or by `Model.load`, and pickles as the
    bytes of its file, which are checked when they are loaded and run no code.

    Attributes
    ----------
    record : dict or None
        What `parsimap.train` says of the training that made this object; it is no part of the file.
    """

    def __init__(self, model):
        self._model = model
        self.record = None

    @classmethod
    def load(cls, path):
        """Read a model file.

        Parameters
        ----------
        path : str or os.PathLike
            File of `parsimap train`, or of `save`.

        Raises
        ------
        DataError
            The file is missing, damaged, foreign or of another version.
        """
        return cls(_mathematics.Model.load(os.fspath(path)))

    @classmethod
    def from_bytes(cls, content):
        """Return the model of the bytes of a model file."""
        return cls(_mathematics.Model.from_bytes(content))

    def to_bytes(self):
        """Return the content of the model's file, as bytes."""
        return self._model.to_bytes()

    def save(self, path):
        """Write the model file, as a whole or not at all.

        Parameters
        ----------
        path : str or os.PathLike
            File to write; one that is there is replaced.

        Raises
        ------
        IoError
            The file cannot be written.
        """
        self._model.save(os.fspath(path))

    def __reduce__(self):
        return Model.from_bytes, (self.to_bytes(),)

    @property
    def classes(self):
        """The classes, a list of `ClassInfo`, in ascending order of their codes."""
        return [ClassInfo(*entry) for entry in self._model.classes]

    @property
    def scene_bands(self):
        """Number of bands of the scene, or of columns of the array, that the model was trained on."""
        return self._model.scene_bands

    def describe(self):
        """Return what the model knows of itself, as `parsimap info --json` prints it.

        Returns
        -------
        dict
            Classes, bands, kernel, left-out accuracy, and from which inputs and options.
        """
        return json.loads(self._model.describe())

    def predict(self, spectra, *, threads=0):
        """Return the class of every spectrum.

        Parameters
        ----------
        spectra : array of shape (n, bands)
            Finite numbers, in the units of the training. C-contiguous arrays of float32 and float64 are not copied.
        threads : int, default 0
            Threads that share the work; 0 for all processors.

        Returns
        -------
        array of uint16, shape (n,)
            Codes of classes.

        Raises
        ------
        DataError
            A value is not finite, or the model needs the pixels around each one.
        ValueError
            The array does not have the model's bands.
        """
        codes = np.array([entry.code for entry in self.classes], dtype=np.uint16)
        return codes[self._model.labels(spectra, threads)]

    def predict_proba(self, spectra, *, threads=0):
        """Return the probabilities of the classes, an array of float64 of shape (n, classes); see `predict`."""
        return self._model.probabilities(spectra, threads)

    def decision_function(self, spectra, *, threads=0):
        """Return the decision values of the classes, an array of float64 of shape (n, classes); see `predict`."""
        return self._model.decision_values(spectra, threads)

    def novelty(self, spectra, *, threads=0):
        """Return how unlike all classes every spectrum is, in [0, 1], an array of shape (n,); see `predict`."""
        return self._model.novelty(spectra, threads)[:, 0]

    def __repr__(self):
        names = ", ".join(entry.name for entry in self.classes)
        return f"<parsimap.Model: {len(self.classes)} classes ({names}), {self.scene_bands} bands>"
