#include "parsimap/gdal/vector/class_polygons.hpp"

#include <doctest/doctest.h>
#include <ogrsf_frmts.h>

#include <random>

#include "parsimap/gdal/vector/labels.hpp"

#include "gdal/vector/vector_layers.hpp"
#include "support/single_output.hpp"
#include "unit/core/temporary_folder.hpp"
#include "unit/gdal/raster/raster_fixture.hpp"

namespace parsimap::test {
namespace {

constexpr Index kSide = 20;
const ClassTable kClasses = {{2, "oak", {}}, {7, "water, deep", {}}, {300, "reed", {}}};

// Patches of 5 x 5 pixels with single pixels of other classes, and a hole without a class.
std::vector<std::uint16_t> patchwork() {
  std::mt19937 random(3);
  std::vector<std::uint16_t> codes(kSide * kSide);
  for (Index i = 0; i < kSide * kSide; ++i) {
    const Index patch = i / kSide / 5 + i % kSide / 5;
    const auto c = static_cast<std::size_t>(random() % 12 == 0 ? random() % 3 : patch % 3);
    codes[static_cast<std::size_t>(i)] = static_cast<std::uint16_t>(kClasses[c].code);
  }
  codes[3 * kSide + 3] = codes[3 * kSide + 4] = 0;
  return codes;
}

// The classes of a map of these codes by name, traced to polygons and rasterised again; "" without one. Also the pixels
// that each polygon states.
struct Traced {
  std::vector<std::string> names = std::vector<std::string>(kSide * kSide);
  std::vector<std::int64_t> pixels;
};

Traced traced(const std::vector<std::uint16_t>& codes, Index least_pixels) {
  const TemporaryFolder folder;
  SingleRaster map(folder.file("map.tif"));
  const auto sink = create_class_map(map.staged, utm_grid(kSide, kSide), kClasses, {});
  sink->write({0, 0, kSide, kSide}, codes);
  sink->close();
  OutputSet outputs(false);
  const StagedOutput& staged = stage_pixel_layers(outputs, "--polygonise", folder.file("areas.gpkg"));
  write_class_polygons(staged, map.staged.path, kClasses, least_pixels);
  outputs.publish();
  Traced result;
  const LabelledPixels labels =
      read_labels(folder.file("areas.gpkg"), {"class", std::nullopt}, utm_grid(kSide, kSide), "s");
  CHECK(labels.conflicting == 0);
  for (const LabelledPixel& pixel : labels.pixels) {
    result.names[static_cast<std::size_t>(pixel.pixel)] = labels.classes[static_cast<std::size_t>(pixel.label)].name;
  }
  const DatasetPtr dataset(GDALDataset::Open(folder.file("areas.gpkg").c_str(), GDAL_OF_VECTOR));
  REQUIRE(dataset != nullptr);
  for (const auto& feature : *dataset->GetLayerByName("classes")) {
    result.pixels.push_back(feature->GetFieldAsInteger64("pixels"));
  }
  CHECK(dataset->GetLayerByName("layer_styles")->GetFeatureCount() == 1);
  return result;
}

std::string name_of(std::uint16_t code) {
  for (const ClassEntry& entry : kClasses) {
    if (entry.code == code) {
      return entry.name;
    }
  }
  return "";
}

}  // namespace

TEST_CASE("polygons of a map rasterise to the map") {
  const std::vector<std::uint16_t> codes = patchwork();
  const Traced result = traced(codes, 1);
  std::int64_t classified = 0;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    CHECK(result.names[i] == name_of(codes[i]));
    classified += codes[i] == 0 ? 0 : 1;
  }
  std::int64_t stated = 0;
  for (const std::int64_t pixels : result.pixels) {
    stated += pixels;
  }
  CHECK(stated == classified);
}

TEST_CASE("small areas join the largest area beside them, and unclassified pixels stay so") {
  const std::vector<std::uint16_t> codes = patchwork();
  const Traced result = traced(codes, 6);
  CHECK(std::ranges::all_of(result.pixels, [](std::int64_t pixels) { return pixels >= 6; }));
  CHECK(std::ranges::any_of(traced(codes, 1).pixels, [](std::int64_t pixels) { return pixels < 6; }));
  for (std::size_t i = 0; i < codes.size(); ++i) {
    CHECK(result.names[i].empty() == (codes[i] == 0));
  }
}

}  // namespace parsimap::test
