// What vector layers are made of: outlines of sets of pixels, and types of fields.
#pragma once

#include <ogr_geometry.h>

#include <cstdint>
#include <string>
#include <vector>

#include "parsimap/gdal/vector/vector_output.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {

// The polygons around the pixels of a window whose mask (row-major) is not 0, along their edges and in map coordinates,
// one for each area that hangs together over edges. IoError when GDAL fails.
OGRMultiPolygon outline_of(std::vector<std::uint8_t> mask, const Window& window, const RasterGrid& grid);

OGRFieldType field_type(FieldKind kind);

// Files in GDAL's memory, for drivers whose library opens its file by itself: the layer below GDAL does not see their
// writes, and they pass over some that fail.

// A file of a name that nothing else has. It goes with the object.
class MemoryFile {
 public:
  MemoryFile();
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }
  // Writes its content to `path`; false where that fails.
  [[nodiscard]] bool copy_to(const std::string& path) const;

 private:
  std::string name_;
};

// The style of a layer in the language of QGIS (QML).

// The document of a graduated renderer: filled areas or round markers, a symbol for each step.
std::string graded_style_document(const GradedStyle& style, PixelGeometry geometry);

}  // namespace parsimap
