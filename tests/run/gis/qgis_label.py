"""Labels in the dock "Label and see" as a person does: draws, edits, undoes, and looks at the picture. Arguments: those of
qgis_window.py. With PARSIMAP_SHOTS, screenshots are written to that folder."""

import os
import signal
import subprocess

from qgis.core import QgsFeature, QgsGeometry, QgsPointXY, QgsProject, QgsRasterLayer, QgsRectangle

from qgis_window import application, fill_project, folder, project, run_tests, sample, wait_until

import numpy  # noqa: E402 (what follows needs the plugin's folder)
from osgeo import gdal, gdal_array  # noqa: E402

from label_dock import canvas, open_dock, wait_for_picture, window  # noqa: E402
from parsimap_provider.program import program_path  # noqa: E402


def square(x, y, name, side=12):
    feature = QgsFeature(dock.labels_box.currentLayer().fields())
    feature.setGeometry(QgsGeometry.fromRect(QgsRectangle(x, y, x + side, y + side)))
    feature.setAttribute("class", name)
    return feature


def place_of(code):
    """The lower left corner of a square of 6 x 6 pixels that has one code in the reference, and its pixel inside."""
    reference = gdal.Open(os.path.join(sample, "reference.tif")).ReadAsArray()
    for row in range(0, 94, 3):
        for column in range(0, 114, 3):
            if (reference[row : row + 6, column : column + 6] == code).all():
                extent = dock.scene_box.currentLayer().extent()
                return (extent.xMinimum() + 2 * column, extent.yMaximum() - 2 * (row + 6)), (row + 3, column + 3)
    raise AssertionError("the reference has no square of code {}".format(code))


def seen():
    """The names of classes, pixel by pixel, of the whole picture of the labels as they are now."""
    wait_for_picture(dock)
    labels, _, answer = dock.view()
    names = numpy.array([""] + [each["name"] for each in answer["classes"]], dtype=object)
    assert [each["code"] for each in answer["classes"]] == list(range(1, len(names)))
    return names[labels]


def shot(name):
    wait_until(lambda: dock.picture.painted.get("whole", 0) > dock.edited, "painting")
    target = os.environ.get("PARSIMAP_SHOTS")
    if target:
        for _ in range(5):
            application.processEvents()  # texts find their places
        window.window.grab().save(os.path.join(target, name + ".png"))


def two_polygons_make_a_picture():
    global dock
    dock = open_dock(fill_project(["scene"])["scene"], 1000, 640)
    labels = dock.create_labels(["wheat", "water"])
    (wheat, in_wheat), (water, in_water) = place_of(1), place_of(5)
    assert labels.addFeature(square(*wheat, "wheat"))
    application.processEvents()
    wait_until(lambda: "Label two classes" in dock.status.text(), "sentence: " + dock.status.text())
    assert labels.addFeature(square(*water, "water"))
    classes = seen()
    assert classes.shape == (100, 120) and set(classes.flat) == {"wheat", "water"}, classes.shape
    assert classes[in_wheat] == "wheat" and classes[in_water] == "water"
    shot("two-polygons")
    assert dock.drawn_step == 1
    to_coarse, to_whole = (dock.picture.painted[name] - dock.edited for name in ("coarse", "whole"))
    assert 0 < to_coarse < to_whole
    print("  edit to the first picture {:.2f} s, to the whole {:.2f} s".format(to_coarse, to_whole))


def the_picture_of_a_full_training_is_the_map_of_the_command():
    dock._rested()
    seen()
    assert set(dock.result_layers) == {"places", "suspects"}, dock.result_layers
    assert dock.result_layers["places"].featureCount() > 0
    model, labels, mapped = (os.path.join(folder, "label" + ending) for ending in (".parsimap", ".geojson", ".tif"))
    answers = []
    dock.session.answered.disconnect(dock._answered)
    dock.session.answered.connect(lambda answer, _: answers.append(answer))
    dock.session.ask("save", model=model, labels=labels)
    wait_until(lambda: answers, "saved model")
    dock.session.answered.disconnect()
    dock.session.answered.connect(dock._answered)
    assert answers[0]["ok"], answers
    scene = os.path.join(sample, "scene.tif")
    for command in (
        ["train", scene, labels, model + "2", "--class-field", "class", "--spatial", "none"],
        ["classify", scene, model, mapped],
    ):
        subprocess.run([program_path(), *command, "-q"], check=True)
    with open(model, "rb") as ours, open(model + "2", "rb") as theirs:
        assert ours.read() == theirs.read(), "another model than that of the command"
    codes = gdal.Open(mapped).ReadAsArray()
    assert (dock.view()[0] == codes).all()
    shot("after-a-rest")


def edits_deletions_and_undo_are_seen():
    labels = dock.labels_box.currentLayer()
    before = seen()
    (soil, in_soil), (water, _) = place_of(4), place_of(5)
    labels.beginEditCommand("third class")
    assert labels.addFeature(square(*soil, "soil"))
    labels.endEditCommand()
    three = seen()
    assert set(three.flat) == {"wheat", "water", "soil"} and three[in_soil] == "soil"
    labels.undoStack().undo()
    assert (seen() == before).all(), "undo does not bring the picture back"
    labels.undoStack().redo()
    assert (seen() == three).all()
    (moved,) = [feature.id() for feature in labels.getFeatures() if feature["class"] == "soil"]
    assert labels.changeGeometry(moved, QgsGeometry.fromRect(QgsRectangle(soil[0], soil[1], soil[0] + 6, soil[1] + 12)))
    seen()
    assert {each["name"]: each["pixels"] for each in dock.view()[2]["classes"]} == {"soil": 18, "water": 36, "wheat": 36}
    labels.undoStack().undo()
    assert (seen() == three).all()
    colours = dock._colours(dock.view()[2]["classes"])
    assert len({colour.name() for colour in colours.values()}) == 3, "two classes have one colour"
    shot("three-classes")
    dock.ask_pixel(QgsPointXY(water[0] + 5, water[1] + 5))
    wait_until(lambda: dock.facts.text(), "facts of a pixel of three classes")
    assert dock.facts.text().startswith("water "), dock.facts.text()
    assert "Most for it: feature " in dock.facts.text() and dock.status.text().endswith(" pixels"), dock.status.text()
    shot("a-pixel")
    dock.facts.setText("")
    soil = [feature.id() for feature in labels.getFeatures() if feature["class"] == "soil"]
    assert labels.changeAttributeValue(soil[0], labels.fields().indexOf("class"), "water")
    assert set(seen().flat) == {"wheat", "water"}
    assert labels.deleteFeatures(soil)
    assert (seen() == before).all(), "a class that is deleted leaves something"
    dock.ask_pixel(QgsPointXY(water[0] + 5, water[1] + 5))
    wait_until(lambda: dock.facts.text(), "facts of a pixel")
    assert dock.facts.text().startswith("water "), dock.facts.text()
    names = {feature["class"]: str(feature.id()) for feature in labels.getFeatures()}
    assert "Most for it: feature {} (water);".format(names["water"]) in dock.facts.text(), dock.facts.text()
    assert "against it: feature {} (wheat).\nLead over wheat: ".format(names["wheat"]) in dock.facts.text(), dock.facts.text()
    assert labels.commitChanges(False)
    assert (seen() == before).all(), "saving changes the picture"


def a_smaller_extent_is_classified_and_coordinates_may_be_others():
    scene = dock.scene_box.currentLayer()
    extent = scene.extent()
    canvas.setExtent(QgsRectangle(extent.xMinimum(), extent.yMaximum() - 60, extent.xMinimum() + 60, extent.yMaximum()))
    classes = seen()
    assert classes.shape[0] <= 60 and classes.shape[1] <= 70, classes.shape
    canvas.setExtent(extent)
    assert seen().shape == (100, 120)


def another_scene_is_opened():
    before = seen()
    other = QgsRasterLayer(os.path.join(sample, "scene.img"), "other")
    assert other.isValid()
    project.addMapLayer(other)
    dock.scene_box.setLayer(other)
    assert dock._scene is None, "the scene before is still the one of the session"
    classes = seen()
    # The settings of the full training are those of the scene before.
    assert (classes == before).mean() > 0.5
    assert classes[place_of(1)[1]] == "wheat" and classes[place_of(5)[1]] == "water"


def a_scene_without_a_place_is_labelled_where_it_is_shown():
    file = os.path.join(folder, "unplaced.tif")
    gdal_array.SaveArray(gdal.Open(os.path.join(sample, "scene.tif")).ReadAsArray(), file)
    placed = dock.scene_box.currentLayer(), dock.labels_box.currentLayer()
    pixels = {"wheat": place_of(1)[1], "water": place_of(5)[1]}
    unplaced = QgsRasterLayer(file, "unplaced")
    project.addMapLayer(unplaced)
    canvas.setExtent(unplaced.extent())
    dock.scene_box.setLayer(unplaced)
    labels = dock.create_labels(list(pixels))
    for name, (row, column) in pixels.items():
        assert labels.addFeature(square(column - 3, -row - 3, name, 6))
    classes = seen()
    assert all(classes[pixel] == name for name, pixel in pixels.items()), "the labels are elsewhere"
    dock._rested()
    seen()
    points = [feature.geometry().asPoint() for feature in dock.result_layers["places"].getFeatures()]
    assert points and all(unplaced.extent().contains(point) for point in points), points
    dock.scene_box.setLayer(placed[0])
    dock.labels_box.setLayer(placed[1])
    canvas.setExtent(placed[0].extent())


def a_killed_program_is_started_again_by_the_next_edit():
    before = seen()
    labels = dock.labels_box.currentLayer()
    killed = dock.session.process_id()
    dock._rested()
    application.processEvents()
    assert dock.session.asked is not None
    os.kill(killed, signal.SIGKILL)
    wait_until(lambda: "has ended" in dock.status.text(), "message: " + dock.status.text())
    first = next(labels.getFeatures())
    assert labels.changeAttributeValue(first.id(), labels.fields().indexOf("class"), "barley")
    assert "barley" in set(seen().flat)
    assert labels.changeAttributeValue(first.id(), labels.fields().indexOf("class"), "wheat")
    assert (seen() == before).all()
    assert dock.session.process_id() != killed


def without_a_program_the_dock_says_so():
    dock.hide()
    application.processEvents()
    assert not dock.session.running()
    path = os.environ["PATH"]
    os.environ["PATH"] = folder
    dock.show()
    wait_until(lambda: "was not found" in dock.status.text(), "message: " + dock.status.text())
    os.environ["PATH"] = path
    dock._edited()
    seen()
    dock.tidy()
    assert not dock.session.running()
    QgsProject.instance().clear()


run_tests([
    two_polygons_make_a_picture,
    the_picture_of_a_full_training_is_the_map_of_the_command,
    edits_deletions_and_undo_are_seen,
    a_smaller_extent_is_classified_and_coordinates_may_be_others,
    another_scene_is_opened,
    a_scene_without_a_place_is_labelled_where_it_is_shown,
    a_killed_program_is_started_again_by_the_next_edit,
    without_a_program_the_dock_says_so,
])
