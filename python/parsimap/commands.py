"""The commands of the program as functions of files and arrays.

Made by `scripts/make-python` from `parsimap usage json`; a test compares. Do not edit.

Scenes, labels, maps and masks are names of files, or arrays in memory: arrays of numpy of shape (rows, columns, bands), or (rows, columns),
or DataArrays with the dimensions y and x and, for scenes, one of bands, in any order. Arrays are not copied, if GDAL knows their type.
"""

from __future__ import annotations

import os
from collections import abc
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _running

if TYPE_CHECKING:
    import numpy
    import xarray

    from . import _model

File = Union[str, "os.PathLike[str]"]
Raster = Union[File, "numpy.ndarray", "xarray.DataArray"]
Progress = Union[None, bool, abc.Callable[[str, float], None]]

__all__ = ["train", "classify", "assess", "inspect"]


def train(
    scene: Optional[Raster] = None,
    labels: Optional[Raster] = None,
    model: Optional[File] = None,
    *,
    class_field: Optional[str] = None,
    where: Optional[str] = None,
    label_variable: Optional[str] = None,
    x: Optional[str] = None,
    y: Optional[str] = None,
    crs: Optional[str] = None,
    classes: Optional[File] = None,
    further_labels: Optional[Union[File, abc.Sequence[File]]] = None,
    group_field: Optional[str] = None,
    sampling: Optional[str] = None,
    samples_per_class: Optional[int] = None,
    min_samples: Optional[int] = None,
    colours: Optional[File] = None,
    further_scenes: Optional[abc.Sequence[Union[str, abc.Sequence[Raster]]]] = None,
    scenes: Optional[File] = None,
    resample: bool = False,
    library: Optional[Union[File, abc.Sequence[File]]] = None,
    library_classes: Optional[File] = None,
    kernel: str = "hdda",
    spatial: Optional[str] = None,
    radii: Optional[str] = None,
    criterion: str = "leave-one-out",
    support: str = "reduced",
    class_weights: str = "none",
    dimension: str = "scree:0.01",
    centres: Optional[Union[int, str]] = None,
    seed: int = 0,
    scaling: str = "global",
    ram: Optional[int] = None,
    bands: Optional[Union[str, abc.Sequence[str]]] = None,
    exclude_bands: Optional[Union[str, abc.Sequence[str]]] = None,
    validate: Optional[str] = None,
    groups: Optional[str] = None,
    buffer: Optional[float] = None,
    repeats: Optional[int] = None,
    report: Optional[File] = None,
    mask: Optional[Raster] = None,
    quality: Optional[str] = None,
    orthorectify: bool = False,
    variable: Optional[str] = None,
    samples_out: Optional[File] = None,
    threads: Optional[int] = None,
    overwrite: bool = False,
    config: Optional[Union[abc.Mapping[str, str], abc.Sequence[str]]] = None,
    progress: Progress = None,
) -> _model.Model:
    """Learn a model from the labelled pixels of scenes, or from spectral libraries.

    Learns to tell classes apart from the labelled pixels of scenes, or from the spectra of a library, and writes a model file. Every class
    gets a support vector machine that tells it from the rest, with a kernel in a metric of the class. The metric is chosen by how well
    pixels are told apart whose region was left out of training.

    Parameters
    ----------
    scene : path or array, optional
        Product of EnMAP, DESIS, PRISMA or EMIT, raster that GDAL opens (for ENVI the data file or its .hdr), or MATLAB file.
    labels : path or array, optional
        Class raster (0 = unlabelled) or MATLAB file, vector file or table of points with `class_field`, or regions of interest of ENVI
        (.xml, .txt).
    model : path, optional
        Model file to write. None: no file is written.
    class_field : str, optional
        Field of a vector file that holds the class, integer or text.
    where : str, optional
        Condition that selects features of a vector file.
    label_variable : str, optional
        Array of a MATLAB file of labels (.mat), where its shape does not tell which.
    x : str, optional
        Column of a table of points (such as .csv) that holds x or the longitude; unset: lon, longitude, x, easting or the like.
    y : str, optional
        Column of a table of points that holds y or the latitude.
    crs : str, optional
        Coordinate reference system of labels that do not name theirs, as in EPSG:32633; unset: degrees of WGS 84 for columns of longitudes
        and latitudes, else that of the scene or map.
    classes : path, optional
        Merge and rename classes of labels as they are read: a table (.csv) with the columns from and to, of names or codes; without a to
        they count as unlabelled, and classes that the table lacks keep their names.
    further_labels : path or sequence of paths, optional
        A further file of labels, but no raster, read like `labels`; its classes are those of `labels` with the same name, or code. Of
        several scenes, the labels of those that name none of their own.
    group_field : str, optional
        Field of vector labels, such as a plot: features of equal value are left out together where training is judged, also by `validate`.
    sampling : str, optional
        Which labelled pixels to train on, at random: all, constant:N, smallest, percent:P, total:N or byclass:FILE (lines CLASS,COUNT);
        unset: all.
    samples_per_class : int, optional
        The same as `sampling` constant:N: N random pixels of every class, all of a smaller one. At least 1.
    min_samples : int, optional
        Drop classes of fewer labelled pixels that can be used, with a warning; unset: a class without any is an error. At least 1.
    colours : path, optional
        Colours of classes: a .json object of names or codes and "#rrggbb", or lines 'code red green blue [name]'.
    further_scenes : sequence of tuples of paths or arrays, optional
        A scene with its labels and, if wanted, its mask behind another comma, beside `scene` and `labels` or instead of them; bands are
        those of the first scene.
    scenes : path, optional
        Table (.csv) of several scenes with the columns scene, labels and, where there are masks, mask.
    resample : bool, default False
        Where a further scene lacks bands of the first, compute them from its own by their wavelengths and widths (FWHM), instead of leaving
        them out.
    library : path or sequence of paths, optional
        Spectral library, instead of `scene` and `labels` or beside them: ENVI .sli, .asd, .sig, .sed, a table of spectra, the file of an
        earlier `samples_out`, or a folder of single spectra; `class_field` names the attribute that holds the class.
    library_classes : path, optional
        Classes of the spectra of `library` by their names: a table (.csv) with the columns name and class; spectra that it does not name
        are left out.
    kernel : {'hdda', 'pca', 'gaussian', 'hdda+emp'}, default "hdda"
        hdda (class directions and the rest), pca (class directions alone) or gaussian; hdda+emp: hdda, and a second kernel of extended
        morphological profiles, whatever `spatial` says of them.
    spatial : {'auto', 'none', 'profiles', 'neighbours'}, optional
        What may look at the surroundings of a pixel: none; profiles (of shape, a second kernel); neighbours (in maps: classify regularises
        by itself); or auto: what gains on training pixels that are left out with a buffer. Unset: none.
    radii : str, optional
        Radii of the discs of the profiles, ascending, in pixels as in 2,4,8 or in metres as in 30m,60m; unset: 1,4,8.
    criterion : {'leave-one-out', 'radius-margin'}, default "leave-one-out"
        leave-one-out: one class metric for all, chosen by left-out regions; or radius-margin: the kernel and the bound as the paper prints
        them, class by class.
    support : {'reduced', 'all'}, default "reduced"
        reduced: fewer support spectra, for faster maps, where left-out pixels lose at most 0.1 points by it; or all.
    class_weights : {'none', 'balanced'}, default "none"
        none, or balanced: every class counts the same in training, however few its pixels are.
    dimension : str, default "scree:0.01"
        Dimension of a class's subspace: scree:S, bic, ml, variance:F or fixed:P.
    centres : int or str, optional
        Train the machines of all classes on N spectra that they share, as centres of their kernels, by all training pixels; or none: exact
        machines. Unset: 1000 where there are more than 50000 training pixels, else none.
    seed : int, default 0
        Seed of all random draws.
    scaling : {'none', 'global', 'standardise'}, default "global"
        none, global (centre bands, one factor for all) or standardise (each band by itself).
    ram : int, optional
        Memory for reading and for training, in megabytes; unset: 512 for reading, and for training what the machine has. At least 64.
    bands : str or sequence of str, optional
        Use only these bands, even those marked as bad: 7,10-25 or 1350-1450nm or names; unset: all that are not marked.
    exclude_bands : str or sequence of str, optional
        Do not use these bands, written as for `bands`.
    validate : str, optional
        Also estimate the accuracy by K folds: train without each fold of the regions in turn, and test on it.
    groups : {'regions', 'pixels'}, optional
        What `validate` never divides between training and test: regions (polygons, or connected areas of a label raster) or single pixels;
        unset: regions, or the groups of `group_field`.
    buffer : float, optional
        Distance that `validate` keeps between training and test pixels, in metres, or in pixels where the scene has no CRS.
    repeats : int, optional
        How often `validate` shares out the folds anew; unset: once. At least 1. At most 1000.
    report : path, optional
        Also write a report as one page of HTML, with figures, that opens without a network.
    mask : path or array, optional
        Raster of one band on the scene's grid; pixels where it is 0 or nodata are left out.
    quality : str, optional
        What a product marks and is left out, separated by commas, as in cloud,shadow; 'parsimap info' lists what there is; none: nothing;
        unset: clouds.
    orthorectify : bool, default False
        Put a scene in the sensor's own geometry on the map by the geometry lookup table (GLT) that comes with it, as with EMIT and AVIRIS;
        a mask lies on the map then.
    variable : str, optional
        Array of a MATLAB scene (.mat), where its shape does not tell which.
    samples_out : path, optional
        Also write the pixels trained on with their spectra, for QGIS and for `library`: as points (.gpkg, .geojson), as a table (.csv) or
        as an ENVI spectral library (.sli).
    threads : int, optional
        Threads to compute with, 0 for all processors; results do not depend on it; unset: as many as the environment variable
        SLURM_CPUS_PER_TASK says, or 0. At most 1024.
    overwrite : bool, default False
        Replace outputs that exist.
    config : mapping, or sequence of str, optional
        Set a configuration option of GDAL; never from an options file.
    progress : bool or callable, optional
        True shows a bar (tqdm), False nothing; a callable is called with the stage of the work and the fraction of it that is done. Unset: a
        bar in terminals and notebooks, if tqdm is installed.

    Returns
    -------
    Model
        The model. Its attribute `record` is the document that `parsimap train --json` prints, a dict.

    Raises
    ------
    ConfigError
        An option is wrong, options contradict each other, or an output exists and is not to be replaced.
    DataError
        An input cannot be read or does not fit.
    IoError
        Reading or writing fails on the way. No output is left then, nor after Ctrl-C (KeyboardInterrupt).
    """
    return _running.train(locals())


def classify(
    scene: Optional[Raster] = None,
    model: Optional[Union[File, _model.Model]] = None,
    map: Optional[File] = None,
    *,
    reject: Optional[float] = None,
    reject_novelty: Optional[float] = None,
    probabilities: Optional[Union[bool, File]] = None,
    confidence: Optional[Union[bool, File]] = None,
    uncertainty: Optional[Union[bool, File]] = None,
    decision_values: Optional[Union[bool, File]] = None,
    novelty: Optional[Union[bool, File]] = None,
    several_scenes: Optional[Union[File, abc.Sequence[File]]] = None,
    scenes: Optional[File] = None,
    output_dir: Optional[File] = None,
    mosaic: Optional[File] = None,
    like: Optional[Raster] = None,
    shard: Optional[str] = None,
    of: Optional[str] = None,
    co: Optional[Union[abc.Mapping[str, str], abc.Sequence[str]]] = None,
    report: Optional[File] = None,
    regularise: Optional[str] = None,
    segments: Optional[Raster] = None,
    segments_out: Optional[File] = None,
    colours: Optional[File] = None,
    resample: bool = False,
    mask: Optional[Raster] = None,
    quality: Optional[str] = None,
    orthorectify: bool = False,
    variable: Optional[str] = None,
    ram: Optional[int] = None,
    threads: Optional[int] = None,
    overwrite: bool = False,
    config: Optional[Union[abc.Mapping[str, str], abc.Sequence[str]]] = None,
    progress: Progress = None,
) -> Any:
    """Map the classes of a scene with a model.

    Classifies every pixel of a scene and writes a class map. Pixels without a value in a band that the model uses become 0. Outputs appear
    under their names only when all of them are complete.

    Parameters
    ----------
    scene : path or array, optional
        Product of EnMAP, DESIS, PRISMA or EMIT, raster that GDAL opens, or MATLAB file, with the bands that the model uses.
    model : path or Model
        Model file of 'parsimap train'. Or a `parsimap.Model`.
    map : path, optional
        Class map to write: GeoTIFF (.tif), ENVI (.img, .dat) or what `of` says. None: the map is returned as an array.
    reject : float, optional
        Leave pixels unclassified whose largest probability is below P. At most 1.
    reject_novelty : float, optional
        Leave pixels unclassified whose novelty is above P. At most 1.
    probabilities : bool or path, optional
        Also write the probability of every class, one band each. Without `map`, True returns it as an array.
    confidence : bool or path, optional
        Also write the largest probability. Without `map`, True returns it as an array.
    uncertainty : bool or path, optional
        Also write how undecided the class of a pixel is, in two bands from 0 (certain) to 1: 'margin uncertainty' is 1 less the distance
        between the two largest probabilities, 'entropy' that of all probabilities. Without `map`, True returns it as an array.
    decision_values : bool or path, optional
        Also write the decision value of every class, one band each. Without `map`, True returns it as an array.
    novelty : bool or path, optional
        Also write how unlike all classes a pixel is, from 0 to 1; about 5 % of the pixels of known surfaces are above 0.95. Without `map`,
        True returns it as an array.
    several_scenes : path or sequence of paths, optional
        One of several scenes, of which each gets a map in `output_dir`; `scene` and `map` are left out then.
    scenes : path, optional
        Table (.csv) of several scenes with the columns scene and, where there are masks, mask.
    output_dir : path, optional
        Folder for the maps of several scenes, called SCENE_map.tif; files of other options are ends of names there: `confidence`
        confidence.tif writes SCENE_confidence.tif.
    mosaic : path, optional
        One map of several scenes, in the grid of the first or of `like`; where scenes overlap, the most confident pixel counts.
    like : path or array, optional
        Raster whose extent, pixels and coordinate system `mosaic` has.
    shard : str, optional
        Make one of COUNT parts of the map and its layers, such as 3/64, in the folder `map`.parts; 'parsimap merge' joins them. 0/64 only
        plans them: what is found once, such as the regularisation. Of several scenes: map a share of them.
    of : str, optional
        GDAL's name of the format of all outputs, such as GTiff, COG or ENVI; unset: by extension.
    co : mapping, or sequence of str, optional
        Creation option of the format, for all outputs; replaces the program's own choice of that option.
    report : path, optional
        Also write a report as one page of HTML, with figures, that opens without a network.
    regularise : str, optional
        Judge pixels together with their neighbours: none, auto (chosen from the scene), neighbours:SIGMA[:STRENGTH] or gaussian:SIGMA;
        unset: auto where the model was trained to (train --spatial), else none.
    segments : path or array, optional
        Judge the pixels of a segment together, by their mean probabilities: raster of segment numbers on the scene's grid (0 = outside), or
        vector file of polygons; pixels outside are judged by themselves.
    segments_out : path, optional
        With `segments`, also write the segments with class, confidence and number of pixels, in the format of the extension such as .gpkg.
    colours : path, optional
        Colours of classes: a .json object of names or codes and "#rrggbb", or lines 'code red green blue [name]'.
    resample : bool, default False
        Where the scene lacks bands of the model, compute the model's bands from the scene's by their wavelengths and widths (FWHM).
    mask : path or array, optional
        Raster of one band on the scene's grid; pixels where it is 0 or nodata are left out.
    quality : str, optional
        What a product marks and is left out, separated by commas, as in cloud,shadow; 'parsimap info' lists what there is; none: nothing;
        unset: clouds.
    orthorectify : bool, default False
        Put a scene in the sensor's own geometry on the map by the geometry lookup table (GLT) that comes with it, as with EMIT and AVIRIS;
        a mask lies on the map then.
    variable : str, optional
        Array of a MATLAB scene (.mat), where its shape does not tell which.
    ram : int, optional
        Memory for windows of the scene and GDAL's cache, in megabytes; unset: 512. At least 64.
    threads : int, optional
        Threads to compute with, 0 for all processors; results do not depend on it; unset: as many as the environment variable
        SLURM_CPUS_PER_TASK says, or 0. At most 1024.
    overwrite : bool, default False
        Replace outputs that exist.
    config : mapping, or sequence of str, optional
        Set a configuration option of GDAL; never from an options file.
    progress : bool or callable, optional
        True shows a bar (tqdm), False nothing; a callable is called with the stage of the work and the fraction of it that is done. Unset: a
        bar in terminals and notebooks, if tqdm is installed.

    Returns
    -------
    dict, array of uint16, or xarray.DataArray or Dataset
        With `map`, or with several scenes, the document that `parsimap classify --json` prints. Else the map: the codes of the classes, 0
        where a pixel has no value or is rejected, of shape (rows, columns); a DataArray with the coordinates and the CRS of the scene where
        that is one. With layers a dict of the map, under 'map', and of the layers, under the names of their options, of shape (rows,
        columns, bands), or (rows, columns) where they have one band; a Dataset where the scene is a DataArray, with the bands as first
        dimension.

    Raises
    ------
    ConfigError
        An option is wrong, options contradict each other, or an output exists and is not to be replaced.
    DataError
        An input cannot be read or does not fit.
    IoError
        Reading or writing fails on the way. No output is left then, nor after Ctrl-C (KeyboardInterrupt).
    """
    return _running.classify(locals())


def assess(
    map: Raster,
    reference: Raster,
    *,
    class_field: Optional[str] = None,
    where: Optional[str] = None,
    label_variable: Optional[str] = None,
    x: Optional[str] = None,
    y: Optional[str] = None,
    crs: Optional[str] = None,
    classes: Optional[File] = None,
    sampling_design: Optional[str] = None,
    strata: Optional[Raster] = None,
    compare: Optional[Raster] = None,
    predictions: Optional[File] = None,
    probabilities: Optional[Raster] = None,
    output_dir: Optional[File] = None,
    report: Optional[File] = None,
    threads: Optional[int] = None,
    overwrite: bool = False,
    config: Optional[Union[abc.Mapping[str, str], abc.Sequence[str]]] = None,
    progress: Progress = None,
) -> dict:
    """Compare a class map with reference labels.

    Counts how often map and reference agree and derives the usual measures of accuracy. Rows are reference, columns are map. Classes are
    matched by name where both have names, else by code. Reference pixels that the map leaves unclassified are counted apart. Measures have
    intervals of 95 %, which take the features of a vector file, and the parts of its features, as wholes. Areas are estimated only where
    `sampling_design` says that the reference is a probability sample of the map (Olofsson et al. 2014; Stehman 2014 with `strata`).

    Parameters
    ----------
    map : path or array
        Class map, such as one of 'parsimap classify'.
    reference : path or array
        Class raster (0 = unlabelled) or MATLAB file, vector file or table of points with `class_field`, or regions of interest of ENVI
        (.xml, .txt).
    class_field : str, optional
        Field of a vector file that holds the class, integer or text.
    where : str, optional
        Condition that selects features of a vector file.
    label_variable : str, optional
        Array of a MATLAB file of labels (.mat), where its shape does not tell which.
    x : str, optional
        Column of a table of points (such as .csv) that holds x or the longitude; unset: lon, longitude, x, easting or the like.
    y : str, optional
        Column of a table of points that holds y or the latitude.
    crs : str, optional
        Coordinate reference system of labels that do not name theirs, as in EPSG:32633; unset: degrees of WGS 84 for columns of longitudes
        and latitudes, else that of the scene or map.
    classes : path, optional
        Merge and rename classes of labels as they are read: a table (.csv) with the columns from and to, of names or codes; without a to
        they count as unlabelled, and classes that the table lacks keep their names.
    sampling_design : {'simple', 'stratified'}, optional
        The reference pixels are a random sample of the map, 'simple' or 'stratified': estimate areas.
    strata : path or array, optional
        Class raster of the strata that a stratified sample was drawn from, where they are not the map's classes.
    compare : path or array, optional
        Second map to hold against the same reference: McNemar's test and the interval of the difference.
    predictions : path, optional
        Also write every reference pixel with its reference and its label (.csv, .gpkg).
    probabilities : path or array, optional
        Raster of 'parsimap classify --probabilities' for the predictions, and for the report to show how often they are right.
    output_dir : path, optional
        Folder, made when its parent exists, to write confusion.csv, accuracy.txt and accuracy.json to, and areas.csv and comparison.csv
        where there are any.
    report : path, optional
        Also write a report as one page of HTML, with figures, that opens without a network.
    threads : int, optional
        Threads to compute with, 0 for all processors; results do not depend on it; unset: as many as the environment variable
        SLURM_CPUS_PER_TASK says, or 0. At most 1024.
    overwrite : bool, default False
        Replace outputs that exist.
    config : mapping, or sequence of str, optional
        Set a configuration option of GDAL; never from an options file.
    progress : bool or callable, optional
        True shows a bar (tqdm), False nothing; a callable is called with the stage of the work and the fraction of it that is done. Unset: a
        bar in terminals and notebooks, if tqdm is installed.

    Returns
    -------
    dict
        The document that `parsimap assess --json` prints: confusion matrix, measures and their intervals.

    Raises
    ------
    ConfigError
        An option is wrong, options contradict each other, or an output exists and is not to be replaced.
    DataError
        An input cannot be read or does not fit.
    IoError
        Reading or writing fails on the way. No output is left then, nor after Ctrl-C (KeyboardInterrupt).
    """
    return _running.assess(locals())


def inspect(
    model: Union[File, _model.Model],
    scene: Raster,
    labels: Raster,
    *,
    class_field: Optional[str] = None,
    where: Optional[str] = None,
    label_variable: Optional[str] = None,
    x: Optional[str] = None,
    y: Optional[str] = None,
    crs: Optional[str] = None,
    classes: Optional[File] = None,
    further_labels: Optional[Union[File, abc.Sequence[File]]] = None,
    group_field: Optional[str] = None,
    suspects: Optional[File] = None,
    repeats: int = 4,
    wavelengths: bool = False,
    seed: int = 0,
    ram: Optional[int] = None,
    resample: bool = False,
    mask: Optional[Raster] = None,
    quality: Optional[str] = None,
    orthorectify: bool = False,
    variable: Optional[str] = None,
    report: Optional[File] = None,
    threads: Optional[int] = None,
    overwrite: bool = False,
    config: Optional[Union[abc.Mapping[str, str], abc.Sequence[str]]] = None,
    progress: Progress = None,
) -> dict:
    """Find suspicious labels, and the wavelengths that matter.

    Judges every labelled region by machines of the model's kind that are trained without it, and lists the regions from the one whose label
    has most against it. `labels` are mostly those that the model was trained on. Nothing is deleted: whether a label is wrong is for you to
    say.

    Parameters
    ----------
    model : path or Model
        Model file of 'parsimap train'. Or a `parsimap.Model`.
    scene : path or array
        Product of EnMAP, DESIS, PRISMA or EMIT, raster that GDAL opens (for ENVI the data file or its .hdr), or MATLAB file.
    labels : path or array
        Class raster (0 = unlabelled) or MATLAB file, vector file or table of points with `class_field`, or regions of interest of ENVI
        (.xml, .txt).
    class_field : str, optional
        Field of a vector file that holds the class, integer or text.
    where : str, optional
        Condition that selects features of a vector file.
    label_variable : str, optional
        Array of a MATLAB file of labels (.mat), where its shape does not tell which.
    x : str, optional
        Column of a table of points (such as .csv) that holds x or the longitude; unset: lon, longitude, x, easting or the like.
    y : str, optional
        Column of a table of points that holds y or the latitude.
    crs : str, optional
        Coordinate reference system of labels that do not name theirs, as in EPSG:32633; unset: degrees of WGS 84 for columns of longitudes
        and latitudes, else that of the scene or map.
    classes : path, optional
        Merge and rename classes of labels as they are read: a table (.csv) with the columns from and to, of names or codes; without a to
        they count as unlabelled, and classes that the table lacks keep their names.
    further_labels : path or sequence of paths, optional
        A further file of labels, but no raster, read like `labels`.
    group_field : str, optional
        Field of vector labels, such as a plot: features of equal value are left out together.
    suspects : path, optional
        Also write the regions and their pixels with label, most likely class, margin and rank (.gpkg), with a style for QGIS.
    repeats : int, default 4
        How often the regions are shared out to folds; more makes the ranks steadier, and takes longer. At least 1. At most 100.
    wavelengths : bool, default False
        Also judge which wavelengths matter, for every class, and how far the classes lie apart.
    seed : int, default 0
        Seed of the folds.
    ram : int, optional
        Memory for reading, in megabytes; unset: 512. At least 64.
    resample : bool, default False
        Where the scene lacks bands of the model, compute the model's bands from the scene's by their wavelengths and widths (FWHM).
    mask : path or array, optional
        Raster of one band on the scene's grid; pixels where it is 0 or nodata are left out.
    quality : str, optional
        What a product marks and is left out, separated by commas, as in cloud,shadow; 'parsimap info' lists what there is; none: nothing;
        unset: clouds.
    orthorectify : bool, default False
        Put a scene in the sensor's own geometry on the map by the geometry lookup table (GLT) that comes with it, as with EMIT and AVIRIS;
        a mask lies on the map then.
    variable : str, optional
        Array of a MATLAB scene (.mat), where its shape does not tell which.
    report : path, optional
        Also write a report as one page of HTML, with figures, that opens without a network.
    threads : int, optional
        Threads to compute with, 0 for all processors; results do not depend on it; unset: as many as the environment variable
        SLURM_CPUS_PER_TASK says, or 0. At most 1024.
    overwrite : bool, default False
        Replace outputs that exist.
    config : mapping, or sequence of str, optional
        Set a configuration option of GDAL; never from an options file.
    progress : bool or callable, optional
        True shows a bar (tqdm), False nothing; a callable is called with the stage of the work and the fraction of it that is done. Unset: a
        bar in terminals and notebooks, if tqdm is installed.

    Returns
    -------
    dict
        The document that `parsimap inspect --json` prints: the regions, the most suspicious first.

    Raises
    ------
    ConfigError
        An option is wrong, options contradict each other, or an output exists and is not to be replaced.
    DataError
        An input cannot be read or does not fit.
    IoError
        Reading or writing fails on the way. No output is left then, nor after Ctrl-C (KeyboardInterrupt).
    """
    return _running.inspect(locals())
