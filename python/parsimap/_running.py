"""Runs the functions of `commands`: conversion of arguments, progress and messages, and results."""

import contextlib
import json
import logging
import os
import tempfile
from collections import abc

from ._errors import ConfigError, explained, warn
from ._rasters import TABLES, Rasters, as_result, is_array, is_data_array, is_table
from ._progress import progress_shown

logger = logging.getLogger("parsimap")

# Layers in the order of `classify --help`, which can be returned as arrays.
LAYERS = ("probabilities", "confidence", "uncertainty", "decision_values", "novelty", "applicability", "deciding", "sets_out")

# Parameters whose options have another name in the program, because an argument has the same name.
OPTION_NAMES = {"further_labels": "labels", "further_scenes": "scene", "several_scenes": "scene"}


def text_of(value):
    """A file name as str or bytes; numbers and strings unchanged."""
    return os.fsencode(value) if isinstance(value, (str, bytes, os.PathLike)) else value


def entry_text(value):
    """An entry of a list as text."""
    return text_of(value if isinstance(value, (str, bytes, os.PathLike)) else format(value))


def entries_of(value):
    """The values of an option that may be repeated."""
    if isinstance(value, abc.Mapping):
        return [f"{key}={entry}" for key, entry in value.items()]
    return list(value)


def option_value(name, value, rasters):
    """The value of one option: a bool, a number, a string, or a list of strings."""
    if is_array(value) and value.ndim == 1:
        value = getattr(value, "values", value).tolist()  # a raster has more dimensions
    if is_array(value) or is_table(value) or (name in TABLES and isinstance(value, (str, bytes, os.PathLike))):
        return text_of(rasters.path_of(value, name))
    if isinstance(value, (str, bytes, os.PathLike)) or not (isinstance(value, abc.Mapping) or hasattr(value, "__iter__")):
        return text_of(number_of(value))
    entries = []
    for number, entry in enumerate(entries_of(value), start=1):
        if isinstance(entry, (tuple, list)):
            entry = ",".join(rasters.path_of(part, f"{name} {number}") for part in entry)
        elif is_array(entry) or is_table(entry) or name in TABLES:
            entry = rasters.path_of(entry, f"{name} {number}")
        entries.append(entry_text(entry))
    return entries


def number_of(value):
    """numpy numbers as Python numbers."""
    return value.item() if hasattr(value, "item") else value


def values_of(given, arguments, rasters):
    """The given options and arguments, by their names in the program."""
    options = {}
    for name, value in given.items():
        if name not in arguments and value is not None and value is not False:
            options[OPTION_NAMES.get(name, name).replace("_", "-")] = option_value(name, value, rasters)
    there = {name.upper(): os.fsencode(rasters.path_of(given[name], name)) for name in arguments if given[name] is not None}
    return options, there


def paths_of(given):
    """The names of files among the values of parameters."""
    values = [entry for value in given.values() for entry in (value if isinstance(value, (list, tuple)) else [value])]
    return [value for value in values if isinstance(value, (str, bytes, os.PathLike)) and value]


@contextlib.contextmanager
def heard(progress):
    """A callable for the output of a command: progress to a bar or a callable, messages to the log, warnings as warnings."""
    with progress_shown(progress) as show:

        def hear(kind, text, fraction):
            if kind == "progress":
                show(text, fraction)
            elif kind == "message":
                logger.info(text)
            else:
                warn(text)

        yield hear


def train(given):
    from . import _commands
    from ._model import Model

    progress = given.pop("progress")
    with explained(paths_of(given), given["scene"]), Rasters() as rasters, heard(progress) as hear:
        options, arguments = values_of(given, ("scene", "labels", "model"), rasters)
        document, content = _commands.train(options, arguments, rasters.names, hear)
    model = Model.from_bytes(content)
    model.record = json.loads(document)
    if given["model"] is None:
        model.record["model"] = None
    return model


def with_bands(given):
    """The bands of an array without names are those of the model, in their order."""
    is_plain = is_array(given.get("scene")) and not is_data_array(given["scene"])
    return {**given, "bands_by_position": True} if is_plain and "bands_by_position" in given else given


def classify(given):
    from . import _commands

    progress = given.pop("progress")
    to_memory = all(given[name] is None for name in ("map", "several_scenes", "scenes"))
    layers = [name for name in LAYERS if given[name] is True]
    if layers and not to_memory:
        raise ConfigError(f"{layers[0]} is True, which is for a map that is returned; name the file that it goes to beside the map")
    if not to_memory:
        return document_of("classify", given, ("scene", "model", "map"), progress)
    given = with_bands(given)
    scene = given["scene"]
    for name in layers:
        given[name] = None
    with explained(paths_of(given), scene), Rasters() as rasters, heard(progress) as hear:
        options, arguments = values_of(given, ("scene", "model", "map"), rasters)
        wanted = [name.replace("_", "-") for name in layers]
        for name in ("output-dir", "mosaic", "like", "shard"):
            if name in options:
                raise ConfigError(f"--{name} belongs to maps that are written to files")
        document, arrays = _commands.classify(options, arguments, wanted, rasters.names, hear)
    return as_result(scene, {name.replace("-", "_"): array for name, array in arrays.items()}, json.loads(document))


def document_of(command, given, arguments, progress):
    from . import _commands

    given = with_bands(given)
    with explained(paths_of(given), given.get("scene")), Rasters() as rasters, heard(progress) as hear:
        options, there = values_of(given, arguments, rasters)
        return json.loads(_commands.run(command, options, there, rasters.names, hear))


def report(given):
    if given["output"] is not None:
        return run("report", given, ("model", "map", "accuracy"))
    with tempfile.TemporaryDirectory() as folder:
        given["output"] = os.path.join(folder, "page.html")
        run("report", given, ("model", "map", "accuracy"))
        with open(given["output"], encoding="utf-8") as page:
            return page.read()


def suggest(given):
    if given["places"] is not None:
        return run("suggest", given, ("scene", "model", "places"))
    with tempfile.TemporaryDirectory() as folder:
        given["places"] = os.path.join(folder, "places.gpkg")
        return {**run("suggest", given, ("scene", "model", "places")), "file": None}


def run(command, given, arguments):
    """The document of a command whose parameters `given` are, with the names of its arguments."""
    return document_of(command, given, arguments, given.pop("progress"))
