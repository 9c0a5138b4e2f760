#include "error_pictures.hpp"

#include "parsimap/io/gdal/palette.hpp"

#include "page_pictures.hpp"

namespace parsimap {

ErrorPictures error_pictures(ClassMapSource& map, const LabelledPixels& reference, const Comparison& comparison) {
  std::vector<std::int64_t> right;
  std::vector<std::int64_t> wrong;
  std::vector<std::int64_t> all;
  for (std::size_t i = 0; i < reference.pixels.size(); ++i) {
    const LabelledPixel& pixel = reference.pixels[i];
    all.push_back(pixel.pixel);
    if (comparison.columns[i] >= 0) {
      (comparison.columns[i] == comparison.match.row_of(pixel) ? right : wrong).push_back(pixel.pixel);
    }
  }
  const ClassMapPicture shown = class_map_picture(map, all);
  const std::vector<Colour> colours = class_colours(map.classes());
  const Rgba ground = class_picture(shown.codes, map.classes(), colours);
  Rgba marked = pale(ground);
  mark(marked, shown.layout, map.grid().width, right, kRightColour);
  mark(marked, shown.layout, map.grid().width, wrong, kWrongColour);
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
