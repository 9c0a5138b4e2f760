"""benchmarks/predict_array.py MODEL IMAGE TYPE: the package of Python on an array of all pixels, one thread; JSON.

The pixels are held as float32 or float64, which TYPE names. Memory is what the peak of the process grew by.
"""

import json
import sys
import time
from pathlib import Path

started = time.perf_counter()
import parsimap  # noqa: E402

Model = parsimap.Model  # which is loaded when it is asked for
import_seconds = time.perf_counter() - started

import numpy as np  # noqa: E402

from harness.envi import EnviFile  # noqa: E402


def pixels_of(image: Path, kind: str) -> np.ndarray:
    file = EnviFile(image)
    values = np.fromfile(image, dtype=file.numpy_type)
    if file.interleave == "bip":
        pixels = values.reshape(-1, file.bands)
    elif file.interleave == "bil":
        pixels = values.reshape(file.height, file.bands, file.width).swapaxes(1, 2).reshape(-1, file.bands)
    else:
        pixels = values.reshape(file.bands, -1).T
    return np.ascontiguousarray(pixels, dtype=kind)


def peak_bytes() -> int:
    with open("/proc/self/status") as status:
        return next(1024 * int(line.split()[1]) for line in status if line.startswith("VmHWM"))


def forget_peak() -> None:
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")


def main() -> None:
    model = Model.load(sys.argv[1])
    pixels = pixels_of(Path(sys.argv[2]), sys.argv[3])
    model.predict(pixels[:1])  # makes the tables that predictions share
    forget_peak()
    before = peak_bytes()
    start = time.perf_counter()
    probabilities = model.predict_proba(pixels, threads=1)
    seconds = time.perf_counter() - start
    beyond = peak_bytes() - before - probabilities.nbytes
    print(json.dumps({"import_seconds": import_seconds, "seconds": seconds, "input_bytes": pixels.nbytes,
                      "beyond_output_bytes": beyond}))


if __name__ == "__main__":
    main()
