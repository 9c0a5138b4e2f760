"""How the functions of `commands` run: words for the command line, what is heard meanwhile, and results."""

import contextlib
import json
import logging
import os
import sys
import warnings
from collections import abc

from ._errors import ConfigError, ParsimapWarning
from ._rasters import Rasters, as_result, is_array
from ._progress import progress_shown

logger = logging.getLogger("parsimap")

# Options in the order of `classify --help`, which are arrays in a map without a file.
LAYERS = ("probabilities", "confidence", "uncertainty", "decision_values", "novelty")

# Parameters that the program knows as options by another name, since arguments have it.
OPTION_NAMES = {"further_labels": "labels", "further_scenes": "scene", "several_scenes": "scene"}

# Options that stand in for the arguments that name a scene.
STAND_INS = ("library", "further_scenes", "several_scenes", "scenes")


def text_of(value):
    """A name of a file, a number or a text as a word."""
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, bytes):
        value = os.fsdecode(value)
    return value if isinstance(value, str) else format(value)


def entries_of(value):
    """What an option that may be repeated has."""
    if isinstance(value, abc.Mapping):
        return [f"{key}={text_of(entry)}" for key, entry in value.items()]
    if isinstance(value, (str, bytes, os.PathLike)):
        return [value]
    return list(value)


def option_words(name, value, rasters):
    """The words of one option."""
    word = "--" + OPTION_NAMES.get(name, name).replace("_", "-")
    if value is None or value is False:
        return []
    if value is True:
        return [word]
    if is_array(value):
        return [f"{word}={rasters.path_of(value, name)}"]
    if isinstance(value, (str, bytes, os.PathLike)) or not (isinstance(value, abc.Mapping) or hasattr(value, "__iter__")):
        return [f"{word}={text_of(value)}"]
    words = []
    for number, entry in enumerate(entries_of(value), start=1):
        if isinstance(entry, (tuple, list)):
            entry = ",".join(rasters.path_of(part, f"{name} {number}") for part in entry)
        words.append(f"{word}={text_of(entry)}")
    return words


def words_of(given, arguments, rasters):
    """All words: options first, then the arguments that are there."""
    words = []
    for name, value in given.items():
        if name not in arguments:
            words += option_words(name, value, rasters)
    there = [name for name in arguments if given[name] is not None]
    missing = [name for name in arguments[: arguments.index(there[-1])] if name not in there] if there else []
    if missing and all(given.get(option) is None for option in STAND_INS):
        raise ConfigError(f"argument {missing[0].upper()} is missing")
    words += ["--"] + [rasters.path_of(given[name], name) for name in there]
    # Names of files need not be text.
    return [os.fsencode(word) for word in words]


@contextlib.contextmanager
def heard(progress):
    """A callable for what a command says: progress to a bar or a callable, messages to the log, warnings as such."""
    with progress_shown(progress) as show:

        def hear(kind, text, fraction):
            if kind == "progress":
                show(text, fraction)
            elif kind == "message":
                logger.info(text)
            else:
                warnings.warn(text, ParsimapWarning, stacklevel=_outside())

        yield hear


def _outside():
    """How many frames lie between warnings.warn() and the first one outside of this package and of the standard library's helpers."""
    folder = os.path.dirname(__file__)
    frame, depth = sys._getframe(1), 1
    while frame is not None and os.path.dirname(frame.f_code.co_filename) == folder:
        frame, depth = frame.f_back, depth + 1
    return depth


def train(given):
    from . import _commands
    from ._model import Model

    progress, write = given.pop("progress"), given["model"] is not None
    with Rasters() as rasters, heard(progress) as hear:
        if not write:
            given["model"] = "no file"
        words = words_of(given, ("scene", "labels", "model"), rasters)
        document, content = _commands.train(words, write, rasters.names, hear)
    model = Model.from_bytes(content)
    model.record = json.loads(document)
    if not write:
        model.record["model"] = None
    return model


def classify(given):
    from . import _commands

    progress = given.pop("progress")
    to_memory = all(given[name] is None for name in ("map", "several_scenes", "scenes"))
    layers = [name for name in LAYERS if given[name] is True]
    if layers and not to_memory:
        raise ConfigError(f"{layers[0]} is True, which is for a map that is returned; name the file that it goes to beside the map")
    if not to_memory:
        return document_of("classify", given, ("scene", "model", "map"), progress)
    scene, given["map"] = given["scene"], "no file"
    for name in layers:
        given[name] = None
    with Rasters() as rasters, heard(progress) as hear:
        words = words_of(given, ("scene", "model", "map"), rasters)
        options = [name.replace("_", "-") for name in layers]
        document, arrays = _commands.classify(words, options, rasters.names, hear)
    return as_result(scene, {name.replace("-", "_"): array for name, array in arrays.items()}, json.loads(document))


def document_of(command, given, arguments, progress):
    from . import _commands

    with Rasters() as rasters, heard(progress) as hear:
        words = words_of(given, arguments, rasters)
        return json.loads(_commands.run(command, words, rasters.names, hear))


def assess(given):
    return document_of("assess", given, ("map", "reference"), given.pop("progress"))


def inspect(given):
    return document_of("inspect", given, ("model", "scene", "labels"), given.pop("progress"))
