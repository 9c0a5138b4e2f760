"""The program as a session beside the window of QGIS (docs/serve.md): requests are sent, and answers come as signals."""

import json
import time

from qgis.PyQt.QtCore import QObject, QProcess, pyqtSignal

from .program import ProgramError, program_path

PROTOCOL = 1
_MOST_TEXT = 2000  # of what the program says at its end


class Serving(QObject):
    """One process and at most one request at a time, beside the one to cancel it."""

    answered = pyqtSignal(dict, bytes)  # the answer with its request in "asked", and the frame that belongs to it
    progressed = pyqtSignal(str, float)
    ended = pyqtSignal(str)  # the program has ended by itself; what it has said

    def __init__(self, parent=None):
        super().__init__(parent)
        self._process = None
        self._number = 0
        self._forget()

    def _forget(self):
        self.asked = None
        self._buffer = bytearray()
        self._answer = None
        self._said = ""
        self._cancelled = False

    def running(self):
        return self._process is not None

    def process_id(self):
        return self._process.processId() if self._process else 0

    def start(self):
        """ProgramError: there is no program."""
        path = program_path()
        self._forget()
        self._process = QProcess(self)
        self._process.readyReadStandardOutput.connect(self._read)
        self._process.readyReadStandardError.connect(self._hear)
        self._process.finished.connect(self._finish)
        self._process.errorOccurred.connect(self._fail)
        self._process.start(path, ["serve", "--stdio"])
        if not self._process.waitForStarted(10000):
            self._process = None
            raise ProgramError("The program '{}' cannot be started.".format(path))

    def stop(self):
        """Ends the program without a signal."""
        process, self._process = self._process, None
        self._forget()
        if process is not None:
            process.blockSignals(True)
            process.closeWriteChannel()
            process.terminate()
            if not process.waitForFinished(2000):
                process.kill()
                process.waitForFinished(2000)
            process.deleteLater()

    def ask(self, request, **members):
        assert self.asked is None
        self._number += 1
        self.asked = {"id": self._number, "request": request, **members, "since": time.monotonic()}
        self._send({"id": self._number, "request": request, **members})

    def cancel(self):
        """The request that is worked on is answered by the error `cancelled`, unless it has just been done."""
        if self.asked is not None and not self._cancelled:
            self._cancelled = True
            self._number += 1
            self._send({"id": self._number, "request": "cancel"})

    def _send(self, request):
        if self._process is not None:
            self._process.write(json.dumps(request).encode() + b"\n")

    def _hear(self):
        if self._process is not None:
            self._said = (self._said + bytes(self._process.readAllStandardError()).decode("utf-8", "replace"))[-_MOST_TEXT:]

    def _read(self):
        if self._process is None:
            return
        self._buffer += bytes(self._process.readAllStandardOutput())
        while self._process is not None:
            if self._answer is None:
                end = self._buffer.find(b"\n")
                if end < 0:
                    return
                try:
                    self._answer = json.loads(self._buffer[:end].decode("utf-8", "replace"))
                except ValueError:
                    self._answer = {}
                del self._buffer[: end + 1]
            size = self._answer.get("frame_bytes", 0)
            if len(self._buffer) < size:
                return
            frame = bytes(self._buffer[:size])
            del self._buffer[:size]
            answer, self._answer = self._answer, None
            self._take(answer, frame)

    def _take(self, answer, frame):
        if answer.get("protocol", PROTOCOL) != PROTOCOL:
            self._said = "The program has another version than this plugin: install both of one version."
            self._process.kill()
        elif "progress" in answer:
            self.progressed.emit(answer["progress"]["stage"], answer["progress"]["fraction"])
        elif self.asked is not None and answer.get("id") == self.asked["id"]:
            asked, self.asked = self.asked, None
            self._cancelled = False
            self.answered.emit({**answer, "asked": asked}, frame)

    def _fail(self, error):
        if error == QProcess.ProcessError.FailedToStart:
            self._process = None

    def _finish(self, *_):
        if self._process is None:
            return
        self._hear()
        said = self._said.strip()
        self._process.deleteLater()
        self._process = None
        self._forget()
        self.ended.emit(said)
