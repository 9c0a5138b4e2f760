"""Parameters of Processing for the arguments and options of a command, made of what `parsimap usage json` says of them."""

from qgis.core import (
    QgsProcessing,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterCrs,
    QgsProcessingParameterDefinition,
    QgsProcessingParameterEnum,
    QgsProcessingParameterField,
    QgsProcessingParameterFile,
    QgsProcessingParameterFileDestination,
    QgsProcessingParameterFolderDestination,
    QgsProcessingParameterMapLayer,
    QgsProcessingParameterMultipleLayers,
    QgsProcessingParameterNumber,
    QgsProcessingParameterRasterDestination,
    QgsProcessingParameterRasterLayer,
    QgsProcessingParameterString,
    QgsProcessingParameterVectorDestination,
    QgsProcessingParameterVectorLayer,
    QgsProject,
    QgsRasterLayer,
    QgsVectorLayer,
)
import qgis.utils

from .remembered import in_window_thread, kept_layer

MOST_INTEGER = 2**31 - 1


def parameter_names(arguments, options):
    """The name of each argument and then of each option. None is there twice, although an option may be called like an
    argument, and QGIS does not distinguish capital letters from small ones."""
    names = [argument["name"].upper() for argument in arguments]
    for option in options:
        name = option["name"].replace("-", "_").upper()
        while name in names:
            name = "OPTION_" + name
        names.append(name)
    return names


def is_layer_or_document(argument):
    """Whether an argument is a layer or a file that is none, such as the model or scene of Info."""
    file = argument.get("file", {"contents": [], "written": False})
    return {"raster", "document"} <= set(file["contents"]) and not file["written"] and "kind" not in argument


def layer_parameter(argument, name):
    """The layer of such an argument, beside its file."""
    parameter = QgsProcessingParameterRasterLayer(name + "_LAYER", "Layer", optional=True)
    parameter.setHelp("A raster of the project, instead of “{}”.".format(argument["label"]))
    return parameter


def argument_parameter(argument, name):
    optional = "instead" in argument or is_layer_or_document(argument)
    return _file(argument, name, optional) or _text(argument, name, optional)


def offered_layer(argument):
    """The id of the layer that a dialog shows at first; None where there is none. QGIS itself chooses none for arguments
    that an option may stand in for, and for others any that is active: a map as scene, or the scene as labels."""
    file = argument.get("file", {"contents": [], "written": False})
    if file["written"] or not set(file["contents"]) <= {"raster", "vector"}:
        return None
    if not in_window_thread():
        return None
    kept = kept_layer(argument["name"])
    if kept is not None:
        return kept.id()
    active = qgis.utils.iface.activeLayer() if qgis.utils.iface else None
    layers = [active] + QgsProject.instance().layerTreeRoot().layerOrder()
    if "vector" in file["contents"]:
        fitting = [layer for layer in layers if isinstance(layer, QgsVectorLayer)]
    else:
        rasters = [layer for layer in layers if isinstance(layer, QgsRasterLayer) and layer.isValid()]
        fitting = _scenes(rasters) if argument["name"] == "SCENE" else _maps(rasters)
    return fitting[0].id() if fitting else None


def _scenes(rasters):
    """Rasters without the maps and layers of Classify, those of many bands first."""
    return sorted((raster for raster in rasters if not _made_with(raster)), key=lambda raster: raster.bandCount() < 2)


def _maps(rasters):
    """The maps of Classify first, then other rasters of one band, and its layers last."""
    return sorted(rasters, key=lambda raster: (_made_with(raster) == "layer", not _made_with(raster), raster.bandCount() > 1))


def _made_with(raster):
    """Whether a raster is a "map" or a "layer" of Classify by its metadata; otherwise an empty text."""
    metadata = raster.dataProvider().htmlMetadata()
    if "PARSIMAP_MODEL_SHA256=" not in metadata:
        return ""
    return "map" if "PARSIMAP_MODEL=" in metadata else "layer"


def option_parameter(option, name, labelled_layer):
    """`labelled_layer` is the name of the parameter whose fields an option may name."""
    if option.get("names_field") and labelled_layer:
        parameter = QgsProcessingParameterField(
            name, option["label"], parentLayerParameterName=labelled_layer, optional=True
        )
        # In dialogs, the widget of QGIS for fields ends the whole program where the layer is a raster.
        _set_widget(parameter, layer_parameter=labelled_layer)
    else:
        parameter = _option(option, name)
    if not option["basic"]:
        parameter.setFlags(parameter.flags() | QgsProcessingParameterDefinition.Flag.FlagAdvanced)
    return parameter


def _option(option, name):
    if option["kind"] == "flag":
        return QgsProcessingParameterBoolean(name, option["label"], defaultValue=False)
    if option["kind"] == "integer":
        return QgsProcessingParameterNumber(
            name,
            option["label"],
            defaultValue=int(option["default"]) if "default" in option else None,
            optional=True,
            minValue=max(option["least"], -MOST_INTEGER),
            maxValue=min(option.get("most", MOST_INTEGER), MOST_INTEGER),
        )
    if option["kind"] == "number":
        return QgsProcessingParameterNumber(
            name,
            option["label"],
            QgsProcessingParameterNumber.Type.Double,
            optional=True,
            minValue=option.get("least", -float("inf")),
            maxValue=option.get("most", float("inf")),
        )
    return _file(option, name, optional=True) or _text(option, name, optional=True)


def _text(item, name, optional):
    if item.get("value") == "EPSG:N":
        return QgsProcessingParameterCrs(name, item["label"], optional=optional)
    choices = item.get("choices", [])
    if choices and _are_all(item):
        return QgsProcessingParameterEnum(
            name, item["label"], choices, defaultValue=item.get("default"), optional=optional, usesStaticStrings=True
        )
    parameter = QgsProcessingParameterString(
        name, item["label"], defaultValue=item.get("default"), optional=optional, multiLine=item.get("kind") == "list"
    )
    if choices:
        _set_widget(parameter, choices=choices)
    return parameter


def _are_all(item):
    """Whether an item is one of its choices: none is completed, and none stands beside a number, as in none or N."""
    return item.get("value") != "N" and not any(choice.endswith(":") for choice in item["choices"])


def _set_widget(parameter, **arguments):
    parameter.setMetadata({"widget_wrapper": {"class": __package__ + ".lists.ListWidget", **arguments}})


def _file(item, name, optional):
    """None for an item that names no file."""
    file = item.get("file")
    if file is None:
        return None
    if file["written"]:
        return _written(item, name, optional)
    if item.get("kind") == "list":
        return QgsProcessingParameterMultipleLayers(name, item["label"], _layer_type(file), optional=optional)
    return _read(item, name, optional)


def _written(item, name, optional):
    # What is shown first of a dialog is also made without being asked for, such as the report, but no further raster.
    # So is an argument, also one that an option may stand in for.
    contents = item["file"]["contents"]
    shown = item.get("basic", True) and not ("basic" in item and contents == ["raster"])
    options = {"optional": optional, "createByDefault": not optional or shown}
    if contents == ["folder"]:
        return QgsProcessingParameterFolderDestination(name, item["label"], **options)
    if contents == ["raster"]:
        return QgsProcessingParameterRasterDestination(name, item["label"], **options)
    if contents == ["vector"]:
        return QgsProcessingParameterVectorDestination(name, item["label"], **options)
    # QGIS shows what is of this type of file in its viewer of results.
    return QgsProcessingParameterFileDestination(name, item["label"], _filter(item["file"]), **options)


def _read(item, name, optional):
    file = item["file"]
    if "folder" in file["contents"]:
        folder = QgsProcessingParameterFile.Behavior.Folder
        return QgsProcessingParameterFile(name, item["label"], behavior=folder, optional=optional)
    if "document" in file["contents"]:
        return QgsProcessingParameterFile(name, item["label"], fileFilter=_filter(file), optional=optional)
    if file["contents"] == ["raster"]:
        return QgsProcessingParameterRasterLayer(name, item["label"], optional=optional)
    if file["contents"] == ["vector"]:
        return QgsProcessingParameterVectorLayer(name, item["label"], [QgsProcessing.SourceType.TypeVector], optional=optional)
    types = [QgsProcessing.SourceType.TypeRaster, QgsProcessing.SourceType.TypeVectorAnyGeometry]
    return QgsProcessingParameterMapLayer(name, item["label"], types=types, optional=optional)


def _layer_type(file):
    if file["contents"] == ["raster"]:
        return QgsProcessing.SourceType.TypeRaster
    if file["contents"] == ["vector"]:
        return QgsProcessing.SourceType.TypeVector
    kinds = QgsProcessing.SourceType
    return kinds.TypeFile if "document" in file["contents"] else kinds.TypeMapLayer


def _filter(file):
    """As QGIS writes it for dialogs that choose a file."""
    filters = ["{} files (*{})".format(extension[1:].upper(), extension) for extension in file["extensions"]]
    if len(filters) > 1 and not file["written"]:
        filters = ["Files of this kind ({})".format(" ".join("*" + extension for extension in file["extensions"]))]
    return ";;".join(filters + ["All files (*)"])
