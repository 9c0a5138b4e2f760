"""Makes pairs of a map and a reference for sample_coverage, from real reference rasters.

    make_maps.py REFERENCE MAP_OUT REFERENCE_OUT [MAP]

Pixels without a reference become 0 in both. Without a MAP (of `parsimap classify`), errors are simulated: blocks of 8 x 8
pixels have their own share of wrong pixels (beta distribution, mean 0.13), which go to one other class of the block.
"""
import sys

import numpy
from osgeo import gdal

gdal.UseExceptions()


def with_errors(reference, classes, random):
    mapped = reference.copy()
    for row in range(0, reference.shape[0], 8):
        for column in range(0, reference.shape[1], 8):
            block = reference[row:row + 8, column:column + 8]
            wrong = random.random(block.shape) < random.beta(0.3, 2)
            mapped[row:row + 8, column:column + 8] = numpy.where(wrong, random.choice(classes), block)
    return mapped


def write(path, codes):
    raster = gdal.GetDriverByName("GTiff").Create(path, codes.shape[1], codes.shape[0], 1, gdal.GDT_UInt16)
    raster.GetRasterBand(1).WriteArray(codes.astype(numpy.uint16))


def main(reference_path, map_out, reference_out, map_path=None):
    reference = gdal.Open(reference_path).ReadAsArray()
    classes = numpy.unique(reference[reference > 0])
    mapped = gdal.Open(map_path).ReadAsArray() if map_path else with_errors(reference, classes, numpy.random.default_rng(1))
    both = (reference > 0) & (mapped > 0)
    write(map_out, numpy.where(both, mapped, 0))
    write(reference_out, numpy.where(both, reference, 0))
    print(f"{both.sum()} pixels, overall accuracy {(mapped == reference)[both].mean():.4f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
