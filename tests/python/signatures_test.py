"""The functions have the options of the commands, and say what they are."""

import importlib
import inspect
import json
import pathlib
import subprocess
import sys
import typing
import unittest
import unittest.mock

import parsimap
from parsimap import _running, commands
from parsimap._rasters import Rasters
from sample import SOURCE, run


def generator():
    """The script python/make-commands as a module."""
    from importlib.machinery import SourceFileLoader

    loader = SourceFileLoader("make_python", str(SOURCE / "python" / "make-commands"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("make_python", loader))
    loader.exec_module(module)
    return module


class Signatures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.usage = json.loads(run("usage", "json").stdout)
        cls.script = generator()

    def test_the_file_is_what_the_script_makes(self):
        self.assertEqual(pathlib.Path(commands.__file__).read_text(), self.script.module(self.usage))

    def test_every_option_is_a_parameter_with_its_default(self):
        for command in self.usage["commands"]:
            if command["name"] not in self.script.COMMANDS:
                continue
            parameters = dict(inspect.signature(getattr(parsimap, command["name"])).parameters)
            for argument in command["arguments"]:
                self.assertEqual(parameters.pop(argument["name"].lower()).kind, inspect.Parameter.POSITIONAL_OR_KEYWORD)
            for option in command["options"] + self.usage["common_options"]:
                if option["name"] in self.script.TERMINAL_OPTIONS:
                    continue
                with self.subTest(command=command["name"], option=option["name"]):
                    parameter = parameters.pop(self.script.python_name(command["name"], option["name"]))
                    self.assertEqual(parameter.kind, inspect.Parameter.KEYWORD_ONLY)
                    unset = False if option["kind"] == "flag" else None
                    default = option.get("default", unset)
                    self.assertEqual(parameter.default, int(default) if option["kind"] == "integer" and default else default)
            self.assertEqual(list(parameters), ["progress"])

    def test_an_option_described_once_is_a_parameter(self):
        """One more option in `usage json`, which is made from the descriptions of the program."""
        usage = json.loads(json.dumps(self.usage))
        train = next(command for command in usage["commands"] if command["name"] == "train")
        train["options"].append({"name": "palette-size", "label": "Palette", "kind": "integer", "basic": False, "value": "N",
                                 "description": "Colours of the palette", "default": "7", "least": 2, "most": 9})
        namespace = {"__name__": "parsimap.extended", "__package__": "parsimap"}
        exec(self.script.module(usage), namespace)
        self.assertEqual(inspect.signature(namespace["train"]).parameters["palette_size"].default, 7)
        self.assertIn("palette_size : int, default 7\n        Colours of the palette. At least 2. At most 9.", namespace["train"].__doc__)
        with unittest.mock.patch("parsimap._running.train", side_effect=lambda given: given):
            given = namespace["train"]("scene.tif", "labels.gpkg", palette_size=8)
        options, arguments = _running.values_of({**given, "progress": None}, ("scene", "labels", "model", "progress"), Rasters())
        self.assertEqual(options["palette-size"], 8)
        self.assertEqual(arguments["LABELS"], b"labels.gpkg")

    def test_layers_and_renamed_options_are_those_of_the_program(self):
        of_name = {command["name"]: command for command in self.usage["commands"] if command["name"] in self.script.COMMANDS}
        layers = [option["name"].replace("-", "_") for option in of_name["classify"]["options"] if self.script.is_layer("classify", option)]
        self.assertEqual(list(_running.LAYERS), layers)
        self.assertEqual(_running.OPTION_NAMES, {other: name for (_, name), other in self.script.OTHER_NAMES.items()})

    def test_every_parameter_is_described_and_annotated(self):
        for name in self.script.COMMANDS:
            function = getattr(parsimap, name)
            for section in ("Parameters", "Returns", "Raises"):
                self.assertIn(f"\n    {section}\n    {'-' * len(section)}\n", function.__doc__)
            for parameter in inspect.signature(function).parameters.values():
                with self.subTest(command=name, parameter=parameter.name):
                    self.assertIn(f"\n    {parameter.name} : ", function.__doc__)
                    self.assertNotEqual(parameter.annotation, inspect.Parameter.empty)

    def test_annotations_mean_something(self):
        namespace = {**vars(commands), "numpy": importlib.import_module("numpy"), "xarray": importlib.import_module("xarray"),
                     "pandas": importlib.import_module("pandas"),
                     "_model": importlib.import_module("parsimap._model")}
        for name in self.script.COMMANDS:
            typing.get_type_hints(getattr(commands, name), namespace)

    def test_the_package_is_imported_without_gdal(self):
        code = "import sys, parsimap; parsimap.train; assert not {'parsimap._commands', 'numpy'} & set(sys.modules), 'loaded'"
        subprocess.run([sys.executable, "-c", code], check=True)


if __name__ == "__main__":
    unittest.main()
