"""One command of the program as an algorithm: its arguments and options, as `parsimap usage json` lists them, become
parameters."""

import os
from html import escape

from qgis.core import (
    QgsProcessingAlgorithm,
    QgsProcessingException,
    QgsProcessingMultiStepFeedback,
    QgsProcessingOutputHtml,
    QgsProcessingOutputLayerDefinition,
    QgsProcessingParameterCrs,
    QgsProcessingParameterDefinition,
    QgsProcessingParameterEnum,
    QgsProcessingParameterFileDestination,
    QgsProcessingParameterFolderDestination,
    QgsProcessingParameterMultipleLayers,
    QgsProcessingParameterNumber,
    QgsProcessingParameterRasterDestination,
    QgsProcessingParameterVectorDestination,
    QgsProcessingUtils,
)

from qgis.utils import pluginMetadata

from . import program
from .icon import icon
from .inputs import layer_files, selection_parameter, without_definitions
from .made_layers import reload_layer, show_made_layers
from .outputs import REPLACE_SHOWN, check_outputs, replacing_parameter, set_aside
from .parameters import (
    argument_parameter,
    is_layer_or_document,
    layer_parameter,
    offered_layer,
    option_parameter,
    parameter_names,
)
from .remembered import keep, kept_text, kept_values
from .wording import Wording, dialog_options, display_name

SEARCH_WORDS = (
    "SVM,support vector machine,supervised classification,training,land cover,confusion matrix,accuracy,hyperspectral,"
    "imaging spectroscopy,machine learning"
).split(",")
FIRST_STEPS = (
    "<p><b>First steps</b><br/>Train with a scene and labels, choosing the field of the classes. Classify with the scene and "
    "the model. Assess with the map and labels that were not used for training. Simulate makes a scene to try this with.</p>"
)
ADVANCED = QgsProcessingParameterDefinition.Flag.FlagAdvanced


class ParsimapAlgorithm(QgsProcessingAlgorithm):
    def __init__(self, usage, command):
        """`usage` is what the program says of itself, `command` one of the commands there."""
        super().__init__()
        self.usage = usage
        self.command = command
        self.wording = Wording(usage, command)
        self.arguments = command["arguments"]
        self.options = dialog_options(usage, command)
        self.names = parameter_names(self.arguments, self.options)

    def createInstance(self):  # noqa: N802 (names of QGIS)
        return ParsimapAlgorithm(self.usage, self.command)

    def createCustomParametersWidget(self, parent):  # noqa: N802
        from .dialog import ParsimapDialog  # what runs without a window does not need it

        return ParsimapDialog(self, parent=parent)

    def name(self):
        return self.command["name"]

    def displayName(self):  # noqa: N802
        return display_name(self.command["name"])

    def icon(self):
        return icon()

    def shortDescription(self):  # noqa: N802
        return self.wording.for_people(self.command["summary"])

    def tags(self):
        return SEARCH_WORDS

    def helpUrl(self):  # noqa: N802
        return pluginMetadata(__package__, "homepage").replace("__error__", "")  # which publishers enter

    def shortHelpString(self):  # noqa: N802
        paragraphs = ["<p>{}</p>".format(self._sentence(self.command["description"].replace("\n", " ")))]
        advanced = [option for option in self.options if not option["basic"]]
        paragraphs.append(FIRST_STEPS)
        paragraphs += self._help_of(self.arguments + [option for option in self.options if option["basic"]])
        if advanced:
            paragraphs += ["<h3>Advanced parameters and further outputs</h3>"] + self._help_of(advanced)
        return "".join(paragraphs)

    def _help_of(self, items):
        return [
            "<p><b>{}</b>{}<br/>{}</p>".format(escape(item["label"]), escape(_form(item)), self._help(item))
            for item in items
        ]

    def _help(self, item):
        several = "" if item.get("kind") != "list" else " Several can be chosen." if "file" in item else " One in each line."
        return self._sentence(item["description"]) + several

    def _sentence(self, text):
        text = escape(self.wording.for_people(text), quote=False)
        return text if text.endswith((".", "!", "?")) else text + "."

    def initAlgorithm(self, configuration=None):  # noqa: N802
        items = self.arguments + self.options
        fields_of = next((name for name, item in zip(self.names, self.arguments) if _is_vector(item)), None)
        for name, item in zip(self.names, items):
            is_option = "kind" in item
            parameter = option_parameter(item, name, fields_of) if is_option else argument_parameter(item, name)
            parameter.setHelp(self._help(item))
            offered = None if is_option else offered_layer(item)
            # What is written is new, and a field is one of the labels.
            is_new = item.get("file", {}).get("written") or (item.get("names_field") and not fields_of)
            parameter.setGuiDefaultValueOverride(None if is_new else offered or kept_text(name))
            is_page = ".html" in item.get("file", {}).get("extensions", [])
            if is_layer_or_document(item):
                self.addParameter(layer_parameter(item, name))
            if not self.addParameter(parameter, createOutput=not is_page):
                raise QgsProcessingException("the parameter {} is there twice".format(name))
            if is_page:
                # This name is read beside those of other runs, in the viewer of results.
                self.addOutput(QgsProcessingOutputHtml(name, "{} of {}".format(item["label"], self.displayName())))
            selection = selection_parameter(item, name)
            if selection is not None:
                selection.setFlags(selection.flags() | (parameter.flags() & ADVANCED))
                self.addParameter(selection)
        if self.destinationParameterDefinitions():
            self.addParameter(replacing_parameter())

    def checkParameterValues(self, parameters, context):  # noqa: N802
        plain = without_definitions(parameters)
        for name, item in zip(self.names, self.arguments):
            if is_layer_or_document(item) and not (plain.get(name) or plain.get(name + "_LAYER")):
                return False, "“{}” is empty: choose a layer or a file.".format(item["label"])
        missing = self._missing_argument(plain)
        return (False, missing) if missing else super().checkParameterValues(plain, context)

    def _missing_argument(self, parameters):
        """A sentence where an argument is empty and so is what may stand in for it; otherwise empty."""
        of_options = dict(zip((option["name"] for option in self.options), self.names[len(self.arguments) :]))
        for name, argument in zip(self.names, self.arguments):
            instead = [option for option in argument.get("instead", []) if option in of_options]
            if instead and not any(parameters.get(each) for each in [name, *(of_options[option] for option in instead)]):
                labels = ["“{}”".format(option["label"]) for option in self.options if option["name"] in instead]
                return "“{}” is empty: choose it, or give {} instead.".format(argument["label"], " or ".join(labels))
        return ""

    def prepareAlgorithm(self, parameters, context, feedback):  # noqa: N802
        """What must be asked of the project, which belongs to the thread of the window."""
        self.shown = {}
        self.layer_files = {}
        self.refusal = None
        self.made = None
        self.given = parameters = without_definitions(parameters)
        scene = self.parameterAsLayer(parameters, "SCENE", context) if self.parameterDefinition("SCENE") else None
        self.scene_name = scene.name() if scene else ""
        replacing = self.parameterAsBool(parameters, REPLACE_SHOWN, context)
        try:
            self.shown = check_outputs(self, parameters, context.project(), replacing)
            self.layer_files = layer_files(self, parameters, context, feedback)
        except QgsProcessingException as error:
            self.refusal = error  # which scripts are only given of what follows
        return True

    def processAlgorithm(self, parameters, context, feedback):  # noqa: N802
        if self.refusal:
            raise self.refusal
        outputs = {}
        values = _Values(self, without_definitions(parameters), context, outputs)
        options = {}
        self.accuracy = values.folder_of_accuracy()
        for name, option in zip(self.names[len(self.arguments) :], self.options):
            options[option["name"]] = _option_words(option, name, values)
        arguments = {}
        for name, argument in zip(self.names, self.arguments):
            # What an option stands in for is not given, not even by QGIS's default.
            is_replaced = any(options.get(option) for option in argument.get("instead", []))
            arguments[name] = [] if is_replaced else values.texts(name)
        if self.accuracy:
            options["output-dir"] = ["--output-dir", self.accuracy]
        runs = self.runs(arguments, options)
        steps = QgsProcessingMultiStepFeedback(len(runs), feedback)
        for i, words in enumerate(runs):
            steps.setCurrentStep(i)
            # What a layer shows is only replaced by consent; for other files QGIS has asked.
            points = outputs.values() if self.name() in ("sample", "suggest") else []
            try:
                with set_aside(file for file in points if words.count(file) == 1):
                    printed = program.run([*words, "--overwrite"], steps, self.wording.for_people)
            except program.ProgramError as error:
                raise QgsProcessingException(str(error)) from error
            if printed is None:  # cancelled
                return {}
            feedback.pushConsoleInfo(program.aligned(printed))
        show_made_layers(self._titles(outputs, arguments), self.shown, context)
        self.made = outputs
        return outputs

    def runs(self, arguments, options):
        """The words of each call of the program, from those of the arguments and options by their names."""
        return [[self.command["name"], *sum(arguments.values(), []), *sum(options.values(), [])]]

    def _titles(self, outputs, arguments):
        """A pattern for the names of the layers of each output, such as "scene: {} (model)", with what fills it."""
        model = "".join(" ({})".format(_stem(file)) for file in arguments.get("MODEL", [])[:1])
        scene = self.scene_name or "".join(_stem(file) for file in (arguments.get("SCENE") or arguments.get("MAP", []))[:1])
        labels = dict(zip(self.names, (item["label"] for item in self.arguments + self.options)))
        return {
            name: (file, "{}: {{}}{}".format(scene.replace("{", "").replace("}", ""), model), labels[name].lower())
            for name, file in outputs.items()
        }

    def postProcessAlgorithm(self, context, feedback):  # noqa: N802
        if self.made is None:  # cancelled
            return {}
        if context.project():
            if self.accuracy:
                self.made = {**self.made, "ACCURACY": os.path.join(self.accuracy, "accuracy.json")}
            keep(kept_values(self.given, self.made, context), context.project())
        for layers in self.shown.values():
            for layer in layers:
                reload_layer(layer)
        return {}


class _Values:
    """What the parameters of a run are for the program."""

    def __init__(self, algorithm, parameters, context, outputs):
        """Outputs that are asked for are noted in `outputs`."""
        self.algorithm = algorithm
        self.parameters = parameters
        self.context = context
        self.outputs = outputs

    def flag(self, name):
        return self.algorithm.parameterAsBool(self.parameters, name, self.context)

    def folder_of_accuracy(self):
        """Where Assess writes what Report reads, also if nobody has asked for it; None in other algorithms."""
        if self.algorithm.name() != "assess":
            return None
        return "".join(self.texts("OUTPUT_DIR")) or QgsProcessingUtils.generateTempFilename("accuracy")

    def texts(self, name):
        """One text, or several of a list, or none."""
        if name + "_LAYER" in self.algorithm.layer_files:
            return self.algorithm.layer_files[name + "_LAYER"]
        if self._is_unset(name):
            return []
        if name in self.algorithm.layer_files:
            return self.algorithm.layer_files[name]
        definition = self.algorithm.parameterDefinition(name)
        if isinstance(definition, QgsProcessingParameterMultipleLayers):
            return self.algorithm.parameterAsFileList(self.parameters, name, self.context)
        text = self._text(name, definition)
        return [line.strip() for line in text.splitlines() if line.strip()]

    def _is_unset(self, name):
        value = self.parameters.get(name)
        if isinstance(value, QgsProcessingOutputLayerDefinition):
            value = value.sink.staticValue()
        return value is None or value == "" or value == []

    def _check_number(self, name, definition):
        """QGIS takes a text that is no number, such as 0,5, as 0."""
        value = self.parameters[name]
        try:
            float(value if isinstance(value, str) else 0)
        except ValueError:
            raise QgsProcessingException("“{}” is '{}'; it must be a number.".format(definition.description(), value)) from None

    def _code_of_crs(self, name, definition):
        """The program knows reference systems by their codes alone."""
        crs = self.algorithm.parameterAsCrs(self.parameters, name, self.context)
        if not crs.authid():
            raise QgsProcessingException(
                "“{}” is '{}'; it must be a CRS that has a code, such as EPSG:32633.".format(
                    definition.description(), crs.toProj() or self.parameters[name]
                )
            )
        return crs.authid()

    def _text(self, name, definition):
        arguments = (self.parameters, name, self.context)
        if isinstance(definition, (QgsProcessingParameterRasterDestination, QgsProcessingParameterVectorDestination)):
            self.outputs[name] = self.algorithm.parameterAsOutputLayer(*arguments)
            return self.outputs[name]
        if isinstance(definition, (QgsProcessingParameterFileDestination, QgsProcessingParameterFolderDestination)):
            self.outputs[name] = self.algorithm.parameterAsFileOutput(*arguments)
            return self.outputs[name]
        if isinstance(definition, QgsProcessingParameterEnum):
            return self.algorithm.parameterAsEnumString(*arguments)
        if isinstance(definition, QgsProcessingParameterNumber):
            self._check_number(name, definition)
            is_integer = definition.dataType() == QgsProcessingParameterNumber.Type.Integer
            number = self.algorithm.parameterAsInt if is_integer else self.algorithm.parameterAsDouble
            return str(number(*arguments))
        if isinstance(definition, QgsProcessingParameterCrs):
            return self._code_of_crs(name, definition)
        return self.algorithm.parameterAsString(*arguments)


def _option_words(option, name, values):
    word = "--" + option["name"]
    if option["kind"] == "flag":
        return [word] if values.flag(name) else []
    texts = [text for text in values.texts(name) if text != option.get("default")]
    return [part for text in texts for part in (word, text)]


def _stem(file):
    return os.path.splitext(os.path.basename(file))[0]


def _is_vector(argument):
    return "vector" in argument.get("file", {}).get("contents", [])


def _form(item):
    """How a text is to be written, where the description speaks of it, such as P or folds:K."""
    value = item.get("value", "")
    spoken_of = any(sign in value for sign in ":=") or value in item["description"].split()
    return " ({})".format(value) if value and spoken_of and "file" not in item else ""
