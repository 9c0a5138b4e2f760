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
        self.assertTrue(any("_mathematics" in line for line in files))
        self.assertFalse([line for line in files if "gdal" in line or "proj" in line])

    def test_another_python_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            package = shutil.copytree(PACKAGE, pathlib.Path(folder) / "parsimap", ignore=shutil.ignore_patterns("*.so"))
            (package / "_mathematics.cpython-399-x86_64-linux-gnu.so").touch()
            result = subprocess.run([sys.executable, "-c", "import parsimap"], capture_output=True, text=True,
                                    env={**os.environ, "PYTHONPATH": folder})
        self.assertIn("was built for Python 3.99 and cannot be used with Python 3.", result.stderr)

    def test_public_names(self):
        for name in parsimap.__all__:
            self.assertTrue(getattr(parsimap, name).__doc__, name)
        with self.assertRaises(AttributeError):
            parsimap.no_such_name


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
