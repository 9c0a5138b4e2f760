"""Trained models, which classify spectra and scenes."""

from __future__ import annotations

import json
import os
from collections import abc
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _mathematics, _scenes
from ._errors import explained

if TYPE_CHECKING:
    import xarray

File = Union[str, "os.PathLike[str]"]
# Spectra or a scene; the result for a DataArray is a DataArray.
Array = Union[npt.ArrayLike, "xarray.DataArray"]


class ClassInfo(NamedTuple):
    """A class of a model: its value in maps, its name, and its colour, if it has one."""

    code: int
    name: str
    colour: Optional[Tuple[int, int, int]]


class Model:
    """A trained classifier: the content of a model file of the program `parsimap`.

    A model is immutable. It is made by `parsimap.train`, `Classifier.fit` or `Model.load`. Its pickle contains the bytes
    of the model file, which are checked when they are loaded and contain no code.

    Attributes
    ----------
    record : dict or None
        The result of `parsimap.train` if it made this object; it is not stored in the file.
    """

    def __init__(self, model: _mathematics.Model):
        self._model = model
        self.record: Optional[Dict[str, Any]] = None

    @classmethod
    def load(cls, path: File) -> Model:
        """Read a model file.

        Parameters
        ----------
        path : str or os.PathLike
            File written by `parsimap train` or `save`.

        Raises
        ------
        MissingFileError
            The file does not exist.
        DataError
            The file is damaged, foreign or of another version.
        """
        with explained([path]):
            return cls(_mathematics.Model.load(os.fspath(path)))

    @classmethod
    def from_bytes(cls, content: bytes) -> Model:
        """Return the model stored in the bytes of a model file."""
        return cls(_mathematics.Model.from_bytes(content))

    def to_bytes(self) -> bytes:
        """Return the content of the model file as bytes."""
        return self._model.to_bytes()

    def save(self, path: File) -> None:
        """Write the model file, completely or not at all.

        Parameters
        ----------
        path : str or os.PathLike
            File to write; an existing file is replaced.

        Raises
        ------
        IoError
            The file cannot be written.
        """
        self._model.save(os.fspath(path))

    def __reduce__(self):
        return Model.from_bytes, (self.to_bytes(),)

    @property
    def classes(self) -> List[ClassInfo]:
        """The classes, a list of `ClassInfo`, in ascending order of their codes."""
        return [ClassInfo(*entry) for entry in self._model.classes]

    @property
    def scene_bands(self) -> int:
        """Number of bands of the scene, or of columns of the array, that the model was trained on."""
        return self._model.scene_bands

    def describe(self) -> Dict[str, Any]:
        """Return a description of the model, the output of `parsimap info --json`.

        Returns
        -------
        dict
            Classes, bands, kernel, left-out accuracy, inputs and options.
        """
        return json.loads(self._model.describe())

    def predict(self, spectra: Array, *, threads: int = 0) -> Any:
        """Return the class of each spectrum.

        Parameters
        ----------
        spectra : array of shape (n, bands), or DataArray
            Finite numbers, in the units of the training. C-contiguous arrays of float32 and float64 are not copied. A
            DataArray of xarray may also be a scene with three dimensions; its bands and missing values are found as in
            `classify`, and if it is backed by dask, so is the result. The columns of a data frame must be the bands of
            the model in their order, if they are named.
        threads : int, default 0
            Number of threads; 0 for all processors, or with dask for one per task.

        Returns
        -------
        array of uint16, shape (n,), or DataArray
            Codes of classes; for DataArrays 0 if a spectrum or pixel has no value.

        Raises
        ------
        DataError
            A value is not finite, the model needs the pixels around each one, or columns of a data frame are other bands.
        ValueError
            The array does not have the bands of the model.

        Warns
        -----
        ParsimapWarning
            The spectra are usually 50 times as large or small as those of training, as in other units.
        """
        if _scenes.handles(self, spectra):
            return _scenes.predict(self, "predict", spectra, threads)
        codes = np.array([entry.code for entry in self.classes], dtype=np.uint16)
        return codes[self._model.labels(spectra, threads)]

    def predict_proba(self, spectra: Array, *, threads: int = 0) -> Any:
        """Return the probabilities of the classes, an array of shape (n, classes) of float64, or for DataArrays of float32; see `predict`."""
        if _scenes.handles(self, spectra):
            return _scenes.predict(self, "predict_proba", spectra, threads)
        return self._model.probabilities(spectra, threads)

    def decision_function(self, spectra: Array, *, threads: int = 0) -> Any:
        """Return the decision values of the classes, an array of shape (n, classes) of float64, or for DataArrays of float32; see `predict`."""
        if _scenes.handles(self, spectra):
            return _scenes.predict(self, "decision_function", spectra, threads)
        return self._model.decision_values(spectra, threads)

    def novelty(self, spectra: Array, *, threads: int = 0) -> Any:
        """Return the novelty of each spectrum in [0, 1], an array of shape (n,); see `predict`."""
        if _scenes.handles(self, spectra):
            return _scenes.predict(self, "novelty", spectra, threads)
        return self._model.novelty(spectra, threads)[:, 0]

    def classify(
        self,
        scene: Array,
        *,
        layers: abc.Sequence[str] = (),
        regularise: Optional[str] = None,
        reject: Optional[float] = None,
        reject_novelty: Optional[float] = None,
        nodata: Optional[float] = None,
        pixel_metres: Optional[float] = None,
        threads: int = 0,
        progress: Optional[abc.Callable[[float], None]] = None,
    ) -> Any:
        """Return the map of a scene.

        Parameters
        ----------
        scene : array of shape (rows, columns, bands), or DataArray
            Scene in the units of the training data. The dimensions of a DataArray may have any order; that of the bands
            has a name such as band or wavelength. Bands are found by wavelength (a coordinate `wavelength` along the
            bands, in nanometres or in its `units`), by name, or by position. A pixel whose value in a band used is not
            finite, or is `nodata`, is 0 in the map.
        layers : list of str, optional
            Layers to return in addition to the map: "probabilities", "confidence", "uncertainty", "decision_values", "novelty", "sets_out", "applicability".
        regularise : str, optional
            Use of neighbouring pixels: "none", "auto", "gaussian:SIGMA[:KEEP]" or "neighbours:SIGMA[:STRENGTH]", with SIGMA in
            pixels. The default is "none", or "auto" if the model was trained to use neighbours.
        reject : float, optional
            Pixels whose largest probability is below it are 0 in the map.
        reject_novelty : float, optional
            Pixels whose novelty is above it are 0 in the map.
        nodata : float, optional
            The missing value. The default for DataArrays is `_FillValue`.
        pixel_metres : float, optional
            Width of a pixel, for models with profiles in metres. The default for DataArrays is taken from rioxarray.
        threads : int, default 0
            Number of threads; 0 for all processors, or with dask for one per task.
        progress : callable, optional
            Called with the completed fraction, from 0 to 1; not with dask, which has its own progress bars.

        Returns
        -------
        array of uint16, shape (rows, columns), or DataArray
            Codes of classes. A DataArray keeps the coordinates and the coordinate reference system, and is lazy if the
            scene is backed by dask: it is computed block by block, with blocks that overlap by the range of neighbours
            and profiles, so that the map does not depend on the chunks. With `layers`, a dict of arrays or a Dataset,
            in which the map has the name "map".

        Raises
        ------
        DataError
            The scene does not have the bands of the model, or its values are 1000 times as large or as small as those of
            training (from 50 times on, a `ParsimapWarning`); the latter is not checked with dask.
        ConfigError
            An option is invalid, such as the regularisation "auto" with dask, because it needs the whole scene.
        """
        return _scenes.classify(self, scene, layers=layers, regularise=regularise, reject=reject,
                                reject_novelty=reject_novelty, nodata=nodata, pixel_metres=pixel_metres,
                                threads=threads, progress=progress)

    def report(self) -> str:
        """Return an HTML page about the training of the model, as a str.

        The page is self-contained and can be opened from a file.
        """
        return self._model.page()

    def _repr_html_(self) -> str:
        return self._model.card()

    def __dask_tokenize__(self):
        return "parsimap.Model", self.to_bytes()

    def __repr__(self):
        names = ", ".join(entry.name for entry in self.classes)
        return f"<parsimap.Model: {len(self.classes)} classes ({names}), {self.scene_bands} bands>"
