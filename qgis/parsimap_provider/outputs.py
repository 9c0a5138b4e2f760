"""Files that a run would replace although someone still needs them: what layers of the project show."""

import contextlib
import os

from qgis.core import (
    QgsProcessingException,
    QgsProcessingOutputLayerDefinition,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterDefinition,
    QgsProviderRegistry,
    QgsVectorLayer,
)

REPLACE_SHOWN = "REPLACE_SHOWN"
TEMPORARY_OUTPUT = "TEMPORARY_OUTPUT"  # as QGIS has it in parameters


def replacing_parameter():
    """Dialogs ask instead; it is for scripts, models and batch processes."""
    parameter = QgsProcessingParameterBoolean(
        REPLACE_SHOWN, "Replace files that layers of the project show", defaultValue=False
    )
    parameter.setHelp("Otherwise a run ends with an error where an output is such a file. Unsaved edits are never replaced.")
    parameter.setFlags(parameter.flags() | QgsProcessingParameterDefinition.Flag.FlagAdvanced)
    return parameter


def source_path(layer):
    """The file of a layer without the names of its parts; empty where it has none."""
    return QgsProviderRegistry.instance().decodeUri(layer.providerType(), layer.source()).get("path") or ""


def shown_layers(file, project):
    """The layers of a project that show a file."""
    wanted = os.path.realpath(file)
    layers = project.mapLayers().values() if project else []
    return [layer for layer in layers if source_path(layer) and os.path.realpath(source_path(layer)) == wanted]


def edited_layer(layers):
    """The first of some layers with edits that are not saved, or None."""
    return next((layer for layer in layers if isinstance(layer, QgsVectorLayer) and layer.isModified()), None)


def chosen_outputs(algorithm, parameters):
    """The files by the names of their parameters, without temporary ones, which get new names."""
    files = {}
    for definition in algorithm.destinationParameterDefinitions():
        value = parameters.get(definition.name())
        if isinstance(value, QgsProcessingOutputLayerDefinition):
            value = value.sink.staticValue()
        if isinstance(value, str) and value and value != TEMPORARY_OUTPUT:
            files[definition.name()] = value
    return files


def check_outputs(algorithm, parameters, project, replacing):
    """The layers that show an output, by its file. What may not be replaced is an error."""
    shown = {}
    for file in chosen_outputs(algorithm, parameters).values():
        layers = shown_layers(file, project)
        edited = edited_layer(layers)
        if edited:
            raise QgsProcessingException(
                "{} is not replaced, because the layer '{}' has edits that are not saved. Save or discard them, or choose "
                "another file.".format(file, edited.name())
            )
        if layers and not replacing:
            raise QgsProcessingException(
                "{} is not replaced, because the layer '{}' shows it. Choose another file, remove the layer, or set "
                "{}.".format(file, layers[0].name(), REPLACE_SHOWN)
            )
        if layers:
            shown[file] = layers
    return shown


@contextlib.contextmanager
def set_aside(files):
    """Files that may be replaced have another name while they are made anew, because the program keeps points that have
    labels. They come back where nothing was made."""
    asides = {file: free_name(file) for file in files if os.path.isfile(file)}
    for file, aside in asides.items():
        os.rename(file, aside)
    try:
        yield
    finally:
        for file, aside in asides.items():
            if os.path.exists(file):
                os.remove(aside)
            else:
                os.rename(aside, file)


def free_name(file):
    """A name like that of a file which no file has, as places_2.gpkg."""
    stem, extension = os.path.splitext(file)
    number = 2
    while os.path.exists("{}_{}{}".format(stem, number, extension)):
        number += 1
    return "{}_{}{}".format(stem, number, extension)
