"""A day of work with the plugin: labels and maps that are made again and again in one project. What the user sees and keeps
is compared. Ends with a failed assertion. Arguments: those of qgis_window.py."""

import filecmp
import json
import os
import subprocess

import numpy
from osgeo import gdal, gdal_array
from qgis.core import (
    QgsApplication,
    QgsCoordinateReferenceSystem,
    QgsFeature,
    QgsField,
    QgsGeometry,
    QgsLayerTreeGroup,
    QgsPalettedRasterRenderer,
    QgsProcessingContext,
    QgsProcessingFeatureSourceDefinition,
    QgsProcessingFeedback,
    QgsProcessingModelAlgorithm,
    QgsProcessingModelChildAlgorithm,
    QgsProcessingModelChildParameterSource,
    QgsProcessingModelParameter,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterField,
    QgsProcessingParameterNumber,
    QgsProcessingParameterString,
    QgsProcessingParameterVectorLayer,
    QgsRasterLayer,
    QgsRasterRange,
    QgsRectangle,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QSize
from qgis.PyQt.QtGui import QColor, QTransform
import qgis.utils

from qgis_window import (
    answer,
    application,
    close,
    fill_project,
    folder,
    log_of,
    open_dialog,
    project,
    run,
    run_tests,
    sample,
    wait_until,
    wrapper,
)

import processing  # noqa: E402 (qgis_window adds its folder)
from parsimap_provider import classFactory  # noqa: E402
from processing.modeler.ModelerParametersDialog import ModelerParametersDialog  # noqa: E402

SCENE = os.path.join(sample, "scene.tif")
TRAINING = os.path.join(sample, "training.gpkg")
COLOURED = ["CONFIDENCE", "NOVELTY", "PROBABILITIES", "UNCERTAINTY"]
QUICK = {"KERNEL": "gaussian", "SAMPLING": "constant:20", "SPATIAL": "none", "REPORT": None}


def trained(name, labels="reference.tif", **options):
    """A model of the sample scene, made at the first call."""
    model = os.path.join(folder, name)
    if not os.path.exists(model):
        options = {"SCENE": SCENE, "LABELS": os.path.join(sample, labels), "MODEL": model, **QUICK, **options}
        processing.run("parsimap:train", options)
    return model


def failure_of(algorithm, parameters):
    """The sentence with which a script ends."""
    context = QgsProcessingContext()
    context.setProject(project)
    try:
        processing.run(algorithm, parameters, context=context)
    except Exception as error:
        return str(error)
    raise AssertionError("{} has run".format(algorithm))


def labels_of(layer):
    return sorted(feature["class"] for feature in layer.getFeatures() if feature["class"])


def labelled_places_are_not_lost():
    """Five places labelled and saved, three more not saved: a further run to the same file keeps all."""
    fill_project(["scene"])
    model = trained("model.parsimap")
    places = os.path.join(folder, "places.gpkg")
    parameters = {"SCENE": SCENE, "MODEL": model, "PLACES": places}
    dialog = open_dialog("parsimap:suggest", parameters)
    run(dialog)
    (layer,) = [each for each in project.mapLayers().values() if each.source().startswith(places)]
    field = layer.fields().indexOf("class")
    assert layer.startEditing()
    points = list(layer.getFeatures())
    for feature in points[:5]:
        layer.changeAttributeValue(feature.id(), field, "water")
    assert layer.commitChanges(False)
    for feature in points[5:8]:
        layer.changeAttributeValue(feature.id(), field, "bare soil")
    assert labels_of(layer) == ["bare soil"] * 3 + ["water"] * 5
    # Another name is offered, and nothing else than to cancel.
    seen = []
    answer("Write places_2.gpkg", seen)
    results = run(dialog)
    assert "shows it" in seen[0] and places in seen[0], seen
    assert results["PLACES"] == os.path.join(folder, "places_2.gpkg") and os.path.exists(results["PLACES"])
    assert labels_of(layer) == ["bare soil"] * 3 + ["water"] * 5
    said = failure_of("parsimap:suggest", {**parameters, "REPLACE_SHOWN": True})
    assert "edits that are not saved" in said, said
    assert layer.commitChanges()
    # Where nothing is made, the places come back.
    failure_of("parsimap:suggest", {**parameters, "MODEL": SCENE, "REPLACE_SHOWN": True})
    assert labels_of(QgsVectorLayer(places, "kept")) == ["bare soil"] * 3 + ["water"] * 5
    # A script is refused, and a cancelled question runs nothing.
    said = failure_of("parsimap:suggest", parameters)
    assert "is not replaced, because the layer" in said and "REPLACE_SHOWN" in said, said
    close(dialog)
    dialog = open_dialog("parsimap:suggest", parameters)
    answer("Cancel", seen)
    dialog.runAlgorithm()
    assert "starting" not in log_of(dialog), log_of(dialog)
    kept = QgsVectorLayer(places, "kept")
    assert labels_of(kept) == labels_of(layer) == ["bare soil"] * 3 + ["water"] * 5
    # Also where no layer shows the file. Temporary outputs have names of their own.
    project.removeMapLayer(layer.id())
    answer("Cancel", seen)
    dialog.runAlgorithm()
    assert labels_of(kept) == ["bare soil"] * 3 + ["water"] * 5
    assert len(seen) == 3 and seen[-1] == places + " exists.", seen
    close(dialog)
    dialog = open_dialog("parsimap:suggest", {"SCENE": SCENE, "MODEL": model})
    assert run(dialog)["PLACES"] != run(dialog)["PLACES"]
    close(dialog)
    # By consent the file is replaced, and the layer shows the new places.
    project.removeAllMapLayers()
    layer = QgsVectorLayer(places, "places")
    project.addMapLayer(layer)
    dialog = open_dialog("parsimap:suggest", {**parameters, "COUNT": 7})
    answer("Replace", seen)
    run(dialog)
    assert list(project.mapLayers().values()) == [layer], "the layer is there twice"
    assert layer.featureCount() == len(list(layer.getFeatures())) == 7 and labels_of(layer) == []
    close(dialog)


def painted(layer):
    """What the canvas of the window shows of a layer that it has shown before."""
    canvas = qgis.utils.iface.mapCanvas()
    canvas.resize(QSize(240, 200))
    if canvas.layers() != [layer]:
        canvas.setDestinationCrs(layer.crs())
        canvas.setLayers([layer])
        canvas.setExtent(layer.extent())
    else:
        wait_until(lambda: not canvas.isDrawing(), "end of drawing")
    canvas.waitWhileRendering()
    application.processEvents()
    return canvas.grab().toImage()


def a_map_that_is_made_again_is_shown():
    """The canvas shows the new pixels at once, in the colours that the user gave to the classes."""
    fill_project([])
    first, second = trained("model.parsimap"), trained("few.parsimap", SAMPLING="constant:2", SEED=5)
    target = os.path.join(folder, "again.tif")
    dialog = open_dialog("parsimap:classify", {"SCENE": SCENE, "MODEL": first, "MAP": target})
    run(dialog)
    (layer,) = project.mapLayers().values()
    classes = layer.renderer().classes()
    classes[0].color = QColor("#ff00ff")
    layer.setRenderer(QgsPalettedRasterRenderer(layer.dataProvider(), 1, classes))
    before = painted(layer)
    seen = []
    answer("Replace", seen)
    dialog.setParameters({"MODEL": second})
    run(dialog)
    assert list(project.mapLayers().values()) == [layer] and len(seen) == 1
    wait_until(lambda: painted(layer) != before, "new picture")
    assert layer.renderer().classes()[0].color.name() == "#ff00ff", "the style is lost"
    fresh = QgsRasterLayer(target, "fresh")
    fresh.setRenderer(layer.renderer().clone())
    after = painted(layer)
    assert after == painted(fresh), "the canvas does not show the file"
    # A model of other classes: these are shown, and a class of the same name keeps its colour.
    table = os.path.join(folder, "classes.csv")
    with open(table, "w") as file:
        file.write("from,to\nsunflower,crop\nwinter wheat,winter wheat\n")
    answer("Replace", seen)
    dialog.setParameters({"MODEL": trained("other.parsimap", CLASSES=table)})
    run(dialog)
    shown = {entry.label: entry.color.name() for entry in layer.renderer().classes()}
    assert "crop" in shown and "sunflower" not in shown, shown
    assert shown["winter wheat"] == "#ff00ff", shown
    close(dialog)


def pixels_of(model):
    """The number of training pixels of each class of a model, by their names."""
    printed = subprocess.run(["parsimap", "info", model, "--json"], check=True, stdout=subprocess.PIPE).stdout
    return {each["name"]: each["samples"] for each in json.loads(printed)["classes"]}


def classes_of(model):
    return set(pixels_of(model))


def training_uses_what_the_layer_shows():
    """Edits that are not saved, selected features and computed fields, in dialogs, scripts and models."""
    layers = fill_project(["training"])
    labels = layers["training"]
    model = os.path.join(folder, "shown.parsimap")
    parameters = {"SCENE": SCENE, "LABELS": labels.id(), "CLASS_FIELD": "class", "MODEL": model, **QUICK}

    def trained_classes(run_it, **further):
        run_it("parsimap:train", {**parameters, **further})
        return classes_of(model)

    def by_dialog(algorithm, values):
        dialog = open_dialog(algorithm, values)
        run(dialog)
        close(dialog)

    all_classes = trained_classes(processing.run)
    assert len(all_classes) == 5
    labels.selectByExpression("class in ('water', 'bare soil')")
    selected = {"bare soil", "water"}
    assert trained_classes(by_dialog, LABELS_SELECTED=True) == selected
    definition = QgsProcessingFeatureSourceDefinition(labels.id(), True)
    assert trained_classes(processing.run, LABELS=definition) == selected
    # An input of a model, as which QGIS offers selected features.
    workflow = QgsProcessingModelAlgorithm("workflow")
    component = QgsProcessingModelParameter("places")
    workflow.addModelParameter(QgsProcessingParameterFeatureSource("places", "Places"), component)
    child = QgsProcessingModelChildAlgorithm("parsimap:train")
    child.setChildId("train")
    for name, value in parameters.items():
        if value is not None:
            child.addParameterSources(name, [QgsProcessingModelChildParameterSource.fromStaticValue(value)])
    child.addParameterSources("LABELS", [QgsProcessingModelChildParameterSource.fromModelParameter("places")])
    workflow.addChildAlgorithm(child)
    os.remove(model)
    context = QgsProcessingContext()
    context.setProject(project)
    processing.run(workflow, {"places": definition}, context=context)
    assert classes_of(model) == selected
    # Edits: a class is deleted, a polygon is added.
    labels.removeSelection()
    assert "No feature of the layer 'training' is selected" in failure_of(
        "parsimap:train", {**parameters, "LABELS_SELECTED": True}
    )
    assert labels.startEditing()
    labels.selectByExpression("class = 'sunflower'")
    labels.deleteSelectedFeatures()
    added = QgsFeature(labels.fields())
    added.setGeometry(QgsGeometry.fromRect(QgsRectangle(363020, 4835820, 363030, 4835830)))
    added["class"] = "new"
    assert labels.addFeature(added)
    edited = trained_classes(processing.run)
    assert edited == all_classes - {"sunflower"} | {"new"}, edited
    assert labels.rollBack()
    moisture = QgsField(labels.fields().field("class"))
    moisture.setName("moisture")
    labels.addExpressionField("if(class = 'water', 'wet', 'dry')", moisture)
    assert trained_classes(by_dialog, CLASS_FIELD="moisture") == {"wet", "dry"}


def layers_of_a_file_are_trained_on_alone():
    """One type of several geometries, a layer that is called like its file, and one that is known by its number."""
    project.clear()
    mixed, several = os.path.join(folder, "mixed.geojson"), os.path.join(folder, "several.gpkg")
    gdal.VectorTranslate(mixed, TRAINING, dstSRS="EPSG:4326", reproject=True)
    with open(mixed) as file:
        document = json.load(file)
    notes = [
        {"type": "Feature", "properties": {"class": "note"}, "geometry": {"type": "Point", "coordinates": corner}}
        for corner in (feature["geometry"]["coordinates"][0][0] for feature in document["features"])
    ]
    document["features"] += notes
    with open(mixed, "w") as file:
        json.dump(document, file)
    water = {"SQLStatement": "SELECT * FROM training WHERE class IN ('water', 'sunflower')"}
    gdal.VectorTranslate(several, TRAINING, format="GPKG", layerName="other")
    gdal.VectorTranslate(several, TRAINING, format="GPKG", layerName="several", accessMode="update", **water)
    model = os.path.join(folder, "alone.parsimap")
    parameters = {"SCENE": SCENE, "CLASS_FIELD": "class", "MODEL": model, **QUICK}
    five = {"winter wheat", "sunflower", "deciduous forest", "bare soil", "water"}
    for source, classes in (
        (mixed + "|geometrytype=Polygon", five),
        (mixed, five | {"note"}),
        (several + "|layername=several", {"water", "sunflower"}),
        (several + "|layername=other", five),
        (several + "|layerid=1", {"water", "sunflower"}),
    ):
        labels = QgsVectorLayer(source, "labels", "ogr")
        processing.run("parsimap:train", {**parameters, "LABELS": labels})
        assert classes_of(model) == classes, (source, classes_of(model))


def layers_with_names_that_geopackages_reserve_are_trained_on():
    """Temporary layers with a field `fid` that features share, as merged layers have, and a name that begins with a sign."""
    project.clear()
    layer = QgsVectorLayer("Polygon?field=fid:integer&field=geom:string&field=class:string&crs=EPSG:32631", "(1) merged", "memory")
    for feature in QgsVectorLayer(TRAINING).getFeatures():
        copy = QgsFeature(layer.fields())
        copy.setGeometry(feature.geometry())
        copy.setAttributes([7, "a", feature["class"]])
        layer.dataProvider().addFeature(copy)
    model = os.path.join(folder, "merged.parsimap")
    processing.run("parsimap:train", {"SCENE": SCENE, "LABELS": layer, "CLASS_FIELD": "class", "MODEL": model, **QUICK})
    assert classes_of(model) == {"winter wheat", "sunflower", "deciduous forest", "bare soil", "water"}
    # Texts have the encoding that is set in QGIS.
    shapefile = os.path.join(folder, "encoded.shp")
    statement = "SELECT CASE class WHEN 'water' THEN 'eau salée' ELSE 'autre' END AS class, geom FROM training"
    gdal.VectorTranslate(shapefile, TRAINING, format="ESRI Shapefile", SQLStatement=statement, layerCreationOptions=["ENCODING=UTF-8"])
    layer = QgsVectorLayer(shapefile, "encoded", "ogr")
    for encoding, name in (("UTF-8", "eau salée"), ("ISO-8859-1", "eau salÃ©e")):
        layer.setProviderEncoding(encoding)
        processing.run("parsimap:train", {"SCENE": SCENE, "LABELS": layer, "CLASS_FIELD": "class", "MODEL": model, **QUICK})
        assert classes_of(model) == {name, "autre"}, (encoding, classes_of(model))


def labels_fit_a_scene_without_a_place():
    """Drawn where QGIS shows it, below 0, they are those of the scene on the map. Rows from 0 on are taken as they are, and so
    are positions south of the equator for a scene with a geometry lookup table."""
    project.clear()
    on_map = gdal.Open(SCENE)
    left, width, _, top, _, height = on_map.GetGeoTransform()
    nowhere, sensor, table = (os.path.join(folder, name) for name in ("nowhere.tif", "ang_line_rfl", "ang_line_glt"))
    gdal_array.SaveArray(on_map.ReadAsArray(), nowhere)
    gdal_array.SaveArray(on_map.ReadAsArray(), sensor, "ENVI")
    rows, columns = numpy.mgrid[1:101, 1:121]
    lookup = gdal_array.SaveArray(numpy.stack([columns, rows]).astype("int32"), table, "ENVI")
    lookup.SetSpatialRef(on_map.GetSpatialRef())
    lookup.SetGeoTransform((left, width, 0, -100, 0, height))
    del lookup

    def moved(to_pixel, dx, dy, crs):
        layer = QgsVectorLayer("Polygon?field=class:string" + crs, "moved", "memory")
        for feature in QgsVectorLayer(TRAINING).getFeatures():
            drawn, geometry = QgsFeature(layer.fields()), feature.geometry()
            geometry.translate(-left, -top)
            geometry.transform(to_pixel)
            geometry.translate(dx, dy)
            drawn.setGeometry(geometry)
            drawn["class"] = feature["class"]
            layer.dataProvider().addFeature(drawn)
        layer.updateExtents()
        return layer

    expected = None
    for place, labels in (
        (SCENE, QgsVectorLayer(TRAINING)),
        (nowhere, moved(QTransform.fromScale(1 / width, -1 / height), 0, 0, "")),
        (nowhere, moved(QTransform.fromScale(1 / width, 1 / height), 0, 0, "")),
        (sensor, moved(QTransform(), left, -100, "&crs=EPSG:32631")),
    ):
        model = os.path.join(folder, "placed.parsimap")
        processing.run("parsimap:train", {"SCENE": place, "LABELS": labels, "CLASS_FIELD": "class", "MODEL": model, **QUICK})
        expected = expected or pixels_of(model)
        assert pixels_of(model) == expected, (place, labels.extent().toString(), pixels_of(model))


def scenes_have_the_no_data_value_that_is_set_in_qgis():
    """One value that is added for all bands, in the scale of the file or another one, is missing in the map."""
    project.clear()
    values = gdal.Open(SCENE).ReadAsArray()
    missing = int(values[0, 0, 0])
    expected = (values == missing).any(axis=0)
    assert 0 < expected.sum() < expected.size
    for name, scale, own, bands in (("plain", 1, None, 60), ("scaled", 0.001, None, 60), ("own", 1, 9, 60), ("one", 1, None, 1)):
        scene = os.path.join(folder, name + ".tif")
        dataset = gdal.Translate(scene, SCENE, noData=own)
        for band in range(1, 61):
            dataset.GetRasterBand(band).SetScale(scale)
        del dataset
        model = os.path.join(folder, name + ".parsimap")
        reference = os.path.join(sample, "reference.tif")
        processing.run("parsimap:train", {"SCENE": scene, "LABELS": reference, "MODEL": model, **QUICK})
        layer = QgsRasterLayer(scene, name)
        for band in range(1, bands + 1):
            layer.dataProvider().setUserNoDataValue(band, [QgsRasterRange(missing * scale, missing * scale)])
        output = os.path.join(folder, name + "_map.tif")
        feedback = QgsProcessingFeedback(False)
        processing.run("parsimap:classify", {"SCENE": layer, "MODEL": model, "MAP": output}, feedback=feedback)
        used = name in ("plain", "scaled")
        assert ("are not used" in feedback.textLog()) != used, feedback.textLog()
        assert ((gdal.Open(output).ReadAsArray() == 0) == (expected & used)).all(), name


def what_cannot_be_read_is_named():
    """Layers without a file or whose source is gone, and numbers that are none, which QGIS takes as 0."""
    parameters = {"SCENE": SCENE, "MODEL": trained("model.parsimap"), "MAP": os.path.join(folder, "never.tif")}
    tiles = QgsRasterLayer("type=xyz&url=http://127.0.0.1:9/{z}/{x}/{y}.png", "tiles", "wms")
    said = failure_of("parsimap:classify", {**parameters, "SCENE": tiles})
    assert "The layer 'tiles' is of the provider wms and no raster file" in said, said
    gone = QgsVectorLayer("/gone.gpkg", "gone", "ogr")
    said = failure_of("parsimap:train", {"SCENE": SCENE, "LABELS": gone, "MODEL": os.path.join(folder, "never"), **QUICK})
    assert "The layer 'gone' cannot be read: /gone.gpkg" in said, said
    own = QgsCoordinateReferenceSystem.fromProj("+proj=tmerc +lon_0=3.5 +k=0.9996 +x_0=500000 +datum=WGS84")
    assert own.isValid() and not own.authid()
    labels = {"LABELS": TRAINING, "CLASS_FIELD": "class", "MODEL": os.path.join(folder, "never"), **QUICK}
    for crs, named in ((own, "+proj=tmerc"), ("nothing", "nothing")):
        said = failure_of("parsimap:train", {"SCENE": SCENE, **labels, "CRS": crs})
        assert "“CRS of labels without one” is '" + named in said and "must be a CRS that has a code" in said, said
    said = failure_of("parsimap:classify", {**parameters, "REJECT": "0,5"})
    assert "“Reject below this probability” is '0,5'; it must be a number." in said, said
    assert not os.path.exists(parameters["MAP"])


def outputs_are_not_offered_as_scenes():
    """Although they are active, have many bands and come first; trained on, they are warned of."""
    layers = fill_project([])
    model = trained("model.parsimap")
    outputs = {name: os.path.join(folder, "offer_" + name + ".tif") for name in ("MAP", "DECISION_VALUES", "CONFIDENCE")}
    processing.run("parsimap:classify", {"SCENE": SCENE, "MODEL": model, **outputs})
    layers = {name: QgsRasterLayer(file, name) for name, file in outputs.items()}
    project.addMapLayers(list(layers.values()))
    for active in layers.values():
        qgis.utils.iface.active_layer = active
        for algorithm in ("train", "classify"):
            dialog = open_dialog("parsimap:" + algorithm)
            assert wrapper(dialog, "SCENE").parameterValue() is None, algorithm
            close(dialog)
        dialog = open_dialog("parsimap:assess")
        assert wrapper(dialog, "MAP").parameterValue() == layers["MAP"].id()
        close(dialog)
    scene = QgsRasterLayer(SCENE, "scene")
    project.addMapLayer(scene)
    for algorithm in ("train", "classify", "inspect", "suggest"):
        dialog = open_dialog("parsimap:" + algorithm)
        assert wrapper(dialog, "SCENE").parameterValue() == scene.id(), algorithm
        close(dialog)
    circular = {"SCENE": layers["DECISION_VALUES"].id(), "LABELS": os.path.join(sample, "reference.tif")}
    dialog = open_dialog("parsimap:train", {**circular, **QUICK, "MODEL": os.path.join(folder, "circular.parsimap")})
    run(dialog)
    assert "(scene-is-output)" in log_of(dialog), log_of(dialog)
    close(dialog)
    qgis.utils.iface.active_layer = None


def steps_of_models_are_bound_to_inputs():
    """A model with inputs for the class field, the group field, sampling and validation; opened again, and run."""
    layers = fill_project(["scene", "training"])
    workflow = QgsProcessingModelAlgorithm("bound")
    inputs = {
        "CLASS_FIELD": QgsProcessingParameterField("classes", "Classes", parentLayerParameterName="labels"),
        "GROUP_FIELD": QgsProcessingParameterField("groups", "Groups", parentLayerParameterName="labels"),
        "SAMPLING": QgsProcessingParameterString("sampling", "Sampling"),
        "VALIDATE": QgsProcessingParameterString("validation", "Validation"),
        "LABELS": QgsProcessingParameterVectorLayer("labels", "Labels"),
        "SEED": QgsProcessingParameterNumber("seed", "Seed"),
    }
    for definition in inputs.values():
        workflow.addModelParameter(definition, QgsProcessingModelParameter(definition.name()))
    algorithm = QgsApplication.processingRegistry().createAlgorithmById("parsimap:train")
    kinds = {definition.name(): definition.type() for definition in algorithm.parameterDefinitions()}
    assert kinds["CLASS_FIELD"] == kinds["GROUP_FIELD"] == "field" and kinds["KERNEL"] == "enum", kinds
    dialog = ModelerParametersDialog(algorithm, workflow)
    for name, definition in inputs.items():
        source = QgsProcessingModelChildParameterSource.fromModelParameter(definition.name())
        dialog.widget.widget.wrappers[name].setWidgetValue(source)
    for name, value in {"SCENE": SCENE, "KERNEL": "gaussian", "SPATIAL": "none"}.items():
        dialog.widget.widget.wrappers[name].setWidgetValue(QgsProcessingModelChildParameterSource.fromStaticValue(value))
    child = dialog.createAlgorithm()
    assert child is not None
    workflow.addChildAlgorithm(child)
    # The step opened again shows what it was given, and is stored so.
    again = ModelerParametersDialog(algorithm, workflow, child.childId())
    sources = again.createAlgorithm().parameterSources()
    for name, definition in inputs.items():
        (source,) = sources[name]
        assert source.source() == QgsProcessingModelChildParameterSource.fromModelParameter("").source(), name
        assert source.parameterName() == definition.name(), name
    file = os.path.join(folder, "bound.model3")
    assert workflow.toFile(file)
    with open(file) as stream:
        assert "object at 0x" not in stream.read()
    stored = QgsProcessingModelAlgorithm()
    assert stored.fromFile(file)
    values = {"labels": layers["training"].id(), "classes": "class", "groups": "split"}
    feedback = QgsProcessingFeedback(False)
    context = QgsProcessingContext()
    context.setProject(project)
    processing.run(
        stored, {**values, "sampling": "constant:20", "validation": "folds:2", "seed": 4}, context=context, feedback=feedback
    )
    said = feedback.textLog()
    for words in ("--class-field class", "--group-field split", "--sampling constant:20", "--validate folds:2", "--seed 4"):
        assert words in said, said


def tree_of(group):
    """The names of what a group of layers shows, from top to bottom."""
    return [(node.name(), tree_of(node)) if isinstance(node, QgsLayerTreeGroup) else node.name() for node in group.children()]


def offered(algorithm, *names):
    dialog = open_dialog("parsimap:" + algorithm)
    values = [wrapper(dialog, name).parameterValue() for name in names]
    close(dialog)
    return values


def runs_carry_over_to_the_next_dialogs():
    """What was chosen is offered in the next dialogs, also when the project is opened again, and layers are in order."""
    # The first scene and the first labels of the project are others.
    project.clear()
    model, target = os.path.join(folder, "carried.parsimap"), os.path.join(folder, "carried.tif")
    layers = [QgsVectorLayer(TRAINING, name) for name in ("new", "polygons")]
    layers += [QgsRasterLayer(SCENE, name) for name in ("other", "field")]
    project.addMapLayers(layers)
    labels, scene = layers[1].id(), layers[3].id()
    dialog = open_dialog("parsimap:train")
    dialog.setParameters({"SCENE": scene, "LABELS": labels, "CLASS_FIELD": "class", "MODEL": model, **QUICK})
    run(dialog)
    close(dialog)
    assert offered("train", "SCENE", "LABELS", "CLASS_FIELD") == [scene, labels, "class"]
    assert offered("inspect", "SCENE", "LABELS", "CLASS_FIELD", "MODEL") == [scene, labels, "class", model]
    dialog = open_dialog("parsimap:classify")
    assert [wrapper(dialog, name).parameterValue() for name in ("SCENE", "MODEL")] == [scene, model]
    further = {name: os.path.join(folder, "carried_{}.tif".format(name.lower())) for name in COLOURED}
    dialog.setParameters({"MAP": target, **further})
    run(dialog)
    close(dialog)
    tree = tree_of(project.layerTreeRoot())
    assert tree[:2] == ["new", "polygons"] and tree[3:] == ["other", "field"], tree
    name, made = tree[2]
    assert name == "field (carried)" and made[-1] == "field: map (carried)", tree
    assert sorted(made[:-1]) == ["field: {} (carried)".format(each.lower()) for each in COLOURED], tree
    (shown,) = project.mapLayersByName("field: map (carried)")
    for layer in project.mapLayers().values():
        if layer.source() in further.values():
            assert layer.renderer().type() == "singlebandpseudocolor", layer.name()
            assert len(set(colours_of(painted(layer)))) > 10, layer.name()
    assert shown.renderer().type() == "paletted"
    assert offered("assess", "MAP") == offered("report", "MAP") == [shown.id()]
    # A class that was drawn after the training may be chosen for the places.
    assert layers[1].startEditing()
    added = QgsFeature(layers[1].fields())
    added["class"] = "new class"
    assert layers[1].addFeature(added)
    dialog = open_dialog("parsimap:suggest", {"PLACES": os.path.join(folder, "carried.gpkg")})
    run(dialog)
    close(dialog)
    (places,) = project.mapLayersByName("field: places (carried)")
    choices = places.editorWidgetSetup(places.fields().indexOf("class")).config()["map"]
    chosen = [value for entry in choices for value in entry.values()]
    assert chosen[-1] == "new class" and chosen.count("water") == 1 and len(choices) == 7, choices
    assert layers[1].rollBack()
    assert tree_of(project.layerTreeRoot())[0] == "field: places (carried)"
    # The project is stored and opened; a model that was removed is not offered.
    file = os.path.join(folder, "carried.qgz")
    assert project.write(file)
    project.clear()
    assert offered("classify", "SCENE", "MODEL") == [None, None]
    assert project.read(file)
    assert offered("classify", "SCENE", "MODEL") == [scene, model]
    os.rename(model, model + "2")
    project.removeMapLayer(scene)
    assert offered("classify", "MODEL") == [None]
    assert offered("train", "SCENE", "LABELS", "CLASS_FIELD") == [project.mapLayersByName("other")[0].id(), labels, "class"]


def colours_of(picture):
    return [picture.pixelColor(x, y).name() for x in range(0, picture.width(), 7) for y in range(0, picture.height(), 7)]


def one_run_trains_and_classifies():
    """Its map is that of the two runs, and its options reach the step that they are for."""
    fill_project(["scene", "training"])
    files = {name: os.path.join(folder, "one" + ending) for name, ending in [("MODEL", ".parsimap"), ("MAP", ".tif")]}
    dialog = open_dialog("parsimap:train-and-classify", {**files, **QUICK, "CLASS_FIELD": "class", "REJECT": 0.9, "THREADS": 1})
    dialog.setParameters({"CONFIDENCE": os.path.join(folder, "one_confidence.tif")})
    run(dialog)
    said = log_of(dialog)
    assert said.count("--threads 1") == 2 and said.count("--reject 0.9") == 1 and said.count("--spatial none") == 1, said
    close(dialog)
    two = {"MODEL": os.path.join(folder, "two.parsimap"), "MAP": os.path.join(folder, "two.tif")}
    labels = {"SCENE": SCENE, "LABELS": TRAINING, "CLASS_FIELD": "class", **QUICK}
    processing.run("parsimap:train", {**labels, "MODEL": two["MODEL"]})
    processing.run("parsimap:classify", {"SCENE": SCENE, **two, "REJECT": 0.9})
    assert filecmp.cmp(files["MAP"], two["MAP"], shallow=False)
    ((name, made), *_) = [each for each in tree_of(project.layerTreeRoot()) if isinstance(each, tuple)]
    assert name == "scene (one)" and made == ["scene: confidence (one)", "scene: map (one)"], made


def help_and_small_things():
    """Search words, first steps; Info of a layer; Report after Assess; numbers of features; CRS set in QGIS; formats."""
    gdal.Translate(os.path.join(folder, "bare.tif"), SCENE).SetProjection("")
    gdal.VectorTranslate(os.path.join(folder, "bare.shp"), TRAINING, layerCreationOptions=["ENCODING=UTF-8"])
    os.remove(os.path.join(folder, "bare.prj"))
    layers = fill_project(["scene", "training"])
    for algorithm in QgsApplication.processingRegistry().providerById("parsimap").algorithms():
        assert {"SVM", "accuracy", "hyperspectral"} <= set(algorithm.tags()), algorithm.tags()
        assert "First steps" in algorithm.shortHelpString()
    model = trained("model.parsimap")
    for values, words in [({"FILE_LAYER": layers["scene"].id()}, "UTM zone 31N"), ({"FILE": model}, "winter wheat")]:
        dialog = open_dialog("parsimap:info", values)
        run(dialog)
        assert words in log_of(dialog).replace("\u00a0", " "), log_of(dialog)
        close(dialog)
    assert "“File” is empty" in failure_of("parsimap:info", {})
    target = os.path.join(folder, "small.tif")
    processing.run("parsimap:classify", {"SCENE": SCENE, "MODEL": model, "MAP": target})
    project.addMapLayer(QgsRasterLayer(target, "map"))
    dialog = open_dialog("parsimap:assess", {"MAP": target, "REFERENCE": layers["training"].id(), "CLASS_FIELD": "class"})
    fields = wrapper(dialog, "CLASS_FIELD").widget
    assert [fields.itemText(i) for i in range(fields.count())] == ["", "class", "split"]
    run(dialog)
    close(dialog)
    dialog = open_dialog("parsimap:report", {"MODEL": model})
    assert wrapper(dialog, "ACCURACY").parameterValue().endswith("accuracy.json")
    page = run(dialog)["OUTPUT"]
    assert os.path.getsize(page) > 10000
    close(dialog)
    # A copy of the scene and of the labels whose files have no CRS, which is set in QGIS.
    layers = [QgsRasterLayer(os.path.join(folder, "bare.tif"), "bare"), QgsVectorLayer(os.path.join(folder, "bare.shp"), "bare")]
    for layer in layers:
        assert not layer.dataProvider().crs().isValid()
        layer.setCrs(QgsRasterLayer(SCENE, "scene").crs())
    project.addMapLayers(layers)
    located = os.path.join(folder, "located.tif")
    with_crs = {"SCENE": layers[0].id(), "LABELS": layers[1].id(), "CLASS_FIELD": "class", "MAP": located}
    processing.run("parsimap:train-and-classify", {**QUICK, **with_crs, "MODEL": os.path.join(folder, "located.parsimap")})
    assert QgsRasterLayer(located, "map").crs().authid() == "EPSG:32631"
    said = failure_of("parsimap:classify", {"SCENE": SCENE, "MODEL": model, "MAP": os.path.join(folder, "map.jpg")})
    assert ".jpg" in said, said


def a_sample_scene_is_loaded_from_the_menu():
    project.clear()
    plugin = classFactory(qgis.utils.iface)
    plugin.initProcessing = lambda: None  # the provider is there already
    plugin.initGui()
    qgis.utils.iface.plugin_actions["parsimap", "Load a sample scene with labels"].trigger()
    assert tree_of(project.layerTreeRoot()) == ["sample labels", "sample scene"]
    assert "Train" in qgis.utils.iface.messageBar().currentItem().text()
    qgis.utils.iface.messageBar().clearWidgets()
    model = os.path.join(folder, "sample.parsimap")
    dialog = open_dialog("parsimap:train", {"CLASS_FIELD": "class", "MODEL": model, **QUICK})
    run(dialog)
    close(dialog)
    assert classes_of(model) == {"winter wheat", "sunflower", "deciduous forest", "water"}
    plugin.provider = None
    for action in plugin.actions:
        qgis.utils.iface.removePluginMenu("parsimap", action)


run_tests(
    [
        labelled_places_are_not_lost,
        a_map_that_is_made_again_is_shown,
        training_uses_what_the_layer_shows,
        layers_of_a_file_are_trained_on_alone,
        layers_with_names_that_geopackages_reserve_are_trained_on,
        labels_fit_a_scene_without_a_place,
        scenes_have_the_no_data_value_that_is_set_in_qgis,
        what_cannot_be_read_is_named,
        outputs_are_not_offered_as_scenes,
        steps_of_models_are_bound_to_inputs,
        runs_carry_over_to_the_next_dialogs,
        one_run_trains_and_classifies,
        help_and_small_things,
        a_sample_scene_is_loaded_from_the_menu,
    ]
)
