"""Arrays and tables as temporary file names for a command, and results of a command as arrays."""

import json
import os
import re
import sys
import tempfile
from collections import abc

# Possible names of the dimensions of bands, rows and columns.
BAND_DIMENSIONS = ("band", "bands", "wavelength", "wavelengths", "feature")
ROW_DIMENSIONS = ("y", "lat", "latitude", "row", "rows", "line")
COLUMN_DIMENSIONS = ("x", "lon", "longitude", "column", "columns", "sample")

# The dimension of the bands of a layer, and the bands before those of the classes, as the program calls them. Layers that are not here have a
# band for each class, or one alone; a Dataset would align different bands along one dimension.
LAYER_BANDS = {
    "uncertainty": ("measure", ["margin uncertainty", "entropy"]),
    "applicability": ("applicability_band", ["outside", "density"]),
    "deciding": ("deciding_band", ["for", "against", "lead without"]),
    "sets_out": ("sets_out_band", ["classes"]),
}

# Parameters that may be tables of pandas, also from a file of Parquet.
TABLES = ("labels", "further_labels", "library", "reference", "exclude")
# Parameters that are neither tables nor dicts.
IMAGES = ("scene", "map", "mask")


def is_data_array(value):
    xarray = sys.modules.get("xarray")
    return xarray is not None and isinstance(value, xarray.DataArray)


def single_array(value, name):
    """The only image of a Dataset of xarray, which may have masks and other layers beside a cube; other values as they are."""
    xarray = sys.modules.get("xarray")
    if xarray is None or not isinstance(value, xarray.Dataset):
        return value
    images = [array for array in value.data_vars.values() if dimension(array, ROW_DIMENSIONS) and dimension(array, COLUMN_DIMENSIONS)]
    cubes = [array for array in images if array.ndim == 3]
    chosen = cubes if len(cubes) == 1 else images
    if len(chosen) != 1:
        variables = ", ".join(f"{key} ({', '.join(map(str, array.dims))})" for key, array in value.data_vars.items()) or "none"
        raise TypeError(f"{name} is an xarray.Dataset and must be one DataArray of it, as in dataset['reflectance'], or all of its variables as bands, "
                        f"dataset.to_array('band'); its variables: {variables}")
    return chosen[0]


def is_array(value):
    numpy = sys.modules.get("numpy")
    return is_data_array(value) or (numpy is not None and isinstance(value, numpy.ndarray))


def is_table(value):
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(value, pandas.DataFrame)


def _json_of(value, name):
    try:
        return json.dumps(dict(value))
    except TypeError as error:
        raise TypeError(f"{name} is a {type(value).__name__} with values that are no texts or numbers; pass a file or one array") from error


class Rasters:
    """The arrays, tables and models passed to one command, as names of files that exist as long as this object."""

    def __init__(self):
        self.names = []  # of paths, and what to call them in texts
        self._open = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        while self._open:
            self._open.pop()()

    def path_of(self, value, name):
        """The file name for a path, an array, a data frame, a dict or a model; `name` is the name of the parameter."""
        value = single_array(value, name)
        if isinstance(value, (str, bytes, os.PathLike)):
            path = os.fsdecode(value)
            if name.split()[0] in TABLES and path.endswith(".parquet"):
                import pandas

                return self._table_path(pandas.read_parquet(path), path)
            return path
        kind = name.split()[0]
        if is_table(value) and kind not in IMAGES:
            return self._table_path(value, name.replace("_", " ") + " table")
        if isinstance(value, abc.Mapping) and kind not in IMAGES + TABLES:
            return self._written(".json", name + " dict", lambda path: path.write(_json_of(value, name)))
        if is_array(value):
            return self._array_path(value, name.replace("_", " ") + " array")
        if hasattr(value, "to_bytes") and not isinstance(value, int):
            return self._model_path(value)
        raise TypeError(f"{name} must be the name of a file or an array, and is {type(value).__name__}")

    def _table_path(self, table, name):
        """The path of a temporary file: of geopandas a GeoPackage, of pandas a table of text."""
        if hasattr(table, "to_file"):
            # Further columns of geometries, such as centroids, have no place there.
            active = getattr(table, "_geometry_column_name", None)
            further = [name for name, kind in table.dtypes.items() if str(kind) == "geometry" and name != active]
            table = table.drop(columns=further) if further else table
            # By its usual name, the column of numbers of features would clash with a column `fid` that rows share.
            return self._written(".gpkg", name, lambda file: table.to_file(file.name, driver="GPKG", FID="parsimap_fid"))
        return self._written(".csv", name, lambda file: table.to_csv(file, index=False))

    def _written(self, extension, name, write):
        file = tempfile.NamedTemporaryFile("w", suffix=extension, encoding="utf-8", newline="")
        self._open.append(file.close)
        write(file)
        file.flush()
        # The file, and its only layer.
        self.names += [(file.name, name), (os.path.splitext(os.path.basename(file.name))[0], "table")]
        return file.name

    def _array_path(self, value, name):
        from . import _commands

        file = _commands.ArrayFile(name=name, **facts_of(value, name))
        self._open.append(file.close)
        self.names.append((file.path, name))
        return file.path

    def _model_path(self, model):
        """The path of an anonymous file in memory."""
        descriptor = os.memfd_create("parsimap-model")
        self._open.append(lambda: os.close(descriptor))
        with open(descriptor, "wb", closefd=False) as file:
            file.write(model.to_bytes())
        path = f"/proc/self/fd/{descriptor}"
        self.names.append((path, "model object"))
        return path


def facts_of(value, name):
    """The arguments of ArrayFile for a numpy array or a DataArray."""
    if is_data_array(value):
        return data_array_facts(value, name)
    return {"array": plain(value, name), "bands": [], "geotransform": None, "crs": "", "nodata": None, "classes": []}


def unmasked(array, name):
    """An array or a list as an array."""
    import numpy as np

    if isinstance(array, np.ma.MaskedArray):
        raise TypeError(f"the {name} is a masked array; fill it, with nan or with 0 for labels, and pass the filled one")
    return np.asarray(array)


def plain(array, name):
    """The array with dimensions rows x columns x bands and a type supported by rasters, without a copy if possible."""
    import numpy as np

    array = unmasked(array, name)
    if array.ndim not in (2, 3):
        raise ValueError(f"the {name} must have the dimensions (rows, columns, bands) or (rows, columns), and has {array.ndim}")
    if array.dtype == bool:
        array = array.view(np.uint8)
    elif array.dtype == np.int8:
        array = array.astype(np.int16)
    elif array.dtype == np.float16:
        array = array.astype(np.float32)
    if array.ndim == 2:
        array = array[:, :, np.newaxis]
    steps = [step for step, count in zip(array.strides, array.shape) if count > 1]
    if min(steps, default=1) <= 0 or not array.dtype.isnative:
        array = np.array(array, dtype=array.dtype.newbyteorder("="), order="C")
    return array


def dimension(array, names):
    found = [d for d in array.dims if str(d).lower() in names]
    return found[0] if len(found) == 1 else None


def dimensions(array, name):
    """The dimensions of rows, columns and, if present, bands."""
    rows, columns = dimension(array, ROW_DIMENSIONS), dimension(array, COLUMN_DIMENSIONS)
    others = [d for d in array.dims if d not in (rows, columns)]
    if rows is None or columns is None or len(others) > 1:
        dims = ", ".join(str(d) for d in array.dims)
        raise ValueError(f"the {name} must have the dimensions y and x and at most one of bands, and has {dims}")
    return (rows, columns, *others)


def data_array_facts(array, name):
    dims = dimensions(array, name)
    ordered = array.transpose(*dims)
    return {
        "array": plain(ordered.to_numpy(), name),
        "bands": bands_of(ordered, dims),
        "geotransform": geotransform_of(ordered, dims),
        "crs": crs_of(array),
        "nodata": nodata_of(array),
        "classes": classes_of(array),
    }


def bands_of(array, dims):
    """Name, wavelength in nanometres, scale and offset of each band."""
    count = array.sizes[dims[2]] if len(dims) > 2 else 1
    scales = numbers_of(array, dims, ("scales", "scale_factor"), count, 1.0)
    offsets = numbers_of(array, dims, ("offsets", "add_offset"), count, 0.0)
    return list(zip(names_of(array, dims, count), wavelengths_of(array, dims, count), scales, offsets))


def entries_of_bands(array, dims, values, count):
    """The entries of an attribute with one entry for each band; None if it has another number of entries.

    A selection of bands keeps the attributes of all bands. rioxarray numbers the bands of the file from 1 in a coordinate, which says
    which entries the selected bands have.
    """
    numbers = array.coords.get(dims[2]) if len(dims) > 2 else None
    if numbers is not None and numbers.dtype.kind in "iu" and all(1 <= number <= len(values) for number in numbers.values):
        return [values[number - 1] for number in numbers.values]
    return list(values) if len(values) == count else None


def names_of(array, dims, count):
    """Names of the bands as stored by rioxarray, or else in a coordinate of strings."""
    names = array.attrs.get("long_name")
    if isinstance(names, (list, tuple)):
        names = entries_of_bands(array, dims, names, count)
        if names is not None:
            return [str(name) for name in names]
    for coordinate in array.coords.values():
        if coordinate.dims == dims[2:] and coordinate.dtype.kind in "UO" and len(dims) > 2:
            return [str(name) for name in coordinate.values]
    return [""] * count


def numbers_of(array, dims, keys, count, default):
    """A number for each band from the first of the attributes that exists: one for all bands, or a list."""
    for key in keys:
        if key in array.attrs:
            value = array.attrs[key]
            numbers = entries_of_bands(array, dims, value, count) if hasattr(value, "__len__") else [value] * count
            return [default] * count if numbers is None else [float(number) for number in numbers]
    return [default] * count


def wavelengths_of(array, dims, count):
    found = array.coords.get("wavelength", array.coords.get("wavelengths"))
    if found is None or len(dims) < 3 or found.dims != (dims[2],) or found.dtype.kind not in "iuf":
        return wavelengths_in_names(names_of(array, dims, count))
    from . import _mathematics

    unit = str(found.attrs.get("units", array.attrs.get("wavelength_units", "")))
    return [_mathematics.wavelength_nanometres(float(value), unit) for value in found.values]


def wavelengths_in_names(names):
    """Wavelengths in nanometres of bands named by a number with a unit, as in "460.5 nm"; all None unless every band is."""
    from . import _mathematics

    parts = [re.fullmatch(r"\s*(\d+(?:\.\d*)?)\s*[\[(]?(nm|nanometers?|um|µm|micrometers?)[\])]?\s*", name, re.I) for name in names]
    if not all(parts):
        return [None] * len(names)
    return [_mathematics.wavelength_nanometres(float(part[1]), part[2]) for part in parts]


def geotransform_of(array, dims):
    """The geotransform: that of the grid mapping if the coordinates agree with it, otherwise from the coordinates."""
    import numpy as np

    text = grid_mapping_of(array)[1].get("GeoTransform")
    kept = tuple(float(number) for number in str(text).split()) if text else None
    if kept and len(kept) != 6:
        raise ValueError(f"the GeoTransform of {grid_mapping_of(array)[0]} is {text!r}; it must have six numbers")
    axes = []
    for dim, first in ((dims[1], 0), (dims[0], 3)):
        centres = array.coords.get(dim)
        if centres is None or centres.dtype.kind not in "iuf" or not (len(centres) > 1 or kept):
            return kept
        values = centres.values.astype(float)
        step = (values[-1] - values[0]) / (len(values) - 1) if len(values) > 1 else kept[first + (1 if first == 0 else 2)]
        if not np.allclose(np.diff(values), step, rtol=1e-3, atol=0):
            raise ValueError(f"the coordinates {dim} must be evenly spaced: pixels of a raster have one size")
        axes.append((values[0] - step / 2, step))
    (left, width), (top, height) = axes
    found = (left, width, 0.0, top, 0.0, height)
    near = kept and np.allclose(found, kept, rtol=0, atol=1e-3 * min(abs(width), abs(height)))
    return kept if near else found


def grid_mapping_of(array):
    """Name and attributes of the coordinate with the reference system: the one named by CF, as rioxarray finds it, or the only one; None without."""
    named = array.encoding.get("grid_mapping", array.attrs.get("grid_mapping", "spatial_ref"))
    others = [name for name, coordinate in array.coords.items() if "crs_wkt" in coordinate.attrs]
    name = named if named in array.coords else others[0] if len(others) == 1 else None
    return name, {} if name is None else array.coords[name].attrs


def crs_of(array):
    """The coordinate reference system as WKT."""
    attributes = grid_mapping_of(array)[1]
    return str(attributes.get("crs_wkt") or attributes.get("spatial_ref") or "")


def nodata_of(array):
    """The missing value; nan if xarray has already masked the DataArray."""
    value = array.attrs.get("_FillValue")
    return None if value is None else float(value)


def classes_of(array):
    """Codes and names of classes, as attributes of maps."""
    codes, names = array.attrs.get("flag_values"), array.attrs.get("class_names")
    if codes is None or names is None or len(codes) != len(names):
        return []
    return sorted((int(code), str(name)) for code, name in zip(codes, names) if int(code) > 0)


def as_result(scene, arrays, record):
    """The map, or the map and its layers, as the type of the scene; of the image of a Dataset."""
    scene = single_array(scene, "scene")
    if is_data_array(scene):
        return data_array_result(scene, arrays, record)
    arrays = {name: array[:, :, 0] if array.ndim == 3 and array.shape[2] == 1 else array for name, array in arrays.items()}
    return arrays["map"] if len(arrays) == 1 else arrays


def data_array_result(scene, arrays, record):
    import xarray

    rows, columns = dimensions(scene, "scene array")[:2]
    coordinates = {name: c for name, c in scene.coords.items() if set(c.dims) <= {rows, columns}}
    codes, names = [entry["code"] for entry in record["classes"]], [entry["name"] for entry in record["classes"]]
    classes = {
        "long_name": "class",
        "flag_values": codes,
        "flag_meanings": " ".join(name.replace(" ", "_") for name in names),
        "class_names": names,
        "_FillValue": 0,
    }
    result = {"map": xarray.DataArray(arrays["map"], coordinates, (rows, columns), "map", classes)}
    for name, array in arrays.items():
        if name != "map":
            result[name] = layer_array(name, array, coordinates, (rows, columns), names)
    mapping = grid_mapping_of(scene)[0]
    for layer in result.values() if mapping in coordinates else ():
        layer.attrs["grid_mapping"] = mapping
    return result["map"] if len(result) == 1 else xarray.Dataset(result)


def layer_array(name, array, coordinates, dims, classes):
    import xarray

    if array.shape[2] == 1:
        return xarray.DataArray(array[:, :, 0], coordinates, dims, name, {"long_name": name.replace("_", " ")})
    band, first = LAYER_BANDS.get(name, ("class", []))
    # A layer that is not of classes ends before them.
    values = [*first, *classes][:array.shape[2]]
    return xarray.DataArray(array, {**coordinates, band: values}, (*dims, band), name).transpose(band, *dims)
