"""Opens the dialogs of the plugin as the window of QGIS does, sets their layers, runs and cancels them. Ends with a failed
assertion, or as QGIS does when it crashes. Arguments: those of qgis_window.py."""

import gc
import glob
import os
import re
import shutil
import sys
import tarfile
import zipfile

from qgis.core import QgsApplication
from qgis.PyQt.QtCore import QEvent, QTimer, Qt
from qgis.PyQt.QtGui import QFocusEvent
from qgis.PyQt.QtWidgets import QApplication, QComboBox, QLabel, QLineEdit, QPushButton
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
    provider,
    run,
    run_tests,
    sample,
    set_parameter,
    wait_until,
    wrapper,
)

from parsimap_provider import classFactory, installation, program  # noqa: E402 (qgis_window adds the plugin's folder)
from parsimap_provider.algorithm import ParsimapAlgorithm  # noqa: E402
from parsimap_provider.train_and_classify import TrainAndClassify  # noqa: E402
from processing.core.ProcessingConfig import ProcessingConfig  # noqa: E402
from processing.core.ProcessingResults import resultsList  # noqa: E402
from processing.gui.BatchAlgorithmDialog import BatchAlgorithmDialog  # noqa: E402
from processing.gui.ConfigDialog import ConfigDialog  # noqa: E402

# Parameters that no command has.
OF_THE_PLUGIN = {"replace_shown", "labels_selected", "reference_selected", "region_selected", "sample_selected", "segments_selected", "file_layer"}


def every_command_has_parameters_of_its_own():
    """Also those that the provider does not offer: a parameter for each argument and option, with texts for people."""
    usage = program.read_usage()
    algorithms = [ParsimapAlgorithm(usage, command) for command in usage["commands"]] + [TrainAndClassify(usage)]
    for algorithm in (each.create() for each in algorithms):
        command = algorithm.command
        names = [definition.name().lower() for definition in algorithm.parameterDefinitions()]
        items = algorithm.arguments + algorithm.options
        added = [name for name in names if name not in {each.lower() for each in algorithm.names}]
        assert len(names) == len(set(names)) == len(items) + len(added), "{}: {}".format(command["name"], names)
        assert set(added) <= OF_THE_PLUGIN, "{}: {}".format(command["name"], added)
        texts = [algorithm.shortHelpString(), algorithm.shortDescription()]
        for definition in algorithm.parameterDefinitions():
            texts += [definition.description(), definition.help()]
        for text in texts:
            assert text and " --" not in text and "'parsimap" not in text, "{}: {}".format(command["name"], text)
        labels = {definition.description() for definition in algorithm.parameterDefinitions()}
        named = set(re.findall(r"(?<!\()“([^”]+)”", " ".join(texts)))
        assert named <= labels, "{} names {}, which its dialog lacks".format(command["name"], named - labels)
    assert not provider.icon().isNull()


def without_program_a_message_opens_the_settings():
    window = qgis.utils.iface
    path = os.environ["PATH"]
    known = len(provider.algorithms())
    removed = os.path.join(folder, "removed")
    for chosen, named in [(removed, removed), ("", "parsimap")]:
        os.environ["PATH"] = folder
        open(removed, "w").close()  # the settings take only what is there
        ProcessingConfig.setSettingValue(program.PROGRAM_SETTING, chosen)
        os.remove(removed)
        provider.refreshAlgorithms()
        assert not provider.algorithms()
        message = window.messageBar().currentItem()
        assert message is not None, "no message says that there is no program"
        assert "'{}' was not found".format(named) in message.text(), message.text()
        buttons = {each.text(): each for each in message.findChildren(QPushButton) if each.text()}
        assert list(buttons) == ["Settings of Processing"] if chosen else ["Install…", "Settings of Processing"], buttons
        buttons["Settings of Processing"].click()
        assert window.opened_options.pop() == "processingOptions" and not window.opened_options
    # The program of a wheel in this Python is found without the PATH.
    os.makedirs(os.path.join(folder, "wheel", "parsimap", "bin"))
    open(os.path.join(folder, "wheel", "parsimap", "__init__.py"), "w").close()
    inside = os.path.join(folder, "wheel", "parsimap", "bin", "parsimap")
    os.symlink(shutil.which("parsimap", path=path), inside)
    sys.path.insert(0, os.path.join(folder, "wheel"))
    provider.refreshAlgorithms()
    assert program.program_path() == inside and len(provider.algorithms()) == known
    application.processEvents()
    assert window.messageBar().currentItem() is None, "a message stays that does not hold any more"
    del sys.path[0]
    # What is chosen in the settings comes before the PATH.
    os.environ["PATH"] = path
    ProcessingConfig.setSettingValue(program.PROGRAM_SETTING, inside)
    assert program.program_path() == inside
    ProcessingConfig.setSettingValue(program.PROGRAM_SETTING, "")
    provider.refreshAlgorithms()
    assert len(provider.algorithms()) == known


def _packages(real):
    """An archive and a wheel with a program that starts the real one, an archive with a path out of its folder, and an empty one."""
    script = os.path.join(folder, "start")
    with open(script, "w") as file:
        file.write('#!/bin/sh\nexec "{}" "$@"\n'.format(real))
    os.chmod(script, 0o755)
    packages = {}
    for name, member in [("archive", "x/bin/parsimap"), ("hostile", "x/../../parsimap"), ("empty", "x/bin/other")]:
        packages[name] = os.path.join(folder, name + ".tar.xz")
        with tarfile.open(packages[name], "w:xz") as archive:
            archive.add(script, member)
    packages["wheel"] = os.path.join(folder, "parsimap-0.3.0-py3-none-any.whl")
    with zipfile.ZipFile(packages["wheel"], "w") as wheel:
        wheel.write(script, "parsimap/bin/parsimap")
        information = "parsimap-0.3.0.dist-info/"
        wheel.writestr(information + "METADATA", "Metadata-Version: 2.1\nName: parsimap\nVersion: 0.3.0\n")
        wheel.writestr(information + "WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(information + "RECORD", "parsimap/bin/parsimap,,\n")
    return packages


def _submit(source):
    """Enters the source in the dialog of the installation once it is open, and presses its button."""

    def press():
        dialog = QApplication.activeModalWidget()
        if dialog is None:
            QTimer.singleShot(20, press)
            return
        assert installation.folder() in " ".join(label.text() for label in dialog.findChildren(QLabel))
        dialog.source.clear()
        assert not dialog.install.isEnabled(), "nothing can be installed"
        dialog.source.setText(source)
        dialog.install.click()

    QTimer.singleShot(20, press)


def the_program_is_installed_and_removed():
    """By a button of the message that there is none; every failure is a sentence and leaves what was installed before."""
    bar = qgis.utils.iface.messageBar()
    path = os.environ["PATH"]
    packages = _packages(shutil.which("parsimap"))
    known = len(provider.algorithms())
    plugin = classFactory(qgis.utils.iface)
    plugin.initProcessing = lambda: None  # the provider is there already
    plugin.initGui()
    plugin.provider = provider
    actions = {text: action for (_, text), action in qgis.utils.iface.plugin_actions.items()}
    # A folder with what pip and the script need, but without the program.
    os.environ["PATH"] = os.path.join(folder, "tools")
    os.mkdir(os.environ["PATH"])
    os.symlink(shutil.which("python3", path=path), os.path.join(os.environ["PATH"], "python3"))
    provider.refreshAlgorithms()
    assert not provider.algorithms()
    (button,) = [each for each in bar.currentItem().findChildren(QPushButton) if each.text() == "Install…"]
    _submit(packages["archive"])
    button.click()
    assert bar.currentItem().text() == installation.installed_program() + " is installed.", bar.currentItem().text()
    assert program.program_path() == os.path.join(installation.folder(), "bin", "parsimap")
    assert len(provider.algorithms()) == known

    def refused(source, *words):
        bar.clearWidgets()
        _submit(source)
        actions["Install the program…"].trigger()
        said = bar.currentItem().text()
        assert all(word in said for word in words), said
        assert os.listdir(os.path.dirname(installation.folder())).count("parsimap") == 1
        assert not glob.glob(os.path.join(os.path.dirname(installation.folder()), "parsimap-*")), "something is left"
        assert len(provider.algorithms()) == known

    refused(packages["hostile"], "is no archive of parsimap: it contains x/../../parsimap")
    refused(packages["empty"], "contains no program parsimap")
    refused(os.path.join(folder, "nothing.tar.xz"), "No such file")
    refused(os.path.join(folder, "start"), "neither an archive")
    refused("http://127.0.0.1:9/parsimap.tar.xz", "http://127.0.0.1:9/parsimap.tar.xz cannot be fetched: ")
    broken = os.path.join(folder, "parsimap-0.4.0-cp30-none-any.whl")
    shutil.copy(packages["wheel"], broken)
    refused(broken, "pip cannot install", "not a supported wheel")
    machine = installation.platform.machine
    installation.platform.machine = lambda: "aarch64"
    refused(packages["archive"], "runs on Linux with x86-64 processors", "aarch64")
    installation.platform.machine = machine
    place, installation.folder = installation.folder, lambda: "/proc/nowhere/parsimap"
    try:
        installation.install(packages["archive"])
        assert False, "installed in a folder that cannot be written"
    except installation.InstallationError as error:
        assert "cannot be installed in /proc/nowhere/parsimap" in str(error), error
    installation.folder = place

    _submit(packages["wheel"])
    actions["Install the program…"].trigger()
    assert program.program_path() == os.path.join(installation.folder(), "parsimap", "bin", "parsimap")
    assert len(provider.algorithms()) == known
    bar.clearWidgets()
    actions["Remove the installed program"].trigger()
    assert not os.path.exists(installation.folder()) and not provider.algorithms()
    actions["Remove the installed program"].trigger()
    assert "cannot be removed: No such file" in bar.currentItem().text(), bar.currentItem().text()
    os.environ["PATH"] = path
    provider.refreshAlgorithms()
    bar.clearWidgets()
    for action in plugin.actions:
        qgis.utils.iface.removePluginMenu("parsimap", action)


def settings_take_what_is_typed():
    """Without Enter; a program that is another one is a sentence in a message, and one that is not there is refused."""
    seen = []

    def type_program(path):
        page = ConfigDialog(False)
        page.show()
        # Other settings name files that are not there in the home of a test.
        page.items = {setting: item for setting, item in page.items.items() if setting.name == program.PROGRAM_SETTING}
        (item,) = page.items.values()
        page.tree.setCurrentIndex(item.index())
        page.tree.edit(item.index())
        application.processEvents()
        editor = page.tree.findChild(QLineEdit)
        editor.setText(path)
        application.sendEvent(editor, QFocusEvent(QEvent.Type.FocusOut))  # as a click on OK does
        application.processEvents()
        page.accept()
        page.close()

    script = os.path.join(folder, "script")
    with open(script, "w") as file:
        file.write("no program")
    os.chmod(script, 0o755)
    for path in ("/bin/echo", "/bin/false", script):
        type_program(path)
        assert ProcessingConfig.getSetting(program.PROGRAM_SETTING) == path
        message = qgis.utils.iface.messageBar().currentItem()
        assert "'{}' is not the program parsimap".format(path) in message.text(), message.text()
    answer("OK", seen)
    type_program("/nowhere/parsimap")
    assert "There is no program '/nowhere/parsimap'" in seen[0], seen
    type_program("")
    assert provider.algorithms() and qgis.utils.iface.messageBar().currentItem() is None


def an_empty_argument_is_named():
    fill_project(["scene"])
    dialog = open_dialog("parsimap:train")
    seen = []
    answer("OK", seen)
    dialog.runAlgorithm()
    wanted = "“Labels” is empty: choose it, or give “Several scenes with their labels” or “Table of scenes” or"
    assert wanted in seen[0], seen
    close(dialog)


def dialogs_open_with_any_layers():
    for names, active in [
        (["scene", "reference"], "reference"),
        (["training"], "training"),
        (["scene", "reference", "training"], "training"),
        (["scene", "reference", "training"], "scene"),
        (["scene", "reference", "training"], None),
        ([], None),
    ]:
        layers = fill_project(names)
        qgis.utils.iface.active_layer = layers.get(active)
        for algorithm in provider.algorithms():
            close(open_dialog(algorithm))
        qgis.utils.iface.active_layer = None


def loaded_layers_are_offered():
    """Also for arguments that an option may stand in for, which QGIS takes for optional and leaves empty."""
    layers = fill_project(["scene", "training", "reference"])
    for algorithm, name, layer in [
        ("parsimap:train", "SCENE", "scene"),
        ("parsimap:train", "LABELS", "training"),
        ("parsimap:classify", "SCENE", "scene"),
        ("parsimap:inspect", "SCENE", "scene"),
        ("parsimap:inspect", "LABELS", "training"),
        ("parsimap:assess", "MAP", "reference"),
        ("parsimap:assess", "REFERENCE", "training"),
    ]:
        dialog = open_dialog(algorithm)
        offered = wrapper(dialog, name).parameterValue()
        assert offered == layers[layer].id(), "{} offers {} as {}".format(algorithm, offered, name)
        close(dialog)
    layers = fill_project(["scene", "reference"])
    for name in layers:
        qgis.utils.iface.active_layer = layers[name]
        dialog = open_dialog("parsimap:train")
        assert wrapper(dialog, "SCENE").parameterValue() == layers["scene"].id(), "a map is offered as a scene"
        assert wrapper(dialog, "LABELS").parameterValue() is None, "a raster that may be the scene is offered as labels"
        close(dialog)
    qgis.utils.iface.active_layer = None
    fill_project(["training"])
    dialog = open_dialog("parsimap:train")
    assert wrapper(dialog, "SCENE").parameterValue() is None
    close(dialog)


def choices_are_lists():
    fill_project([])
    for algorithm in provider.algorithms():
        listed = []
        dialog = open_dialog(algorithm)
        for name, option in zip(algorithm.names[len(algorithm.arguments) :], algorithm.options):
            if not option.get("choices"):
                continue
            combo = wrapper(dialog, name)
            combo = getattr(combo, "widget", None) or combo.wrappedWidget()
            assert isinstance(combo, QComboBox), "{} is no list".format(name)
            shown = [combo.itemText(i) for i in range(combo.count())]
            assert set(option["choices"]) <= set(shown), "{} offers {}".format(name, shown)
            listed.append(name)
        if algorithm.name() == "train":
            assert {"SAMPLING", "DIMENSION", "CENTRES", "VALIDATE", "KERNEL"} <= set(listed), listed
            for name, value in [("SAMPLING", "constant:50"), ("CENTRES", "300"), ("KERNEL", "pca")]:
                set_parameter(dialog, name, value)
                assert wrapper(dialog, name).parameterValue() == value, name
        if algorithm.name() == "classify":
            assert "REGULARISE" in listed
        close(dialog)


def fields_follow_the_label_layer():
    """The layer is set in the open dialog: one of the project, a file, one that is removed; and so in the batch dialog."""
    vector_file = os.path.join(sample, "training.gpkg")
    for algorithm, labels in [("parsimap:train", "LABELS"), ("parsimap:assess", "REFERENCE")]:
        layers = fill_project(["scene", "reference", "training"])
        dialog = open_dialog(algorithm)
        field = wrapper(dialog, "CLASS_FIELD")
        listed = dialog.findChildren(QComboBox)
        for layer in (layers["reference"], layers["training"]):
            assert any(combo.findText(layer.name() + " ", Qt.MatchFlag.MatchStartsWith) >= 0 for combo in listed), layer.name()
        for value, has_fields in [
            (layers["reference"].id(), False),
            (layers["training"].id(), True),
            (os.path.join(sample, "reference.tif"), False),
            (vector_file, True),
            (layers["training"].id(), True),
            (layers["scene"].id(), False),
        ]:
            set_parameter(dialog, labels, value)
            offered = [field.widget.itemText(i) for i in range(field.widget.count())]
            assert ("class" in offered) == has_fields, "{} offers {}".format(value, offered)
            if has_fields:
                set_parameter(dialog, "CLASS_FIELD", "class")
                assert field.parameterValue() == "class"
            else:
                assert field.parameterValue() is None, "{} has the field {}".format(value, field.parameterValue())
        set_parameter(dialog, labels, layers["training"].id())
        project.removeMapLayer(layers["training"].id())
        application.processEvents()
        close(dialog)
        batch = BatchAlgorithmDialog(QgsApplication.processingRegistry().createAlgorithmById(algorithm))
        batch.show()
        application.processEvents()
        for value in (layers["reference"].id(), vector_file, layers["scene"].id()):
            batch.mainWidget().wrappers[0][batch.mainWidget().parameter_to_column[labels]].setParameterValue(
                value, batch.mainWidget().processing_context
            )
            application.processEvents()
        close(batch)


def runs_end_with_results():
    fill_project([])
    # Fewer pixels than this are labelled as sunflower.
    vector = {"LABELS": os.path.join(sample, "training.gpkg"), "CLASS_FIELD": "class", "MIN_SAMPLES": 180}
    raster = {"LABELS": os.path.join(sample, "reference.tif")}
    model = os.path.join(folder, "model.parsimap")
    for labels in (vector, raster):
        quick = {"KERNEL": "gaussian", "SAMPLING": "constant:20", "MODEL": model}
        dialog = open_dialog("parsimap:train", {"SCENE": os.path.join(sample, "scene.tif"), **labels, **quick})
        reports = len(resultsList.getResults())
        results = run(dialog)
        assert results["MODEL"] == model and os.path.getsize(model) > 0
        assert len(resultsList.getResults()) == reports + 1, "the report is not among the results"
        report = resultsList.getResults()[-1]
        assert report.name == "Report of Train" and os.path.getsize(report.filename) > 0
        assert "winter" in log_of(dialog), "the log has no classes: " + log_of(dialog)
        assert ("(classes-dropped)" in log_of(dialog)) == (labels is vector), "the warning: " + log_of(dialog)
        # What was not asked for is not done: the labels are read once.
        assert " --labels " not in log_of(dialog)
        close(dialog)
    dialog = open_dialog("parsimap:classify", {"SCENE": os.path.join(sample, "scene.tif"), "MODEL": model})
    run(dialog)
    maps = list(project.mapLayers().values())
    assert len(maps) == 1 and maps[0].renderer().type() == "paletted", "the map is not shown with its classes"
    shown = [each.label for each in maps[0].renderer().classes()]
    assert "winter wheat" in shown and len(shown) == 5, "the map has the classes {}".format(shown)
    close(dialog)
    dialog = open_dialog("parsimap:assess", {"MAP": maps[0].id(), "REFERENCE": os.path.join(sample, "reference.tif")})
    run(dialog)
    assert "overall" in log_of(dialog)
    close(dialog)


def layers_of_many_runs_in_one_session():
    """Each layer has its style, in a session that classifies again and again, and when the project is opened again."""
    fill_project(["scene"])
    model = os.path.join(folder, "model.parsimap")
    expected = {}
    for i, further in enumerate([[], [], ["CONFIDENCE"], ["CONFIDENCE", "PROBABILITIES", "UNCERTAINTY"]]):
        target = {name: os.path.join(folder, "{}{}.tif".format(name.lower(), i)) for name in ["MAP"] + further}
        dialog = open_dialog("parsimap:classify", {"MODEL": model, **target})
        assert wrapper(dialog, "SCENE").parameterValue(), "the scene of the project is not offered"
        before = set(project.mapLayers())
        run(dialog)
        new = [project.mapLayer(layer) for layer in set(project.mapLayers()) - before]
        assert {layer.source() for layer in new} == set(target.values()), [layer.source() for layer in new]
        for layer in new:
            is_map = layer.source() == target["MAP"]
            assert layer.isValid() and (layer.renderer().type() == "paletted") == is_map, layer.source()
            expected[layer.source()] = layer.renderer().type()
        close(dialog)
        gc.collect()
    # Switch and draw them, remove some.
    canvas = qgis.utils.iface.mapCanvas()
    tree = project.layerTreeRoot()
    for layer in list(project.mapLayers().values()):
        tree.findLayer(layer.id()).setItemVisibilityChecked(False)
        canvas.setLayers([layer])
        canvas.setExtent(layer.extent())
        canvas.refresh()
        canvas.waitWhileRendering()
        tree.findLayer(layer.id()).setItemVisibilityChecked(True)
    for source in [os.path.join(folder, "map0.tif"), os.path.join(folder, "confidence2.tif")]:
        (layer,) = [each for each in project.mapLayers().values() if each.source() == source]
        canvas.setLayers([])
        project.removeMapLayer(layer.id())
        del expected[source]
        gc.collect()
    file = os.path.join(folder, "session.qgz")
    assert project.write(file)
    project.clear()
    assert project.read(file)
    shown = {layer.source(): layer.renderer().type() for layer in project.mapLayers().values() if layer.name() != "scene"}
    assert {os.path.realpath(name): kind for name, kind in shown.items()} == {
        os.path.realpath(name): kind for name, kind in expected.items()
    }, shown
    project.clear()


def all_layers_of_a_file_are_loaded():
    fill_project(["scene", "training"])
    suspects = os.path.join(folder, "suspects.gpkg")
    dialog = open_dialog(
        "parsimap:inspect",
        {"MODEL": os.path.join(folder, "model.parsimap"), "CLASS_FIELD": "class", "REPEATS": 1, "SUSPECTS": suspects},
    )
    run(dialog)
    loaded = {layer.name(): layer for layer in project.mapLayers().values() if layer.source().startswith(suspects)}
    assert len(loaded) == 2, "of the suspects {} are loaded".format(list(loaded))
    parts = ["pixels", "regions"]
    assert sorted(loaded) == ["scene: suspicious regions and pixels, {} (model)".format(part) for part in parts], list(loaded)
    for name, layer in loaded.items():
        assert layer.isValid() and layer.featureCount() > 0, name
    close(dialog)
    project.clear()


def a_cancelled_run_leaves_nothing():
    model = os.path.join(folder, "cancelled.parsimap")
    parameters = {
        "SCENE": os.path.join(sample, "scene.tif"),
        "LABELS": os.path.join(sample, "reference.tif"),
        # Long enough to be cancelled.
        "CRITERION": "radius-margin",
        "SAMPLING": "constant:600",
        "MODEL": model,
    }
    dialog = open_dialog("parsimap:train", parameters)
    finished = []
    dialog.algorithmFinished.connect(lambda successful, results: finished.append((successful, results)))
    dialog.runAlgorithm()
    # What follows the command line comes from the program.
    wait_until(lambda: log_of(dialog).partition("--progress json")[2].strip(), "message of the program")
    dialog.cancelButton().click()
    wait_until(lambda: finished, "end after it was cancelled")
    assert finished == [(False, {})], finished
    assert "failed" not in log_of(dialog) and "Train was cancelled" in log_of(dialog), log_of(dialog)
    assert not glob.glob(model + "*"), os.listdir(folder)
    close(dialog)


run_tests([
    every_command_has_parameters_of_its_own,
    without_program_a_message_opens_the_settings,
    the_program_is_installed_and_removed,
    settings_take_what_is_typed,
    an_empty_argument_is_named,
    dialogs_open_with_any_layers,
    loaded_layers_are_offered,
    choices_are_lists,
    fields_follow_the_label_layer,
    runs_end_with_results,
    layers_of_many_runs_in_one_session,
    all_layers_of_a_file_are_loaded,
    a_cancelled_run_leaves_nothing,
])
