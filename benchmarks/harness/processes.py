"""Programs run as a child process, with their time, peak memory and output."""

import os
import resource
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Optional


class ProgramError(Exception):
    """A program ended with an error where none was expected."""


@dataclass
class Run:
    """How one program ran."""

    seconds: float
    cpu_seconds: float
    peak_mb: float  # of resident memory; not below that of this script, about 20 MB
    code: int
    output: str
    errors: str
    timed_out: bool = False

    @property
    def last_line(self) -> str:
        """What the program said last, for a message."""
        lines = [line for line in (self.errors or self.output).splitlines() if line.strip()]
        return lines[-1] if lines else f"no message, exit code {self.code}"


def run(
    command: list[str],
    threads: Optional[int] = None,
    timeout: Optional[float] = None,
    memory_gb: Optional[float] = None,
    check: bool = True,
) -> Run:
    """Runs a program; `threads` is for those that ask OpenMP, `memory_gb` bounds its address space."""
    environment = dict(os.environ)
    if threads is not None:
        environment["OMP_NUM_THREADS"] = str(threads)
        environment["ITK_GLOBAL_DEFAULT_NUMBER_OF_THREADS"] = str(threads)

    def limit_memory() -> None:
        if memory_gb is not None:
            resource.setrlimit(resource.RLIMIT_AS, (int(memory_gb * 2**30),) * 2)

    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        start = time.monotonic()
        child = subprocess.Popen(
            command, stdout=output, stderr=errors, stdin=subprocess.DEVNULL, env=environment, preexec_fn=limit_memory
        )
        expired = threading.Event()

        def stop() -> None:
            expired.set()
            child.kill()

        timer = threading.Timer(timeout, stop) if timeout else None
        if timer:
            timer.start()
        # Unlike Popen.wait() this tells the memory of this very child.
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.monotonic() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        if timer:
            timer.cancel()
        output.seek(0)
        errors.seek(0)
        cpu_seconds = usage.ru_utime + usage.ru_stime
        peak_mb = usage.ru_maxrss / 1024
        result = Run(seconds, cpu_seconds, peak_mb, child.returncode, output.read(), errors.read(), expired.is_set())
    if check and result.code != 0:
        raise ProgramError(f"{' '.join(command)}: {result.last_line}")
    return result


@dataclass
class WatchedRun:
    """What the threads of a program did."""

    output: str
    processor_seconds: float
    # Of all threads together: running, or waiting for a processor that other programs have.
    ready_seconds: float


def run_watched(command: list[str]) -> WatchedRun:
    """Runs a program whose threads sleep when they have nothing to do, and reads what the scheduler knows of them."""
    environment = {**os.environ, "OMP_WAIT_POLICY": "passive"}
    times: dict[str, tuple[int, int]] = {}
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        child = subprocess.Popen(command, stdout=output, stderr=errors, stdin=subprocess.DEVNULL, env=environment)
        while child.poll() is None:
            _read_thread_times(child.pid, times)
            time.sleep(0.005)
        output.seek(0)
        errors.seek(0)
        if child.returncode != 0:
            raise ProgramError(f"{' '.join(command)}: {errors.read().strip()}")
        running, waiting = (1e-9 * sum(values) for values in zip(*times.values()))
        return WatchedRun(output.read(), running, running + waiting)


def _read_thread_times(process: int, times: dict[str, tuple[int, int]]) -> None:
    """Nanoseconds that each thread has run and has waited for a processor; a thread that has ended keeps its last."""
    for file in Path(f"/proc/{process}/task").glob("*/schedstat"):
        try:
            running, waiting, _ = file.read_text().split()
        except (OSError, ValueError):
            continue  # it ended meanwhile
        times[file.parent.name] = (int(running), int(waiting))
