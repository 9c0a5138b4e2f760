// Names and wavelengths of a raster's bands.
#pragma once

#include <gdal_priv.h>

#include <optional>
#include <string>

#include "parsimap/samples/band.hpp"

namespace parsimap::gdal {

// A wavelength in nanometres. Without a unit, values below 100 are taken as micrometres; nothing for units that are
// no length (wavenumber, GHz, index).
std::optional<double> wavelength_nanometres(double value, const std::string& unit);

// All bands of the dataset, in order, with the names that the file itself has.
BandTable band_table(GDALDataset& dataset);

// Keeps the wavelengths in the file: in the header for ENVI, as metadata of the bands elsewhere.
void set_wavelengths(GDALDataset& dataset, const BandTable& bands);

}  // namespace parsimap::gdal
