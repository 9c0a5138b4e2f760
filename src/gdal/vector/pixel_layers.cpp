#include <cpl_conv.h>
#include <cpl_string.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/vector/vector_output.hpp"

#include "../raster/dataset.hpp"
#include "vector_layers.hpp"

namespace parsimap {
namespace {

bool is_geopackage(const std::string& path) { return EQUAL(CPLGetExtension(path.c_str()), "gpkg"); }

Window window_of(const std::vector<std::int64_t>& pixels, Index width) {
  // Pixels are sorted, so that the first and the last give the rows; the columns have to be searched.
  Index left = width;
  Index right = 0;
  for (const std::int64_t pixel : pixels) {
    left = std::min<Index>(left, pixel % width);
    right = std::max<Index>(right, pixel % width);
  }
  const Index top = pixels.front() / width;
  return {left, top, right - left + 1, pixels.back() / width - top + 1};
}

// The polygons around pixels, in map coordinates.
// Drawn into a mask that is as large as the pixels need, whose areas are then traced.
OGRMultiPolygon outline(const std::vector<std::int64_t>& pixels, const RasterGrid& grid) {
  const Window window = window_of(pixels, grid.width);
  std::vector<std::uint8_t> mask(static_cast<std::size_t>(window.pixels()), 0);
  for (const std::int64_t pixel : pixels) {
    mask[static_cast<std::size_t>((pixel / grid.width - window.row) * window.width + pixel % grid.width -
                                  window.column)] = 1;
  }
  return outline_of(std::move(mask), window, grid);
}

// The table in which QGIS looks for styles. The names of its columns are those that QGIS gives them.
void add_styles(const std::vector<PixelLayer>& layers, VectorFile& file) {
  std::vector<VectorField> fields;
  for (const char* name : {"f_table_catalog", "f_table_schema", "f_table_name", "f_geometry_column", "styleName",
                           "styleQML", "styleSLD", "useAsDefault", "description", "owner", "ui", "update_time"}) {
    fields.push_back({name, EQUAL(name, "useAsDefault") ? FieldKind::integer : FieldKind::text});
  }
  file.begin_layer("layer_styles", wkbNone, fields);
  for (const PixelLayer& layer : layers) {
    file.add(nullptr, {"", "", layer.name, "geom", layer.style.name, graded_style_document(layer.style, layer.geometry),
                       "", std::int64_t{1}, layer.style.name, "", FieldValue(), "2000-01-01T00:00:00.000Z"});
  }
}

}  // namespace

const StagedOutput& stage_pixel_layers(OutputSet& outputs, const std::string& role, const std::string& path) {
  if (!is_geopackage(path)) {
    throw ConfigError("the name of the output '" + path + "' of " + role +
                      " does not end in .gpkg; it holds several layers with their styles, which takes a GeoPackage");
  }
  return outputs.stage(role, path);
}

void write_pixel_layers(const StagedOutput& output, const RasterGrid& grid, const std::vector<PixelLayer>& layers) {
  // One transaction for each layer: writing every feature on its own would take many times as long.
  VectorFile file(output, map_crs(grid));
  for (const PixelLayer& layer : layers) {
    // Features are areas (the outlines of their pixels) or points (the centre of their first pixel).
    const bool areas = layer.geometry == PixelGeometry::outline;
    file.begin_layer(layer.name, areas ? wkbMultiPolygon : wkbPoint, layer.fields);
    file.begin_transaction();
    for (const PixelFeature& feature : layer.features) {
      if (areas) {
        const OGRMultiPolygon shape = outline(feature.pixels, grid);
        file.add(&shape, feature.values);
      } else {
        const OGRPoint point = pixel_centre(feature.pixels.front(), grid);
        file.add(&point, feature.values);
      }
    }
    file.commit();
  }
  add_styles(layers, file);
  file.close();
}

namespace {

std::string escaped(const std::string& text) {
  std::string result;
  for (const char character : text) {
    switch (character) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += character;
    }
  }
  return result;
}

std::string number(double value) { return CPLSPrintf("%.12g", value); }

// QGIS before 3.26 reads `prop`, later versions `Option`.
std::string properties(const std::vector<std::pair<std::string, std::string>>& values) {
  std::string options;
  std::string props;
  for (const auto& [name, value] : values) {
    options += R"(<Option name=")" + name + R"(" value=")" + value + R"(" type="QString"/>)";
    props += R"(<prop k=")" + name + R"(" v=")" + value + R"("/>)";
  }
  return R"(<Option type="Map">)" + options + "</Option>" + props;
}

std::string symbol(std::size_t place, const std::string& colour, PixelGeometry geometry) {
  const bool areas = geometry == PixelGeometry::outline;
  const std::string layer =
      areas
          ? properties({{"color", colour},
                        {"style", "solid"},
                        {"outline_color", "35,35,35,255"},
                        {"outline_style", "solid"},
                        {"outline_width", "0.26"},
                        {"outline_width_unit", "MM"}})
          : properties(
                {{"color", colour}, {"name", "circle"}, {"size", "1.6"}, {"size_unit", "MM"}, {"outline_style", "no"}});
  return R"(<symbol type=")" + std::string(areas ? "fill" : "marker") + R"(" name=")" + std::to_string(place) +
         R"(" alpha="1" clip_to_extent="1" force_rhr="0"><layer class=")" + (areas ? "SimpleFill" : "SimpleMarker") +
         R"(" enabled="1" locked="0" pass="0">)" + layer + "</layer></symbol>";
}

// A list of values to choose from where the attributes of a feature are edited, with one that empties the field.
std::string value_map(const std::string& field, const std::vector<std::string>& values) {
  const auto entry = [](const std::string& shown, const std::string& value) {
    return R"(<Option type="Map"><Option name=")" + escaped(shown) + R"(" value=")" + escaped(value) +
           R"(" type="QString"/></Option>)";
  };
  // The value by which QGIS stands for null in such a list (QgsValueMapFieldFormatter::NULL_VALUE).
  std::string entries = entry("<NULL>", "{2839923C-8B7D-419E-B84B-CA2FE9B80EC7}");
  for (const std::string& value : values) {
    entries += entry(value, value);
  }
  return R"(<fieldConfiguration><field name=")" + escaped(field) +
         R"("><editWidget type="ValueMap"><config><Option type="Map"><Option name="map" type="List">)" + entries +
         "</Option></Option></config></editWidget></field></fieldConfiguration>";
}

}  // namespace

// A style of QGIS that colours features by the range in which the value of an expression lies.
std::string graded_style_document(const GradedStyle& style, PixelGeometry geometry) {
  std::string ranges;
  std::string symbols;
  for (std::size_t i = 0; i < style.steps.size(); ++i) {
    const StyleStep& step = style.steps[i];
    ranges += R"(<range lower=")" + number(step.low) + R"(" upper=")" + number(step.high) + R"(" label=")" +
              escaped(step.label) + R"(" symbol=")" + std::to_string(i) + R"(" render="true"/>)";
    symbols += symbol(i, step.colour, geometry);
  }
  // The version is that of the document's format; later versions of QGIS read it.
  return R"(<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'><qgis version="3.22" styleCategories=")" +
         std::string(style.choices.empty() ? "Symbology" : "Symbology|Forms") +
         R"("><renderer-v2 type="graduatedSymbol" graduatedMethod="GraduatedColor" symbollevels="0" enableorderby="0" )"
         R"(forceraster="0" attr=")" +
         escaped(style.expression) + R"("><ranges>)" + ranges + "</ranges><symbols>" + symbols +
         "</symbols></renderer-v2>" + (style.choices.empty() ? "" : value_map(style.choice_field, style.choices)) +
         "</qgis>";
}

}  // namespace parsimap
