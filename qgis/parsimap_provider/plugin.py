"""What QGIS loads: it adds the provider to Processing and takes it away again."""

from qgis.core import QgsApplication
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QAction  # QGIS puts it there also for Qt 6
from qgis.utils import iface

from .icon import icon
from .provider import ParsimapProvider


class ParsimapPlugin:
    def __init__(self):
        self.provider = None
        self.action = None
        self.dock_action = None
        self.dock = None

    def initProcessing(self):  # noqa: N802
        self.provider = ParsimapProvider()
        QgsApplication.processingRegistry().addProvider(self.provider)

    def initGui(self):  # noqa: N802
        self.initProcessing()
        self.action = QAction(icon(), "Load a sample scene with labels", iface.mainWindow())
        self.action.triggered.connect(self._load_sample)
        iface.addPluginToMenu("parsimap", self.action)
        self.dock_action = QAction(icon(), "Label and see", iface.mainWindow())
        self.dock_action.triggered.connect(self._show_dock)
        iface.addPluginToMenu("parsimap", self.dock_action)

    def _show_dock(self):
        if self.dock is None:
            from .label_and_see import LabelAndSee

            self.dock = LabelAndSee(iface)
            iface.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self.dock)
        self.dock.show()

    def _load_sample(self):
        from .sample import load_sample

        load_sample()

    def unload(self):
        for action in (self.action, self.dock_action):
            if action is not None:
                iface.removePluginMenu("parsimap", action)
        if self.dock is not None:
            self.dock.tidy()
            iface.removeDockWidget(self.dock)
            self.dock.deleteLater()
        QgsApplication.processingRegistry().removeProvider(self.provider)
