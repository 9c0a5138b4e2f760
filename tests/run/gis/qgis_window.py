"""What the tests of the plugin's dialogs share: as much of QGIS as its dialogs ask for, with the provider, and what opens and
runs them. The arguments of the test are the folder of the plugin, that of the sample data, and a new one."""

import os
import sys
import time

from qgis.core import QgsApplication, QgsLayerTreeModel, QgsProject, QgsRasterLayer, QgsVectorLayer
from qgis.gui import QgsBrowserGuiModel, QgsLayerTreeView, QgsMapCanvas, QgsMessageBar
from qgis.PyQt.QtCore import QEventLoop, Qt, QTimer
from qgis.PyQt.QtWidgets import QApplication, QMainWindow, QMenu, QMessageBox, QTextEdit, QToolBar
import qgis.utils

plugins, sample, folder = sys.argv[1:]
sys.path += [plugins, "/usr/share/qgis/python/plugins"]
application = QgsApplication([], True)
application.initQgis()

MOST_SECONDS = 300  # the program may be slowed down by sanitizers and other work


class Window:
    """As much of the window of QGIS as its dialogs ask for."""

    def __init__(self):
        self.window = QMainWindow()
        self.canvas = QgsMapCanvas(self.window)
        self.browser = QgsBrowserGuiModel()
        self.layer_tree = QgsLayerTreeView()
        self.layer_tree.setModel(QgsLayerTreeModel(QgsProject.instance().layerTreeRoot(), self.layer_tree))
        self.active_layer = None
        self.message_bar = QgsMessageBar(self.window)
        self.opened_options = []
        self.plugin_actions = {}

    def mainWindow(self):  # noqa: N802 (names of QGIS)
        return self.window

    def mapCanvas(self):  # noqa: N802
        return self.canvas

    def browserModel(self):  # noqa: N802
        return self.browser

    def layerTreeView(self):  # noqa: N802
        return self.layer_tree

    def activeLayer(self):  # noqa: N802
        return self.active_layer

    def setActiveLayer(self, layer):  # noqa: N802
        """The tests choose the active layer."""

    def messageBar(self):  # noqa: N802
        return self.message_bar

    def addPluginToMenu(self, name, action):  # noqa: N802
        self.plugin_actions[name, action.text()] = action

    def removePluginMenu(self, name, action):  # noqa: N802
        del self.plugin_actions[name, action.text()]

    def addDockWidget(self, area, dock):  # noqa: N802
        self.window.setCentralWidget(self.canvas)
        self.window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, dock)

    def removeDockWidget(self, dock):  # noqa: N802
        self.window.removeDockWidget(dock)

    def vectorMenu(self):  # noqa: N802
        return QMenu("Vector")

    def rasterMenu(self):  # noqa: N802
        return QMenu("Raster")

    def selectionToolBar(self):  # noqa: N802
        return QToolBar()

    def showOptionsDialog(self, parent, page):  # noqa: N802
        assert parent is self.window
        self.opened_options.append(page)


qgis.utils.iface = Window()

from parsimap_provider.provider import ParsimapProvider  # noqa: E402 (needs the plugin's folder)
from processing.core.Processing import Processing  # noqa: E402
from processing.core.ProcessingConfig import ProcessingConfig  # noqa: E402
from processing.tools.general import createAlgorithmDialog  # noqa: E402

Processing.initialize()
ProcessingConfig.setSettingValue(ProcessingConfig.KEEP_DIALOG_OPEN, True)
provider = ParsimapProvider()
QgsApplication.processingRegistry().addProvider(provider)
project = QgsProject.instance()


def fill_project(names):
    """Layers of the sample data by their names, as the only ones of the project."""
    project.clear()
    files = {"scene": "scene.tif", "reference": "reference.tif", "training": "training.gpkg"}
    layers = {}
    for name in names:
        kind = QgsVectorLayer if name == "training" else QgsRasterLayer
        layers[name] = kind(os.path.join(sample, files[name]), name)
        assert layers[name].isValid(), name
        project.addMapLayer(layers[name])
    return layers


def open_dialog(algorithm, parameters=None):
    dialog = createAlgorithmDialog(algorithm, parameters or {})
    dialog.show()
    application.processEvents()
    return dialog


def close(dialog):
    dialog.close()
    dialog.deleteLater()
    application.processEvents()


def wrapper(dialog, name):
    return dialog.mainWidget().wrappers[name]


def set_parameter(dialog, name, value):
    dialog.setParameters({name: value})
    application.processEvents()


def wait_until(condition, what):
    """Events are worked on as they come."""
    end = time.monotonic() + MOST_SECONDS
    loop = QEventLoop()
    while not condition():
        assert time.monotonic() < end, "no {} after {} s".format(what, MOST_SECONDS)
        QTimer.singleShot(10, loop.quit)
        loop.exec()


def log_of(dialog):
    return dialog.findChild(QTextEdit, "txtLog").toPlainText()


def run(dialog):
    """The results of a run to its end."""
    finished = []
    dialog.algorithmFinished.connect(lambda successful, results: finished.append((successful, results)))
    dialog.runAlgorithm()
    wait_until(lambda: finished, "end of the run; the log: " + log_of(dialog))
    successful, results = finished[0]
    assert successful, log_of(dialog)
    return results


def answer(button, seen):
    """Presses the button of the next question whose text begins so, and notes the question."""

    def press():
        box = QApplication.activeModalWidget()
        if not isinstance(box, QMessageBox):
            QTimer.singleShot(20, press)
            return
        seen.append(box.text())
        (wanted,) = [each for each in box.buttons() if each.text().replace("&", "").startswith(button)]
        wanted.click()

    QTimer.singleShot(20, press)


def run_tests(tests):
    for test in tests:
        print(test.__name__, flush=True)
        start = time.monotonic()
        test()
        print("  passed in {:.1f} s".format(time.monotonic() - start), flush=True)
