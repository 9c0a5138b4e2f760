"""The exceptions of the package, with the error messages of the program."""

import contextlib
import errno
import os
import re
import sys
import warnings


class ParsimapError(Exception):
    """Base class of all errors of the library."""


class ConfigError(ParsimapError, ValueError):
    """Wrong usage: an option, its value, or a combination of options."""


class DataError(ParsimapError, ValueError):
    """Invalid input: missing, unreadable, or inconsistent."""


class MissingFileError(DataError, FileNotFoundError):
    """An input file that does not exist; its name is in the attribute `filename`."""

    def __init__(self, sentence, path):
        super().__init__(sentence)
        self.errno, self.filename = errno.ENOENT, path

    def __str__(self):
        return self.args[0]

    def __reduce__(self):
        return type(self), (self.args[0], self.filename)


class IoError(ParsimapError, OSError):
    """A failure of reading or writing that is not caused by options or data, such as a full disk."""


class ParsimapWarning(UserWarning):
    """A result that may not be what the caller intends."""


def warn(sentence):
    """Warns of a call of this package, in the line of the first frame outside of it."""
    folder = os.path.dirname(__file__)
    frame, depth = sys._getframe(1), 2
    while frame is not None and os.path.dirname(frame.f_code.co_filename) == folder:
        frame, depth = frame.f_back, depth + 1
    warnings.warn(sentence, ParsimapWarning, stacklevel=depth)


@contextlib.contextmanager
def explained(paths, scene=None):
    """Makes errors about `paths` that do not exist errors of missing files, and says what may be wrong with the order of an array."""
    try:
        yield
    except (ConfigError, DataError) as error:
        sentence = str(error)
        # The values of other options, such as the name of a field, are among `paths` as well.
        missing = [path for path in map(os.fsdecode, paths) if path in sentence and not os.path.exists(path)]
        if isinstance(error, DataError) and missing and re.search("No such file|does not exist|there is no file", sentence):
            raise MissingFileError(sentence, max(missing, key=len)) from None
        shape = getattr(scene, "shape", ())
        if not hasattr(scene, "dims") and len(shape) == 3 and shape[0] < min(shape[1:]):
            raise type(error)(f"{sentence}. The scene is an array of {shape[0]} rows, {shape[1]} columns and {shape[2]} bands; arrays of rasterio "
                              f"are in the order bands, rows, columns: pass numpy.moveaxis(scene, 0, -1)") from None
        if hasattr(scene, "dims") and "--bands-by-position" in sentence:
            raise type(error)(f"{sentence}. The bands of an array without names, scene.values, are those of the model, in their order") from None
        raise
