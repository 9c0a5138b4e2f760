// Vector files that are written through GDAL as staged outputs (output_set.hpp): points of pixels, outlines of sets of
// pixels, and class polygons.
// The format is that of the extension (.gpkg, .geojson, .shp, .fgb). Equal content gives equal files: where a format
// keeps the date of its last change, that date is fixed.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "parsimap/job/output_set.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {

// Announces a vector file with its side files. ConfigError: as OutputSet::stage(), an extension of no vector format.
const StagedOutput& stage_vector(OutputSet& outputs, const std::string& role, const std::string& path);

enum class FieldKind { integer, real, text };

struct VectorField {
  std::string name;
  FieldKind kind = FieldKind::text;
};

// A value of the field's kind; std::monostate for none.
using FieldValue = std::variant<std::monostate, std::int64_t, double, std::string>;

enum class PixelGeometry {
  outline,  // of all pixels, along their edges: one multi-part polygon
  centre    // of the first pixel
};

// The only layer of a file: features with as many values as there are fields. All functions throw IoError.
class PixelSink {
 public:
  virtual ~PixelSink() = default;

  // Adds the centre of the pixel row * width + column. Without a geotransform x counts columns and y rows. A pixel of
  // -1 is no place and has no point.
  virtual void add(std::int64_t pixel, const std::vector<FieldValue>& values) = 0;
  // Adds a point x, y of the map.
  virtual void add_point(const std::array<double, 2>& point, const std::vector<FieldValue>& values) = 0;
  // Adds the outline of the pixels of the window whose mask is not 0 (row-major).
  virtual void add_outline(const Window& window, const std::vector<std::uint8_t>& mask,
                           const std::vector<FieldValue>& values) = 0;
  // Completes the file. Called once, last.
  virtual void close() = 0;
};

// Points or outlines: one layer, or of points a table with the columns X and Y in front where the extension is .csv.
std::unique_ptr<PixelSink> create_features(const StagedOutput& output, const RasterGrid& grid, PixelGeometry geometry,
                                           const std::vector<VectorField>& fields);

struct ClassPolygon {
  std::vector<std::array<double, 2>> ring;  // map coordinates x, y; first point equals last
  std::string class_name;
  std::string split;  // such as "train" or "test"
};

// One layer of polygons with the text fields `class_field` and `split`. `crs` is WKT, empty where unknown. IoError.
void write_polygons(const StagedOutput& output, const std::string& crs, const std::string& class_field,
                    const std::vector<ClassPolygon>& polygons);

// A GeoPackage with layers of areas and points of a scene, each with the style in which QGIS shows it at once.
struct PixelFeature {
  std::vector<std::int64_t> pixels;  // row * width + column, ascending, one at least
  std::vector<FieldValue> values;    // as many as the layer has fields
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
  std::string choice_field = {};  // whose values QGIS offers in a list, `choices`; empty: of none
  std::vector<std::string> choices = {};
};

// Of points that are to be labelled one after the other: colours from the first to the last, by quarters of their
// numbers in `field`, which run from 1 to `count`. `one` is what a point is called, as in "Place". The field `class` is
// filled in from a list of `classes`.
GradedStyle order_style(const std::string& name, const std::string& field, const std::string& one, std::int64_t count,
                        const std::vector<std::string>& classes = {});

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
