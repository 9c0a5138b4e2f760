"""Arrays of numpy for the library, without a copy where their type and order allow it."""

import ctypes
import operator

import numpy as np

from ._library import TYPES, Array

if np.lib.NumpyVersion(np.__version__) < "1.24.0":
    raise ImportError(f"parsimap needs numpy 1.24 or later, and numpy {np.__version__} is installed")


class Given:
    """An array of numpy as the argument of a function of the library; it keeps the values."""

    def __init__(self, array):
        self._values = array
        steps = [stride // max(array.itemsize, 1) for stride in array.strides]
        self._array = Array(array.ctypes.data, None, TYPES.index(array.dtype.str), array.ndim, array.shape, tuple(steps))
        self._as_parameter_ = ctypes.byref(self._array)


def real_array(values, dimensions, name):
    """Numbers of any real type in so many dimensions."""
    array = np.asarray(values)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name} must hold real numbers, and holds {array.dtype}")
    if array.ndim != dimensions:
        raise ValueError(f"{name} must have {dimensions} dimensions, and has {array.ndim}")
    return array


def spectra_array(values):
    """Row-major single or double precision in two dimensions: as it is, or else converted to double precision."""
    array = real_array(values, 2, "spectra")
    is_plain = array.dtype.str in TYPES[-2:] and array.flags.c_contiguous and array.flags.aligned
    return array if is_plain else doubles(array)


def strided_array(array):
    """The array with a type and steps that the library reads: as it is, or else converted to double precision."""
    whole = all(stride % array.itemsize == 0 for stride in array.strides)
    return array if array.dtype.str in TYPES and array.flags.aligned and whole else doubles(array)


def scene_array(scene, order, name="the scene"):
    """Three dimensions, of which `order` are those of rows, columns and bands, in this order."""
    array = real_array(scene, 3, name)
    if sorted(order) != [0, 1, 2]:
        raise ValueError("order must have each of the dimensions 0, 1 and 2")
    if array.size == 0:
        raise ValueError(f"{name} has no values")
    return strided_array(array).transpose(order)


def doubles(values):
    return np.require(values, np.float64, ["C", "A"])


def one_per_row(values, rows, dtype, name):
    """A number for each row; None stays None."""
    if values is None:
        return None
    array = np.require(values, dtype, ["C", "A"])
    if array.shape != (rows,):
        raise ValueError(f"{name} must be one for every row of spectra")
    return array


def whole(value, name):
    """An integer for a function of C, which would take another one for one that does not fit."""
    value = operator.index(value)
    if not -2**63 <= value < 2**63:
        raise ValueError(f"{name} is {value}; it is too large")
    return value
