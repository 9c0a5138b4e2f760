"""A session of labelling: a scene stays open in the program, labels change, and views are classified at once."""

import collections
import contextlib
import json
import os
import queue
import shutil
import subprocess
import threading

from ._errors import ConfigError, DataError, IoError, ParsimapError

_PROTOCOL = 1
_ERRORS = {"wrong-usage": ConfigError, "data-refused": DataError, "failed": IoError}

View = collections.namedtuple("View", ["labels", "confidence", "classes"])
View.__doc__ = """What a model makes of a window: `labels` (rows x columns, codes of classes, 0 without a value), `confidence` (likewise, the
probability of the label in 0 to 255), and `classes`, a dict of the names by code."""


class Cancelled(ParsimapError):
    """The request was stopped by `Session.cancel`."""


def _program(chosen):
    """The program that is named; otherwise that of a wheel, or the one on the PATH."""
    inside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "parsimap")
    path = shutil.which(chosen) if chosen else shutil.which(inside) or shutil.which("parsimap")
    if path is None:
        raise IoError(f"the program '{chosen or 'parsimap'}' was not found: install parsimap, or name it with `program`")
    return path


def _plain(value):
    """Paths and what belongs to numpy, as JSON has them."""
    return value.tolist() if hasattr(value, "tolist") else os.fsdecode(value)


def _read(pipe, answers):
    """Puts each answer and its frame into a queue, and None at the end.

    In a thread, since Ctrl-C interrupts only the main one: what it has read would be lost, and with it where answers begin.
    """
    try:
        for line in pipe:
            answer = json.loads(line)
            answers.put((answer, pipe.read(answer.get("frame_bytes", 0))))
    except ValueError:
        pass  # the program died in the middle of a line, or is another one
    answers.put(None)


class Session:
    """A scene that is labelled: `parsimap serve --stdio` as an object, to be used in a `with` statement.

    Parameters
    ----------
    scene : path
        The scene, as of `parsimap.train`.
    program : str, optional
        The program; otherwise that of the wheel, or the one on the PATH.
    threads, ram : int, optional
        Threads, and megabytes of memory for pixels that are kept.
    progress : callable, optional
        Called with a stage and the fraction of it that is done.
    options
        Options of `parsimap.train`, such as spatial="none".

    Methods wait for their answer. Errors are those of the package; a program that has ended is an `IoError`.
    """

    def __init__(self, scene, *, program=None, threads=None, ram=None, progress=None, **options):
        command = [_program(program), "serve", "--stdio"]
        for name, value in (("--threads", threads), ("--ram", ram)):
            command += [name, str(value)] if value is not None else []
        self._progress = progress
        self._next = 0
        self._writing = threading.Lock()
        self._asking = threading.Lock()
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                         process_group=0)  # Ctrl-C in a terminal is for Python alone
        self._answers = queue.SimpleQueue()
        self._reader = threading.Thread(target=_read, args=(self._process.stdout, self._answers), daemon=True)
        self._reader.start()
        try:
            if self._next_answer()[0].get("protocol") != _PROTOCOL:
                raise IoError(f"'{command[0]}' has another protocol of sessions than this package: install both of one version")
            given = {name.replace("_", "-"): value for name, value in options.items() if value is not None}
            #: What the program says of the scene: width, height, bands, wavelengths, geotransform and crs.
            self.scene = self._ask("open", scene=scene, options=given)
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends the program, and whatever it is doing."""
        if self._process is None:
            return
        process, self._process = self._process, None
        for pipe in (process.stdin, process.stderr):
            with contextlib.suppress(OSError):
                pipe.close()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self._reader.join()
        process.stdout.close()

    def label(self, features=None, *, remove=(), clear=False, crs=None):
        """Changes labels, and returns what there is then: features, pixels, and the pixels of each class.

        Parameters
        ----------
        features : dict, optional
            By the name of each new or changed feature a pair of the class and the geometry: a GeoJSON object or one with
            `__geo_interface__`, in the reference system `crs` or that of the scene, or a list of pairs of column and row.
        remove : iterable of str
            Names of features.
        clear : bool
            Removes all features first.
        crs : str, optional
            EPSG code or WKT of the geometries, as long as there are none.
        """
        changed = []
        for name, (class_name, shape) in (features or {}).items():
            shape = getattr(shape, "__geo_interface__", shape)
            key = "geometry" if isinstance(shape, dict) else "pixels"
            value = shape if key == "geometry" else [[int(column), int(row)] for column, row in shape]
            changed.append({"feature": str(name), "class": str(class_name), key: value})
        more = {} if crs is None else {"crs": crs}
        return self._ask("labels", clear=clear, remove=[str(name) for name in remove], set=changed, **more)

    def train(self, full=False):
        """Trains on the labels: in moments with the settings of the last full training, or with `full` as `parsimap.train`."""
        return self._ask("train", full=full)

    def classify(self, window=None, step=1):
        """Classifies every `step`-th column and row of a window (first column, first row, width, height), and returns a `View`."""
        import numpy

        answer, frame = self._ask_frame("classify", step=step, **self._window(window))
        shape = answer["height"], answer["width"]
        pixels = shape[0] * shape[1]
        kind = numpy.uint8 if answer["label_bytes"] == 1 else numpy.dtype("<u2")
        labels = numpy.frombuffer(frame, kind, pixels).reshape(shape).copy()
        confidence = numpy.frombuffer(frame, numpy.uint8, pixels, labels.nbytes).reshape(shape).copy()
        return View(labels, confidence, {each["code"]: each["name"] for each in answer["classes"]})

    def pixel(self, column, row):
        """The spectrum of a pixel, of each class its probability and its mean spectrum, as arrays, and `deciding`: the labelled
        features that speak most `for` and `against` its class, and the lead of the class with and without the first, or None."""
        import numpy

        answer = self._ask("pixel", column=int(column), row=int(row))
        answer["spectrum"] = None if answer["spectrum"] is None else numpy.array(answer["spectrum"])
        for each in answer["classes"]:
            each["mean"] = numpy.array(each["mean"])
        return answer

    def accuracy(self):
        """How labelled pixels are classified by classifiers that were trained without their features."""
        return self._ask("accuracy")

    def suspects(self, count=20):
        """The features that look like another class, the most suspicious first."""
        return self._ask("suspects", count=count)["suspects"]

    def places(self, count=20, window=None):
        """Places whose labels would teach the model most, the most useful first."""
        return self._ask("places", count=count, **self._window(window))["places"]

    def save(self, model, labels, overwrite=False):
        """Writes the model of a full training, and its labels as GeoJSON."""
        return self._ask("save", model=model, labels=labels, overwrite=overwrite)

    def cancel(self):
        """Stops the method that another thread is waiting for, which raises `Cancelled`."""
        self._send("cancel", {})

    @staticmethod
    def _window(window):
        return {} if window is None else {"window": [int(number) for number in window]}

    def _send(self, request, members):
        with self._writing:
            number = self._next
            self._next += 1
            line = json.dumps({"id": number, "request": request, **members}, default=_plain).encode() + b"\n"
            try:
                self._process.stdin.write(line)
                self._process.stdin.flush()
            except (AttributeError, OSError, ValueError):
                raise IoError("the program of the session has ended") from None
        return number

    def _next_answer(self):
        found = self._answers.get()
        if found is None:
            self._answers.put(None)  # for whoever asks next
            said = self._process.stderr.read().decode("utf-8", "replace").strip() if self._process else ""
            raise IoError("the program of the session has ended" + (": " + said if said else ""))
        return found

    def _ask(self, request, **members):
        return self._ask_frame(request, **members)[0]

    def _ask_frame(self, request, **members):
        with self._asking:
            try:
                answer, frame = self._answer(self._send(request, members))
            except BaseException:  # Ctrl-C, or what `progress` raises: the program need not go on
                with contextlib.suppress(IoError):
                    self.cancel()
                raise
        if not answer.pop("ok"):
            error = answer["error"]
            raise _ERRORS.get(error["code"], Cancelled)(error["text"])
        del answer["id"]
        return answer, frame

    def _answer(self, number):
        """The answer to a request, after those to other requests: to cancel, and to those that were interrupted."""
        while True:
            answer, frame = self._next_answer()
            if answer.get("id") != number:
                continue
            if "progress" not in answer:
                return answer, frame
            if self._progress is not None:
                self._progress(answer["progress"]["stage"], answer["progress"]["fraction"])
