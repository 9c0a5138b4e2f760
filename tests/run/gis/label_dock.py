"""The dock "Label and see" as a person uses it: opened beside the map, and looked at until the picture is whole. Shared by
qgis_label.py and benchmarks/label_and_see.py; qgis_window.py has been given its arguments."""

import qgis.utils

from qgis_window import application, project, wait_until

from parsimap_provider.label_and_see import LabelAndSee  # needs the plugin's folder

window = qgis.utils.iface
canvas = window.mapCanvas()


def open_dock(scene, width, height):
    """The dock in a window of this size, with a scene of the project that the map shows as a whole."""
    canvas.setLayers(list(project.mapLayers().values()))
    canvas.setDestinationCrs(scene.crs())
    dock = LabelAndSee(window)
    window.addDockWidget(None, dock)
    window.window.resize(width, height)
    window.window.show()
    dock.show()
    application.processEvents()
    canvas.setExtent(scene.extent())
    canvas.refresh()
    dock.scene_box.setLayer(scene)
    return dock


def wait_for_picture(dock):
    """Until the picture is that of the labels as they are now."""
    application.processEvents()
    wait_until(lambda: not dock._settle.isActive(), "end of the edits")
    wait_until(lambda: not dock._needs and dock.session.asked is None and dock._wanted == dock._sent, "picture: " + dock.status.text())
