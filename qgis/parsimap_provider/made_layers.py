"""The layers that a run has made: all of them are loaded, and shown with the names and colours of the classes."""

from qgis.core import QgsProcessingContext, QgsProcessingLayerPostProcessorInterface, QgsProviderRegistry
from qgis.PyQt import sip


class OwnStyle(QgsProcessingLayerPostProcessorInterface):
    """Loads the style that is beside or in the file of one layer, which Processing does not."""

    def postProcessLayer(self, layer, context, feedback):  # noqa: N802 (name of QGIS)
        layer.loadDefaultStyle()
        layer.triggerRepaint()


# The context of a run deletes the styles of its layers, so that each layer has one of its own. Until then something must
# refer to their parts in Python, which nothing in QGIS does.
_styles = []


def show_made_layers(files, context):
    """Has QGIS load all layers of those `files` that it is to load when the run has ended."""
    _styles[:] = [style for style in _styles if not sip.isdeleted(style)]
    for file in files:
        if not context.willLoadLayerOnCompletion(file):
            continue
        for source in _with_further_layers(file, context):
            style = OwnStyle()
            _styles.append(style)
            context.layerToLoadOnCompletionDetails(source).setPostProcessor(style)


def _with_further_layers(file, context):
    """The sources of the layers of a file. QGIS itself knows of the first one."""
    names = [layer.name() for layer in QgsProviderRegistry.instance().querySublayers(file)]
    if len(names) < 2:
        return [file]
    first = context.layerToLoadOnCompletionDetails(file)
    title = first.name
    sources = [file]
    for name in names[1:]:
        details = QgsProcessingContext.LayerDetails(
            "{}: {}".format(title, name), first.project, first.outputName, first.layerTypeHint
        )
        sources.append("{}|layername={}".format(file, name))
        context.addLayerToLoadOnCompletion(sources[-1], details)
    # Adding may have moved what the details of the first layer were in.
    context.layerToLoadOnCompletionDetails(file).name = "{}: {}".format(title, names[0])
    return sources
