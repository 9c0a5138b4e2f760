"""qgis_parameters.py COMMAND < USAGE: the parameters that the plugin for QGIS makes for a command, as JSON.

USAGE is what `parsimap usage json` prints. The plugin's own algorithm makes the parameters; QGIS itself is not needed, because
its classes are replaced by ones that only remember what they were made with.
"""
import json
import sys
import types
from pathlib import Path
from unittest.mock import MagicMock


class Kind(type):
    """Classes whose constants, such as Behavior.Folder, are anything."""

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return MagicMock()


class Remembered(metaclass=Kind):
    def __init__(self, name=None, label=None, *_values, **_options):
        self.made = {"kind": type(self).__name__, "name": name, "label": label}

    def setHelp(self, text):  # noqa: N802 (names of QGIS)
        self.made["help"] = text

    def __getattr__(self, _name):
        return MagicMock()


class Algorithm(Remembered):
    parameters = []

    def addParameter(self, parameter, createOutput=True):  # noqa: N802, N803
        self.parameters.append(parameter.made)
        return True


def replaced_module(name, **known):
    module = types.ModuleType(name)
    module.__path__ = []
    module.__getattr__ = lambda kind: known.get(kind) or Kind(kind, (Remembered,), {})
    sys.modules[name] = module


for module_name in ("qgis", "qgis.PyQt", "qgis.PyQt.QtGui", "qgis.utils", "processing", "processing.core",
                    "processing.core.ProcessingConfig"):
    replaced_module(module_name)
replaced_module("qgis.core", QgsProcessingAlgorithm=Algorithm)
# Without an application no layer is offered.
replaced_module("qgis.PyQt.QtCore", QCoreApplication=types.SimpleNamespace(instance=lambda: None))

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "qgis"))
package = types.ModuleType("parsimap_provider")  # without its __init__, which registers the plugin
package.__path__ = [sys.path[0] + "/parsimap_provider"]
sys.modules["parsimap_provider"] = package
from parsimap_provider.algorithm import ParsimapAlgorithm  # noqa: E402

usage = json.load(sys.stdin)
command = next(each for each in usage["commands"] if each["name"] == sys.argv[1])
ParsimapAlgorithm(usage, command).initAlgorithm()
json.dump(Algorithm.parameters, sys.stdout)
