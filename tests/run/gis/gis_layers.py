"""Opens class maps with GDAL's Python module and with QGIS's raster layer, and compares what they show with what is expected.

Usage: gis_layers.py EXPECTED MAP...; EXPECTED is a JSON file with `crs` (such as "EPSG:32617", "" for none) and `classes`,
a list of [code, name, "#rrggbb"]. Prints one line for each map; the exit code is 1 where anything differs.
"""

import json
import sys

import numpy
from osgeo import gdal
from qgis.core import QgsApplication, QgsRasterLayer

MOST_PIXELS_DRAWN = 200_000
mistakes = []


def check(path, what, found, wanted):
    if found != wanted:
        mistakes.append(f"{path}: {what} is {found!r}, not {wanted!r}")


def attribute_rows(table):
    columns = {table.GetUsageOfCol(i): i for i in range(table.GetColumnCount())}
    value, count, name = columns[gdal.GFU_MinMax], columns[gdal.GFU_PixelCount], columns[gdal.GFU_Name]
    channels = [columns[usage] for usage in (gdal.GFU_Red, gdal.GFU_Green, gdal.GFU_Blue)]
    return [
        [
            table.GetValueAsInt(row, value),
            table.GetValueAsString(row, name),
            "#%02x%02x%02x" % tuple(table.GetValueAsInt(row, channel) for channel in channels),
            table.GetValueAsInt(row, count),
        ]
        for row in range(table.GetRowCount())
    ]


def check_gdal(path, expected):
    dataset = gdal.Open(path)
    reference = dataset.GetSpatialRef()
    crs = f"{reference.GetAuthorityName(None)}:{reference.GetAuthorityCode(None)}" if reference else ""
    check(path, "CRS", crs, expected["crs"])
    band = dataset.GetRasterBand(1)
    check(path, "nodata", band.GetNoDataValue(), 0.0)
    codes, counts = numpy.unique(band.ReadAsArray(), return_counts=True)
    counted = dict(zip(codes.tolist(), counts.tolist()))
    wanted = [[code, name, colour, counted.pop(code, 0)] for code, name, colour in expected["classes"]]
    check(path, "attribute table", attribute_rows(band.GetDefaultRAT()), wanted)
    counted.pop(0, None)
    check(path, "pixels of codes without a class", counted, {})
    categories, palette = band.GetCategoryNames(), band.GetColorTable()
    envi = dataset.GetDriver().ShortName == "ENVI"
    for code, name, colour in expected["classes"]:
        name = name.translate(str.maketrans(",{}", ";()")) if envi else name
        check(path, f"category {code}", categories[code], name)
        check(path, f"colour of {code}", "#%02x%02x%02x" % palette.GetColorEntry(code)[:3], colour)
    if envi:
        header = dataset.GetMetadata("ENVI")
        entries = str(expected["classes"][-1][0] + 1)
        check(path, "file type", header["file_type"], "ENVI Classification")
        check(path, "classes of the header", header["classes"], entries)
    if path.endswith("_cog.tif"):
        check(path, "layout", dataset.GetMetadata("IMAGE_STRUCTURE").get("LAYOUT"), "COG")
        check(path, "overviews", band.GetOverviewCount() > 0, max(dataset.RasterXSize, dataset.RasterYSize) > 512)


def check_drawing(path, layer, expected):
    """Every pixel that the layer's renderer draws has its class's colour, or none."""
    width, height = layer.width(), layer.height()
    if width * height > MOST_PIXELS_DRAWN:
        return
    drawn = layer.renderer().block(1, layer.extent(), width, height)
    codes = gdal.Open(path).ReadAsArray()
    colours = {code: colour for code, _, colour in expected["classes"]}
    for row in range(height):
        for column in range(width):
            colour = drawn.color(row, column)
            wanted = colours.get(int(codes[row, column]))
            if (None if (colour & 0xFF000000) == 0 else "#%06x" % (colour & 0xFFFFFF)) != wanted:
                check(path, f"drawn colour at {column}, {row}", hex(colour), wanted)
                return


def check_qgis(path, expected):
    layer = QgsRasterLayer(path, "map")
    check(path, "validity in QGIS", layer.isValid(), True)
    if not layer.isValid():
        return
    check(path, "renderer", layer.renderer().type(), "paletted")
    if layer.renderer().type() != "paletted":
        return
    legend = [[int(entry.value), entry.label, entry.color.name()] for entry in layer.renderer().classes()]
    check(path, "legend", legend, expected["classes"])
    check(path, "CRS in QGIS", layer.crs().authid(), expected["crs"])
    check(path, "nodata in QGIS", layer.dataProvider().sourceNoDataValue(1), 0.0)
    check_drawing(path, layer, expected)


def main():
    gdal.UseExceptions()
    with open(sys.argv[1], encoding="utf-8") as file:
        expected = json.load(file)
    application = QgsApplication([], False)
    application.initQgis()
    for path in sys.argv[2:]:
        before = len(mistakes)
        check_gdal(path, expected)
        check_qgis(path, expected)
        print(f"{path}: {'as expected' if len(mistakes) == before else 'differs'}")
    application.exitQgis()
    print("\n".join(mistakes), file=sys.stderr)
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
