"""The C interface of the library, parsimap.h, through ctypes.

Its shared libraries are the same for every version of Python and numpy. A call releases the lock of the interpreter. Calls that may take
long run in a thread of the library (`Work`), while Python asks for their progress and so notices Ctrl-C.
"""

import ctypes
import os
import platform
import sys

from . import _errors

VERSION = "0.3.0"  # of this file, and of a library that goes with it

# Where the libraries lie: in a wheel, in a build, and in a system.
_FOLDERS = ("lib/parsimap", "../../lib/parsimap", "../../../parsimap")

_P, _S, _I, _L, _D = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_int64, ctypes.c_double
# Result and arguments of each function, without the prefix "parsimap_".
_SIGNATURES = {
    "version": (_S,),
    "wavelength": (_D, _D, _S),
    "free": (None, _P),
    "new_settings": (_P,),
    "free_settings": (None, _P),
    "set_flag": (_I, _P, _S, _I),
    "set_integer": (_I, _P, _S, _L),
    "set_number": (_I, _P, _S, _D),
    "set_text": (_I, _P, _S, _S),
    "set_list": (_I, _P, _S, _P, ctypes.c_size_t),
    "set_argument": (_I, _P, _S, _S),
    "add_band": (_I, _P, _S, _D, _D, _D),
    "add_class": (_I, _P, ctypes.c_int32, _S),
    "set_geotransform": (_I, _P, _P),
    "call_path": (_I, _P, _S, _S),
    "load_model": (_I, _S, _P, _P),
    "model_of_bytes": (_I, _S, ctypes.c_size_t, _P, _P),
    "save_model": (_I, _P, _S, _P),
    "free_model": (None, _P),
    "model_content": (_I, _P, _I, _P, _P),
    "band_count": (_L, _P),
    "class_count": (_L, _P),
    "class_code": (ctypes.c_int32, _P, _L),
    "class_name": (_S, _P, _L),
    "class_colour": (_I, _P, _L, _P),
    "needs_pixel_metres": (_I, _P),
    "map_reach": (_I, _P, _P, _P, _P),
    "new_work": (_P,),
    "free_work": (None, _P),
    "next_event": (_I, _P, _I, _P),
    "finish": (_I, _P, _P),
    "stop": (None, _P),
    "take_array": (_I, _P, _S, _P, _P),
    "take_model": (_I, _P, _P, _P),
    "predict": (None, _P, _P, _I, _P, _L, _P),
    "train": (None, _P, _P, _P, _P, _P, _P),
    "classify": (None, _P, _P, _P, _P),
    "run": (None, _P, _S, _P),
    "train_scene": (None, _P, _P),
    "classify_scene": (None, _P, _P),
    "open_array": (_I, _P, _S, _P, _P, _P),
    "array_path": (_S, _P),
    "close_array": (None, _P),
}

_FAILURES = {1: _errors.ConfigError, 2: _errors.DataError, 3: _errors.IoError, 4: MemoryError}
_WAITING, _ENDED = 0, 4
_EVENTS = {1: "progress", 2: "message", 3: "warning"}
MODEL_FILE, MODEL_DESCRIPTION, MODEL_CARD, MODEL_PAGE = range(4)

_ORDER = "<" if sys.byteorder == "little" else ">"
# The numbers of the types are those of parsimap_type.
TYPES = ["|i1", "|u1"] + [_ORDER + code for code in ("i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8")]


class Array(ctypes.Structure):
    """parsimap_array"""

    _fields_ = [("data", _P), ("owner", _P), ("type", ctypes.c_int32), ("dimensions", ctypes.c_int32),
                ("shape", _L * 3), ("steps", _L * 3)]


class _Event(ctypes.Structure):
    _fields_ = [("text", _S), ("fraction", _D)]


# What a processor must have for the libraries in glibc-hwcaps, in the words of /proc/cpuinfo, the best first.
_V3 = {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"}
_LEVELS = {"x86-64-v4": _V3 | {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}, "x86-64-v3": _V3}


def _choose_mathematics(folder):
    """Loads the mathematics for this processor, which the others then use. The loader itself does so since glibc 2.33."""
    try:
        version = [int(part) for part in os.confstr("CS_GNU_LIBC_VERSION").split()[1].split(".")]
        if version >= [2, 33]:
            return
        with open("/proc/cpuinfo") as file:
            flags = next(set(line.split()) for line in file if line.startswith("flags"))
        for level, needed in _LEVELS.items():
            path = os.path.join(folder, "glibc-hwcaps", level, "libparsimap-mathematics.so")
            if needed <= flags and os.path.exists(path):
                ctypes.CDLL(path)
                return
    except (OSError, ValueError, AttributeError, StopIteration):
        pass  # another C library, or no /proc: the mathematics for all processors is right as well


def load(name):
    """The library of this name, with its functions declared; ImportError with a sentence if it cannot be used."""
    package = os.path.dirname(os.path.abspath(__file__))
    places = [os.path.normpath(os.path.join(package, folder)) for folder in _FOLDERS]
    path = next((path for path in (os.path.join(place, name) for place in places) if os.path.exists(path)), None)
    if path is None:
        raise ImportError(f"the library {name} of parsimap is missing; it was looked for in {', '.join(places)}")
    _choose_mathematics(os.path.dirname(path))
    try:
        library = ctypes.CDLL(path)
        library.parsimap_version.restype = _S
        version = library.parsimap_version().decode()
    except (OSError, AttributeError) as error:
        raise ImportError(f"the library of parsimap cannot be loaded on this computer ({sys.platform}, {platform.machine()}): {error}") from error
    if version != VERSION:
        raise ImportError(f"{path} is of version {version} and the Python package in {package} of version {VERSION}; install both from one package")
    for function, (result, *arguments) in _SIGNATURES.items():
        if hasattr(library, "parsimap_" + function):
            declared = getattr(library, "parsimap_" + function)
            declared.restype, declared.argtypes = result, arguments
            if function.startswith(("set_", "add_", "new_", "call_")):
                declared.errcheck = _made if function.startswith("new_") else _set
    return library


def _made(handle, function, arguments):
    if not handle:
        raise MemoryError("there is not enough memory")
    return handle


def _set(status, function, arguments):
    if status:
        raise MemoryError("there is not enough memory")


def text_of(content):
    """A text of the library. Names of files in it need not be UTF-8."""
    return content.decode("utf-8", "surrogateescape")


def encoded(text):
    """A text or the name of a file for the library."""
    content = text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")
    if b"\0" in content:
        raise ValueError(f"{text!r} contains a null byte")
    return content


def checked(library, function, *arguments):
    """Calls a function that returns a status, and raises what it says."""
    error = Array()
    status = function(*arguments, ctypes.byref(error))
    if status:
        sentence = text_of(taken_bytes(library, error)) if error.owner else "there is not enough memory"
        raise _FAILURES.get(status, RuntimeError)(sentence)


def taken_bytes(library, array):
    """The content of an array of characters, which is freed."""
    try:
        return ctypes.string_at(array.data, array.shape[0])
    finally:
        library.parsimap_free(array.owner)


class _Memory:
    """Memory of the library under an array of numpy, freed with the array."""

    def __init__(self, library, array):
        self._free, self._owner = library.parsimap_free, array.owner
        self.__array_interface__ = {"version": 3, "typestr": TYPES[array.type], "data": (array.data, False),
                                    "shape": tuple(array.shape[:array.dimensions])}

    def __del__(self):
        if hasattr(self, "_owner"):
            self._free(self._owner)


class Settings:
    """Values by name. None stands for a value that is not given; bands are tuples as of parsimap_add_band()."""

    def __init__(self, library, values, *, arguments=None, bands=(), classes=(), names=()):
        self._library = library
        self._as_parameter_ = library.parsimap_new_settings()
        for name, value in values.items():
            if value is not None:
                self._set(name, value)
        for name, value in (arguments or {}).items():
            library.parsimap_set_argument(self, encoded(name), encoded(value))
        for name, wavelength, scale, offset in bands:
            library.parsimap_add_band(self, encoded(name), float("nan") if wavelength is None else wavelength, scale, offset)
        for code, name in classes:
            library.parsimap_add_class(self, code, encoded(name))
        for path, name in names:
            library.parsimap_call_path(self, encoded(path), encoded(name))

    def _set(self, name, value):
        library, key = self._library, encoded(name)
        if isinstance(value, bool):
            library.parsimap_set_flag(self, key, value)
        elif isinstance(value, int):
            if not -2**63 <= value < 2**63:
                raise _errors.ConfigError(f"--{name} is {value}; a whole number must lie between -2^63 and 2^63")
            library.parsimap_set_integer(self, key, value)
        elif isinstance(value, float):
            library.parsimap_set_number(self, key, value)
        elif isinstance(value, (str, bytes)):
            library.parsimap_set_text(self, key, encoded(value))
        elif isinstance(value, list):
            library.parsimap_set_list(self, key, (_S * len(value))(*map(encoded, value)), len(value))
        else:
            raise TypeError(f"{name} is of type {type(value).__name__}; it must be a number, a text or a sequence of texts")

    def __del__(self):
        if hasattr(self, "_as_parameter_"):
            self._library.parsimap_free_settings(self)


class Work:
    """A call of the library that may take long."""

    def __init__(self, library):
        self._library, self._kept, self._process = library, (), os.getpid()
        self._as_parameter_ = library.parsimap_new_work()

    def run(self, function, *arguments, hear=None):
        """Calls function(self, *arguments) and waits for its end; `hear` is called with kind, text and fraction of events.

        What `hear` raises, and Ctrl-C, stop the work. The arguments are kept as long as this object, which outlives the work.
        """
        self._kept = arguments
        library, event = self._library, _Event()
        try:
            function(self, *arguments)
            while (kind := library.parsimap_next_event(self, 50, ctypes.byref(event))) != _ENDED:
                if hear is not None and kind != _WAITING:
                    hear(_EVENTS[kind], text_of(event.text), event.fraction)
        except BaseException:
            library.parsimap_stop(self)
            raise
        checked(library, library.parsimap_finish, self)
        return self

    def _taken(self, name):
        array = Array()
        checked(self._library, self._library.parsimap_take_array, self, encoded(name), ctypes.byref(array))
        return array

    def array(self, name):
        """An array that the work has made, without a copy."""
        import numpy as np

        return np.asarray(_Memory(self._library, self._taken(name)))

    def text(self, name):
        return text_of(taken_bytes(self._library, self._taken(name)))

    def model(self):
        """The handle of the model that the work has made."""
        handle = _P()
        checked(self._library, self._library.parsimap_take_model, self, ctypes.byref(handle))
        return handle

    def __del__(self):
        # A process that was forked meanwhile has no thread to wait for.
        if hasattr(self, "_as_parameter_") and self._process == os.getpid():
            self._library.parsimap_free_work(self)


def model_content(library, handle, part):
    content = Array()
    checked(library, library.parsimap_model_content, handle, part, ctypes.byref(content))
    return taken_bytes(library, content)
