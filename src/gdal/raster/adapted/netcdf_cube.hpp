// Cubes of netCDF and Zarr by the conventions of CF: which dimension is the wavelength, and which are rows and columns.
#pragma once

#include <string>
#include <vector>

#include "../dataset.hpp"

namespace parsimap {

// The raster whose rows, columns and bands are those of the variable that GDAL's driver netCDF has opened as `dataset`,
// in whatever order its dimensions are: the driver takes the last two for rows and columns. They are known by their
// usual names, their axes and by what is left beside the wavelength. The first row is the upper one unless coordinates
// say otherwise. A store of Zarr stands for its only array of three dimensions. Other rasters stay as they are.
// DataError, which names the dimensions, where they contradict the order and what they are is not known.
DatasetPtr oriented_cube(DatasetPtr dataset, const std::string& path);

// The variables of a netCDF file or Zarr store that has one for each band, as xarray writes them, as bands of a raster,
// called by the variables and, where they have several dates, by these: B02 2020-05-01. Latitudes and longitudes are no
// bands, nor is what has no place on the map beside what has one. Other rasters stay as they are, and files with other
// variables of several bands. DataError where grids differ.
DatasetPtr joined_variables(DatasetPtr dataset, const std::string& path);

// The wavelengths of the bands of such a raster in nanometres, from a variable along the dimension of the bands that
// is a radiation wavelength (standard_name) or is called so; empty where there is none, and for other rasters.
std::vector<double> cube_wavelengths(GDALDataset& dataset);

}  // namespace parsimap
