#include "commands/page_pictures.hpp"

#include <doctest/doctest.h>

#include <array>
#include <limits>

namespace parsimap::test {
namespace {

std::array<int, 4> pixel(const Rgba& picture, std::size_t i) {
  return {picture[4 * i], picture[4 * i + 1], picture[4 * i + 2], picture[4 * i + 3]};
}

}  // namespace

TEST_CASE("classes have their colours, and what is not classified is transparent") {
  const Rgba picture = class_picture({7, 0, 9, 5}, {{7, "a", {}}, {9, "b", {}}}, {{1, 2, 3}, {4, 5, 6}});
  CHECK(pixel(picture, 0) == std::array<int, 4>{1, 2, 3, 255});
  CHECK(pixel(picture, 1) == std::array<int, 4>{0, 0, 0, 0});
  CHECK(pixel(picture, 2) == std::array<int, 4>{4, 5, 6, 255});
  CHECK(pixel(picture, 3)[3] == 0);
}

TEST_CASE("a pale picture is grey and light, and keeps its opacity") {
  const Rgba picture = pale({0, 0, 0, 255, 255, 255, 255, 255, 255, 0, 0, 0});
  CHECK(pixel(picture, 0) == std::array<int, 4>{156, 156, 156, 255});
  CHECK(pixel(picture, 1) == std::array<int, 4>{245, 245, 245, 255});
  CHECK(pixel(picture, 2)[3] == 0);
}

TEST_CASE("marks are single pixels in small pictures and squares in large ones") {
  const PictureLayout small = picture_of({0, 0, 10, 10});
  Rgba picture(400, 0);
  mark(picture, small, 10, 23, {9, 9, 9});
  CHECK(pixel(picture, 23) == std::array<int, 4>{9, 9, 9, 255});
  CHECK(std::count(picture.begin(), picture.end(), 9) == 3);
  const PictureLayout large = picture_of({0, 0, 640, 2});
  Rgba wide(static_cast<std::size_t>(4 * large.pixels()), 0);
  mark(wide, large, 640, 5, {9, 9, 9});
  CHECK(std::count(wide.begin(), wide.end(), 9) == 3 * 6);
}

TEST_CASE("values have the colours of their steps") {
  const float none = std::numeric_limits<float>::quiet_NaN();
  const std::vector<ColourStep>& steps = novelty_steps();
  const Rgba picture = stepped_picture({0, 0.95F, 1, none}, steps);
  const auto is = [&](std::size_t i, const Colour& colour) {
    return pixel(picture, i) == std::array<int, 4>{colour[0], colour[1], colour[2], 255};
  };
  CHECK(is(0, steps.front().colour));
  CHECK(is(1, steps[3].colour));
  CHECK(is(2, steps.back().colour));
  CHECK(pixel(picture, 3)[3] == 0);
  CHECK(legend_of(confidence_steps()).size() == 5);
  CHECK(legend_of(confidence_steps())[0].name == "below 0.5");
}

TEST_CASE("bands of a picture are named with their wavelengths") {
  BandTable bands(3);
  CHECK(picture_bands_text(bands) == "bands 3, 2 and 1 as red, green and blue");
  bands[0].wavelength = 470;
  bands[1].wavelength = 551.5;
  bands[2].wavelength = 650;
  CHECK(picture_bands_text(bands) == "bands 3 (650 nm), 2 (552 nm) and 1 (470 nm) as red, green and blue");
}

TEST_CASE("what a picture shows is said where it is not all") {
  CHECK(layout_text(picture_of({0, 0, 10, 10})).empty());
  CHECK(layout_text(picture_of({0, 0, 1000, 10})) == "Evenly spread pixels of a larger raster are shown. ");
  PictureLayout sheet;
  sheet.tiles = {{{0, 0, 20, 20}, 0, 0, 20, 20}, {{50, 0, 20, 20}, 22, 0, 20, 20}};
  sheet.places = 1200;
  CHECK(is_sheet(sheet));
  CHECK(layout_text(sheet) ==
        "Data lie in few and far places: 2 of 1,200 places are shown one beside the other, 20 x 20 pixels each, in the "
        "order of their rows. ");
}

TEST_CASE("an image is a PNG in the page") {
  const PageImage image = image_of("Map", picture_of({0, 0, 1, 1}), {1, 2, 3, 255});
  CHECK(image.name == "Map");
  CHECK(image.source.starts_with("data:image/png;base64,"));
}

}  // namespace parsimap::test
