"""One command of the program as an algorithm: its arguments and options, as `parsimap usage json` lists them, become
parameters."""

from qgis.core import (
    QgsProcessing,
    QgsProcessingAlgorithm,
    QgsProcessingException,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterDefinition,
    QgsProcessingParameterEnum,
    QgsProcessingParameterField,
    QgsProcessingParameterFile,
    QgsProcessingParameterFileDestination,
    QgsProcessingParameterFolderDestination,
    QgsProcessingParameterMapLayer,
    QgsProcessingParameterNumber,
    QgsProcessingParameterRasterDestination,
    QgsProcessingParameterRasterLayer,
    QgsProcessingParameterString,
    QgsRasterLayer,
)

from . import program

MODEL_FILTER = "Models of parsimap (*.parsimap);;All files (*)"
RASTER_INPUTS = {("train", "SCENE"), ("classify", "SCENE"), ("assess", "MAP")}
LABEL_INPUTS = {("train", "LABELS"), ("assess", "REFERENCE")}
# Options that name a file are inputs, but for these; the rasters are outputs of classify.
RASTER_OUTPUTS = {"probabilities", "confidence", "uncertainty", "decision-values", "novelty"}
FILE_OUTPUTS = {
    "report": "Web page (*.html)",
    "samples-out": "GeoPackage (*.gpkg)",
    "predictions": "GeoPackage (*.gpkg);;Comma-separated values (*.csv)",
}
ALWAYS_SHOWN = {"class-field", "where"} | RASTER_OUTPUTS | set(FILE_OUTPUTS)


class ParsimapAlgorithm(QgsProcessingAlgorithm):
    def __init__(self, command, options):
        """`command` as in the program's usage, `options` those of its own and of all commands that are parameters."""
        super().__init__()
        self.command = command
        self.options = options

    def createInstance(self):  # noqa: N802
        return ParsimapAlgorithm(self.command, self.options)

    def name(self):
        return self.command["name"]

    def displayName(self):  # noqa: N802
        return self.command["name"].capitalize()

    def shortDescription(self):  # noqa: N802
        return self.command["summary"]

    def shortHelpString(self):  # noqa: N802
        lines = [self.command["description"].replace("\n", " ")]
        for item in self.command["arguments"] + self.options:
            lines.append("<b>{}</b>: {}".format(_label(item["name"]), item["description"]))
        return "<br/><br/>".join(lines)

    def initAlgorithm(self, configuration=None):  # noqa: N802
        for argument in self.command["arguments"]:
            self.addParameter(self._argument(argument["name"]))
        for option in self.options:
            parameter = self._option(option)
            if option["name"] not in ALWAYS_SHOWN:
                parameter.setFlags(parameter.flags() | QgsProcessingParameterDefinition.FlagAdvanced)
            parameter.setHelp(option["description"])
            self.addParameter(parameter)

    def _argument(self, name):
        key = (self.command["name"], name)
        if key in RASTER_INPUTS:
            return QgsProcessingParameterRasterLayer(name, _label(name))
        if key in LABEL_INPUTS:
            return QgsProcessingParameterMapLayer(
                name, _label(name), types=[QgsProcessing.TypeRaster, QgsProcessing.TypeVectorAnyGeometry]
            )
        if key == ("train", "MODEL"):
            return QgsProcessingParameterFileDestination(name, _label(name), MODEL_FILTER)
        if key == ("classify", "MAP"):
            return QgsProcessingParameterRasterDestination(name, _label(name))
        return QgsProcessingParameterFile(name, _label(name), fileFilter=MODEL_FILTER)

    def _option(self, option):
        name, label = _parameter_name(option), _label(option["name"])
        choices = option.get("choices", [])
        default = option.get("default")
        if option["kind"] == "flag":
            return QgsProcessingParameterBoolean(name, label, defaultValue=False)
        if option["kind"] == "integer":
            return QgsProcessingParameterNumber(
                name,
                label,
                defaultValue=None if default is None else int(default),
                optional=True,
                minValue=option["least"],
                maxValue=min(option.get("most", 2**31 - 1), 2**31 - 1),
            )
        if choices and not any(choice.endswith(":") for choice in choices):
            return QgsProcessingParameterEnum(
                name, label, choices, defaultValue=default, optional=True, usesStaticStrings=True
            )
        if option.get("value") in ("FILE", "MAP") and option["kind"] == "text":
            return self._file(option["name"], name, label)
        if option.get("value") == "DIR":
            return QgsProcessingParameterFolderDestination(name, label, optional=True, createByDefault=False)
        if option["name"] == "class-field":
            labels = next(argument for command, argument in LABEL_INPUTS if command == self.command["name"])
            return QgsProcessingParameterField(name, label, parentLayerParameterName=labels, optional=True)
        return QgsProcessingParameterString(
            name, label, defaultValue=default, optional=True, multiLine=option["kind"] == "list"
        )

    def _file(self, option_name, name, label):
        if option_name in RASTER_OUTPUTS and self.command["name"] == "classify":
            return QgsProcessingParameterRasterDestination(name, label, optional=True, createByDefault=False)
        if option_name in FILE_OUTPUTS:
            return QgsProcessingParameterFileDestination(
                name, label, FILE_OUTPUTS[option_name], optional=True, createByDefault=False
            )
        return QgsProcessingParameterFile(name, label, optional=True)

    def processAlgorithm(self, parameters, context, feedback):  # noqa: N802
        outputs = {}
        words = [self.command["name"]]
        for argument in self.command["arguments"]:
            words.append(self._value(argument["name"], parameters, context, feedback, outputs))
        for option in self.options:
            words += self._option_words(option, parameters, context, feedback, outputs)
        # QGIS has asked already.
        words.append("--overwrite")
        try:
            printed = program.run(words, feedback)
        except program.ProgramError as error:
            raise QgsProcessingException(str(error)) from error
        if printed is None:  # cancelled
            return {}
        feedback.pushConsoleInfo(printed)
        return outputs

    def _option_words(self, option, parameters, context, feedback, outputs):
        name = _parameter_name(option)
        word = "--" + option["name"]
        if option["kind"] == "flag":
            return [word] if self.parameterAsBool(parameters, name, context) else []
        if parameters.get(name) in (None, ""):
            return []
        value = self._value(name, parameters, context, feedback, outputs)
        if option["kind"] == "list":
            return [part for line in value.splitlines() if line.strip() for part in (word, line.strip())]
        return [word, value] if value else []

    def _value(self, name, parameters, context, feedback, outputs):
        """The text that the program is given for a parameter; those of outputs are noted."""
        definition = self.parameterDefinition(name)
        if isinstance(definition, QgsProcessingParameterRasterDestination):
            outputs[name] = self.parameterAsOutputLayer(parameters, name, context)
            return outputs[name]
        if isinstance(definition, (QgsProcessingParameterFileDestination, QgsProcessingParameterFolderDestination)):
            outputs[name] = self.parameterAsFileOutput(parameters, name, context)
            return outputs[name]
        if isinstance(definition, QgsProcessingParameterRasterLayer):
            return self.parameterAsRasterLayer(parameters, name, context).source()
        if isinstance(definition, QgsProcessingParameterMapLayer):
            return self._labels(name, parameters, context, feedback)
        if isinstance(definition, QgsProcessingParameterEnum):
            return self.parameterAsEnumString(parameters, name, context)
        if isinstance(definition, QgsProcessingParameterNumber):
            return str(self.parameterAsInt(parameters, name, context))
        return self.parameterAsString(parameters, name, context)

    def _labels(self, name, parameters, context, feedback):
        layer = self.parameterAsLayer(parameters, name, context)
        if isinstance(layer, QgsRasterLayer):
            return layer.source()
        # A layer that is filtered or in no file is exported.
        return self.parameterAsCompatibleSourceLayerPath(
            parameters, name, context, ["gpkg", "shp", "geojson", "json", "kml", "fgb", "sqlite"], "gpkg", feedback
        )


def _label(name):
    return name if name.isupper() else name.replace("-", " ").capitalize()


def _parameter_name(option):
    return option["name"].replace("-", "_").upper()

