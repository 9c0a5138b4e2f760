"""Reads off the sources of the plugin for QGIS, without QGIS, that they run with Qt 6 and that its metadata are complete.
Argument: the root of the project."""

import ast
import configparser
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
plugin = root / "qgis" / "parsimap_provider"
# What PyQt6 and QGIS 4 no longer have, beside enumerations without their full names.
DROPPED = re.compile(
    r"\bPyQt[56]\b|\bexec_\(|\bQRegExp\b|\bQDesktopWidget\b|\bQVariant\.(Int|Double|String|Bool|Type)\b|\bMidButton\b"
    r"|\bsetMargin\(|\bQ(Text|String)Codec\b|\bimport sip\b(?<!qgis\.PyQt import sip)|resources_rc|\bpyrcc|\bgetContentsMargins\("
    r"|\bQFontMetrics\([^)]*\)\.width\(|\bqApp\b|\bQMatrix\b|\bQgsUnitTypes\.\w+\b(?!\.)|\bQgsWkbTypes\.(?!Type\.)[A-Z]"
)


def unscoped_enumerations(tree):
    """Members such as Qt.AlignLeft, which Qt 6 has only as Qt.AlignmentFlag.AlignLeft."""
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)):
            continue
        if not (re.match(r"Q[A-Z]|Qgs|Qgis$|Qt$", node.value.id) and node.attr[0].isupper()):
            continue
        parent = parents[node]
        is_named_further = isinstance(parent, ast.Attribute) or isinstance(parent, ast.Assign)
        is_called = isinstance(parent, ast.Call) and parent.func is node
        if not is_named_further and not is_called:
            yield "line {}: {}.{}".format(node.lineno, node.value.id, node.attr)


def check_sources():
    # The check itself must see what it looks for.
    for wrong in ("f(Qt.AlignLeft)", "x | QgsProcessing.TypeRaster", "w.setFlag(QWidget.Policy)"):
        assert list(unscoped_enumerations(ast.parse(wrong))), wrong
    for right in ("f(Qt.AlignmentFlag.AlignLeft)", "QgsProcessingContext.LayerDetails(a)", "QgsProject.instance()"):
        assert not list(unscoped_enumerations(ast.parse(right))), right
    for wrong in ("from PyQt5.QtCore import Qt", "dialog.exec_()", "import sip", "QgsWkbTypes.NoGeometry"):
        assert DROPPED.search(wrong), wrong
    assert not DROPPED.search("from qgis.PyQt import sip") and not DROPPED.search("QgsWkbTypes.Type.NoGeometry")
    tests = ("qgis_window.py", "qgis_dialogs.py", "qgis_work.py", "qgis_cancel.py", "qgis_label.py", "label_dock.py")
    files = sorted(plugin.glob("*.py")) + [root / "tests/run/gis" / name for name in tests]
    assert len(files) > 9, files
    for file in files:
        text = file.read_text()
        found = [match.group() for match in DROPPED.finditer(text)] + list(unscoped_enumerations(ast.parse(text)))
        assert not found, "{}: {}".format(file, found)


def check_metadata():
    reader = configparser.ConfigParser(interpolation=None)
    reader.optionxform = str
    reader.read(plugin / "metadata.txt")
    fields = reader["general"]
    for name in ("name", "description", "about", "version", "qgisMinimumVersion", "qgisMaximumVersion", "changelog", "tags"):
        assert fields.get(name, "").strip(), "metadata.txt lacks " + name
    assert fields["supportsQt6"] == "True" and fields["qgisMaximumVersion"].startswith("4.")
    assert (plugin / fields["icon"]).is_file(), fields["icon"]
    assert fields["version"] in fields["changelog"], "the changelog does not have this version"
    for name in ("author", "email", "homepage", "tracker", "repository"):
        assert name not in fields, "{} is in metadata.txt; packaging/publisher.json has it".format(name)


check_sources()
check_metadata()
