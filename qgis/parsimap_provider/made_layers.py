"""The layers that a run has made: all of them are loaded, and shown with the names and colours of the classes."""

import uuid

from qgis.core import (
    QgsColorRampShader,
    QgsDataProvider,
    QgsEditorWidgetSetup,
    QgsGradientColorRamp,
    QgsGradientStop,
    QgsLayerTreeGroup,
    QgsPalettedRasterRenderer,
    QgsProcessingContext,
    QgsProcessingLayerPostProcessorInterface,
    QgsProcessingUtils,
    QgsProviderRegistry,
    QgsRasterLayer,
    QgsRasterShader,
    QgsSingleBandPseudoColorRenderer,
    QgsVectorLayer,
)
from qgis.PyQt import sip
from qgis.PyQt.QtGui import QColor

from processing.core.ProcessingConfig import ProcessingConfig

from .remembered import kept_layer, kept_text

# Colours at 0, 0.5 and 1 of layers of Classify: a doubtful pixel is red in all of them.
STYLES = {
    "CONFIDENCE": ("#d7191c", "#ffffbf", "#1a9641"),
    "PROBABILITIES": ("#440154", "#21918c", "#fde725"),
    "UNCERTAINTY": ("#ffffff", "#fdae61", "#d7191c"),
    "NOVELTY": ("#ffffff", "#fdae61", "#d7191c"),
}
_RASTER = QgsProcessingUtils.LayerHint.Raster
_RUN = "parsimap/run"  # the property of a group that tells of which run it is


class MadeLayer(QgsProcessingLayerPostProcessorInterface):
    """Names a layer, loads the style that is beside or in its file, which Processing does not, or gives it one, and puts it
    among the layers of its run."""

    def __init__(self, name, output, group):
        """`group` has the name of the group of the layers of the run, its key, and the sources of the rasters among them; None
        where the run has one layer."""
        super().__init__()
        self._name = name
        self._output = output
        self._group = group

    def postProcessLayer(self, layer, context, feedback):  # noqa: N802 (name of QGIS)
        layer.setName(self._name)
        layer.loadDefaultStyle()
        if self._output in STYLES and isinstance(layer, QgsRasterLayer):
            _colour_from_0_to_1(layer, STYLES[self._output])
        if self._output == "PLACES":
            _offer_classes_of_labels(layer)
        layer.triggerRepaint()
        if not ProcessingConfig.getSetting(ProcessingConfig.RESULTS_GROUP_NAME):  # which is the choice of the user
            _place_in_tree(layer, self._output, self._group, context.project().layerTreeRoot())


# The context of a run deletes the styles of its layers, so that each layer has one of its own. Until then something must
# refer to their parts in Python, which nothing in QGIS does.
_styles = []


def show_made_layers(titles, shown, context):
    """Has QGIS load all layers of the files that it is to load when the run has ended. Those that layers of the project
    have `shown` before are not loaded again. `titles` has the file of each output, a pattern for the names of its layers,
    and what fills it."""
    _styles[:] = [style for style in _styles if not sip.isdeleted(style)]
    loaded = context.layersToLoadOnCompletion()
    context.setLayersToLoadOnCompletion({file: details for file, details in loaded.items() if file not in shown})
    made = []
    for output, (file, pattern, label) in titles.items():
        if context.willLoadLayerOnCompletion(file):
            made += [(source, pattern.format(label + part), output) for source, part in _with_further_layers(file, context)]
    rasters = {source for source, _, _ in made if context.layerToLoadOnCompletionDetails(source).layerTypeHint == _RASTER}
    run = next(iter(titles.values()))[1].replace(": {}", "") if made else ""
    group = (run, uuid.uuid4().hex, rasters) if len(made) > 1 else None
    for source, name, output in made:
        style = MadeLayer(name, output, group)
        _styles.append(style)
        context.layerToLoadOnCompletionDetails(source).setPostProcessor(style)


def _with_further_layers(file, context):
    """The sources of the layers of a file, with what their names add. QGIS itself knows of the first one."""
    names = [layer.name() for layer in QgsProviderRegistry.instance().querySublayers(file)]
    if len(names) < 2:
        return [(file, "")]
    first = context.layerToLoadOnCompletionDetails(file)
    sources = [(file, ", " + names[0])]
    for name in names[1:]:
        details = QgsProcessingContext.LayerDetails(first.name, first.project, first.outputName, first.layerTypeHint)
        sources.append(("{}|layername={}".format(file, name), ", " + name))
        context.addLayerToLoadOnCompletion(sources[-1][0], details)
    return sources


def _place_in_tree(layer, output, group, root):
    """Rasters are placed below the vector layers of the project, so that they cover no labels, and the map below the other
    layers of its run."""
    node = root.findLayer(layer.id())
    is_raster = isinstance(layer, QgsRasterLayer)
    parent, index = root, _first_raster(root, {layer.source()}) if is_raster else 0
    if group:
        name, key, rasters = group
        parent = next((each for each in root.findGroups() if each.customProperty(_RUN) == key), None)
        if parent is None:
            # Later versions than 3.22 have put all layers of the run into the tree before the first of them is placed.
            parent = root.insertGroup(_first_raster(root, rasters) if rasters else 0, name)
            parent.setCustomProperty(_RUN, key)
        index = len(parent.children()) if output == "MAP" else _first_raster(parent, set()) if is_raster else 0
    parent.insertChildNode(index, node.clone())
    node.parent().removeChildNode(node)


def _first_raster(group, apart_from):
    """The place in a group of what first shows a raster, other than of these sources."""
    for i, node in enumerate(group.children()):
        shown = [each.layer() for each in (node.findLayers() if isinstance(node, QgsLayerTreeGroup) else [node])]
        if any(isinstance(layer, QgsRasterLayer) and layer.source() not in apart_from for layer in shown):
            return i
    return len(group.children())


def _offer_classes_of_labels(places):
    """Adds the classes that were labelled after the model was trained to the list from which those of places are chosen."""
    labels, field = kept_layer("LABELS"), places.fields().indexOf("class")
    of_labels = labels.fields().indexOf(kept_text("CLASS_FIELD") or "class") if isinstance(labels, QgsVectorLayer) else -1
    setup = places.editorWidgetSetup(field)
    if of_labels < 0 or setup.type() != "ValueMap":
        return
    listed = setup.config()["map"]
    known = {value for entry in listed for value in entry.values()}
    added = sorted({str(value) for value in labels.uniqueValues(of_labels) if value} - known)
    config = {**setup.config(), "map": listed + [{name: name} for name in added]}
    places.setEditorWidgetSetup(field, QgsEditorWidgetSetup("ValueMap", config))


def _colour_from_0_to_1(layer, colours):
    """Shows the first band in colours that mean the same in all layers of its kind."""
    first, middle, last = (QColor(colour) for colour in colours)
    ramp = QgsGradientColorRamp(first, last, False, [QgsGradientStop(0.5, middle)])
    function = QgsColorRampShader(0, 1, ramp)
    function.classifyColorRamp(5)
    shader = QgsRasterShader()
    shader.setRasterShaderFunction(function)
    renderer = QgsSingleBandPseudoColorRenderer(layer.dataProvider(), 1, shader)
    renderer.setClassificationMin(0)
    renderer.setClassificationMax(1)
    layer.setRenderer(renderer)


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
    layer.setRenderer(QgsPalettedRasterRenderer(layer.dataProvider(), layer.renderer().usesBands()[0], classes))
