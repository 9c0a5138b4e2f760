"""Installing the program for this user: the archive is unpacked, or pip installs the wheel, in a folder of the user profile."""

import configparser
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile

from qgis.core import QgsApplication, QgsBlockingNetworkRequest
from qgis.PyQt.QtCore import QUrl


class InstallationError(Exception):
    """The program cannot be installed or removed; the text says why."""


def folder():
    return os.path.join(QgsApplication.qgisSettingsDirPath(), "parsimap")


def installed_program():
    """The program in the folder, or None."""
    return _program_in(folder())


def published():
    """The address of the archive or of the wheel and its SHA-256, as the publisher of the plugin has named them, or None."""
    reader = configparser.ConfigParser(interpolation=None)
    reader.read(os.path.join(os.path.dirname(__file__), "metadata.txt"), encoding="utf-8")
    return reader.get("general", "program", fallback=None), reader.get("general", "program_sha256", fallback=None)


def install(source):
    """Installs the file or address `source` in place of what was installed before, and returns the path of the program."""
    if not sys.platform.startswith("linux") or platform.machine() != "x86_64":
        raise InstallationError(
            "The program runs on Linux with x86-64 processors, and this system is {} with {}.".format(
                platform.system(), platform.machine()
            )
        )
    try:
        os.makedirs(os.path.dirname(folder()), exist_ok=True)
        with tempfile.TemporaryDirectory(dir=os.path.dirname(folder()), prefix="parsimap-") as work:
            return _install(source, work)
    except OSError as error:
        raise InstallationError("The program cannot be installed in {}: {}.".format(folder(), error.strerror or error)) from error


def remove():
    try:
        shutil.rmtree(folder())
    except OSError as error:
        raise InstallationError("{} cannot be removed: {}.".format(folder(), error.strerror or error)) from error


def _install(source, work):
    file = _fetched(source, work) if "://" in source else source
    made = os.path.join(work, "made")
    os.mkdir(made)
    if file.endswith(".whl"):
        _run_pip(file, made)
    elif ".tar" in os.path.basename(file):
        _unpack(file, made)
    else:
        raise InstallationError("{} is neither an archive (.tar.xz) nor a wheel (.whl) of parsimap.".format(source))
    program = _program_in(made)
    # Before what works is replaced.
    if program is None or not _output([program, "--version"]).startswith("parsimap "):
        raise InstallationError("{} contains no program parsimap that runs here.".format(source))
    shutil.rmtree(folder(), ignore_errors=True)
    os.rename(made, folder())
    return installed_program()


def _program_in(place):
    """In a wheel the program lies in the package; the file in bin, which pip makes, would start Python first."""
    for parts in (("parsimap", "bin"), ("bin",)):
        path = shutil.which(os.path.join(place, *parts, "parsimap"))
        if path:
            return path
    return None


def _fetched(address, work):
    """The file of the address, asked for as QGIS asks for everything, with its proxies."""
    from qgis.PyQt.QtNetwork import QNetworkRequest  # needed for addresses alone

    request = QgsBlockingNetworkRequest()
    if request.get(QNetworkRequest(QUrl(address))) != QgsBlockingNetworkRequest.ErrorCode.NoError:
        raise InstallationError("{} cannot be fetched: {}.".format(address, request.errorMessage().rstrip(".")))
    content = bytes(request.reply().content())
    known, digest = published()
    if address == known and digest and hashlib.sha256(content).hexdigest() != digest:
        raise InstallationError("{} is not the file that the publisher of the plugin names: its SHA-256 differs.".format(address))
    file = os.path.join(work, os.path.basename(QUrl(address).path()) or "file")
    with open(file, "wb") as copy:
        copy.write(content)
    return file


def _unpack(file, made):
    """Unpacks files and folders below the one folder of the archive; nothing else is taken from it."""
    try:
        with tarfile.open(file) as archive:
            for member in archive:
                parts = member.name.split("/")[1:]
                if ".." in parts or not (member.isfile() or member.isdir()):
                    raise InstallationError("{} is no archive of parsimap: it contains {}.".format(file, member.name))
                target = os.path.join(made, *parts)
                if member.isdir():
                    os.makedirs(target, exist_ok=True)
                    continue
                os.makedirs(os.path.dirname(target), exist_ok=True)
                with archive.extractfile(member) as content, open(target, "wb") as copy:
                    shutil.copyfileobj(content, copy)
                os.chmod(target, 0o755 if member.mode & 0o100 else 0o644)
    except (tarfile.TarError, EOFError) as error:
        raise InstallationError("{} cannot be unpacked: {}.".format(file, error)) from error


def _run_pip(wheel, made):
    # In some systems QGIS itself is the program that runs, and not Python.
    python = sys.executable if os.path.basename(sys.executable).startswith("python") else shutil.which("python3")
    command = [python or "python3", "-m", "pip", "install", "--no-index", "--no-deps", "--target", made, wheel]
    ended = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if ended.returncode != 0:
        said = ended.stdout.decode("utf-8", errors="replace").strip().splitlines()
        reason = next((line for line in said if line.startswith("ERROR")), said[-1] if said else "it says nothing")
        raise InstallationError("pip cannot install {}: {}".format(wheel, reason))


def _output(command):
    try:
        ended = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return ended.stdout.decode("utf-8", errors="replace")
