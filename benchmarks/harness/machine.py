"""The machine, and what is installed on it."""

import os
import platform
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, Optional


def _output(command: list[str]) -> Optional[str]:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()


def _first_match(pattern: str, text: str) -> Optional[str]:
    match = re.search(pattern, text, re.MULTILINE)
    return match[1].strip() if match else None


def cores() -> int:
    return len(os.sched_getaffinity(0))


def memory_gb() -> float:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30


def package_version(name: str) -> Optional[str]:
    return _output(["dpkg-query", "--show", "--showformat=${Version}", name]) or None


def machine(program: Path) -> dict[str, Any]:
    """What the figures depend on beside the program's source."""
    cpu_info = Path("/proc/cpuinfo").read_text()
    flags = _first_match(r"^flags\s*:\s*(.*)$", cpu_info) or ""
    vectors = next((name for name in ("avx512f", "avx2", "avx", "sse2") if name in flags.split()), "none")
    compiler = os.environ.get("CXX", "c++")
    return {
        "cpu": _first_match(r"^model name\s*:\s*(.*)$", cpu_info) or platform.processor(),
        "vector instructions": vectors,
        "cores": cores(),
        "memory_gb": round(memory_gb(), 1),
        "load_average": os.getloadavg()[0],
        "system": _first_match(r'^PRETTY_NAME="(.*)"$', Path("/etc/os-release").read_text()) or platform.platform(),
        "compiler": (_output([compiler, "--version"]) or "unknown").splitlines()[0],
        "parsimap": _output([str(program), "--version"]) or "unknown",
        "commit": commit(),
        "libsvm": package_version("libsvm-tools"),
        "scikit-learn": package_version("python3-sklearn"),
        "otb": package_version("otb-bin"),
    }


def commit() -> Optional[str]:
    """Of the source that these scripts belong to; a program of PARSIMAP_PROGRAM may be of another."""
    source = str(Path(__file__).resolve().parent)
    short = _output(["git", "-C", source, "rev-parse", "--short", "HEAD"])
    changed = _output(["git", "-C", source, "status", "--porcelain", "--untracked-files=no"])
    return f"{short}, with changes" if short and changed else short


def tool(name: str) -> Optional[str]:
    return shutil.which(name)


def python_with(*modules: str) -> Optional[str]:
    """An interpreter that can import the modules: Debian's, or the one on the path."""
    for candidate in ("/usr/bin/python3", shutil.which("python3")):
        if candidate and _output([candidate, "-c", f"import {', '.join(modules)}; print('there')"]):
            return candidate
    return None


def python_with_sklearn() -> Optional[str]:
    return python_with("sklearn")
