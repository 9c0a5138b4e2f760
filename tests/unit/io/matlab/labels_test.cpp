#include "parsimap/io/matlab/labels.hpp"

#include <doctest/doctest.h>

#include <cmath>

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
  const std::string begin = path + ": carries no classes: the value at column 1, row 0 is ";
  CHECK(message(1.5) == begin + "1.5; codes are whole numbers from 0 to 65535.");
  CHECK(message(-1) == begin + "-1; codes are whole numbers from 0 to 65535.");
  CHECK(message(65536) == begin + "65536; codes are whole numbers from 0 to 65535.");
  CHECK(message(HUGE_VAL) == begin + "inf; codes are whole numbers from 0 to 65535.");
}

TEST_CASE("matlab labels: must have the size of the scene") {
  const TemporaryFolder folder;
  const std::string path = folder.file("gt.mat");
  MatlabWriter(path).add<std::uint8_t>("gt", {2, 3}, {1, 2, 1, 2, 1, 2});
  CHECK(message_of([&] { read_matlab_labels(path, std::nullopt, grid_of(3, 2), "scene.mat"); }) ==
        path + ": has no array of 3 x 2 (rows and columns of scene.mat) real numbers; it holds gt (2 x 3, uint8).");
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
        path + ": has several arrays of 1 x 3 (rows and columns of s) real numbers, train (1 x 3, uint8), " +
            "test (1 x 3, uint8); name one of them.");
}
