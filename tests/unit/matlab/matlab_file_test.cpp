#include "parsimap/matlab/matlab_file.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>
#include <vector>

#include "matlab_fixture.hpp"
#include "unit/core/temporary_folder.hpp"

using namespace parsimap;
using namespace parsimap::test;

namespace {

RasterGrid grid_of(Index height, Index width) {
  RasterGrid grid;
  grid.height = height;
  grid.width = width;
  return grid;
}

}  // namespace

TEST_CASE("matlab scene: rows, columns and bands are where they were") {
  const TemporaryFolder folder;
  const std::string path = folder.file("cube.mat");
  MatlabWriter(path).add_cube<double>("cube", 3, 4, 5, true);
  const OpenScene opened = open_matlab_scene(path, {});
  const std::unique_ptr<SceneSource>& scene = opened.source;
  const SceneDescription& description = opened.description;
  CHECK(description.driver == "MATLAB");
  CHECK(description.files == std::vector{path});
  CHECK(description.bytes == static_cast<std::int64_t>(std::filesystem::file_size(path)));
  CHECK(scene->name() == path);
  CHECK(scene->grid().height == 3);
  CHECK(scene->grid().width == 4);
  CHECK_FALSE(scene->grid().geotransform.has_value());
  CHECK(scene->grid().crs.empty());
  REQUIRE(scene->bands().size() == 5);
  CHECK(scene->bands().front() == Band{});
  CHECK(scene->bands().back() == Band{});
  Spectra values;
  scene->read({1, 1, 3, 2}, {4, 0, 2}, values);
  REQUIRE(values.rows() == 6);
  REQUIRE(values.cols() == 3);
  for (Index row = 1; row < 3; ++row) {
    for (Index column = 1; column < 4; ++column) {
      const Index pixel = (row - 1) * 3 + column - 1;
      CHECK(values(pixel, 0) == static_cast<float>(100 * row + 10 * column + 4));
      CHECK(values(pixel, 1) == static_cast<float>(100 * row + 10 * column));
      CHECK(values(pixel, 2) == static_cast<float>(100 * row + 10 * column + 2));
    }
  }
}

TEST_CASE("matlab scene: what is not finite in single precision is missing") {
  const TemporaryFolder folder;
  const std::string path = folder.file("gaps.mat");
  const double infinite = std::numeric_limits<double>::infinity();
  MatlabWriter(path).add<double>("cube", {1, 3, 2}, {1, infinite, 3, std::nan(""), 5, 1e300});
  Spectra values;
  open_matlab_scene(path, {}).source->read({0, 0, 3, 1}, {0, 1}, values);
  CHECK(values(0, 0) == 1);
  CHECK(std::isnan(values(0, 1)));
  CHECK(std::isnan(values(1, 0)));
  CHECK(values(1, 1) == 5);
  CHECK(values(2, 0) == 3);
  CHECK(std::isnan(values(2, 1)));
}

TEST_CASE("matlab scene: the array is found by its shape") {
  const TemporaryFolder folder;
  const std::string path = folder.file("two.mat");
  {
    MatlabWriter writer(path);
    writer.add<std::uint8_t>("labels", {3, 4}, std::vector<std::uint8_t>(12, 1));
    writer.add_cube<std::uint16_t>("tall", 4, 3, 5);
    writer.add_cube<std::uint16_t>("wide", 3, 4, 6);
  }
  CHECK(open_matlab_scene(path, {.height_and_width = std::pair<Index, Index>{3, 4}}).source->bands().size() == 6);
  CHECK(open_matlab_scene(path, {.height_and_width = std::pair<Index, Index>{4, 3}}).source->bands().size() == 5);
  CHECK(open_matlab_scene(path, {.variable = "tall"}).source->bands().size() == 5);
  CHECK(message_of([&] { open_matlab_scene(path, {.variable = "labels"}); }) ==
        path +
            " has no array 'labels' of rows x columns x bands real numbers; it holds labels (3 x 4, uint8), "
            "tall (4 x 3 x 5, uint16), wide (3 x 4 x 6, uint16)");
  CHECK(message_of([&] { open_matlab_scene(path, {}); }) ==
        path +
            " has several arrays of rows x columns x bands real numbers, tall (4 x 3 x 5, uint16), "
            "wide (3 x 4 x 6, uint16); name one of them (--variable)");
  CHECK(message_of([&] {
          open_matlab_scene(path, {.height_and_width = std::pair<Index, Index>{610, 340}});
        }) == path +
                  " has no array of 610 x 340 x bands real numbers; it holds labels (3 x 4, uint8), "
                  "tall (4 x 3 x 5, uint16), wide (3 x 4 x 6, uint16)");
}

TEST_CASE("matlab scene: a file without a cube") {
  const TemporaryFolder folder;
  const std::string path = folder.file("flat.mat");
  { const MatlabWriter empty(path); }
  CHECK(message_of([&] { open_matlab_scene(path, {}); }) ==
        path + " has no array of rows x columns x bands real numbers; it holds no arrays");
  {
    MatlabWriter writer(path);
    writer.add_complex_cube("phases", 2, 2, 2);
    writer.add<double>("void", {2, 0, 2}, {});
  }
  CHECK(message_of([&] { open_matlab_scene(path, {}); }) ==
        path +
            " has no array of rows x columns x bands real numbers; it holds phases (2 x 2 x 2, complex double), "
            "void (2 x 0 x 2, double)");
}

TEST_CASE("matlab labels: the labelled pixels in order, the classes by code") {
  const TemporaryFolder folder;
  const std::string path = folder.file("gt.mat");
  {
    // Rows 9 0 2 and 0 300 9.
    MatlabWriter writer(path);
    writer.add<std::uint16_t>("gt", {2, 3}, {9, 0, 0, 300, 2, 9}, true);
    writer.add<double>("gain", {1, 3}, {1, 2, 3});
  }
  const LabelledPixels labels = read_matlab_labels(path, std::nullopt, grid_of(2, 3), "scene.mat");
  CHECK(labels.classes == ClassTable{{2, "2", std::nullopt}, {9, "9", std::nullopt}, {300, "300", std::nullopt}});
  CHECK(labels.conflicting == 0);
  CHECK(labels.outside == 0);
  CHECK_FALSE(labels.named_by_text);
  std::string text;
  for (const LabelledPixel& pixel : labels.pixels) {
    text += std::to_string(pixel.pixel) + ":" + std::to_string(pixel.label) + ":" + std::to_string(pixel.region) + " ";
  }
  CHECK(text == "0:1:0 2:0:0 4:2:0 5:1:0 ");
}

TEST_CASE("matlab labels: not a number is unlabelled, other values are no classes") {
  const TemporaryFolder folder;
  const std::string path = folder.file("gt.mat");
  MatlabWriter(path).add<double>("gt", {1, 3}, {std::nan(""), 65535, 0});
  const LabelledPixels labels = read_matlab_labels(path, std::nullopt, grid_of(1, 3), "scene.mat");
  REQUIRE(labels.pixels.size() == 1);
  CHECK(labels.pixels[0].pixel == 1);
  const auto message = [&](double value) {
    MatlabWriter(path).add<double>("gt", {2, 2}, {1, 2, value, 3});
    return message_of([&] { read_matlab_labels(path, std::nullopt, grid_of(2, 2), "scene.mat"); });
  };
  const std::string begin = path + " carries no classes: the value at column 1, row 0 is ";
  CHECK(message(1.5) == begin + "1.5; codes of classes are whole numbers from 1 to 65535, 0 for unlabelled");
  CHECK(message(-1) == begin + "-1; codes of classes are whole numbers from 1 to 65535, 0 for unlabelled");
  CHECK(message(65536) == begin + "65536; codes of classes are whole numbers from 1 to 65535, 0 for unlabelled");
  CHECK(message(HUGE_VAL) == begin + "inf; codes of classes are whole numbers from 1 to 65535, 0 for unlabelled");
}

TEST_CASE("matlab labels: must have the size of the scene") {
  const TemporaryFolder folder;
  const std::string path = folder.file("gt.mat");
  MatlabWriter(path).add<std::uint8_t>("gt", {2, 3}, {1, 2, 1, 2, 1, 2});
  CHECK(message_of([&] { read_matlab_labels(path, std::nullopt, grid_of(3, 2), "scene.mat"); }) ==
        path + " has no array of 3 x 2 (rows and columns of scene.mat) real numbers; it holds gt (2 x 3, uint8)");
}

TEST_CASE("matlab labels: one of several arrays by its name") {
  const TemporaryFolder folder;
  const std::string path = folder.file("gt.mat");
  {
    MatlabWriter writer(path);
    writer.add<std::uint8_t>("train", {1, 3}, {1, 2, 0});
    writer.add<std::uint8_t>("test", {1, 3}, {0, 0, 2});
  }
  CHECK(read_matlab_labels(path, "train", grid_of(1, 3), "s").pixels.size() == 2);
  CHECK(read_matlab_labels(path, "test", grid_of(1, 3), "s").pixels.size() == 1);
  CHECK(message_of([&] { read_matlab_labels(path, std::nullopt, grid_of(1, 3), "s"); }) ==
        path + " has several arrays of 1 x 3 (rows and columns of s) real numbers, train (1 x 3, uint8), " +
            "test (1 x 3, uint8); name one of them (--label-variable)");
}

TEST_CASE("matlab scene: abundances beside a scene with its pixels in a row are not taken for the scene") {
  const TemporaryFolder folder;
  const std::string path = folder.file("unmixing.mat");
  {
    MatlabWriter writer(path);
    writer.add<double>("Y", {5, 12}, std::vector<double>(60, 1));
    writer.add<double>("M", {5, 2}, std::vector<double>(10, 1));
    writer.add_cube<double>("GT", 3, 4, 2);
  }
  CHECK(message_of([&] { open_matlab_scene(path, {}); }) ==
        path + " has two arrays that may be the scene, Y (5 x 12, double), which has its 12 pixels in a row, and " +
            "GT (3 x 4 x 2, double), which has fewer bands; a scene is an array of rows x columns x bands: reshape " +
            "the first, or take the second by --variable GT");
  CHECK(open_matlab_scene(path, {.variable = "GT"}).source->bands().size() == 2);
  // Labels in a row have one value for each pixel.
  {
    MatlabWriter writer(path);
    writer.add<double>("labels", {1, 12}, std::vector<double>(12, 1));
    writer.add_cube<double>("cube", 3, 4, 2);
  }
  CHECK(open_matlab_scene(path, {}).source->bands().size() == 2);
}

TEST_CASE("matlab scene: the values are read when they are asked for") {
  const TemporaryFolder folder;
  const std::string path = folder.file("cube.mat");
  MatlabWriter(path).add_cube<double>("cube", 30, 40, 50);
  const OpenScene opened = open_matlab_scene(path, {});
  CHECK(opened.source->bands().size() == 50);
  std::string bytes = file_content(path);
  const double changed = -7;
  std::memcpy(&bytes[bytes.size() - sizeof changed], &changed, sizeof changed);
  write_file(path, bytes);
  Spectra values;
  opened.source->read({39, 29, 1, 1}, {49}, values);
  CHECK(values(0, 0) == -7);
}
