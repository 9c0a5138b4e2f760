"""Classification of hyperspectral images with parsimonious Mahalanobis kernels.

`Classifier` is an estimator for scikit-learn, `Model` is a trained model, and `train`, `classify`, `sample`, `assess`, `inspect`, `suggest`,
`report` and `info` are the commands of the program `parsimap` as functions of files or arrays. Modules are loaded at their first use: importing the package loads
neither numpy, nor scikit-learn, nor GDAL.
"""

import importlib
import importlib.machinery
import os
import sys

# The module of each public name.
_HOMES = {
    "Classifier": "_classifier",
    "Model": "_model",
    "ClassInfo": "_model",
    "train": "commands",
    "classify": "commands",
    "sample": "commands",
    "assess": "commands",
    "inspect": "commands",
    "suggest": "commands",
    "report": "commands",
    "info": "commands",
    "ParsimapError": "_errors",
    "ConfigError": "_errors",
    "DataError": "_errors",
    "MissingFileError": "_errors",
    "IoError": "_errors",
    "ParsimapWarning": "_errors",
    "__version__": "_mathematics",
}

__all__ = [name for name in _HOMES if not name.startswith("_")]


def _check_python():
    """Says which Python the modules in C++ were built for, if it is not this one, which would not find them."""
    suffixes = [name.partition(".")[2] for name in os.listdir(__path__[0]) if name.startswith("_mathematics.cpython-")]
    if suffixes and not any("." + suffix in importlib.machinery.EXTENSION_SUFFIXES for suffix in suffixes):
        built_for = suffixes[0].split("-")[1]
        raise ImportError(f"parsimap in {__path__[0]} was built for Python {built_for[0]}.{built_for[1:]} and cannot be used "
                          f"with Python {sys.version_info[0]}.{sys.version_info[1]}")


_check_python()


def __getattr__(name):
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__():
    return sorted({*globals(), *_HOMES})
