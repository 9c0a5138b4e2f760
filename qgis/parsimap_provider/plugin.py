"""What QGIS loads: it adds the provider to Processing and takes it away again."""

from qgis.core import QgsApplication
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QAction  # QGIS puts it there also for Qt 6
from qgis.utils import iface

from . import installation_dialog
from .icon import icon
from .provider import ParsimapProvider


class ParsimapPlugin:
    def __init__(self):
        self.provider = None
        self.actions = []
        self.dock = None

    def initProcessing(self):  # noqa: N802
        self.provider = ParsimapProvider()
        QgsApplication.processingRegistry().addProvider(self.provider)

    def initGui(self):  # noqa: N802
        self.initProcessing()
        for text, act in [
            ("Label and see", self._show_dock),
            ("Load a sample scene with labels", self._load_sample),
            ("Install the program…", lambda: installation_dialog.install(self.provider)),
            ("Remove the installed program", lambda: installation_dialog.remove(self.provider)),
        ]:
            action = QAction(icon(), text, iface.mainWindow())
            action.triggered.connect(act)
            iface.addPluginToMenu("parsimap", action)
            self.actions.append(action)

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
        for action in self.actions:
            iface.removePluginMenu("parsimap", action)
        if self.dock is not None:
            self.dock.tidy()
            iface.removeDockWidget(self.dock)
            self.dock.deleteLater()
        QgsApplication.processingRegistry().removeProvider(self.provider)
