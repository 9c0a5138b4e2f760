#!python
"""Replaces itself by the program parsimap of the Python package, which is not imported."""

import importlib.util
import os
import sys

folder = importlib.util.find_spec("parsimap").submodule_search_locations[0]
program = os.path.join(folder, "bin", "parsimap")
os.execv(program, ["parsimap", *sys.argv[1:]])
