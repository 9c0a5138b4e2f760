"""Ctrl-C ends the work of a command, and leaves neither an output nor a temporary file."""

import pathlib
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest

import numpy as np

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


# Is interrupted at any moment, and goes on with other arrays: work that was left must not read what is freed.
OFTEN = """
import signal, sys
import numpy as np
from parsimap import Classifier

def interrupt(*_):
    global interrupted, armed
    if armed:
        interrupted, armed = interrupted + 1, False
        raise KeyboardInterrupt

rng = np.random.default_rng(0)
y = np.arange(90) % 3
whole = Classifier(n_jobs=1).fit(rng.normal(size=(90, 6)), y)
expected, interrupted, armed = whole.predict_proba(np.ones((500, 6))), 0, False
signal.signal(signal.SIGINT, interrupt)
print("ready", flush=True)
while interrupted < 40:
    try:
        armed = True
        X = rng.normal(size=(90, 6))
        Classifier(n_jobs=1).fit(X, y).predict(np.tile(X, (40, 1)))
        armed = False
    except KeyboardInterrupt:
        pass
signal.signal(signal.SIGINT, signal.SIG_IGN)
np.testing.assert_array_equal(whole.predict_proba(np.ones((500, 6))), expected)
print("done", flush=True)
"""


def interrupted_in(number, call):
    """The exception of a call that is interrupted when it calls a function of Python for the given time, or None if that is not reached."""
    calls = 0

    def hook(frame, event, _):
        nonlocal calls
        calls += event == "call" and frame.f_code.co_name != "__del__"  # whose exceptions nobody hears
        if calls == number:
            calls += 1
            raise KeyboardInterrupt

    sys.setprofile(hook)
    try:
        call()
    except BaseException as error:
        return type(error)
    finally:
        sys.setprofile(None)


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
        parsimap.train(SCENE, LABELS, kernel="gaussian", spatial="none", samples_per_class=20, **TRAINING).save(self.folder / "model")
        # A scene that takes a while: the same again and again.
        outcome = self.outcome_of(textwrap.dedent(f"""
            import numpy, rioxarray
                scene = rioxarray.open_rasterio({str(SCENE)!r}).transpose("y", "x", "band").to_numpy()
                scene = numpy.tile(scene, (10, 10, 1))
                parsimap.classify(scene, "model", "map.tif", confidence="confidence.tif", threads=1, progress=interrupt)
            """).strip())
        self.assertEqual((outcome.returncode, outcome.stdout), (7, "at work\ninterrupted parsimap\n"), outcome.stderr)
        self.assertEqual(files_in(self.folder), ["model"])

    def test_a_signal_from_outside_while_nothing_is_reported(self):
        call = (f"parsimap.train({str(SCENE)!r}, {str(REFERENCE)!r}, 'model', validate='folds:5', repeats=50, "
                "progress=lambda *_: print('begun', flush=True))")
        process = subprocess.Popen([sys.executable, "-c", SCRIPT.format(call=call)], stdout=subprocess.PIPE, text=True, cwd=self.folder)
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 7)
        self.assertEqual(files_in(self.folder), [])

    def test_every_call_can_be_interrupted(self):
        y = np.arange(30) % 3
        X = np.random.default_rng(0).normal(size=(30, 6)) + y[:, np.newaxis]
        classifier = parsimap.Classifier(n_jobs=1).fit(X, y)
        for call in (lambda: classifier.model_.predict(X), lambda: classifier.model_.classify(X.reshape(5, 6, 6)),
                     lambda: classifier.fit(X, y, sample_weight=1 + y)):
            number = 1
            while (raised := interrupted_in(number, call)) is not None:
                self.assertIs(raised, KeyboardInterrupt, number)
                number += 1
            self.assertGreater(number, 20)

    def test_many_interruptions(self):
        process = subprocess.Popen([sys.executable, "-c", OFTEN], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder)
        process.stdout.readline()
        waits = iter(range(10**6))
        while process.poll() is None:
            process.send_signal(signal.SIGINT)
            time.sleep(0.001 * (7 * next(waits) % 41))
        said, errors = process.communicate()
        self.assertEqual((process.returncode, said), (0, "done\n"), errors)


if __name__ == "__main__":
    unittest.main()
