#include "error_pictures.hpp"

#include "parsimap/samples/class_table.hpp"

#include "page_pictures.hpp"

namespace parsimap {

namespace {

// Some of the reference pixels, spread evenly over their list: enough to tell which places have many.
std::vector<std::int64_t> some_pixels(const LabelledPixels& reference) {
  constexpr std::size_t kMost = 100000;
  const std::size_t step = reference.pixels.size() / kMost + 1;
  std::vector<std::int64_t> pixels;
  for (std::size_t i = 0; i < reference.pixels.size(); i += step) {
    pixels.push_back(reference.pixels[i].pixel);
  }
  return pixels;
}

// Wrong pixels last, so that no right one hides them.
void mark_pixels(Rgba& picture, const PictureLayout& layout, Index width, const LabelledPixels& reference,
                 const Comparison& comparison) {
  for (const bool right : {true, false}) {
    for (std::size_t i = 0; i < reference.pixels.size(); ++i) {
      const LabelledPixel& pixel = reference.pixels[i];
      const Index label = comparison.columns[i];
      if (label >= 0 && (label == comparison.match.row_of(pixel)) == right) {
        mark(picture, layout, width, pixel.pixel, right ? kRightColour : kWrongColour);
      }
    }
  }
}

}  // namespace

ErrorPictures error_pictures(ClassMapSource& map, const LabelledPixels& reference, const Comparison& comparison) {
  const ClassMapPicture shown = class_map_picture(map, some_pixels(reference));
  const std::vector<Colour> colours = class_colours(map.classes());
  const Rgba ground = class_picture(shown.codes, map.classes(), colours);
  Rgba marked = pale(ground);
  mark_pixels(marked, shown.layout, map.grid().width, reference, comparison);
  ErrorPictures pictures{{image_of("Map", shown.layout, ground), image_of("Right and wrong", shown.layout, marked)},
                         shown.layout.width,
                         shown.layout.height,
                         {},
                         layout_text(shown.layout),
                         is_sheet(shown.layout),
                         kRightColour,
                         kWrongColour};
  for (std::size_t c = 0; c < colours.size(); ++c) {
    pictures.legend.push_back({map.classes()[c].name, colours[c], ""});
  }
  return pictures;
}

}  // namespace parsimap
