"""Calling the program: where it is, what it can be asked for, and a run with progress that can be cancelled."""

import importlib.util
import json
import os
import queue
import re
import shutil
import signal
import subprocess
import threading

from processing.core.ProcessingConfig import ProcessingConfig

from .installation import installed_program

PROGRAM_SETTING = "PARSIMAP_PROGRAM"
_SECONDS_BETWEEN_LOOKS = 0.1


class ProgramError(Exception):
    """The program is missing or failed; the text is its own last sentence."""


class NoProgramError(ProgramError):
    """None is named, and none was found."""


def program_path():
    """The program named in the settings; else the one on the PATH, of a wheel in QGIS's Python, or installed by the plugin."""
    chosen = ProcessingConfig.getSetting(PROGRAM_SETTING)
    path = shutil.which(chosen or "parsimap") or (None if chosen else _program_of_wheel() or installed_program())
    if path is None:
        raise (ProgramError if chosen else NoProgramError)(
            "The program '{}' was not found: install parsimap, or enter the path of its program in the settings of "
            "Processing.".format(chosen or "parsimap")
        )
    return path


def _program_of_wheel():
    package = importlib.util.find_spec("parsimap")
    folders = package.submodule_search_locations if package else None
    return shutil.which(os.path.join(folders[0], "bin", "parsimap")) if folders else None


def check_program_setting(value):
    """What the settings take: nothing, a file, or a name on the PATH."""
    if value and not os.path.exists(value) and not shutil.which(value):
        raise ValueError("There is no program '{}'.".format(value))


def read_usage():
    """What `parsimap usage json` says of commands and options."""
    path = program_path()
    try:
        finished = subprocess.run(
            [path, "usage", "json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60, **_hidden_window()
        )
        usage = json.loads(_text(finished.stdout)) if finished.returncode == 0 else {}
    except (OSError, ValueError, subprocess.TimeoutExpired):
        usage = {}
    if not isinstance(usage, dict) or usage.get("program") != "parsimap":
        raise ProgramError("'{}' is not the program parsimap: correct its path in the settings of Processing.".format(path))
    if any("label" not in option for option in usage["common_options"]):
        raise ProgramError("The program '{}' is older than this plugin: install both of one version.".format(path))
    return usage


def run(arguments, feedback, for_people):
    """Runs the program, with its progress and messages sent to `feedback`, and returns what it prints.

    `for_people` is what makes a message of the program one for readers of dialogs.

    When `feedback` is cancelled, the program is asked to stop, which takes its unfinished outputs away, and the
    result is None.
    """
    command = [program_path()] + arguments + ["--progress", "json"]
    feedback.pushCommandInfo(subprocess.list2cmdline(command))
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **_hidden_window()
    ) as process:
        printed = []
        collector = threading.Thread(target=lambda: printed.append(_text(process.stdout.read())))
        collector.start()
        last_message = for_people(_follow(process, feedback, for_people))
        collector.join()
    if feedback.isCanceled():
        return None
    if process.returncode != 0:
        raise ProgramError(last_message or "parsimap ended with exit code {}".format(process.returncode))
    _show_message(last_message, feedback)
    return printed[0]


def aligned(text):
    """The text with its columns kept, which HTML would lose. It may still be broken between words."""
    return re.sub("^ +|  +", lambda gap: "\u00a0" * len(gap.group()), text.strip("\n"), flags=re.MULTILINE)


def _follow(process, feedback, for_people):
    """Reads standard error to its end and shows it, but for the last message, which may be the reason of a failure."""
    lines = queue.Queue()

    def read():
        for line in process.stderr:
            lines.put(_text(line).rstrip())
        lines.put(None)

    threading.Thread(target=read).start()
    message = ""
    stage = ""
    asked_to_stop = False
    while True:
        if feedback.isCanceled() and not asked_to_stop:
            asked_to_stop = True
            process.terminate() if os.name == "nt" else process.send_signal(signal.SIGINT)
        try:
            line = lines.get(timeout=_SECONDS_BETWEEN_LOOKS)
        except queue.Empty:
            continue
        if line is None:
            return message
        if line.startswith("{"):
            shown = json.loads(line)
            if "error" in shown or "message" in shown:
                _show_message(for_people(message), feedback)
                message = shown["text"]
            elif "text" in shown:
                _show_warning(shown, feedback, for_people)
            else:
                stage = _show_progress(shown, stage, feedback)
        elif line:
            _show_message(for_people(message), feedback)
            message = line


def _show_progress(progress, stage, feedback):
    """The stage that is shown now."""
    if progress["stage"] != stage:
        feedback.setProgressText(progress["stage"].capitalize())
    feedback.setProgress(100 * progress["fraction"])
    return progress["stage"]


def _show_warning(shown, feedback, for_people):
    """A warning or a note of the program, with its code."""
    show = feedback.pushWarning if "warning" in shown else feedback.pushInfo
    show("{} ({})".format(for_people(shown["text"]), shown.get("warning") or shown["note"]))


def _show_message(message, feedback):
    if message:
        feedback.pushInfo(message)


def _text(data):
    return data.decode("utf-8", errors="replace")


def _hidden_window():
    return {"creationflags": subprocess.CREATE_NO_WINDOW} if os.name == "nt" else {}
