// What a mosaic (VRT) has lost of its bands: tools that make one keep neither wavelengths nor marks of bad bands.
#pragma once

#include <gdal_priv.h>

#include <string>

#include "parsimap/samples/band.hpp"

namespace parsimap {

// Fills in wavelengths, names and marks of bad bands in `table`, which is that of the dataset: each of the three where
// no band of a mosaic has it, its sources do, and they agree. Returns a sentence that says what was taken, or that the
// sources do not agree; empty where there is nothing to say. `path` names the mosaic.
std::string complete_from_sources(GDALDataset& dataset, const std::string& path, BandTable& table);

}  // namespace parsimap
