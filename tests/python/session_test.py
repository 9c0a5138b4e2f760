"""A session labels, trains and classifies like the commands, and ends with its program."""

import os
import signal
import subprocess
import sys
import threading
import unittest

import numpy

import parsimap
from sample import REFERENCE, SCENE, WORK, label_values, opened, run

PROGRAM = os.environ["PROGRAM"]
WHEAT, WATER = 1, 5


def pixels_of(code, count=40):
    rows, columns = numpy.nonzero(label_values() == code)
    step = max(1, len(rows) // count)
    return [(int(column), int(row)) for column, row in zip(columns[::step], rows[::step])]


def interrupted_in(number, call):
    """Whether a call was interrupted at such a number of calls of functions and returns from those of C; it has no more if it was not."""
    events = 0

    def hook(_, event, __):
        nonlocal events
        events += event in ("call", "c_return")
        if events == number:
            events += 1
            raise KeyboardInterrupt

    sys.setprofile(hook)
    try:
        call()
    except KeyboardInterrupt:
        return True
    finally:
        sys.setprofile(None)
    return False


class Sessions(unittest.TestCase):
    def setUp(self):
        self.session = parsimap.Session(SCENE, program=PROGRAM, threads=1, spatial="none", kernel="gaussian")
        self.addCleanup(self.session.close)

    def label(self):
        return self.session.label({"a": ("wheat", pixels_of(WHEAT)), "b": ("water", pixels_of(WATER))})

    def test_views_are_arrays_and_labelled_pixels_have_their_classes(self):
        self.assertEqual((self.session.scene["width"], self.session.scene["height"]), (120, 100))
        self.assertEqual({each["name"] for each in self.label()["classes"]}, {"wheat", "water"})
        self.session.train()
        labels, confidence, classes = self.session.classify()
        self.assertEqual((labels.shape, confidence.shape, labels.dtype), ((100, 120), (100, 120), numpy.uint8))
        found = [classes[labels[row, column]] for column, row in pixels_of(WATER)]
        self.assertGreater(found.count("water"), 0.9 * len(found))
        part = self.session.classify(window=(10, 20, 50, 31), step=numpy.int64(3))
        numpy.testing.assert_array_equal(part.labels, labels[20:51:3, 10:60:3])
        numpy.testing.assert_array_equal(part.confidence, confidence[20:51:3, 10:60:3])
        column, row = pixels_of(WATER)[0]
        pixel = self.session.pixel(column, row)
        self.assertAlmostEqual(sum(each["probability"] for each in pixel["classes"]), 1, places=5)
        self.assertEqual(pixel["spectrum"].shape, pixel["classes"][0]["mean"].shape)
        self.assertEqual((pixel["deciding"]["for"]["feature"], pixel["deciding"]["against"]["feature"]), ("b", "a"))
        self.assertLess(pixel["deciding"]["lead_without"], pixel["deciding"]["lead"])
        self.assertGreater(self.session.accuracy()["overall"], 0.5)
        self.assertEqual(len(self.session.places(3)), 3)
        self.assertLessEqual(len(self.session.suspects(numpy.int64(2))), 2)

    def test_the_saved_model_is_that_of_the_command(self):
        self.label()
        stages = []
        self.session._progress = lambda stage, fraction: stages.append(stage)
        self.assertTrue(self.session.train(full=True)["full"])
        model, labels = WORK / "session.parsimap", WORK / "session.geojson"
        self.session.save(model, labels)
        with self.assertRaisesRegex(parsimap.ConfigError, "exists"):
            self.session.save(model, labels)
        run("train", SCENE, labels, WORK / "command.parsimap", "--class-field", "class", "--spatial", "none", "--kernel", "gaussian")
        self.assertEqual(model.read_bytes(), (WORK / "command.parsimap").read_bytes())
        run("classify", SCENE, model, WORK / "session.tif")
        numpy.testing.assert_array_equal(self.session.classify().labels, opened(WORK / "session.tif")[0].to_numpy())

    def test_errors_are_those_of_the_package_and_the_session_goes_on(self):
        with self.assertRaisesRegex(parsimap.ConfigError, "train comes first"):
            self.session.classify()
        with self.assertRaisesRegex(parsimap.ConfigError, "no geometry|the type 'Hexagon'"):
            self.session.label({"x": ("a", {"type": "Hexagon", "coordinates": [1]})})
        self.label()
        self.session.label(remove=["b"])
        with self.assertRaisesRegex(parsimap.DataError, "at least two"):
            self.session.train()
        with self.assertRaisesRegex(parsimap.DataError, "nowhere.tif"):
            parsimap.Session("/nowhere.tif", program=PROGRAM)
        with self.assertRaisesRegex(parsimap.IoError, "was not found"):
            parsimap.Session(SCENE, program="/nowhere/parsimap")
        with self.assertRaisesRegex(parsimap.ConfigError, "samples-out"):
            parsimap.Session(SCENE, program=PROGRAM, samples_out="x.gpkg")

    def test_options_may_be_paths(self):
        with parsimap.Session(SCENE, program=PROGRAM, mask=REFERENCE) as session:
            self.assertEqual(session.scene["width"], 120)

    def test_a_request_can_be_interrupted_at_any_moment(self):
        self.label()
        self.session.train()
        expected = self.session.classify()
        hangs = threading.Timer(60, self.session._process.kill)
        hangs.start()
        self.addCleanup(hangs.cancel)
        number = 1
        while interrupted_in(number, self.session.classify):
            number += 1
        self.assertGreater(number, 30)
        numpy.testing.assert_array_equal(self.session.classify().labels, expected.labels)

    def test_ctrl_c_in_a_terminal_is_for_python_alone(self):
        self.assertNotEqual(os.getpgid(self.session._process.pid), os.getpgrp())

    def test_another_thread_cancels(self):
        self.session.close()
        begun = threading.Event()
        # Long enough to be cancelled.
        self.session = parsimap.Session(
            SCENE, program=PROGRAM, threads=1, criterion="radius-margin", progress=lambda *_: begun.set()
        )
        codes = {str(code): ("class {}".format(code), pixels_of(code, 600)) for code in (1, 2, 3)}
        self.session.label(codes)
        begun.clear()  # of what is said while labels are read
        canceller = threading.Thread(target=lambda: begun.wait(100) and self.session.cancel())
        canceller.start()
        with self.assertRaises(parsimap.Cancelled):
            self.session.train(full=True)
        canceller.join()
        self.assertEqual(self.session.label()["features"], 3)
        self.session.close()

    def test_a_program_that_is_killed_is_an_error(self):
        os.kill(self.session._process.pid, signal.SIGKILL)
        with self.assertRaisesRegex(parsimap.IoError, "has ended"):
            self.session.label()
            self.session.label()

    def test_a_client_that_dies_leaves_no_program(self):
        script = (
            "import os, parsimap\n"
            "session = parsimap.Session({!r}, program={!r})\n"
            "print(session._process.pid, flush=True)\n"
            "os._exit(1)".format(str(SCENE), PROGRAM)
        )
        finished = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
        number = int(finished.stdout)
        for _ in range(600):
            try:
                os.kill(number, 0)
                with open("/proc/{}/stat".format(number)) as file:
                    if file.read().rpartition(")")[2].split()[0] == "Z":
                        return  # nobody has asked for its exit code
            except (ProcessLookupError, FileNotFoundError):
                return
            threading.Event().wait(0.1)
        self.fail("the program lives on")


if __name__ == "__main__":
    unittest.main()
