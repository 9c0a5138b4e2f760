"""What QGIS loads: it adds the provider to Processing and takes it away again."""

from qgis.core import QgsApplication
from qgis.PyQt.QtWidgets import QAction  # QGIS puts it there also for Qt 6
from qgis.utils import iface

from .icon import icon
from .provider import ParsimapProvider


class ParsimapPlugin:
    def __init__(self):
        self.provider = None
        self.action = None

    def initProcessing(self):  # noqa: N802
        self.provider = ParsimapProvider()
        QgsApplication.processingRegistry().addProvider(self.provider)

    def initGui(self):  # noqa: N802
        self.initProcessing()
        self.action = QAction(icon(), "Load a sample scene with labels", iface.mainWindow())
        self.action.triggered.connect(self._load_sample)
        iface.addPluginToMenu("parsimap", self.action)

    def _load_sample(self):
        from .sample import load_sample

        load_sample()

    def unload(self):
        if self.action is not None:
            iface.removePluginMenu("parsimap", self.action)
        QgsApplication.processingRegistry().removeProvider(self.provider)
