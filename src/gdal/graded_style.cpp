#include "graded_style.hpp"

#include <cpl_string.h>

#include <utility>
#include <vector>

namespace parsimap {
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

}  // namespace

std::string graded_style_document(const GradedStyle& style, PixelGeometry geometry) {
  std::string ranges;
  std::string symbols;
  for (std::size_t i = 0; i < style.steps.size(); ++i) {
    const StyleStep& step = style.steps[i];
    ranges += R"(<range lower=")" + number(step.low) + R"(" upper=")" + number(step.high) + R"(" label=")" +
              escaped(step.label) + R"(" symbol=")" + std::to_string(i) + R"(" render="true"/>)";
    symbols += symbol(i, step.colour, geometry);
  }
  return R"(<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'><qgis version="3.22" styleCategories="Symbology">)"
         R"(<renderer-v2 type="graduatedSymbol" graduatedMethod="GraduatedColor" symbollevels="0" enableorderby="0" )"
         R"(forceraster="0" attr=")" +
         escaped(style.expression) + R"("><ranges>)" + ranges + "</ranges><symbols>" + symbols +
         "</symbols></renderer-v2></qgis>";
}

}  // namespace parsimap
