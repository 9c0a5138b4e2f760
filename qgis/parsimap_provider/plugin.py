"""What QGIS loads: it adds the provider to Processing and takes it away again."""

from qgis.core import QgsApplication

from .provider import ParsimapProvider


class ParsimapPlugin:
    def __init__(self):
        self.provider = None

    def initProcessing(self):  # noqa: N802
        self.provider = ParsimapProvider()
        QgsApplication.processingRegistry().addProvider(self.provider)

    def initGui(self):  # noqa: N802
        self.initProcessing()

    def unload(self):
        QgsApplication.processingRegistry().removeProvider(self.provider)
