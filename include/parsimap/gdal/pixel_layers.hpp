// A GeoPackage with layers of areas and points of a scene, each with the style in which QGIS shows it at once.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parsimap/gdal/vector_output.hpp"
#include "parsimap/job/output_set.hpp"
#include "parsimap/scene/raster_grid.hpp"

namespace parsimap {

struct PixelFeature {
  std::vector<std::int64_t> pixels;  // row * width + column, ascending, one at least
  std::vector<FieldValue> values;    // as many as the layer has fields
};

enum class PixelGeometry {
  outline,  // of all pixels, along their edges: one multi-part polygon
  centre    // of the first pixel
};

// A style of colours by a number: QGIS draws features by the first class that holds the value of the expression.
struct StyleStep {
  double low = 0;
  double high = 0;
  std::string label;
  std::string colour;  // "red,green,blue,opacity", 0 to 255 each
};

struct GradedStyle {
  std::string name;
  std::string expression;  // of QGIS, with the fields of the layer
  std::vector<StyleStep> steps;
};

struct PixelLayer {
  std::string name;
  PixelGeometry geometry = PixelGeometry::outline;
  std::vector<VectorField> fields;
  std::vector<PixelFeature> features;
  GradedStyle style;
};

// Announces the file. ConfigError: as OutputSet::stage(), and where the extension is not .gpkg.
const StagedOutput& stage_pixel_layers(OutputSet& outputs, const std::string& role, const std::string& path);

// Writes the layers in their order, and their styles to the table layer_styles. Equal content gives equal files.
// IoError.
void write_pixel_layers(const StagedOutput& output, const RasterGrid& grid, const std::vector<PixelLayer>& layers);

}  // namespace parsimap
