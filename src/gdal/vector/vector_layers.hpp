// What vector files are made of: layers of features, outlines of sets of pixels, and styles.
#pragma once

#include <cpl_conv.h>
#include <ogrsf_frmts.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/gdal/vector/vector_output.hpp"
#include "parsimap/scene/raster.hpp"

#include "../raster/dataset.hpp"

namespace parsimap {

// A vector file in the making, with one layer or several. Every function throws IoError where GDAL or the system fails.
class VectorFile {
 public:
  // By the driver of the target's extension. `crs` is WKT, empty where it is not known.
  VectorFile(const StagedOutput& output, const std::string& crs);

  // Begins a layer, which add() goes to from then on, as one transaction where the format has any: a GeoPackage is slow
  // otherwise. wkbNone: a table without geometries.
  void begin_layer(const std::string& name, OGRwkbGeometryType geometry, const std::vector<VectorField>& fields);
  // Adds a feature, without a geometry where it is null.
  void add(const OGRGeometry* geometry, const std::vector<FieldValue>& values);
  void close();

 private:
  void commit();
  void require(bool succeeded, const ErrorCollector& errors) const;

  CPLConfigOptionSetter date_{"OGR_CURRENT_DATE", "2000-01-01T00:00:00.000Z", false};
  std::string target_;
  std::string path_;
  MemoryFile memory_{"layer"};  // goes after the dataset has been closed
  std::string made_;            // where the driver writes
  DatasetPtr dataset_;
  std::optional<OGRSpatialReference> reference_;
  OGRLayer* layer_ = nullptr;
};

// The centre of the pixel row * width + column, in map coordinates.
OGRPoint pixel_centre(std::int64_t pixel, const RasterGrid& grid);

// The polygons around the pixels of a window whose mask (row-major) is not 0, along their edges and in map coordinates,
// one for each area that hangs together over edges. IoError when GDAL fails.
OGRMultiPolygon outline_of(std::vector<std::uint8_t> mask, const Window& window, const RasterGrid& grid);

// The table in which QGIS looks for the styles of these layers.
void add_styles(const std::vector<PixelLayer>& layers, VectorFile& file);

// A style in the language of QGIS (QML): the document of a graduated renderer with filled areas or round markers, a
// symbol for each step.
std::string graded_style_document(const GradedStyle& style, PixelGeometry geometry);

}  // namespace parsimap
