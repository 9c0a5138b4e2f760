// The pages of commands, and the cards of models, in parts: the files of html/ as they were when the
// program was built.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/experiment/experiment_record.hpp"
#include "parsimap/samples/class_table.hpp"

namespace parsimap {

struct PageParts {
  std::string_view page;      // mustache template
  std::string_view style;     // CSS
  std::string_view script;    // charting library and figures
  std::string_view licences;  // of what the script holds
  std::string_view card;      // mustache template of a model's card
};

PageParts page_parts();

// Mean spectra as lines and ticks of a drawing, for pieces of HTML that have no script.

struct DrawnTick {
  Index at = 0;  // where it stands on its axis
  std::string text;
};

struct DrawnLine {
  std::string name;    // of the class
  std::string colour;  // as in CSS
  std::string path;    // as in SVG
};

// In units of the drawing, y downwards; values lie in the rectangle left .. right, top .. bottom.
struct SpectraDrawing {
  static constexpr Index kWidth = 960, kHeight = 340;
  static constexpr Index kLeft = 110, kRight = 925, kTop = 12, kBottom = 278;
  std::string places;  // what the horizontal axis has
  std::vector<DrawnTick> across, upright;
  std::vector<DrawnLine> lines;  // none where no class has a value
};

// The means of all classes by wavelength, or where one is not known by the number of the band in the scene: `bands` are
// their indices. Lines are broken where bands are missing, and where a value is not finite. Of more than 200 bands a
// line has 200 points.
SpectraDrawing draw_spectra(const DataDescription& samples, const Indices& bands, const std::vector<Colour>& colours);

}  // namespace parsimap
