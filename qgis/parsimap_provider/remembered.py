"""What a project keeps of the last runs, which the next dialogs offer: scene, labels, class field, model and the like."""

import os

from qgis.core import QgsMapLayer, QgsProcessingUtils, QgsProject
from qgis.PyQt.QtCore import QCoreApplication, QThread

from .outputs import shown_layers

SCOPE = "parsimap"
# Parameters that mean the same in several algorithms.
KEPT = {"SCENE", "LABELS", "CLASS_FIELD", "MODEL", "MAP", "ACCURACY"}


def in_window_thread():
    """Models run in threads of their own, where the project must not be asked."""
    application = QCoreApplication.instance()
    return application is not None and QThread.currentThread() == application.thread()


def kept_values(parameters, outputs, context):
    """Those values of a run that the next one may need, by their names. Layers are kept by their ids."""
    kept = {}
    for name, value in {**parameters, **outputs}.items():
        if name not in KEPT or not value:
            continue
        if isinstance(value, str):
            layer = QgsProcessingUtils.mapLayerFromString(value, context, False) if context.project() else None
            value = layer.id() if layer else value
        elif isinstance(value, QgsMapLayer):
            value = value.id()
        if isinstance(value, str):
            kept[name] = value
    return kept


def keep(values, project):
    for name, value in values.items():
        project.writeEntry(SCOPE, name, value)


def kept_text(name):
    """A text that is no layer, or a file that is still there; None where the project has none."""
    value = QgsProject.instance().readEntry(SCOPE, name)[0] if name in KEPT and in_window_thread() else ""
    return value if value and (name == "CLASS_FIELD" or os.path.exists(value)) else None


def kept_layer(name):
    """The layer of the project that was used last; None where there is none any more."""
    project = QgsProject.instance()
    value = project.readEntry(SCOPE, name)[0] if name in KEPT else ""
    layers = [project.mapLayer(value)] + shown_layers(value, project) if value else []
    return next((layer for layer in layers if layer is not None), None)
