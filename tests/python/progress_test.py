"""Bars of progress: which there are, and when."""

import io
import os
import pty
import subprocess
import sys
import types
import unittest
from unittest import mock

from parsimap import _progress
from sample import LABELS, SCENE

TRAIN = f"import parsimap; parsimap.train({str(SCENE)!r}, {str(LABELS)!r}, class_field='class', samples_per_class=20, progress={{}})"


class RecordedBar:
    """In the place of tqdm."""

    made = []

    def __init__(self, total, desc, **_):
        self.total, self.desc, self.n, self.closed = total, desc, 0, False
        RecordedBar.made.append(self)

    def update(self, more):
        self.n += more

    def close(self):
        self.closed = True


class Bars(unittest.TestCase):
    def setUp(self):
        RecordedBar.made = []

    def test_a_stage_has_a_bar_of_its_own(self):
        bar = _progress.Bar(RecordedBar)
        for stage, fraction in [("reading", 0.5), ("training", 0.25), ("training", 1.0)]:
            bar.show(stage, fraction)
        bar.close()
        self.assertEqual([made.desc for made in RecordedBar.made], ["reading", "training"])
        self.assertEqual([made.n for made in RecordedBar.made], [0.5, 1.0])
        self.assertTrue(all(made.closed for made in RecordedBar.made))

    def test_bars_are_closed_when_the_work_fails(self):
        with mock.patch("tqdm.auto.tqdm", RecordedBar), self.assertRaises(LookupError), _progress.progress_shown(True) as show:
            show("training", 0.5)
            raise LookupError
        self.assertTrue(RecordedBar.made[0].closed)

    def test_only_terminals_and_notebooks_have_one_unasked(self):
        with mock.patch("sys.stderr", io.StringIO()):
            self.assertIsNone(_progress.wanted_bar(None))
            shell = type("ZMQInteractiveShell", (), {})()
            with mock.patch.dict(sys.modules, IPython=types.SimpleNamespace(get_ipython=lambda: shell)):
                self.assertIsNotNone(_progress.wanted_bar(None))
                self.assertIsNone(_progress.wanted_bar(False))
            self.assertIsNotNone(_progress.wanted_bar(True))

    def test_without_tqdm_there_is_none(self):
        with mock.patch.dict(sys.modules, {"tqdm.auto": None}), mock.patch("sys.stderr", mock.Mock(isatty=lambda: True)):
            self.assertIsNone(_progress.wanted_bar(None))
            with self.assertRaises(ImportError):
                _progress.wanted_bar(True)

    def test_a_terminal_sees_a_bar_and_a_pipe_nothing(self):
        leader, follower = pty.openpty()
        subprocess.run([sys.executable, "-c", TRAIN.format(None)], check=True, stderr=follower)
        os.close(follower)
        self.assertIn(b"training", os.read(leader, 1 << 16))
        os.close(leader)
        quiet = subprocess.run([sys.executable, "-c", TRAIN.format(None)], check=True, stderr=subprocess.PIPE)
        self.assertEqual(quiet.stderr, b"")


if __name__ == "__main__":
    unittest.main()
