"""The notebooks of examples run from their first cell to their last, without an error."""

import os
import pathlib
import tempfile
import unittest

import nbformat
from nbconvert.preprocessors import ExecutePreprocessor

EXAMPLES = pathlib.Path(os.environ["SOURCE"]) / "examples"


class Notebooks(unittest.TestCase):
    def test_notebooks_run(self):
        paths = sorted(EXAMPLES.glob("*.ipynb"))
        self.assertTrue(paths)
        for path in paths:
            with self.subTest(path.name), tempfile.TemporaryDirectory() as folder:
                # What IPython and matplotlib keep is not the user's business.
                os.environ.update(IPYTHONDIR=folder, MPLCONFIGDIR=folder, JUPYTER_DATA_DIR=folder)
                notebook = nbformat.read(path, as_version=4)
                # An error in a cell is thrown here.
                ExecutePreprocessor(timeout=300, kernel_name="python3").preprocess(
                    notebook, {"metadata": {"path": str(EXAMPLES)}})
                outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
                self.assertTrue(any("image/png" in output.get("data", {}) for output in outputs))
                warned = [output.text for output in outputs if output.output_type == "stream" and "Warning" in output.text]
                self.assertEqual(warned, [])

    def test_notebooks_are_kept_without_outputs(self):
        for path in EXAMPLES.glob("*.ipynb"):
            for cell in nbformat.read(path, as_version=4).cells:
                self.assertFalse(cell.get("outputs"), path.name)
                self.assertIsNone(cell.get("execution_count"), path.name)


if __name__ == "__main__":
    unittest.main()
