"""The widget for a field of the labels: a list of the fields that the chosen layer has, if it is a vector layer."""

from qgis.core import QgsProcessingContext, QgsProcessingUtils, QgsProject, QgsRasterLayer, QgsVectorLayer
from qgis.PyQt.QtWidgets import QComboBox

from processing.gui.wrappers import DIALOG_MODELER, WidgetWrapper


class FieldWidgetWrapper(WidgetWrapper):
    def createWidget(self, layer_parameter):  # noqa: N802 (names of QGIS)
        self.layer_parameter = layer_parameter
        widget = QComboBox()
        # A name can also be typed, for files that only the program can read.
        widget.setEditable(True)
        widget.setSizeAdjustPolicy(QComboBox.AdjustToMinimumContentsLengthWithIcon)
        widget.currentTextChanged.connect(lambda: self.widgetValueHasChanged.emit(self))
        return widget

    def postInitialize(self, wrappers):  # noqa: N802
        if self.dialogType == DIALOG_MODELER:
            return
        for wrapper in wrappers:
            if wrapper.parameterDefinition().name() == self.layer_parameter:
                wrapper.widgetValueHasChanged.connect(self.show_fields)
                self.show_fields(wrapper)

    def show_fields(self, layer_wrapper):
        # A layer that is not in the project belongs to this context, and is gone with it.
        context = QgsProcessingContext()
        context.setProject(QgsProject.instance())
        layer = _layer(layer_wrapper.parameterValue(), context)
        names = layer.fields().names() if isinstance(layer, QgsVectorLayer) else []
        is_raster = isinstance(layer, QgsRasterLayer)
        chosen = self.widget.currentText()
        self.widget.clear()
        self.widget.addItems([""] + names)
        self.widget.setEnabled(not is_raster)
        self.widget.lineEdit().setPlaceholderText("A raster has no fields" if is_raster else "")
        self.widget.setEditText(chosen if chosen in names or layer is None else "")

    def setValue(self, value):  # noqa: N802
        self.widget.setEditText("" if value is None else str(value))

    def value(self):
        return self.widget.currentText().strip() or None


def _layer(value, context):
    """The layer that the value of a parameter stands for: its id, its source or itself; None where it is none."""
    if isinstance(value, str):
        return QgsProcessingUtils.mapLayerFromString(value, context) if value else None
    return value if isinstance(value, (QgsRasterLayer, QgsVectorLayer)) else None
