"""Layers that a run has made, shown as the program says: with the names and colours of the classes."""

from qgis.core import QgsProcessingLayerPostProcessorInterface


class OwnStyle(QgsProcessingLayerPostProcessorInterface):
    """Loads the style that is beside or in a file, which Processing does not."""

    def postProcessLayer(self, layer, context, feedback):  # noqa: N802 (name of QGIS)
        layer.loadDefaultStyle()
        layer.triggerRepaint()


_style = OwnStyle()


def show_with_own_styles(outputs, context):
    """Of the `outputs`, those that are loaded into the project when the run has ended."""
    for output in outputs:
        if context.willLoadLayerOnCompletion(output):
            # QGIS does not keep the object alive.
            context.layerToLoadOnCompletionDetails(output).setPostProcessor(_style)
