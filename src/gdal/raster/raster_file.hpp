// A raster in the making: created where its output is staged, written window by window, completed and checked.
#pragma once

#include <cpl_string.h>
#include <gdal_priv.h>
#include <gdal_rat.h>

#include <memory>
#include <string>
#include <vector>

#include "parsimap/gdal/raster/map_output.hpp"
#include "parsimap/job/output_set.hpp"
#include "parsimap/scene/raster.hpp"

#include "content_sum.hpp"
#include "dataset.hpp"

namespace parsimap {

// How overviews are made of pixels, in formats that have them by themselves (COG).
enum class Overviews { average, mode };

struct RasterLayout {
  int bands = 1;
  GDALDataType type = GDT_Byte;
  double fill = 0;  // what pixels hold that are never written
  Overviews overviews = Overviews::average;
  const char* content = "values";  // what the pixels hold, for messages
};

// What describes the first band and is known only at the end.
struct RasterLegend {
  std::unique_ptr<GDALRasterAttributeTable> attributes;  // may be null
  std::string style;                                     // text of a .qml beside the raster; empty for none
};

// Tells a new raster where it lies.
void place_on_ground(GDALDataset& dataset, const RasterGrid& grid);

// Which driver writes a file, and which files come of it.

struct OutputFormat {
  GDALDriver* driver = nullptr;
  bool copies = false;             // the driver writes a copy of a finished raster
  std::string main;                // path of the data file: the target, except for an ENVI .hdr
  std::vector<std::string> files;  // all files that may come of it, or belong to an earlier output of that name
};

// The raster driver of options.format, or else of the extension. ConfigError: unknown format or extension, a format
// that cannot be written, a creation option that the driver does not have.
OutputFormat raster_format(const std::string& path, const OutputOptions& options);

// The vector driver of the extension. ConfigError.
GDALDriver& vector_driver(const std::string& path);

class RasterFile {
 public:
  // Errors as create_class_map().
  RasterFile(const StagedOutput& output, const RasterGrid& grid, const RasterLayout& layout,
             const OutputOptions& options);

  // For descriptions, colours and nodata, before the first write.
  [[nodiscard]] GDALDataset& dataset() { return *dataset_; }
  // True for a format that keeps class names in its header, where they may not hold , { or }.
  [[nodiscard]] bool is_envi() const { return EQUAL(format_.driver->GetDescription(), "ENVI"); }

  // `values` is pixels x bands in row-major order, of GDAL's type `type`.
  void write(const Window& window, const void* values, GDALDataType type);
  // Completes the raster and compares all of it with what was written. Real numbers are not compared where the user
  // gave creation options, which may ask for rounding. Errors as close() of a sink.
  void close(const RasterLegend& legend);

 private:
  void create(const RasterGrid& grid);
  [[nodiscard]] DatasetPtr create_file(GDALDriver& driver, const std::string& file, const RasterGrid& grid,
                                       const CPLStringList& options) const;
  void fill_up();
  void close_dataset();
  void tidy_envi() const;
  void copy_to_format();
  void write_metadata() const;
  void write_style(const std::string& style) const;
  void verify(int categories, int attribute_rows) const;
  void check_place(GDALDataset& copy) const;
  void check_content(GDALDataset& copy, const ErrorCollector& errors) const;
  [[nodiscard]] bool real() const { return GDALDataTypeIsFloating(layout_.type) != 0; }

  std::string path_;
  OutputOptions options_;
  OutputFormat format_;
  std::string file_;    // the finished file where it is staged
  std::string source_;  // what is written: file_, or a plain GeoTIFF to copy from
  DatasetPtr dataset_;
  RasterLayout layout_;
  ContentSum written_;
  RasterGrid grid_;
  bool filled_ = false;
};

}  // namespace parsimap
