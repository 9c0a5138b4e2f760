"""Training and prediction on arrays, and maps of arrays, without GDAL. Use the package parsimap, which this is a part of."""

from __future__ import annotations

import ctypes
import math
from collections import abc
from typing import Any, Dict, List, Optional, Tuple

import numpy as np
import numpy.typing as npt

from . import _library
from ._errors import warn
from ._arrays import Given, one_per_row, real_array, scene_array, spectra_array, strided_array, whole

_LIBRARY = _library.load("libparsimap-c-arrays.so")
__version__ = _library.VERSION

# Name and wavelength in nanometres of each band.
BandNames = abc.Sequence[Tuple[str, Optional[float]]]
_LABELS, _LOG_ODDS, _DECISION_VALUES, _PROBABILITIES, _NOVELTY = range(5)


class Model:
    """A trained model, which does not change."""

    def __init__(self, handle: ctypes.c_void_p):
        self._as_parameter_, self._free = handle, _LIBRARY.parsimap_free_model

    def __del__(self) -> None:
        if hasattr(self, "_free"):
            self._free(self)

    @staticmethod
    def load(path: str) -> Model:
        handle = ctypes.c_void_p()
        _library.checked(_LIBRARY, _LIBRARY.parsimap_load_model, _library.encoded(path), ctypes.byref(handle))
        return Model(handle)

    @staticmethod
    def from_bytes(content: bytes) -> Model:
        handle = ctypes.c_void_p()
        _library.checked(_LIBRARY, _LIBRARY.parsimap_model_of_bytes, content, len(content), ctypes.byref(handle))
        return Model(handle)

    def to_bytes(self) -> bytes:
        return _library.model_content(_LIBRARY, self, _library.MODEL_FILE)

    def save(self, path: str) -> None:
        _library.checked(_LIBRARY, _LIBRARY.parsimap_save_model, self, _library.encoded(path))

    @property
    def classes(self) -> List[Tuple[int, str, Optional[Tuple[int, int, int]]]]:
        """Code, name and colour (or None) of every class."""
        return [(_LIBRARY.parsimap_class_code(self, i), _LIBRARY.parsimap_class_name(self, i).decode(), self._colour(i))
                for i in range(_LIBRARY.parsimap_class_count(self))]

    def _colour(self, index: int) -> Optional[Tuple[int, int, int]]:
        colour = (ctypes.c_uint8 * 3)()
        return (colour[0], colour[1], colour[2]) if _LIBRARY.parsimap_class_colour(self, index, colour) else None

    @property
    def scene_bands(self) -> int:
        return _LIBRARY.parsimap_band_count(self)

    @property
    def needs_pixel_metres(self) -> bool:
        """Whether its profiles have radii in metres."""
        return bool(_LIBRARY.parsimap_needs_pixel_metres(self))

    def describe(self) -> str:
        """The document of `parsimap info --json`."""
        return _library.text_of(_library.model_content(_LIBRARY, self, _library.MODEL_DESCRIPTION))

    def card(self) -> str:
        """A piece of HTML that shows the model in a notebook. Names of files in it may be no UTF-8."""
        return _library.model_content(_LIBRARY, self, _library.MODEL_CARD).decode("utf-8", "replace")

    def page(self) -> str:
        """An HTML page about the training of the model."""
        return _library.model_content(_LIBRARY, self, _library.MODEL_PAGE).decode("utf-8", "replace")

    def _predicted(self, quantity: int, spectra: npt.ArrayLike, threads: int, dtype: Any, columns: Optional[int] = None) -> Any:
        array = spectra_array(spectra)
        values = np.empty(len(array) if columns is None else (len(array), columns), dtype)
        _library.Work(_LIBRARY).run(_LIBRARY.parsimap_predict, self, quantity, Given(array), whole(threads, "threads"), _address(values), hear=_hearer())
        return values

    def labels(self, spectra: npt.ArrayLike, threads: int = 0) -> npt.NDArray[np.int64]:
        """The index of the class of every row."""
        return self._predicted(_LABELS, spectra, threads, np.int64)

    def log_odds(self, spectra: npt.ArrayLike, threads: int = 0) -> npt.NDArray[np.float64]:
        """Of two classes, rows x 1."""
        return self._predicted(_LOG_ODDS, spectra, threads, np.float64, 1)

    def decision_values(self, spectra: npt.ArrayLike, threads: int = 0) -> npt.NDArray[np.float64]:
        """Rows x classes."""
        return self._predicted(_DECISION_VALUES, spectra, threads, np.float64, _LIBRARY.parsimap_class_count(self))

    def probabilities(self, spectra: npt.ArrayLike, threads: int = 0) -> npt.NDArray[np.float64]:
        """Rows x classes."""
        return self._predicted(_PROBABILITIES, spectra, threads, np.float64, _LIBRARY.parsimap_class_count(self))

    def novelty(self, spectra: npt.ArrayLike, threads: int = 0) -> npt.NDArray[np.float64]:
        """Rows x 1, in [0, 1]."""
        return self._predicted(_NOVELTY, spectra, threads, np.float64, 1)


def _address(array: Any) -> Any:
    """The memory of an array, which it keeps. As an argument, `array.ctypes` would be asked by ctypes, which makes Ctrl-C meanwhile another error."""
    return None if array is None else array.ctypes.data_as(ctypes.c_void_p)


def _hearer(progress: Optional[abc.Callable[[float], Any]] = None) -> abc.Callable[[str, str, float], None]:
    """What is called with the events of a work."""

    def hear(kind: str, text: str, fraction: float) -> None:
        if kind == "warning":
            warn(text)
        elif progress is not None:
            progress(fraction)

    return hear


def _bands(names: BandNames) -> List[Tuple[str, Optional[float], float, float]]:
    return [(name, wavelength, 1.0, 0.0) for name, wavelength in names]


def train(
    spectra: npt.ArrayLike,
    labels: npt.ArrayLike,
    classes: abc.Sequence[Tuple[int, str]],
    groups: Optional[npt.ArrayLike],
    bands: BandNames,
    options: Dict[str, str],
    threads: int = 0,
    weights: Optional[npt.ArrayLike] = None,
) -> Model:
    """A model of the rows of `spectra`, whose labels are indices of `classes`."""
    array = strided_array(real_array(spectra, 2, "spectra"))
    rows = [one_per_row(labels if labels is not None else (), len(array), np.int64, "labels"),
            one_per_row(groups, len(array), np.int64, "groups"),
            one_per_row(weights, len(array), np.float64, "weights")]
    settings = _library.Settings(_LIBRARY, {**options, "threads": whole(threads, "threads")}, bands=_bands(bands), classes=classes)
    work = _library.Work(_LIBRARY)
    work.run(_LIBRARY.parsimap_train, Given(array), *map(_address, rows), settings)
    return Model(work.model())


def classify(
    model: Model,
    scene: npt.ArrayLike,
    order: Tuple[int, int, int],
    bands: BandNames,
    nodata: Optional[float],
    layers: abc.Sequence[str],
    regularise: Optional[str],
    reject: Optional[float],
    reject_novelty: Optional[float],
    pixel_metres: Optional[float],
    threads: int = 0,
    progress: Optional[abc.Callable[[float], Any]] = None,
    piece: bool = False,
) -> Dict[str, Any]:
    """The class codes of an array of three dimensions and the layers asked for; `order` are its dimensions of rows, columns and bands.

    Of a `piece` of a scene, which may hold fill alone, the units are not compared with those of training."""
    values = {"nodata": _number(nodata), "layers": list(layers), "regularise": regularise, "reject": _number(reject),
              "reject-novelty": _number(reject_novelty), "pixel-metres": _number(pixel_metres), "threads": whole(threads, "threads"), "whole": None if piece else 1}
    settings = _library.Settings(_LIBRARY, values, bands=_bands(bands))
    work = _library.Work(_LIBRARY).run(_LIBRARY.parsimap_classify, model, Given(scene_array(scene, order)), settings, hear=_hearer(progress))
    return {name: work.array(name) for name in ("map", *layers)}


def _number(value: Optional[float]) -> Optional[float]:
    return None if value is None else float(value)


def map_reach(model: Model, regularise: Optional[str], pixel_metres: Optional[float]) -> int:
    """Pixels around one that have a say in its label."""
    settings = _library.Settings(_LIBRARY, {"regularise": regularise, "pixel-metres": _number(pixel_metres)})
    reach = ctypes.c_int64()
    _library.checked(_LIBRARY, _LIBRARY.parsimap_map_reach, model, settings, ctypes.byref(reach))
    return reach.value


def wavelength_nanometres(value: float, unit: str) -> Optional[float]:
    """A wavelength in nanometres, or None where the unit is not one of lengths."""
    found = _LIBRARY.parsimap_wavelength(value, _library.encoded(unit))
    return None if math.isnan(found) else found
