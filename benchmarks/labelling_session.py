#!/usr/bin/env python3
"""labelling_session.py PROGRAM SCENE LABELS [THREADS]: how long an edit of labels takes until the picture of a view.

LABELS is a GeoJSON file of polygons with the field "class" in the reference system of the scene. The view is the whole
scene. Prints seconds, and of the program seconds of processor time, as medians of five edits.
"""

import json
import os
import statistics
import sys
import time
from typing import Callable

from parsimap import Session


def processor_seconds(session: Session) -> float:
    with open(f"/proc/{session._process.pid}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main(program: str, scene: str, labels: str, threads: int = 2) -> None:
    with open(labels, encoding="utf-8") as file:
        features = json.load(file)["features"]
    known = {str(i): (each["properties"]["class"], each["geometry"]) for i, each in enumerate(features)}
    times: dict[str, list[tuple[float, float]]] = {}
    with Session(scene, program=program, threads=threads) as session:

        def timed(step: str, work: Callable[[], object]) -> None:
            start, before = time.monotonic(), processor_seconds(session)
            work()
            times.setdefault(step, []).append((time.monotonic() - start, processor_seconds(session) - before))

        session.label(known)
        session.train()
        session.classify()
        for i in range(5):
            name = str(i)
            timed("edit", lambda: session.label(remove=[name]))
            timed("train", session.train)
            timed("every 4th pixel", lambda: session.classify(step=4))
            timed("every pixel", session.classify)
    for step, both in times.items():
        print(f"{step:16} {statistics.median(a for a, _ in both):6.2f} s {statistics.median(b for _, b in both):6.2f} s")


if __name__ == "__main__":
    main(*sys.argv[1:4], *map(int, sys.argv[4:]))
