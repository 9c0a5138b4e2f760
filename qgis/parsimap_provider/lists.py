"""Widgets that list what a text may be, and let it be typed where that is not all."""

from qgis.core import QgsProcessingContext, QgsProcessingUtils, QgsProject, QgsRasterLayer, QgsVectorLayer
from qgis.gui import QgsGui
from qgis.PyQt.QtWidgets import QComboBox

from processing.gui.wrappers import WidgetWrapper


class ListWidget:
    """What makes the widget of a text. In models it is that of QGIS, which also takes an input of the model, the result of
    another step or an expression instead of a value."""

    def __new__(cls, parameter, dialog, row=0, col=0, **arguments):
        if dialog.__class__.__name__ != "ModelerParametersDialog":  # as QGIS itself distinguishes them
            kind = FieldWidgetWrapper if "layer_parameter" in arguments else ListWidgetWrapper
            return kind(parameter, dialog, row, col, **arguments)
        registry = QgsGui.processingGuiRegistry()
        widget = registry.createModelerParameterWidget(dialog.model, dialog.childId, parameter, dialog.context)
        widget.setDialog(dialog)
        return widget


class ListWidgetWrapper(WidgetWrapper):
    """Lists `choices`. One that ends with a colon is completed by the user, such as constant: to constant:50."""

    def __init__(self, parameter, *arguments, **options):
        super().__init__(parameter, *arguments, **options)
        if parameter.guiDefaultValueOverride():
            self.setValue(parameter.guiDefaultValueOverride())

    def createWidget(self, choices=()):  # noqa: N802 (names of QGIS)
        widget = QComboBox()
        widget.setEditable(True)
        widget.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        widget.addItems([""] + list(choices))
        widget.currentTextChanged.connect(lambda: self.widgetValueHasChanged.emit(self))
        return widget

    def setValue(self, value):  # noqa: N802
        self.widget.setEditText("" if value is None else str(value))

    def value(self):
        return self.widget.currentText().strip() or None


class FieldWidgetWrapper(ListWidgetWrapper):
    """Lists the fields of the labels, if they are a vector layer. Files that only the program can read have others."""

    def createWidget(self, layer_parameter):  # noqa: N802
        self.layer_parameter = layer_parameter
        return super().createWidget()

    def postInitialize(self, wrappers):  # noqa: N802
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
        # Numbers that a GeoPackage gives its features are no field for the program.
        own = layer.primaryKeyAttributes() if names and layer.storageType() == "GPKG" else []
        names = [name for i, name in enumerate(names) if i not in own]
        is_raster = isinstance(layer, QgsRasterLayer)
        chosen = self.widget.currentText()
        self.widget.clear()
        self.widget.addItems([""] + names)
        self.widget.setEnabled(not is_raster)
        self.widget.lineEdit().setPlaceholderText("A raster has no fields" if is_raster else "")
        self.widget.setEditText(chosen if chosen in names or layer is None else "")


def _layer(value, context):
    """The layer that the value of a parameter stands for: its id, its source or itself; None where it is none."""
    if isinstance(value, str):
        return QgsProcessingUtils.mapLayerFromString(value, context) if value else None
    return value if isinstance(value, (QgsRasterLayer, QgsVectorLayer)) else None
