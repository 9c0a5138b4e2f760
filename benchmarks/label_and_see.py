#!/usr/bin/env python3
"""label_and_see.py PROGRAM SCENE LABELS CLASS_FIELD [EDITS]: how long it takes in QGIS from an edit of labels to the painted map.

Opens the dock "Label and see" of the plugin on a display of its own (Xvfb), with PROGRAM and the whole
scene in a map of 1000 x 1000 pixels. An edit takes away a part of a labelled feature, or undoes that. Prints medians and largest
values over 2 x EDITS (5) edits: seconds from the signal of the edit to the first and to the whole painted picture, and seconds of
processor time of the program and of QGIS meanwhile; first with the settings before the first full training, then with those
that it has chosen. Needs the Python modules of QGIS, which Debian has for /usr/bin/python3, and Xvfb.
"""

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SIDE = 1000  # pixels of the map


def processor_seconds(process):
    fields = pathlib.Path("/proc/{}/stat".format(process)).read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def take_part_away(labels, i):
    from qgis.core import QgsGeometry

    features = sorted(labels.getFeatures(), key=lambda feature: feature.id())
    feature = features[7 * i % len(features)]
    parts = feature.geometry().asGeometryCollection()
    if len(parts) < 2:
        labels.deleteFeature(feature.id())
    else:
        labels.changeGeometry(feature.id(), QgsGeometry.collectGeometry(parts[:i] + parts[i + 1 :]))


def timed(dock, work):
    """Seconds from the signal of an edit to the first and to the whole painted picture; processor time of both programs."""
    from label_dock import application, wait_for_picture, wait_until

    both = (dock.session.process_id(), os.getpid())
    before = [processor_seconds(each) for each in both]
    work()
    wait_for_picture(dock)
    painted = dock.picture.painted
    wait_until(lambda: painted["whole"] > dock.edited, "painted picture")
    used = [processor_seconds(each) - earlier for each, earlier in zip(both, before)]
    application.processEvents()
    return [painted["coarse"] - dock.edited, painted["whole"] - dock.edited, *used]


def measure(scene, labels, field, edits):
    from qgis.core import QgsRasterLayer, QgsVectorLayer

    import label_dock

    layers = [QgsVectorLayer(labels, "labels"), QgsRasterLayer(scene, "scene")]
    for layer in layers:
        assert layer.isValid(), layer.source()
    label_dock.project.addMapLayers(layers)
    # As the window of QGIS has it.
    label_dock.canvas.setCachingEnabled(True)
    label_dock.canvas.setParallelRenderingEnabled(True)
    dock = label_dock.open_dock(layers[1], SIDE + 400, SIDE + 100)
    dock.setFixedWidth(380)
    label_dock.canvas.setFixedSize(SIDE, SIDE)
    label_dock.canvas.setExtent(layers[1].extent())
    assert layers[0].startEditing()
    dock.labels_box.setLayer(layers[0])
    dock.field_box.setField(field)
    label_dock.wait_for_picture(dock)
    height, width = dock.view()[0].shape
    print("{}: {} bands, a view of {} x {} pixels; {}".format(scene, dock._scene["bands"], width, height, dock.status.text()))
    for settings in ("before a full training", "after it"):
        if settings == "after it":
            dock._rested()
            label_dock.wait_for_picture(dock)
        times = []
        for i in range(edits):
            times.append(timed(dock, lambda: take_part_away(layers[0], i)))
            times.append(timed(dock, lambda: layers[0].undoStack().undo()))
        print("settings {}, {} edits, median (largest); load {:.1f}".format(settings, len(times), os.getloadavg()[0]))
        for name, values in zip(("first picture, s", "whole picture, s", "program, processor s", "QGIS, processor s"), zip(*times)):
            print("  {:22}{:6.2f} ({:.2f})".format(name, statistics.median(values), max(values)))
    dock.tidy()


def main(program, scene, labels, field, edits="5"):
    program, scene, labels = map(os.path.abspath, (program, scene, labels))
    with tempfile.TemporaryDirectory() as folder:
        display, number = os.pipe()
        server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(number), "-screen", "0", "1600x1200x24", "-nolisten", "tcp"], pass_fds=[number]
        )
        try:
            os.environ.update(DISPLAY=":" + os.read(display, 16).decode().strip(), QT_QPA_PLATFORM="xcb", HOME=folder)
            os.symlink(program, os.path.join(folder, "parsimap"))
            os.environ["PATH"] = folder + ":" + os.environ["PATH"]
            # The arguments of qgis_window.py.
            sys.argv[1:] = [str(ROOT / "qgis"), str(ROOT / "sample_data"), folder]
            sys.path.append(str(ROOT / "tests" / "run" / "gis"))
            measure(scene, labels, field, int(edits))
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
