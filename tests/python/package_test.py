"""What importing the package loads, and whether its stubs are true."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import parsimap

PACKAGE = pathlib.Path(parsimap.__file__).parent
LIBRARY = PACKAGE / "../../lib/parsimap/libparsimap-c-arrays.so"


def lines_of(code):
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.splitlines()


class Loading(unittest.TestCase):
    def test_importing_loads_nothing_large(self):
        loaded = set(lines_of("import parsimap, sys; print('\\n'.join(sys.modules))"))
        self.assertFalse(loaded & {"numpy", "scipy", "sklearn", "xarray", "dask", "parsimap._mathematics"})

    def test_gdal_is_not_loaded_for_arrays(self):
        files = lines_of("import numpy as np; from parsimap import Classifier;"
                         "X = np.random.default_rng(0).normal(size=(60, 5)); y = np.arange(60) % 3;"
                         "m = Classifier(n_jobs=1).fit(X, y).model_; m.describe();"
                         "print(open('/proc/self/maps').read())")
        self.assertTrue(any("libparsimap-c-arrays" in line for line in files))
        self.assertFalse([line for line in files if "gdal" in line or "proj" in line])

    def test_public_names(self):
        for name in parsimap.__all__:
            self.assertTrue(getattr(parsimap, name).__doc__, name)
        with self.assertRaises(AttributeError):
            parsimap.no_such_name

    def test_the_version_is_that_of_the_program(self):
        said = subprocess.run([os.environ["PROGRAM"], "--version"], check=True, capture_output=True, text=True).stdout
        self.assertIn(parsimap.__version__, said.split())


class Surroundings(unittest.TestCase):
    """What the package cannot work with is named in a sentence of an ImportError."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.package = shutil.copytree(PACKAGE, self.folder / "parsimap")

    def error_of(self, code):
        result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(self.folder)})
        self.assertEqual(result.returncode, 1, result.stdout)
        return result.stderr.splitlines()[-1]

    def library(self, content):
        place = self.package / "lib/parsimap"
        place.mkdir(parents=True)
        (place / "libparsimap-c-arrays.so").write_bytes(content)

    def test_a_missing_library(self):
        self.assertRegex(self.error_of("import parsimap; parsimap.Model"),
                         f"ImportError: the library libparsimap-c-arrays.so of parsimap is missing; it was looked for in {self.package}/lib/parsimap, ")

    def test_another_architecture(self):
        content = bytearray(LIBRARY.read_bytes())
        content[18] ^= 0xFF  # the machine of an ELF file
        self.library(content)
        self.assertRegex(self.error_of("import parsimap; parsimap.Model"), r"cannot be loaded on this computer \(linux, \w+\): /.*libparsimap-c-arrays.so")

    def test_a_file_that_is_no_library(self):
        self.library(b"")
        self.assertIn("cannot be loaded on this computer", self.error_of("import parsimap; parsimap.Model"))

    def test_a_library_of_another_version(self):
        self.library(LIBRARY.read_bytes())
        self.assertRegex(self.error_of("from parsimap import _library; _library.VERSION = '99.0'; from parsimap import Model"),
                         r"libparsimap-c-arrays.so is of version \d.* and the Python package in .* of version 99.0; install both from one package$")

    def test_an_older_python(self):
        self.assertEqual(self.error_of("import sys; sys.version_info = (3, 10, 1, 'final', 0); import parsimap"),
                         "ImportError: parsimap needs Python 3.11 or later, and this is Python 3.10")

    def test_an_older_numpy(self):
        self.library(LIBRARY.read_bytes())
        self.assertEqual(self.error_of("import numpy; numpy.__version__ = '1.23.5'; import parsimap; parsimap.Model"),
                         "ImportError: parsimap needs numpy 1.24 or later, and numpy 1.23.5 is installed")


class Stubs(unittest.TestCase):
    def test_stubs_are_those_of_the_modules(self):
        environment = {**os.environ, "MYPYPATH": str(PACKAGE.parent)}
        folder = pathlib.Path(__file__).parent
        result = subprocess.run([sys.executable, "-m", "mypy.stubtest", "--ignore-missing-stub",
                                 "--mypy-config-file", folder / "mypy.ini", "--allowlist", folder / "stubs_allowed.txt",
                                 "parsimap"], capture_output=True, text=True, env=environment)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)


if __name__ == "__main__":
    unittest.main()
