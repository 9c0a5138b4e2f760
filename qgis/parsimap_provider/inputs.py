"""The files that a run reads for the layers that it is given: as QGIS shows them, with edits, filters and selections."""

import json
import re

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsFields,
    QgsGeometry,
    QgsProcessing,
    QgsProcessingException,
    QgsProcessingFeatureSourceDefinition,
    QgsProcessingFeedback,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterMapLayer,
    QgsProcessingParameterMultipleLayers,
    QgsProcessingParameterRasterLayer,
    QgsProcessingParameterVectorLayer,
    QgsProcessingUtils,
    QgsVectorFileWriter,
    QgsVectorLayer,
    QgsWkbTypes,
)
from qgis.PyQt.QtGui import QTransform

from . import program

LAYERS = (
    QgsProcessingParameterMapLayer,
    QgsProcessingParameterMultipleLayers,
    QgsProcessingParameterRasterLayer,
    QgsProcessingParameterVectorLayer,
)
# Vector files that are handed over as they are; other layers are exported.
VECTOR_FILES = (".gpkg", ".shp", ".geojson", ".json", ".kml", ".fgb", ".sqlite")


def selection_parameter(item, name):
    """Whether only the selected features of the layer of an argument or option are used; None where it has no features."""
    file = item.get("file", {"contents": [], "written": False})
    if file["written"] or "vector" not in file["contents"] or item.get("kind") == "list":
        return None
    label = "Selected features of “{}” only".format(item["label"])
    parameter = QgsProcessingParameterBoolean(name + "_SELECTED", label, defaultValue=False)
    parameter.setHelp("Uses the features that are selected in QGIS, as other algorithms do.")
    return parameter


def without_definitions(parameters):
    """The parameters with layers in place of the definitions by which scripts and models ask for selected features."""
    plain = dict(parameters)
    for name, value in parameters.items():
        if isinstance(value, QgsProcessingFeatureSourceDefinition):
            plain[name] = value.source.staticValue()
            if value.selectedFeaturesOnly:
                plain[name + "_SELECTED"] = True
    return plain


def layer_files(algorithm, parameters, context, feedback):
    """The files of all parameters that are layers, by their names. It must be called where the layers live."""
    files = {}
    scenes = (algorithm.parameterAsRasterLayer(parameters, name, context) for name in ("SCENE", "MAP") if parameters.get(name))
    scene = next((each for each in scenes if each is not None), None)
    for definition in algorithm.parameterDefinitions():
        name = definition.name()
        if not isinstance(definition, LAYERS) or not parameters.get(name):
            continue
        if isinstance(definition, QgsProcessingParameterMultipleLayers):
            if definition.layerType() != QgsProcessing.SourceType.TypeFile:
                layers = algorithm.parameterAsLayerList(parameters, name, context)
                files[name] = [_layer_file(layer, scene, False, context, feedback) for layer in layers]
            continue
        layer = algorithm.parameterAsLayer(parameters, name, context)
        selected = algorithm.parameterDefinition(name + "_SELECTED") is not None and algorithm.parameterAsBool(
            parameters, name + "_SELECTED", context
        )
        if layer is not None:
            files[name] = [_layer_file(layer, scene, selected, context, feedback)]
    return files


def _layer_file(layer, scene, selected_only, context, feedback):
    if not layer.isValid():
        raise QgsProcessingException("The layer '{}' cannot be read: {}".format(layer.name(), layer.source()))
    if not isinstance(layer, QgsVectorLayer):
        if selected_only:
            raise QgsProcessingException("The raster '{}' has no features that could be selected.".format(layer.name()))
        return _raster_file(layer, feedback)
    if selected_only and not layer.selectedFeatureCount():
        raise QgsProcessingException("No feature of the layer '{}' is selected.".format(layer.name()))
    upwards = _counts_rows_upwards(layer, scene)
    if selected_only or upwards or not _is_as_stored(layer):
        return _exported(layer, selected_only, upwards, context)
    return layer.source()


def _counts_rows_upwards(layer, scene):
    """Whether a layer has been drawn on a scene that has no place on a map. Its rows go up to 0 in QGIS, and from 0 down in
    the files that the program reads and writes."""
    if scene is None or not layer.extent().center().y() < 0:
        return False
    try:
        facts = json.loads(program.run(["info", scene.source(), "--json"], QgsProcessingFeedback(False), str))
    except program.ProgramError:
        return False  # the run itself says what is wrong
    return facts["geotransform"] is None and facts["geometry"] is None


def mirrored(geometry):
    """A geometry of rows that go up to 0 as one of rows that go down from 0, and the other way round."""
    result = QgsGeometry(geometry)
    result.transform(QTransform.fromScale(1, -1))
    return result


def _raster_file(layer, feedback):
    """The source of a raster, or a virtual one that has the CRS and the additional no data value that were set in QGIS."""
    if layer.providerType() != "gdal":
        raise QgsProcessingException(
            "The layer '{}' is of the provider {} and no raster file: export it to a file first.".format(
                layer.name(), layer.providerType()
            )
        )
    changes = {}
    if layer.crs() != layer.dataProvider().crs() and layer.crs().isValid():
        changes["outputSRS"] = layer.crs().toWkt(QgsCoordinateReferenceSystem.WktVariant.WKT_PREFERRED_GDAL)
    nodata = _nodata_set_in_qgis(layer, feedback)
    if nodata is not None:
        changes["noData"] = nodata
    if not changes:
        return layer.source()
    from osgeo import gdal  # comes with QGIS, and is only needed here

    file = QgsProcessingUtils.generateTempFilename("scene.vrt")
    gdal.Translate(file, layer.source(), format="VRT", **changes)
    return file


def _nodata_set_in_qgis(layer, feedback):
    """The additional no data value of the properties of a layer; None without one. A file has one such value for each band."""
    provider = layer.dataProvider()
    bands = range(1, layer.bandCount() + 1)
    ranges = {(each.min(), each.max(), band) for band in bands for each in provider.userNoDataValues(band)}
    # QGIS shows, and compares, values with the scale and the offset of their band.
    values = {
        round((least - provider.bandOffset(band)) / provider.bandScale(band), 6)
        for least, most, band in ranges
        if least == most
    }
    own = [band for band in bands if provider.sourceHasNoDataValue(band)]
    if len(ranges) == layer.bandCount() and len(values) == 1 and not own:
        return values.pop()
    if ranges or not all(provider.useSourceNoDataValue(band) for band in own):
        feedback.pushWarning(
            "The no data values in the properties of the layer '{}' are not used, but those of its file: what can be added "
            "is one value for all bands, to a file that has none.".format(layer.name())
        )
    return None


def _is_table(layer):
    """Whether a layer is a file without geometries, whose columns may have coordinates."""
    return layer.wkbType() == QgsWkbTypes.Type.NoGeometry and layer.providerType() == "ogr"


def _is_as_stored(layer):
    """Whether the source of a layer names a file, or a layer of one, that has what QGIS shows: no unsaved edits, no fields that
    are computed or joined, the CRS and the encoding that are set, and neither a filter nor one type of several geometries."""
    file, *parts = layer.source().split("|")
    is_whole = layer.providerType() == "ogr" and all(part.startswith("layername=") for part in parts)
    is_file = _is_table(layer) or file.lower().endswith(VECTOR_FILES)
    fields = layer.fields()
    stored = (QgsFields.FieldOrigin.OriginProvider, QgsFields.FieldOrigin.OriginEdit)
    are_stored = all(fields.fieldOrigin(i) in stored for i in range(fields.count()))
    has_crs = layer.crs() == layer.dataProvider().crs()
    is_plain = is_whole and is_file and has_crs and are_stored and not layer.isModified()
    return is_plain and (not file.lower().endswith(".shp") or _encoding(layer) == _encoding(QgsVectorLayer(layer.source())))


def _encoding(layer):
    """That of the texts of a shapefile, which the user may have set for a layer, for the file may not state it."""
    return layer.dataProvider().encoding()


def _exported(layer, selected_only, upwards, context):
    extension = "csv" if _is_table(layer) else "gpkg"
    options = QgsVectorFileWriter.SaveVectorOptions()
    options.driverName = QgsVectorFileWriter.driverForExtension(extension)
    options.layerName = re.sub(r"^\W+", "", layer.name()) or "labels"  # GeoPackages take no name that begins with a sign
    if extension == "gpkg":
        # By their usual names, these columns would clash with fields of the layer, such as a fid that features share.
        options.layerOptions = ["FID=parsimap_fid", "GEOMETRY_NAME=parsimap_geometry"]
    options.fileEncoding = "UTF-8"
    options.onlySelectedFeatures = selected_only
    # Numbers that the file gives its features are missing in those that are not saved.
    own = set(layer.primaryKeyAttributes()) if extension == "gpkg" else set()
    options.attributes = [i for i in range(layer.fields().count()) if i not in own]
    file = QgsProcessingUtils.generateTempFilename("labels." + extension)
    result = QgsVectorFileWriter.writeAsVectorFormatV3(layer, file, context.transformContext(), options)
    if result[0] != QgsVectorFileWriter.WriterError.NoError:
        raise QgsProcessingException("The layer '{}' cannot be exported: {}".format(layer.name(), result[1]))
    if upwards:
        written = QgsVectorLayer(file, layer.name(), "ogr")
        changes = {feature.id(): mirrored(feature.geometry()) for feature in written.getFeatures()}
        written.dataProvider().changeGeometryValues(changes)
    return file
