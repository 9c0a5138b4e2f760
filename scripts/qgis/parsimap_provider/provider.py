"""The provider: one algorithm for every command that an analyst uses in a GIS."""

from qgis.core import Qgis, QgsMessageLog, QgsProcessingProvider

from processing.core.ProcessingConfig import ProcessingConfig, Setting

from .algorithm import ParsimapAlgorithm
from .program import PROGRAM_SETTING, ProgramError, read_usage

COMMANDS = ("train", "classify", "assess")
# Of the options that every command has, those that a GIS has no place of its own for.
COMMON_OPTIONS = ("threads",)


class ParsimapProvider(QgsProcessingProvider):
    def id(self):
        return "parsimap"

    def name(self):
        return "parsimap"

    def load(self):
        ProcessingConfig.settingIcons[self.name()] = self.icon()
        ProcessingConfig.addSetting(
            Setting(self.name(), PROGRAM_SETTING, "Program (empty: parsimap on the PATH)", "", valuetype=Setting.FILE)
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
            QgsMessageLog.logMessage(str(error), self.name(), Qgis.Warning)
            return
        common = [option for option in usage["common_options"] if option["name"] in COMMON_OPTIONS]
        for command in usage["commands"]:
            if command["name"] in COMMANDS:
                self.addAlgorithm(ParsimapAlgorithm(command, command["options"] + common))

    def supportedOutputRasterLayerExtensions(self):  # noqa: N802
        return ["tif", "img"]

    def supportsNonFileBasedOutput(self):  # noqa: N802
        return False
