"""The commands of the program, in this process. Use the package parsimap, which this is a part of."""

import ctypes

from . import _library

_LIBRARY = _library.load("libparsimap-c.so")


class ArrayFile:
    """An array of rows x columns x bands as a raster in GDAL's memory, without a copy; `bands` are name, wavelength, scale and offset of each."""

    def __init__(self, array, name, bands, geotransform, crs, nodata, classes):
        from ._arrays import Given, scene_array

        self._array = Given(scene_array(array, (0, 1, 2), "the " + name))
        settings = _library.Settings(_LIBRARY, {"crs": crs, "nodata": nodata}, bands=bands, classes=classes)
        if geotransform is not None:
            _LIBRARY.parsimap_set_geotransform(settings, (ctypes.c_double * 6)(*geotransform))
        handle = ctypes.c_void_p()
        _library.checked(_LIBRARY, _LIBRARY.parsimap_open_array, self._array, _library.encoded(name), settings, ctypes.byref(handle))
        self._as_parameter_ = handle

    @property
    def path(self):
        return _LIBRARY.parsimap_array_path(self).decode()

    def close(self):
        if getattr(self, "_as_parameter_", None) is not None:
            _LIBRARY.parsimap_close_array(self)
            self._as_parameter_ = None

    __del__ = close


def _settings(options, arguments, names):
    return _library.Settings(_LIBRARY, options, arguments=arguments, names=names)


def run(command, options, arguments, names, hear):
    """Runs a command with options and arguments by their names; its document as JSON."""
    work = _library.Work(_LIBRARY)
    return work.run(_LIBRARY.parsimap_run, command.encode(), _settings(options, arguments, names), hear=hear).text("document")


def train(options, arguments, names, hear):
    """The document of `train`, and the content of the model's file, which is written only if MODEL is given."""
    work = _library.Work(_LIBRARY).run(_LIBRARY.parsimap_train_scene, _settings(options, arguments, names), hear=hear)
    model = work.model()
    try:
        return work.text("document"), _library.model_content(_LIBRARY, model, _library.MODEL_FILE)
    finally:
        _LIBRARY.parsimap_free_model(model)


def classify(options, arguments, layers, names, hear):
    """The document of `classify`, and a dict of the map and the layers asked for as arrays. No file is written."""
    settings = _settings({**options, "layers": list(layers)}, arguments, names)
    work = _library.Work(_LIBRARY).run(_LIBRARY.parsimap_classify_scene, settings, hear=hear)
    return work.text("document"), {name: work.array(name) for name in ("map", *layers)}
