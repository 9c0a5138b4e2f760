// Pictures of pages: maps, fields and marks as red, green, blue and opacity of every pixel, row-major.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parsimap/report/command_page.hpp"
#include "parsimap/samples/class_table.hpp"
#include "parsimap/scene/quicklook.hpp"

namespace parsimap {

using Rgba = std::vector<std::uint8_t>;

inline constexpr Colour kRightColour = {0, 114, 178};
inline constexpr Colour kWrongColour = {213, 16, 16};
inline constexpr Colour kRejectedColour = {0, 0, 0};

// Classes in their colours, one for each; transparent where nothing is classified.
Rgba class_picture(const std::vector<std::uint16_t>& codes, const ClassTable& classes,
                   const std::vector<Colour>& colours);

// The same picture pale and grey, as a ground for marks.
Rgba pale(const Rgba& picture);

// Gives the pixel of the picture a colour.
void paint(Rgba& picture, Index position, const Colour& colour);

// Paints a pixel of the raster (row * width + column) where the picture shows it. In a large picture it becomes a
// square of 3 x 3, since a single dot would be hard to see.
void mark(Rgba& picture, const PictureLayout& layout, Index raster_width, std::int64_t pixel, const Colour& colour);

// A step of a scale of colours.
struct ColourStep {
  double below;  // values up to this one, itself excluded
  Colour colour;
  std::string text;
};

// Steps of probabilities, dark where they are low, and of novelty, dark where it is high.
const std::vector<ColourStep>& confidence_steps();
const std::vector<ColourStep>& novelty_steps();

// Values by their steps, transparent where there is none (NaN).
Rgba stepped_picture(const std::vector<float>& values, const std::vector<ColourStep>& steps);
std::vector<LegendEntry> legend_of(const std::vector<ColourStep>& steps);

// "bands 30 (650 nm), 20 (550 nm) and 12 (470 nm) as red, green and blue": those of picture_bands().
std::string picture_bands_text(const BandTable& bands);

// As the image of a page.
PageImage image_of(const std::string& name, const PictureLayout& layout, const Rgba& picture);

// What a reader must know of what the picture shows: nothing where it shows all; that it is reduced, or a sheet of
// places.
std::string layout_text(const PictureLayout& layout);
// True for a sheet of places, whose images are better seen side by side.
bool is_sheet(const PictureLayout& layout);

}  // namespace parsimap
