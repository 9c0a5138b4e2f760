"""Scenes, labels and options that nobody should pass to the commands: errors of the usual kinds, and never the end of the interpreter.

HOSTILE_CALLS says how many calls are made, 20 times over: each opens and reads rasters.
"""

import os
import unittest
import warnings

import numpy as np
import xarray

import parsimap

CALLS = int(os.environ.get("HOSTILE_CALLS", "5000")) // 20
ROWS, COLUMNS, BANDS = 12, 10, 4


def scene(rng):
    labels = np.arange(ROWS * COLUMNS).reshape(ROWS, COLUMNS) % 3
    return (rng.normal(size=(ROWS, COLUMNS, BANDS)) + 3 * labels[:, :, np.newaxis]).astype(np.float32)


def labels(rng):
    return (np.arange(ROWS * COLUMNS).reshape(ROWS, COLUMNS) % 3 + 1).astype(np.uint8)


def placed(rng):
    """A DataArray as others make them."""
    return xarray.DataArray(scene(rng), {"y": np.arange(ROWS, 0.0, -1), "x": np.arange(COLUMNS) + 5.0}, ("y", "x", "band"))


def read_only(rng):
    array = scene(rng)
    array.flags.writeable = False
    return array


def unaligned(rng):
    memory = np.zeros(ROWS * COLUMNS * BANDS * 4 + 1, dtype=np.uint8)
    return memory[1:].view(np.float32).reshape(ROWS, COLUMNS, BANDS)


def field_of_record(rng):
    records = np.zeros((ROWS, COLUMNS, BANDS), dtype=[("a", "u1"), ("b", "<f4")])
    return records["b"]


def with_coordinates(**coordinates):
    return lambda rng: placed(rng).assign_coords(coordinates)


def with_attributes(**attributes):
    return lambda rng: placed(rng).assign_attrs(attributes)


def with_reference(**attributes):
    return lambda rng: placed(rng).assign_coords(spatial_ref=xarray.DataArray(0, attrs=attributes))


# What may be wrong with an array; some of it is only unusual, and must work.
ARRAYS = [
    scene,
    labels,
    placed,
    read_only,
    unaligned,
    field_of_record,
    lambda rng: rng.normal(size=tuple(rng.integers(0, 7, size=rng.integers(0, 5)))),
    lambda rng: scene(rng).astype(rng.choice(["f2", "f4", "f8", ">f8", "i1", "u2", "i8", "u8", "?", "g", "c8", "O", "S3", "M8[s]"])),
    lambda rng: np.broadcast_to(np.float32(rng.normal()), (ROWS, COLUMNS, BANDS)),
    lambda rng: scene(rng)[:: int(rng.integers(1, 4)) * int(rng.choice([-1, 1])), ::-1, :: int(rng.choice([-1, 1, 2]))],
    lambda rng: np.full((ROWS, COLUMNS, BANDS), rng.choice([np.nan, np.inf, -np.inf, 1e300, 1e-300, 0])),
    lambda rng: np.lib.stride_tricks.as_strided(scene(rng), (ROWS, COLUMNS, BANDS), (1, 4, 1)),
    lambda rng: placed(rng).transpose("band", "x", "y"),
    lambda rng: placed(rng).isel(x=0),
    lambda rng: placed(rng).expand_dims("time"),
    lambda rng: placed(rng).to_dataset(name="scene"),
    lambda rng: placed(rng).isel(x=slice(0, int(rng.integers(0, 3)))),
    with_coordinates(x=("x", np.full(COLUMNS, np.nan))),
    with_coordinates(x=("x", np.zeros(COLUMNS))),
    with_coordinates(x=("x", np.arange(COLUMNS) ** 3)),
    with_coordinates(x=("x", [1e300, -1e300] * (COLUMNS // 2))),
    with_coordinates(x=("x", list("abcdefghij"))),
    with_coordinates(wavelength=("band", [np.nan, -1, 0, 1e300])),
    with_coordinates(wavelength=("band", list("abcd"))),
    with_coordinates(wavelength=5.0),
    with_attributes(_FillValue="none"),
    with_attributes(_FillValue=[1, 2]),
    with_attributes(_FillValue=1e300),
    with_attributes(scale_factor=0, add_offset=np.nan),
    with_attributes(scale_factor="much", long_name=("a", "b", "c", "d\0e")),
    with_attributes(scales=(1, 2), long_name=5),
    with_attributes(flag_values=[1, 1, 70000, -3], class_names=["a", "a", "", "b"]),
    with_attributes(flag_values=[1, 70000], class_names=["a", "b" * 5000]),
    with_attributes(flag_values=3, class_names="abc"),
    with_reference(crs_wkt="nonsense", GeoTransform="1 2 3"),
    with_reference(crs_wkt="EPSG:4326", GeoTransform="nan nan nan nan nan nan"),
    with_reference(spatial_ref="PROJCS[" * 300, GeoTransform="0 0 0 0 0 0"),
    with_reference(GeoTransform=7),
    lambda rng: np.ma.masked_less(scene(rng), 0),
    lambda rng: "no such file",
    lambda rng: "/vsimem/none",
    lambda rng: "",
    lambda rng: b"\xff\x00",
    lambda rng: None,
    lambda rng: 5,
    lambda rng: [[1.0, 2.0]],
    lambda rng: object(),
]
VALUES = [None, True, False, -1, 0, 1, 3, 2**70, 0.5, float("nan"), "", "x", "a\0b", "-1", "--help", "=", "\udcff", (), [], ["a", 1],
          {"GDAL_CACHEMAX": 1}, object(), b"\xff", np.int8(3), np.float32(0.5), scene]
OPTIONS = {
    parsimap.train: ["mask", "seed", "samples_per_class", "kernel", "bands", "centres", "threads", "buffer", "further_scenes", "classes"],
    parsimap.classify: ["mask", "segments", "reject", "reject_novelty", "regularise", "ram", "threads", "confidence", "novelty", "config"],
    parsimap.assess: ["strata", "compare", "sampling_design", "class_field", "crs", "x", "threads"],
    parsimap.inspect: ["mask", "repeats", "further_labels", "seed", "threads", "quality"],
}


class Hostile(unittest.TestCase):
    def arguments(self, function, rng):
        good = {parsimap.train: [scene, labels], parsimap.classify: [scene, self.model], parsimap.assess: [labels, labels],
                parsimap.inspect: [self.model, scene, labels]}[function]
        arguments = [value(rng) if callable(value) else value for value in good]
        arguments[rng.integers(len(arguments))] = ARRAYS[rng.integers(len(ARRAYS))](rng)
        names = OPTIONS[function]
        options = {names[rng.integers(len(names))]: VALUES[rng.integers(len(VALUES))] for _ in range(rng.integers(0, 3))}
        return arguments, {name: value(rng) if value is scene else value for name, value in options.items()}

    def test_no_call_ends_the_interpreter(self):
        rng = np.random.default_rng(5)
        self.model = parsimap.train(scene(rng), labels(rng))
        functions = rng.choice([parsimap.classify, parsimap.assess, parsimap.train, parsimap.inspect], CALLS, p=[0.5, 0.3, 0.1, 0.1])
        refused = 0
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for number, function in enumerate(functions):
                arguments, options = self.arguments(function, rng)
                with self.subTest(call=number, function=function.__name__, arguments=list(map(repr, arguments)), options=options):
                    try:
                        function(*arguments, progress=False, **options)
                    except (ValueError, TypeError, OSError, parsimap.ParsimapError, OverflowError):
                        refused += 1
        self.assertGreater(refused, CALLS // 4)
        self.assertLess(refused, CALLS)


if __name__ == "__main__":
    unittest.main()
