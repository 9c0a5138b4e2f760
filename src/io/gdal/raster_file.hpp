// A raster in the making: created in a staging folder, written window by window, checked and put in place.
#pragma once

#include <gdal_priv.h>

#include <memory>
#include <string>

#include "dataset.hpp"
#include "output_format.hpp"
#include "staging_folder.hpp"

namespace parsimap::gdal {

class RasterFile {
 public:
  // `fill` is what pixels hold that are never written. Errors as create_class_map().
  RasterFile(const std::string& path, const RasterGrid& grid, int bands, GDALDataType type, double fill,
             const OutputOptions& options);

  // For descriptions, colours and nodata, before the first write.
  [[nodiscard]] GDALDataset& dataset() { return *dataset_; }
  // True for a format that keeps class names in its header, where they may not hold , { or }.
  [[nodiscard]] bool is_envi() const { return EQUAL(format_.driver->GetDescription(), "ENVI"); }

  // `values` is pixels x bands in row-major order, of GDAL's type `type`.
  void write(const Window& window, const void* values, GDALDataType type);
  void commit();

 private:
  void create(const RasterGrid& grid, GDALDataType type);
  void fill_up();
  void close();
  void tidy_envi() const;
  void copy_to_format();
  void verify(int categories) const;

  std::string path_;
  OutputOptions options_;
  OutputFormat format_;
  std::unique_ptr<StagingFolder> staging_;
  std::string file_;    // the finished file in the staging folder
  std::string source_;  // what is written: file_, or a GeoTIFF to copy from
  DatasetPtr dataset_;
  int bands_ = 0;
  double fill_ = 0;
  bool filled_ = false;
};

}  // namespace parsimap::gdal
