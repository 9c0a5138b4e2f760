// What a raster knows of its bands.
#pragma once

#include <gdal_priv.h>

#include <string>

#include "parsimap/samples/band.hpp"

namespace parsimap {

// All bands of the dataset, in order, with the names that the file itself has. A band is bad where its own `bbl` is 0,
// or, without one, its entry of the dataset's `bbl` (the list of ENVI: 1 good, 0 bad); a list that does not have an
// entry for every band marks none.
BandTable band_table(GDALDataset& dataset);

// The number of entries of the dataset's list of bad bands, 0 where it has none.
std::size_t bad_band_entries(GDALDataset& dataset);

// Keeps the wavelengths in the file: in the header for ENVI, as metadata of the bands elsewhere.
void set_wavelengths(GDALDataset& dataset, const BandTable& bands);

// What a mosaic (VRT) has lost of its bands: tools that make one keep neither wavelengths nor marks of bad bands. Fills
// in wavelengths, names and marks of bad bands in `table`, which is that of the dataset: each of the three where no
// band of a mosaic has it, its sources do, and they agree. Returns a sentence that says what was taken, or that the
// sources do not agree; empty where there is nothing to say. `path` names the mosaic.
std::string complete_from_sources(GDALDataset& dataset, const std::string& path, BandTable& table);

// What has to be added to the numbers of each band: -1000 for images of Sentinel-2 in their folder .SAFE, and mosaics
// of them, to whose numbers ESA adds 1000 from the processing baseline 04.00 (N0400) on. 0 for all other bands, and for
// those that state an offset of their own.
std::vector<double> product_offsets(GDALDataset& dataset, const std::string& path);

}  // namespace parsimap
