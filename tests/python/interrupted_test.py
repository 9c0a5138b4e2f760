"""Ctrl-C ends the work of a command, and leaves neither an output nor a temporary file."""

import pathlib
import signal
import subprocess
import sys
import tempfile
import textwrap
import unittest

import parsimap
from sample import LABELS, REFERENCE, SCENE, TRAINING, files_in

# Interrupts itself in the middle of the work, as a terminal does, and says what came of it.
SCRIPT = """
import os, signal, sys
import parsimap

def interrupt(stage, fraction):
    if not interrupt.sent:
        interrupt.sent = True
        print("at work", flush=True)
        os.kill(os.getpid(), signal.SIGINT)

interrupt.sent = False
try:
    {call}
except KeyboardInterrupt:
    print("interrupted", parsimap.__name__)
    sys.exit(7)
"""


class Interrupted(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def outcome_of(self, call):
        return subprocess.run([sys.executable, "-c", SCRIPT.format(call=call)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, cwd=self.folder, timeout=60)

    def test_a_training(self):
        outcome = self.outcome_of(f"parsimap.train({str(SCENE)!r}, {str(REFERENCE)!r}, 'model', report='page.html', "
                                  "validate='folds:5', repeats=50, progress=interrupt)")
        self.assertEqual((outcome.returncode, outcome.stdout), (7, "at work\ninterrupted parsimap\n"), outcome.stderr)
        self.assertEqual(files_in(self.folder), [])

    def test_a_map(self):
        parsimap.train(SCENE, LABELS, **TRAINING).save(self.folder / "model")
        # A scene that takes a while: the same again and again.
        outcome = self.outcome_of(textwrap.dedent(f"""
            import numpy, rioxarray
                scene = rioxarray.open_rasterio({str(SCENE)!r}).transpose("y", "x", "band").to_numpy()
                scene = numpy.tile(scene, (30, 30, 1))
                parsimap.classify(scene, "model", "map.tif", confidence="confidence.tif", threads=1, progress=interrupt)
            """).strip())
        self.assertEqual((outcome.returncode, outcome.stdout), (7, "at work\ninterrupted parsimap\n"), outcome.stderr)
        self.assertEqual(files_in(self.folder), ["model"])

    def test_a_signal_from_outside_while_nothing_is_told(self):
        call = (f"parsimap.train({str(SCENE)!r}, {str(REFERENCE)!r}, 'model', validate='folds:5', repeats=50, "
                "progress=lambda *_: print('told', flush=True))")
        process = subprocess.Popen([sys.executable, "-c", SCRIPT.format(call=call)], stdout=subprocess.PIPE, text=True, cwd=self.folder)
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 7)
        self.assertEqual(files_in(self.folder), [])


if __name__ == "__main__":
    unittest.main()
