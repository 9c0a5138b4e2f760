"""Classification of hyperspectral images with parsimonious Mahalanobis kernels.

`Classifier` is an estimator for scikit-learn, `Model` is a trained model, and `train`, `classify`, `sample`, `assess`, `inspect`, `suggest`,
`report` and `info` are the commands of the program `parsimap` as functions of files or arrays. Modules are loaded at their first use: importing the package loads
neither numpy, nor scikit-learn, nor GDAL.
"""

import importlib
import sys

if sys.version_info < (3, 11):
    raise ImportError("parsimap needs Python 3.11 or later, and this is Python %d.%d" % sys.version_info[:2])

# The module of each public name.
_HOMES = {
    "Classifier": "_classifier",
    "Model": "_model",
    "ClassInfo": "_model",
    "Session": "_session",
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
    "Cancelled": "_session",
    "ParsimapWarning": "_errors",
    "__version__": "_mathematics",
}

__all__ = [name for name in _HOMES if not name.startswith("_")]


def __getattr__(name):
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__():
    return sorted({*globals(), *_HOMES})
