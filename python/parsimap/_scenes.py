"""Maps and predictions for scenes in memory: numpy arrays and xarray DataArrays, also with dask."""

import math
import sys

import numpy as np

from . import _mathematics
from ._errors import DataError, explained
from ._rasters import (BAND_DIMENSIONS, as_result, bands_of, dimension, dimensions, is_data_array, is_table, nodata_of, single_array, unmasked,
                       wavelengths_in_names)


def handles(model, values):
    """Whether the values are a DataArray, a Dataset or a dask array. Data frames with other bands than the model's are refused."""
    if is_table(values):
        refuse_other_columns(model, values.columns)
    if is_data_array(values) or is_dask(values) or is_data_array(single_array(values, "spectra")):
        return True
    unmasked(values, "array of spectra")
    return False


def refuse_other_columns(model, columns):
    """Refuses columns that are other bands, by wavelengths or else by names, than those that the model would take them for."""
    if len(columns) != model.scene_bands or not all(isinstance(name, str) for name in columns):
        return  # numbered columns are in the order of the bands
    wavelengths = wavelengths_in_names(columns)
    for band in model.describe()["bands"]:
        name, wavelength = columns[band["band"] - 1], band["wavelength"]
        if wavelength is not None and wavelengths[0] is not None:
            # Names may be rounded.
            distances = np.abs(np.array(wavelengths) - wavelength)
            is_other = distances[band["band"] - 1] > distances.min()
        else:
            is_other = band["name"] not in ("", name)
        if is_other:
            raise DataError(f"spectra: column {band['band']} is '{name}', but band {band['band']} of the model is '{band['name'] or wavelength}'; "
                            "the columns must be the bands of the model in their order")


def is_dask(values):
    # If a module is not imported, no value can be one of its types.
    dask_array = sys.modules.get("dask.array")
    return dask_array is not None and isinstance(values, dask_array.Array)


# ---- maps ----


def classify(model, scene, *, layers, regularise, reject, reject_novelty, nodata, pixel_metres, threads, progress):
    """The map of a scene, or the map and layers; see `Model.classify`."""
    scene = single_array(scene, "scene")
    layers = [name.replace("_", "-") for name in ([layers] if isinstance(layers, str) else layers)]
    options = {"layers": layers, "regularise": regularise, "reject": reject, "reject_novelty": reject_novelty,
               "pixel_metres": pixel_metres, "bands": [], "nodata": nodata}
    values = scene
    if is_data_array(scene):
        if pixel_metres is None and model._model.needs_pixel_metres:
            options["pixel_metres"] = _pixel_metres(scene)
        values, options["bands"], options["nodata"] = _facts(scene, nodata)
    if is_dask(values):
        found = _classify_blocks(model, values, options, threads or 1)
    else:
        with explained((), scene):
            values = values if is_data_array(scene) else unmasked(values, "scene")
            found = _classify_array(model, values, options, threads, progress)
    record = {"classes": [{"code": entry.code, "name": entry.name} for entry in model.classes]}
    return as_result(scene, {name.replace("-", "_"): layer for name, layer in found.items()}, record)


def _facts(scene, nodata):
    """Values of a DataArray as rows x columns x bands, names and wavelengths of its bands, and its missing value."""
    dims = dimensions(scene, "scene")
    scene = scene.transpose(*dims)
    nodata = nodata_of(scene) if nodata is None else nodata
    names, wavelengths, scales, offsets = zip(*bands_of(scene, dims))
    values = scene.data
    if set(scales) != {1} or set(offsets) != {0}:
        # xarray has not decoded the values of the file.
        decoded = values * np.array(scales) + np.array(offsets)
        values = decoded if nodata is None else _where(values)(values == nodata, np.nan, decoded)
        nodata = None
    return values, list(zip(names, wavelengths)), nodata


def _where(values):
    return sys.modules["dask.array"].where if is_dask(values) else np.where


def _pixel_metres(scene):
    """The width of a pixel, from its area, if rioxarray is loaded and the scene is projected."""
    if not hasattr(scene, "rio") or scene.rio.crs is None or not scene.rio.crs.is_projected:
        return None
    width, height = scene.rio.resolution()
    return math.sqrt(abs(width * height)) * scene.rio.crs.linear_units_factor[1]


def _classify_array(model, values, options, threads=0, progress=None, piece=False):
    """The map, rows x columns, and layers, rows x columns x bands."""
    found = _mathematics.classify(model._model, values, (0, 1, 2), threads=threads, progress=progress, piece=piece,
                                   **options)
    return {name: found[name] for name in ("map", *options["layers"])}


def _classify_blocks(model, values, options, threads):
    """The same with dask: lazily, block by block."""
    import dask
    import dask.array

    if values.ndim != 3:
        raise ValueError(f"the scene must have 3 dimensions, but has {values.ndim}")
    reach = _mathematics.map_reach(model._model, options["regularise"], options["pixel_metres"])
    # Classifying one pixel gives the fields of a record, and checks the options before anything is computed.
    pixel = _classify_array(model, np.zeros((1, 1, values.shape[2]), values.dtype), options, 1, piece=True)
    record = np.dtype([(name, layer.dtype, layer.shape[2:]) for name, layer in pixel.items()])
    # Blocks contain whole spectra and overlap by the range of neighbours and profiles. An axis that is not longer than
    # this range is not divided.
    narrow = {axis: -1 for axis in (0, 1) if values.shape[axis] <= reach}
    depth = {axis: 0 if axis in narrow else reach for axis in (0, 1)}
    blocks = dask.array.map_overlap(
        _classify_block, values.rechunk({2: -1, **narrow}), depth={**depth, 2: 0}, boundary="none", drop_axis=2,
        dtype=record, meta=np.empty((0, 0), record), model=_shared(model), options=options, threads=threads,
        record=record)
    return {name: blocks[name] for name in record.names}


def _shared(model):
    """The model as a delayed value, which is sent to each worker once and not with each task."""
    return sys.modules["dask"].delayed(model, pure=True, traverse=False)


def _classify_block(values, model, options, threads, record):
    """The map and layers of a block in one array, with a record for each pixel."""
    found = _classify_array(model, values, options, threads, piece=True)
    block = np.empty(values.shape[:2], record)
    for name in record.names:
        block[name] = found[name]
    return block


# ---- predictions ----

# For each method of `Model` for spectra, the layer of a map that contains the same values for a scene.
_LAYERS = {"predict": "map", "predict_proba": "probabilities", "decision_function": "decision_values",
           "novelty": "novelty"}


def predict(model, method, spectra, threads):
    """The result of a method of a model for a DataArray or a dask array: a scene with three dimensions, or spectra."""
    spectra, layer = single_array(spectra, "spectra"), _LAYERS[method]
    if spectra.ndim == 3:
        layers = () if layer == "map" else (layer,)
        found = model.classify(spectra, layers=layers, regularise="none", threads=threads)
        return found[layer] if layers else found
    if spectra.ndim != 2:
        raise ValueError(f"spectra must have 2 dimensions, or 3 if they are a scene, but have {spectra.ndim}")
    if not is_data_array(spectra):
        return _predict_blocks(model, method, spectra, threads or 1)
    band = dimension(spectra, BAND_DIMENSIONS)
    if band is None:
        raise ValueError(f"spectra must have a dimension of bands, such as band, but have {', '.join(map(str, spectra.dims))}")
    (sample,) = (dim for dim in spectra.dims if dim != band)
    getattr(model, method)(np.zeros((1, model.scene_bands)))  # refuses models that need the pixels around each one
    # Early stages decide labels of maps, and none if decision values are asked for.
    layers = ["decision_values" if layer == "map" else layer]
    found = model.classify(_one_column(spectra, sample, band), layers=layers, regularise="none", threads=threads)[layer]
    found = found.isel(x=0).transpose("y", ...)
    coordinates = {key: value for key, value in spectra.coords.items() if band not in value.dims}
    coordinates.update({key: value for key, value in found.coords.items() if key == "class"})
    return sys.modules["xarray"].DataArray(found.data, coordinates, (sample, *found.dims[1:]), layer, found.attrs)


def _one_column(spectra, sample, band):
    """Spectra as a scene with what is known of their bands: names, wavelengths, scales and the missing value."""
    others = [key for key, coordinate in spectra.coords.items() if coordinate.dims != (band,)]
    return spectra.drop_vars(others).rename({sample: "y"}).expand_dims("x")


def _predict_blocks(model, method, spectra, threads):
    import dask
    import dask.array

    spectra = spectra.rechunk({1: -1})
    of_classes = method in ("predict_proba", "decision_function")
    shape = {"chunks": (spectra.chunks[0], (len(model.classes),))} if of_classes else {"drop_axis": 1}
    values = np.empty((0, 0) if of_classes else (0,), np.uint16 if method == "predict" else np.float64)
    return dask.array.map_blocks(_predict_block, spectra, method=method, threads=threads, model=_shared(model),
                                 dtype=values.dtype, meta=values, **shape)


def _predict_block(spectra, model, method, threads):
    return getattr(model, method)(spectra, threads=threads)
