"""The layers that a run has made: all of them are loaded, and shown with the names and colours of the classes."""

from qgis.core import (
    QgsDataProvider,
    QgsPalettedRasterRenderer,
    QgsProcessingContext,
    QgsProcessingLayerPostProcessorInterface,
    QgsProviderRegistry,
    QgsRasterLayer,
)
from qgis.PyQt import sip


class OwnStyle(QgsProcessingLayerPostProcessorInterface):
    """Loads the style that is beside or in the file of one layer, which Processing does not."""

    def postProcessLayer(self, layer, context, feedback):  # noqa: N802 (name of QGIS)
        layer.loadDefaultStyle()
        layer.triggerRepaint()


# The context of a run deletes the styles of its layers, so that each layer has one of its own. Until then something must
# refer to their parts in Python, which nothing in QGIS does.
_styles = []


def show_made_layers(files, shown, context):
    """Has QGIS load all layers of those `files` that it is to load when the run has ended. Those that layers of the project
    have `shown` before are not loaded again."""
    loaded = context.layersToLoadOnCompletion()
    context.setLayersToLoadOnCompletion({file: details for file, details in loaded.items() if file not in shown})
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


def reload_layer(layer):
    """Shows what the file of a layer is now, in the style that the layer has."""
    classes = _classes(layer)
    layer.dataProvider().reloadData()  # with what QGIS keeps of the file
    layer.setDataSource(layer.source(), layer.name(), layer.providerType(), QgsDataProvider.ProviderOptions(), False)
    if classes:
        # Classes that the style does not know would not be drawn.
        style = layer.renderer().clone()
        layer.loadDefaultStyle()
        if {value: label for value, label, _ in _classes(layer)} == {value: label for value, label, _ in classes}:
            layer.setRenderer(style)
        else:
            _recolour(layer, {label: colour for _, label, colour in classes})
    layer.triggerRepaint()


def _classes(layer):
    """Value, label and colour of each class of a map; none of other layers."""
    is_map = isinstance(layer, QgsRasterLayer) and layer.isValid() and layer.renderer().type() == "paletted"
    return [(entry.value, entry.label, entry.color) for entry in layer.renderer().classes()] if is_map else []


def _recolour(layer, colours):
    """Gives the classes of a map the colours of their names in `colours`."""
    classes = layer.renderer().classes()
    for entry in classes:
        entry.color = colours.get(entry.label, entry.color)
    layer.setRenderer(QgsPalettedRasterRenderer(layer.dataProvider(), layer.renderer().band(), classes))
