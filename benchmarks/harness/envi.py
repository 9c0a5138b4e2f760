"""Enough of ENVI to hand the pixels of a scene to programs that read no rasters. No numpy: it may be absent."""

import array
import re
import sys
from pathlib import Path

# ENVI's data type: array's type code, numpy's type.
TYPES = {1: ("B", "u1"), 2: ("h", "<i2"), 12: ("H", "<u2"), 4: ("f", "<f4")}


class EnviFile:
    """An uncompressed, little-endian ENVI raster."""

    def __init__(self, path: Path) -> None:
        self.path = path
        text = path.with_suffix(".hdr").read_text(encoding="latin-1")

        def number(key: str) -> int:
            match = re.search(rf"^{key}\s*=\s*(\d+)", text, re.MULTILINE)
            if match is None:
                raise ValueError(f"{path.with_suffix('.hdr')}: no '{key}'")
            return int(match[1])

        self.width = number("samples")
        self.height = number("lines")
        self.bands = number("bands")
        self.data_type = number("data type")
        interleave = re.search(r"^interleave\s*=\s*(\w+)", text, re.MULTILINE)
        self.interleave = interleave[1].lower() if interleave else "bsq"
        if self.data_type not in TYPES or sys.byteorder != "little":
            raise ValueError(f"{path}: data type {self.data_type} is not one that the benchmarks read")

    @property
    def numpy_type(self) -> str:
        return TYPES[self.data_type][1]

    def values(self) -> array.array:
        """Everything, in the order of the file."""
        return array.array(TYPES[self.data_type][0], self.path.read_bytes())

    def spectra(self, pixels: list[int]) -> list[list[float]]:
        """The spectra of pixels, which are counted row by row."""
        values = self.values()
        width, bands, size = self.width, self.bands, self.width * self.height
        spectra = []
        for pixel in pixels:
            if self.interleave == "bip":
                row = values[pixel * bands : (pixel + 1) * bands]
            elif self.interleave == "bil":
                start = pixel // width * width * bands + pixel % width
                row = values[start : start + width * bands : width]
            else:
                row = values[pixel::size]
            spectra.append([float(value) for value in row])
        return spectra


def labelled(path: Path) -> tuple[list[int], list[int]]:
    """Pixels that a label raster labels, and their codes."""
    codes = EnviFile(path).values()
    pixels = [i for i, code in enumerate(codes) if code > 0]
    return pixels, [codes[i] for i in pixels]


class Standardisation:
    """Each band to mean 0 and standard deviation 1 over the training pixels, as scikit-learn and OTB do it."""

    def __init__(self, spectra: list[list[float]]) -> None:
        count = len(spectra)
        self.mean = [sum(column) / count for column in zip(*spectra)]
        self.deviation = [
            (sum((value - mean) ** 2 for value in column) / count) ** 0.5 or 1.0
            for column, mean in zip(zip(*spectra), self.mean)
        ]

    def apply(self, spectrum: list[float]) -> list[float]:
        return [(value - mean) / deviation for value, mean, deviation in zip(spectrum, self.mean, self.deviation)]
