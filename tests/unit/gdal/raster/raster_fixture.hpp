// Small rasters for the tests of gdal.
#pragma once

#include <cpl_vsi.h>
#include <gdal_priv.h>
#include <ogr_spatialref.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/gdal/raster/settings.hpp"
#include "parsimap/scene/raster.hpp"

#include "gdal/raster/dataset.hpp"
#include "support/data_folder.hpp"
#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {

inline DatasetPtr create_raster(const std::string& path, int width, int height, int bands, GDALDataType type,
                                const char* driver = "GTiff", const std::vector<std::string>& options = {}) {
  initialise_gdal();
  CPLStringList list;
  for (const std::string& option : options) {
    list.AddString(option.c_str());
  }
  return DatasetPtr(
      GetGDALDriverManager()->GetDriverByName(driver)->Create(path.c_str(), width, height, bands, type, list.List()));
}

// Sets every value of a band from its column and row.
inline void fill_band(GDALDataset& dataset, int band, const std::function<double(int, int)>& value) {
  std::vector<double> line(static_cast<std::size_t>(dataset.GetRasterXSize()));
  for (int row = 0; row < dataset.GetRasterYSize(); ++row) {
    for (int column = 0; column < dataset.GetRasterXSize(); ++column) {
      line[static_cast<std::size_t>(column)] = value(column, row);
    }
    if (dataset.GetRasterBand(band)->RasterIO(GF_Write, 0, row, dataset.GetRasterXSize(), 1, line.data(),
                                              dataset.GetRasterXSize(), 1, GDT_Float64, 0, 0, nullptr) != CE_None) {
      throw std::runtime_error("fixture raster cannot be written");
    }
  }
}

inline std::string wkt(int epsg) {
  OGRSpatialReference reference;
  reference.importFromEPSG(epsg);
  char* text = nullptr;
  reference.exportToWkt(&text);
  std::string result = text;
  CPLFree(text);
  return result;
}

inline RasterGrid utm_grid(Index width, Index height) {
  return {width, height, std::array<double, 6>{500000, 1, 0, 4000000, 0, -1}, wkt(32617)};
}

inline void georeference(GDALDataset& dataset, const RasterGrid& grid) {
  std::array<double, 6> transform = *grid.geotransform;
  dataset.SetGeoTransform(transform.data());
  dataset.SetProjection(grid.crs.c_str());
}

using parsimap::message_of;

// The text of the exception that `action` throws as an Error; empty when it throws none.
template <typename Error>
std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

// A path in the folder of real data, nothing where there is none.
inline std::optional<std::string> data_path(const std::string& name) {
  const auto folder = toy::data_folder();
  return folder ? std::optional<std::string>(*folder + "/" + name) : std::nullopt;
}

}  // namespace parsimap::test
