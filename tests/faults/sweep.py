#!/usr/bin/env python3
"""Runs the program's commands with one fault each and looks at what is left.

For every command, the n-th call of a kind (a read, a write, an opening, a renaming, ...) on its inputs or outputs fails once,
or from then on, or the process is killed there; it is also killed at equal parts of its running time, and the n-th request
for memory fails. Outputs of an earlier run are to be replaced each time. What must hold:

- exit code 0: all outputs are there, with the bytes of a run without faults;
- another exit code: the earlier outputs are there, with their bytes. Where the fault also keeps them from being put back at
  once, the next command that uses the folder does it;
- killed: after the next command that uses the folder, the earlier outputs are there or the new ones, all of them;
- no temporary folder is there after the next command;
- what a part of a map, or the joining of parts, has not finished is finished by the same commands again.

strace injects the faults of calls (Debian's package strace), and the library LIBFAILING_ALLOCATION those of memory.
"""

import argparse
import collections
import concurrent.futures
import csv
import functools
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

# Calls by kind, and the error that they fail with.
CALLS = {
    "read": (("read", "pread64"), "EIO"),
    "write": (("write", "pwrite64", "writev"), "ENOSPC"),
    "open": (("openat",), "EIO"),
    "rename": (("rename", "renameat2", "link"), "EIO"),
    "mkdir": (("mkdir",), "ENOSPC"),
    "unlink": (("unlink", "unlinkat", "rmdir"), "EIO"),
    "fsync": (("fsync", "fdatasync"), "EIO"),
    "getdents": (("getdents64",), "EIO"),
}
STRACE = ("strace", "-f", "-qq")
# The kernel stops the program at the traced calls alone, where strace 6.1 injects errors but no signals.
QUICK_STRACE = (*STRACE, "--seccomp-bpf")
LONGEST_RUN = 30  # seconds; runs without faults take a fraction of one
KILLED_AT = ("rename", "mkdir", "unlink", "fsync")

SCENE = """{"width": 30, "height": 24, "bands": 12, "seed": %d, "layout": {"kind": "blocks", "block_size": 12},
  "classes": [{"name": "water", "dimension": 2}, {"name": "forest", "dimension": 2}],
  "polygons": {"per_class": 2, "smallest_radius": 2, "largest_radius": 3}}"""
EXPERIMENT = """{"title": "Small", "repeats": 2, "seed": %d, "methods": [{"kernel": "gaussian"}],
  "data": [{"name": "toy", "simulated": {"train": 24, "test": 40, "scene": {"width": 8, "height": 8, "bands": 4,
    "layout": {"kind": "blocks", "block_size": 1}, "snr": 10,
    "classes": [{"name": "one", "dimension": 1}, {"name": "two", "dimension": 1}]}}}]}"""

LAYERS = ["confidence", "probabilities", "decision-values", "novelty"]

# `before` are commands that the command builds on, and `finish` those that make the map, if it is not there, out of whatever
# the command has left.
Case = collections.namedtuple("Case", "name arguments earlier before finish", defaults=((), ()))


def cases():
    """Each command as it is run, and as it was run for the earlier outputs; IN and OUT stand for folders."""

    def train(seed, table):
        return ["train", "IN/a/scene.img", "IN/a/training.gpkg", "OUT/model", "--class-field", "class", "--kernel", "gaussian",
                "--samples-per-class", "12", "--seed", seed, "--samples-out", f"OUT/samples.{table}", "--report", "OUT/page.html"]

    def layered_map(scene, extension, model, *options):
        layers = [word for layer in LAYERS for word in (f"--{layer}", f"OUT/{layer}.{extension}")]
        return ["classify", f"IN/a/{scene}", f"IN/{model}", f"OUT/map.{extension}", *layers, *options]

    def classify(*arguments):
        return [*layered_map(*arguments), "--report", "OUT/page.html"]

    def assess(compared, table):
        return ["assess", f"IN/{compared}.tif", "IN/a/reference.tif", "--output-dir", "OUT", "--predictions", f"OUT/points.{table}",
                "--report", "OUT/page.html"]

    part = layered_map("scene.img", "tif", "model1", "--shard", "1/1")
    merge = ["merge", "OUT/map.tif"]
    earlier_map = layered_map("scene.img", "tif", "model2")

    return [
        Case("train, CSV", train("1", "csv"), train("2", "csv")),
        Case("train, GeoPackage", train("1", "gpkg"), train("2", "gpkg")),
        Case("classify, GeoTIFF", classify("scene.img", "tif", "model1"), classify("scene.img", "tif", "model2")),
        Case("classify, COG", classify("scene.tif", "tif", "model1", "--of", "COG"), classify("scene.tif", "tif", "model2", "--of", "COG")),
        Case("classify, ENVI", classify("scene.img", "img", "model1"), classify("scene.img", "img", "model2")),
        Case("classify --shard", part, earlier_map, finish=(part, merge)),
        Case("merge", merge, earlier_map, before=(part,), finish=(merge,)),
        Case("assess", assess("map1", "csv"), assess("map2", "csv")),
        Case("run", ["run", "IN/experiment1.json", "--output-dir", "OUT"], ["run", "IN/experiment2.json", "--output-dir", "OUT"]),
        Case("simulate", ["simulate", "IN/scene1.json", "OUT"], ["simulate", "IN/scene2.json", "OUT"]),
    ]


# The last column of an experiment's table is the time of training.
TIMES = re.compile(
    rb'<td class="number">[0-9.e+-]+</td></tr>|'
    rb'"(\w*seconds|read|compute|write|train|choose|peak_memory\w*)": ?[-+0-9.e]+|(?:<[a-z]+>)?[0-9.e+-]+ (s|MB|ms)\b')


def content_of(path):
    """The bytes of an output but for the times that it tells."""
    content = path.read_bytes()
    if path.suffix in (".json", ".html"):
        return TIMES.sub(b"", content)
    rows = list(csv.reader(content.decode().splitlines())) if path.suffix == ".csv" else []
    if rows and "seconds" in rows[0]:
        return [row[:rows[0].index("seconds")] + row[rows[0].index("seconds") + 1:] for row in rows]
    return content


def visible_files(folder):
    """A journal of finished runs and the parts of a map are no outputs: they are what a failed job continues from."""
    return {path.name: content_of(path) for path in folder.iterdir()
            if path.is_file() and not path.name.startswith(".parsimap-") and not path.name.startswith("journal")}


class Bench:
    """A folder with inputs, a folder for outputs, and one command between them."""

    def __init__(self, program, folder, case):
        self.program, self.folder, self.case = program, folder, case
        self.inputs, self.outputs = folder / "in", folder / "out"
        self.log = folder.parent / (folder.name + ".log")
        self.inputs.mkdir(parents=True)
        self.outputs.mkdir()
        self.make_inputs()
        self.arguments = self.command(case.arguments)
        self.earlier = self.reference(case.earlier, *case.before)
        self.kept = folder / "kept"
        shutil.copytree(self.outputs, self.kept)
        self.check(self.arguments)
        self.later = visible_files(self.outputs)
        self.finished = self.finish() if case.finish and self.later == self.earlier else self.later
        if self.earlier == self.finished:
            sys.exit(f"{case.name}: the earlier outputs do not differ from the later ones")

    def make_inputs(self):
        inputs = self.inputs
        for number in (1, 2):
            (inputs / f"scene{number}.json").write_text(SCENE % number)
            (inputs / f"experiment{number}.json").write_text(EXPERIMENT % number)
        self.check(["simulate", f"{inputs}/scene1.json", f"{inputs}/a"])
        for number in (1, 2):
            self.check(["train", f"{inputs}/a/scene.img", f"{inputs}/a/training.gpkg", f"{inputs}/model{number}", "--class-field",
                        "class", "--kernel", "gaussian", "--samples-per-class", "12", "--seed", str(number)])
            self.check(["classify", f"{inputs}/a/scene.img", f"{inputs}/model{number}", f"{inputs}/map{number}.tif"])

    def command(self, arguments):
        words = [word.replace("IN/", f"{self.inputs}/").replace("OUT", str(self.outputs)) for word in arguments]
        return [*words, "--overwrite", "--threads", "1"]

    def check(self, arguments):
        done = subprocess.run([self.program, *arguments], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{' '.join(arguments)} ended with {done.returncode}: {done.stderr}")

    def reference(self, *commands):
        shutil.rmtree(self.outputs)
        self.outputs.mkdir()
        for arguments in commands:
            self.check(self.command(arguments))
        return visible_files(self.outputs)

    def finish(self):
        for arguments in self.case.finish:
            self.check(self.command(arguments))
        return visible_files(self.outputs)

    def run(self, before=(), environment=None, kill_after=None):
        """The exit code over earlier outputs, negative for a signal or "hang", and what was said."""
        shutil.rmtree(self.outputs)
        shutil.copytree(self.kept, self.outputs)
        process = subprocess.Popen([*before, self.program, *self.arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   env={**os.environ, **(environment or {})}, start_new_session=True)
        try:
            return process.wait(timeout=kill_after or LONGEST_RUN), process.stderr.read()
        except subprocess.TimeoutExpired:
            # The program runs below strace: killing strace alone would let it go.
            os.killpg(process.pid, signal.SIGKILL)
            code = process.wait()
            return code if kill_after else "hang", process.stderr.read()
        finally:
            process.stderr.close()

    @functools.lru_cache(maxsize=None)
    def calls(self, kind):
        """The numbers, by name, of the calls of the first thread that have to do with the folder."""
        names = CALLS[kind][0]
        self.run([*QUICK_STRACE, "-y", "-e", "trace=" + ",".join("?" + name for name in names), "-o", self.log])
        first, counts, points = None, collections.Counter(), []
        for line in self.log.read_text(errors="replace").splitlines():
            found = re.match(r"(\d+) +(\w+)\(", line)
            if not found:
                continue
            first = first or found[1]
            if found[1] == first:
                counts[found[2]] += 1
                # What is printed names files too.
                if str(self.folder) in line and not re.match(r"\d+ +\w+\([12]<", line):
                    points.append((found[2], counts[found[2]]))
        return points

    def violation(self, code, persistent, either=False):
        """What the rules say against the state after a run, empty for nothing; `either` set of outputs may be allowed."""
        left = visible_files(self.outputs)
        killed = code in (-signal.SIGKILL, 137)
        if not killed and code not in (0, 1, 2, 3):
            return f"ended with {code}" if code != "hang" else "did not end"
        if not killed and not persistent and not either and left != (self.later if code == 0 else self.earlier):
            return f"exit code {code}, and " + difference(left, self.later if code == 0 else self.earlier)
        # The next command that uses the folder; it ends early, for want of a scene.
        subprocess.run([self.program, "classify", f"{self.folder}/absent", f"{self.inputs}/model1", f"{self.outputs}/other.tif"],
                       capture_output=True, check=False)
        left = visible_files(self.outputs)
        allowed = [self.earlier, self.later] if killed or (either and code != 0) else [self.later if code == 0 else self.earlier]
        if left not in allowed:
            return f"exit code {code}, and after the next command " + difference(left, allowed[-1])
        if any(path.name.startswith(".parsimap-") for path in self.outputs.iterdir()):
            return f"exit code {code}, and a temporary folder stays"
        if self.case.finish and left != self.finished and self.finish() != self.finished:
            return f"exit code {code}, and the same commands again make another map"
        return self.unresumed() if killed and self.case.name == "run" else ""

    def unresumed(self):
        done = subprocess.run([self.program, *self.arguments, "--resume"], capture_output=True, text=True, check=False)
        if done.returncode != 0 or visible_files(self.outputs) != self.later:
            return f"--resume after the kill ended with {done.returncode}: {done.stderr}"
        return ""


def difference(left, wanted):
    wrong = [name for name in sorted({*left, *wanted}) if left.get(name) != wanted.get(name)]
    return "these are wrong: " + ", ".join(wrong)


def thinned(points, most):
    """At most so many, evenly from all."""
    if most is None or len(points) <= most:
        return points
    return [points[i * len(points) // most] for i in range(most)]


Outcome = collections.namedtuple("Outcome", "case fault runs failed violations")


def sweep_calls(bench, kind, mode, most):
    """One run for each call, with that call at fault."""
    error = CALLS[kind][1]
    failed, violations = 0, []
    points = thinned(bench.calls(kind), most)
    for name, number in points:
        what = {"once": f"error={error}:when={number}", "from then on": f"error={error}:when={number}+",
                "kill": f"signal=SIGKILL:when={number}"}[mode]
        strace = STRACE if mode == "kill" else QUICK_STRACE
        code, message = bench.run([*strace, "-e", f"trace={name}", "-e", f"inject={name}:{what}", "-o", os.devnull])
        failed += code != 0
        # The summary is printed when the outputs are in place, which then may be what cannot be written.
        problem = bench.violation(code, mode == "from then on", either=kind == "write" and mode == "from then on")
        if problem:
            violations.append(f"{name} {number} {mode}: {problem} {message.decode(errors='replace').strip()}")
    return Outcome(bench.case.name, f"{kind}, {mode}", len(points), failed, violations)


def sweep_time(bench, most):
    """Killed at equal parts of the time that a run takes."""
    start = time.monotonic()
    bench.run()
    whole = time.monotonic() - start
    failed, violations = 0, []
    parts = most or 100
    for part in range(1, parts + 1):
        code, _ = bench.run(kill_after=whole * part / parts)
        failed += code != 0
        problem = bench.violation(code, False)
        if problem:
            violations.append(f"killed after {part} of {parts} parts: {problem}")
    return Outcome(bench.case.name, "kill in time", parts, failed, violations)


def sweep_memory(bench, library, most):
    """The n-th request for memory fails, for n that grow by a constant ratio."""
    counted = bench.log.with_suffix(".count")
    bench.run(environment={"LD_PRELOAD": library, "ALLOCATION_COUNT": str(counted)})
    whole = int(counted.read_text())
    points = most or 200
    numbers = sorted({round(whole ** (i / points)) for i in range(1, points + 1)} | set(range(1, whole, max(1, whole // points))))
    failed, violations = 0, []
    for number in thinned(numbers, most):
        code, message = bench.run(environment={"LD_PRELOAD": library, "FAILING_ALLOCATION": str(number)})
        failed += code != 0
        # Some libraries and the dynamic linker end the process where they cannot go on.
        ended = code in (-signal.SIGABRT, -signal.SIGSEGV, 127)
        # So may the summary be what there is no memory for.
        problem = bench.violation(-signal.SIGKILL if ended else code, False, either=True)
        if problem:
            violations.append(f"allocation {number}: {problem} {message.decode(errors='replace').strip()}")
    return Outcome(bench.case.name, "memory", len(thinned(numbers, most)), failed, violations)


def sweep_case(program, folder, case, options):
    bench = Bench(program, folder, case)
    outcomes = [sweep_calls(bench, kind, mode, options.most) for kind in CALLS for mode in ("once", "from then on")]
    outcomes += [sweep_calls(bench, kind, "kill", options.most) for kind in KILLED_AT]
    outcomes.append(sweep_time(bench, options.most))
    if options.library:
        outcomes.append(sweep_memory(bench, options.library, options.most))
    return outcomes


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folder", type=pathlib.Path, help="empty or absent")
    parser.add_argument("--library", help="shared library that lets requests for memory fail")
    parser.add_argument("--most", type=int, help="runs for each command and fault; without it, every call has its run")
    parser.add_argument("--case", help="part of the names of the commands to look at")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    chosen = [case for case in cases() if not options.case or options.case in case.name]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        futures = [pool.submit(sweep_case, program, options.folder.resolve() / str(i), case, options) for i, case in enumerate(chosen)]
        outcomes = [outcome for future in futures for outcome in future.result()]
    print(f"{'command':20}{'fault':26}{'runs':>6}{'failed':>8}{'violations':>12}")
    for outcome in outcomes:
        print(f"{outcome.case:20}{outcome.fault:26}{outcome.runs:6}{outcome.failed:8}{len(outcome.violations):12}")
    for outcome in outcomes:
        for violation in outcome.violations:
            print(f"{outcome.case}: {violation}", file=sys.stderr)
    runs, violations = sum(outcome.runs for outcome in outcomes), sum(len(outcome.violations) for outcome in outcomes)
    print(f"{runs} runs, {sum(outcome.failed for outcome in outcomes)} failed, {violations} against the rules")
    sys.exit(1 if violations else 0)


if __name__ == "__main__":
    main()
