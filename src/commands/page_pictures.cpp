#include "page_pictures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "parsimap/gdal/raster/map_output.hpp"
#include "parsimap/report/text_table.hpp"

namespace parsimap {

void paint(Rgba& picture, Index position, const Colour& colour) {
  const auto begin = picture.begin() + static_cast<std::ptrdiff_t>(4 * position);
  std::copy(colour.begin(), colour.end(), begin);
  begin[3] = 255;
}

Rgba class_picture(const std::vector<std::uint16_t>& codes, const ClassTable& classes,
                   const std::vector<Colour>& colours) {
  std::map<int, Colour> colour_of;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    colour_of[classes[c].code] = colours[c];
  }
  Rgba picture(4 * codes.size(), 0);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (const auto found = colour_of.find(codes[i]); found != colour_of.end()) {
      paint(picture, static_cast<Index>(i), found->second);
    }
  }
  return picture;
}

Rgba pale(const Rgba& picture) {
  constexpr double kLightest = 245;
  constexpr double kContrast = 0.35;
  Rgba result = picture;
  for (std::size_t i = 0; i + 3 < result.size(); i += 4) {
    const double grey = 0.3 * picture[i] + 0.59 * picture[i + 1] + 0.11 * picture[i + 2];
    const auto level = static_cast<std::uint8_t>(std::lround(kLightest - kContrast * (255 - grey)));
    std::fill_n(result.begin() + static_cast<std::ptrdiff_t>(i), 3, level);
  }
  return result;
}

void mark(Rgba& picture, const PictureLayout& layout, Index raster_width, std::int64_t pixel, const Colour& colour) {
  constexpr Index kLarge = 300;  // pixels of a picture, beyond which it is not enlarged
  const Index reach = std::max(layout.width, layout.height) > kLarge ? 1 : 0;
  for (const Index position : layout.positions_of(pixel, raster_width)) {
    const Index x = position % layout.width;
    const Index y = position / layout.width;
    for (Index row = std::max<Index>(0, y - reach); row <= std::min(layout.height - 1, y + reach); ++row) {
      for (Index column = std::max<Index>(0, x - reach); column <= std::min(layout.width - 1, x + reach); ++column) {
        paint(picture, row * layout.width + column, colour);
      }
    }
  }
}

const std::vector<ColourStep>& confidence_steps() {
  constexpr double kAll = std::numeric_limits<double>::infinity();
  static const std::vector<ColourStep> steps = {{0.5, {129, 15, 124}, "below 0.5"},
                                                {0.7, {136, 86, 167}, "0.5 to 0.7"},
                                                {0.9, {140, 150, 198}, "0.7 to 0.9"},
                                                {0.99, {179, 205, 227}, "0.9 to 0.99"},
                                                {kAll, {226, 236, 244}, "0.99 and more"}};
  return steps;
}

const std::vector<ColourStep>& novelty_steps() {
  constexpr double kAll = std::numeric_limits<double>::infinity();
  static const std::vector<ColourStep> steps = {{0.5, {239, 239, 234}, "below 0.5"},
                                                {0.9, {254, 217, 142}, "0.5 to 0.9"},
                                                {0.95, {254, 153, 41}, "0.9 to 0.95"},
                                                {0.99, {217, 95, 14}, "0.95 to 0.99"},
                                                {kAll, {120, 30, 4}, "0.99 and more"}};
  return steps;
}

Rgba stepped_picture(const std::vector<float>& values, const std::vector<ColourStep>& steps) {
  Rgba picture(4 * values.size(), 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isnan(values[i])) {
      const auto step = std::find_if(steps.begin(), steps.end() - 1,
                                     [&](const ColourStep& one) { return values[i] < static_cast<float>(one.below); });
      paint(picture, static_cast<Index>(i), step->colour);
    }
  }
  return picture;
}

std::vector<LegendEntry> legend_of(const std::vector<ColourStep>& steps) {
  std::vector<LegendEntry> legend;
  for (const ColourStep& step : steps) {
    legend.push_back({step.text, step.colour, ""});
  }
  return legend;
}

std::string picture_bands_text(const BandTable& bands) {
  const std::array<Index, 3> shown = picture_bands(bands);
  std::array<std::string, 3> names;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const std::optional<double>& wavelength = bands[static_cast<std::size_t>(shown[i])].wavelength;
    names[i] = std::to_string(shown[i] + 1) + (wavelength ? " (" + short_number(std::round(*wavelength)) + " nm)" : "");
  }
  return "bands " + names[0] + ", " + names[1] + " and " + names[2] + " as red, green and blue";
}

PageImage image_of(const std::string& name, const PictureLayout& layout, const Rgba& picture) {
  return {name, png_data_uri(layout.width, layout.height, picture)};
}

bool is_sheet(const PictureLayout& layout) { return layout.tiles.size() > 1; }

std::string layout_text(const PictureLayout& layout) {
  const PictureTile& first = layout.tiles.front();
  if (is_sheet(layout)) {
    const auto shown = static_cast<std::int64_t>(layout.tiles.size());
    return "Data lie in few and far places: " + (shown < layout.places ? grouped(shown) + " of " : "all ") +
           counted(layout.places, "place") + " are shown one beside the other, " + std::to_string(first.source.width) +
           " x " + std::to_string(first.source.height) + " pixels each, in the order of their rows. ";
  }
  return first.width < first.source.width ? "Evenly spread pixels of a larger raster are shown. " : "";
}

}  // namespace parsimap
