// Small rasters and folders for the tests of io/gdal.
#pragma once

#include <cpl_vsi.h>
#include <gdal_priv.h>
#include <ogr_spatialref.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/io/gdal/settings.hpp"
#include "parsimap/scene/raster_grid.hpp"

#include "support/data_folder.hpp"

namespace parsimap::test {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "parsimap-gdal-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  // Names of everything inside, hidden files included, in order.
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      found.push_back(entry.path().filename().string());
    }
    std::sort(found.begin(), found.end());
    return found;
  }

 private:
  std::filesystem::path path_;
};

struct CloseDataset {
  void operator()(GDALDataset* dataset) const { GDALClose(dataset); }
};
using DatasetPtr = std::unique_ptr<GDALDataset, CloseDataset>;

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

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// A path in the folder of real data, nothing where there is none.
inline std::optional<std::string> data_path(const std::string& name) {
  const auto folder = toy::data_folder();
  return folder ? std::optional<std::string>(*folder + "/" + name) : std::nullopt;
}

inline void write_text(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

}  // namespace parsimap::test
