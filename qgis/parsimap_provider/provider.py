"""The provider: one algorithm for every command that reads or writes layers."""

from qgis.core import Qgis, QgsMessageLog, QgsProcessingProvider
from qgis.PyQt import sip
from qgis.PyQt.QtWidgets import QPushButton
from qgis.utils import iface

from processing.core.ProcessingConfig import ProcessingConfig, Setting

from .algorithm import ParsimapAlgorithm
from . import installation_dialog
from .icon import icon
from .program import PROGRAM_SETTING, NoProgramError, ProgramError, check_program_setting, read_usage
from .train_and_classify import TrainAndClassify

LAYERS = {"raster", "vector"}


class ParsimapProvider(QgsProcessingProvider):
    def id(self):
        return "parsimap"

    def name(self):
        return "parsimap"

    def longName(self):  # noqa: N802 (names of QGIS)
        return "parsimap: classification of many-band scenes"

    def icon(self):
        return icon()

    def load(self):
        ProcessingConfig.settingIcons[self.name()] = self.icon()
        # As a text: QGIS forgets a typed name of a file unless Enter is pressed.
        ProcessingConfig.addSetting(
            Setting(
                self.name(),
                PROGRAM_SETTING,
                "Program (empty: parsimap on the PATH)",
                "",
                valuetype=Setting.STRING,
                validator=check_program_setting,
            )
        )
        ProcessingConfig.readSettings()
        self.refreshAlgorithms()
        return True

    def unload(self):
        ProcessingConfig.removeSetting(PROGRAM_SETTING)

    def loadAlgorithms(self):  # noqa: N802
        try:
            usage = read_usage()
        except ProgramError as error:
            QgsMessageLog.logMessage(str(error), self.name(), Qgis.MessageLevel.Warning)
            if iface is not None:
                buttons = [("Settings of Processing", _open_settings)]
                if isinstance(error, NoProgramError):
                    buttons.insert(0, ("Install…", lambda: installation_dialog.install(self)))
                _show(str(error), buttons)
            return
        _take_message_away()
        for command in usage["commands"]:
            contents = [argument.get("file", {}).get("contents", []) for argument in command["arguments"]]
            if command["name"] == "simulate" or any(LAYERS.intersection(each) for each in contents):
                self.addAlgorithm(ParsimapAlgorithm(usage, command))
        self.addAlgorithm(TrainAndClassify(usage))

    def supportedOutputRasterLayerExtensions(self):  # noqa: N802
        return ["tif", "img"]

    def supportedOutputVectorLayerExtensions(self):  # noqa: N802
        return ["gpkg", "geojson", "shp", "csv"]

    def supportsNonFileBasedOutput(self):  # noqa: N802
        return False


def _open_settings():
    iface.showOptionsDialog(iface.mainWindow(), "processingOptions")


def _show(sentence, buttons):
    """Shows the sentence above the map, with buttons for what can be done."""
    _take_message_away()
    message = iface.messageBar().createMessage("parsimap", sentence)
    for text, act in buttons:
        button = QPushButton(text, message)
        button.clicked.connect(act)
        message.layout().addWidget(button)
    _messages.append(iface.messageBar().pushWidget(message, Qgis.MessageLevel.Warning))


_messages = []


def _take_message_away():
    """What the last message says may no longer be so."""
    while _messages:
        message = _messages.pop()
        if not sip.isdeleted(message):
            iface.messageBar().popWidget(message)
