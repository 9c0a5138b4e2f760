#include "parsimap/scene/labelled_pixels.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <map>
#include <string>
#include <vector>

#include "parsimap/core/error.hpp"
#include "parsimap/core/random.hpp"

#include "support/memory_scene.hpp"
#include "unit/scene/plain_scene.hpp"

namespace parsimap::test {

namespace {

// Rows of digits: 0 is unlabelled, other digits are labels.
LabelledPixels labels_of_rows(const std::vector<std::string>& rows) {
  LabelledPixels labels;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      if (rows[r][c] != '0') {
        labels.pixels.push_back({static_cast<std::int64_t>(r * rows[r].size() + c), rows[r][c] - '1', 0});
      }
    }
  }
  return labels;
}

std::vector<std::string> regions_of(const std::vector<std::string>& rows) {
  LabelledPixels labels = labels_of_rows(rows);
  find_regions(labels, static_cast<Index>(rows.front().size()));
  std::vector<std::string> result(rows.size(), std::string(rows.front().size(), '.'));
  for (const LabelledPixel& pixel : labels.pixels) {
    const auto at = static_cast<std::size_t>(pixel.pixel);
    result[at / rows.front().size()][at % rows.front().size()] = static_cast<char>('a' + pixel.region - 1);
  }
  return result;
}

// The slow way: spreads the smallest number to neighbours until nothing changes.
std::map<std::int64_t, std::int64_t> naive_regions(const LabelledPixels& labels, Index width) {
  std::map<std::int64_t, std::int64_t> region;
  std::map<std::int64_t, int> label;
  for (const LabelledPixel& pixel : labels.pixels) {
    region[pixel.pixel] = pixel.pixel;
    label[pixel.pixel] = pixel.label;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (auto& [pixel, number] : region) {
      for (const auto& [other, other_number] : region) {
        const bool near = std::abs(pixel / width - other / width) + std::abs(pixel % width - other % width) == 1;
        if (near && label[pixel] == label[other] && other_number < number) {
          number = other_number;
          changed = true;
        }
      }
    }
  }
  return region;
}

}  // namespace

TEST_CASE("a pixel that several features of a class claim counts once, one that two classes claim not at all") {
  LabelledPixels labels;
  settle_claims({{3, 0, 1}, {3, 0, 2}, {5, 0, 1}, {5, 1, 3}, {5, 1, 4}, {8, 1, 4}}, labels);
  REQUIRE(labels.pixels.size() == 2);
  CHECK(labels.pixels[0].pixel == 3);
  CHECK(labels.pixels[0].region == 1);
  CHECK(labels.pixels[1].pixel == 8);
  CHECK(labels.conflicting == 1);
}

TEST_CASE("areas of a class that touch, but for corners, are one region") {
  CHECK(regions_of({"1100", "0110", "2201"}) == std::vector<std::string>{"aa..", ".aa.", "bb.c"});
  // Not across the edges of the scene, and not across classes.
  CHECK(regions_of({"1001", "1002", "0202"}) == std::vector<std::string>{"a..b", "a..c", ".d.c"});
  // Two arms that meet in the last row.
  CHECK(regions_of({"101", "101", "111"}) == std::vector<std::string>{"a.a", "a.a", "aaa"});
}

TEST_CASE("regions of random maps are those of spreading by hand") {
  Random random(1);
  for (int trial = 0; trial < 20; ++trial) {
    const Index width = 1 + random.index(9);
    std::vector<std::string> rows(8);
    for (std::string& row : rows) {
      for (Index c = 0; c < width; ++c) {
        row += static_cast<char>('0' + std::max<Index>(0, random.index(5) - 2));
      }
    }
    LabelledPixels labels = labels_of_rows(rows);
    const auto expected = naive_regions(labels, width);
    find_regions(labels, width);
    CHECK(labels.has_regions);
    std::map<std::int64_t, std::int64_t> number_of;  // by the first pixel of an area
    for (const LabelledPixel& pixel : labels.pixels) {
      const auto next = static_cast<std::int64_t>(number_of.size()) + 1;
      CHECK(pixel.region == number_of.emplace(expected.at(pixel.pixel), next).first->second);
    }
  }
}

TEST_CASE("no labels, no regions") {
  LabelledPixels labels;
  find_regions(labels, 5);
  CHECK(labels.pixels.empty());
}

TEST_CASE("small classes leave the table with their pixels, the others stay what they are") {
  LabelledPixels labels;
  labels.classes = {
      {3, "bog", {}}, {4, "oak", Colour{1, 2, 3}}, {9, "stone", {}}, {12, "water", {}}, {20, "empty", {}}};
  labels.pixels = {{0, 1, 5}, {2, 0, 6}, {3, 3, 7}, {4, 3, 7}, {8, 2, 8}, {9, 1, 5}};
  CHECK(class_sizes(labels) == std::vector<Index>{1, 2, 1, 2, 0});
  LabelledPixels same = labels;
  CHECK(drop_small_classes(same, class_sizes(same), 0).empty());
  CHECK(same.classes == labels.classes);
  CHECK(same.pixels.size() == 6);
  const std::vector<SmallClass> dropped = drop_small_classes(labels, class_sizes(labels), 2);
  REQUIRE(dropped.size() == 3);
  CHECK(dropped[0].name == "bog");
  CHECK(dropped[0].pixels == 1);
  CHECK(dropped[1].name == "stone");
  CHECK(dropped[2].name == "empty");
  CHECK(dropped[2].pixels == 0);
  CHECK(labels.classes == ClassTable{{4, "oak", Colour{1, 2, 3}}, {12, "water", {}}});
  REQUIRE(labels.pixels.size() == 4);
  CHECK(class_sizes(labels) == std::vector<Index>{2, 2});
  CHECK(labels.pixels[1].pixel == 3);
  CHECK(labels.pixels[1].label == 1);
  CHECK(labels.pixels[1].region == 7);
}

TEST_CASE("pixels of merged classes are those of one, and pixels of a class that is left out are gone") {
  LabelledPixels labels = labels_of_rows({"1203", "3021"});
  labels.classes = {{4, "4", {}}, {5, "5", {}}, {6, "6", {}}};
  apply_class_rules(labels, {"t", {{"4", "wood"}, {"6", "wood"}, {"5", ""}, {"9", "x"}}}, "labels");
  CHECK(labels.classes == ClassTable{{4, "wood", {}}});
  std::vector<std::int64_t> pixels;
  for (const LabelledPixel& pixel : labels.pixels) {
    CHECK(pixel.label == 0);
    pixels.push_back(pixel.pixel);
  }
  CHECK(pixels == std::vector<std::int64_t>{0, 3, 4, 7});
  CHECK(labels.notes == std::vector<std::string>{"t: no class of labels is called '9'; they are called '4', '5', '6'"});
}

namespace {

constexpr Index kExtractWidth = 37;
constexpr Index kExtractHeight = 23;
constexpr std::int64_t kPlenty = 1 << 24;

Spectra random_values(Index bands) {
  Random random(5);
  return random.normal_matrix(kExtractWidth * kExtractHeight, bands).cast<float>();
}

test::MemoryScene scene_to_extract(const Spectra& values) {
  return test::plain_scene("scene", kExtractWidth, kExtractHeight, values);
}

// Two classes in turn on every `step`-th pixel, regions numbered by pixel.
LabelledPixels every(std::int64_t step) {
  LabelledPixels labels;
  labels.classes = {{1, "grass", {}}, {2, "water", {}}};
  int next = 0;
  for (std::int64_t pixel = 3; pixel < kExtractWidth * kExtractHeight; pixel += step) {
    labels.pixels.push_back({pixel, next, 1000 + pixel});
    next = 1 - next;
  }
  return labels;
}

std::string message_of_extraction(SceneSource& scene, const LabelledPixels& labels) {
  try {
    extract_samples(scene, labels, test::all_bands(scene), kPlenty, {});
  } catch (const DataError& error) {
    return error.what();
  }
  return {};
}

bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("samples are the spectra of the labelled pixels, whatever the storage blocks and the memory") {
  const Spectra values = random_values(6);
  const LabelledPixels labels = every(7);
  for (const auto& [block_width, block_height] :
       {std::pair<Index, Index>{kExtractWidth, 1}, {kExtractWidth, 5}, {8, 8}, {1, 1}, {64, 64}}) {
    for (const std::int64_t ram : {std::int64_t{1}, std::int64_t{24 * 10}, std::int64_t{24 * 100}, kPlenty}) {
      test::MemoryScene scene = scene_to_extract(values);
      scene.set_block_size(block_width, block_height);
      const Extraction result = extract_samples(scene, labels, test::all_bands(scene), ram, {});
      CHECK(scene.largest_read() <= std::max<std::int64_t>(6, ram / 4));
      REQUIRE(result.samples.size() == static_cast<Index>(labels.pixels.size()));
      for (Index i = 0; i < result.samples.size(); ++i) {
        const LabelledPixel& pixel = labels.pixels[static_cast<std::size_t>(i)];
        REQUIRE(result.samples.spectra.row(i) == values.row(pixel.pixel).cast<double>());
        REQUIRE(result.samples.labels[static_cast<std::size_t>(i)] == pixel.label);
        REQUIRE(result.samples.places[static_cast<std::size_t>(i)].pixel == pixel.pixel);
        REQUIRE(result.samples.places[static_cast<std::size_t>(i)].region == pixel.region);
      }
    }
  }
}

TEST_CASE("only storage near labels is read") {
  LabelledPixels labels = every(1);
  // Two far corners of 2 x 2 pixels.
  std::vector<LabelledPixel> corners;
  for (const LabelledPixel& pixel : labels.pixels) {
    const Index row = pixel.pixel / kExtractWidth;
    const Index column = pixel.pixel % kExtractWidth;
    if ((row < 3 && row > 0 && column < 2) || (row >= kExtractHeight - 2 && column >= kExtractWidth - 2)) {
      corners.push_back(pixel);
    }
  }
  labels.pixels = corners;
  REQUIRE(corners.size() == 8);
  for (const Index block : {Index{4}, Index{10}, kExtractWidth}) {
    test::MemoryScene scene = scene_to_extract(random_values(3));
    scene.set_block_size(block, block == kExtractWidth ? 1 : block);
    extract_samples(scene, labels, test::all_bands(scene), kPlenty, {});
    CHECK(scene.values_read() <= 2 * 8 * 3);
  }
}

TEST_CASE("only candidate bands are read, used and judged") {
  Spectra values = random_values(6);
  const LabelledPixels labels = every(7);
  values.col(0).setConstant(test::kNoValue);
  values.col(2).setConstant(test::kNoValue);
  values.col(4).setConstant(1);
  values(labels.pixels[3].pixel, 1) = test::kNoValue;
  test::MemoryScene scene = scene_to_extract(values);
  const Extraction result = extract_samples(scene, labels, {2, 3, 4, 5}, kPlenty, {});
  CHECK(result.bands == Indices{3, 5});
  CHECK(result.empty_bands == Indices{2});
  CHECK(result.constant_bands == Indices{4});
  CHECK(result.invalid_pixels == 0);
  REQUIRE(result.samples.size() == static_cast<Index>(labels.pixels.size()));
  for (Index i = 0; i < result.samples.size(); ++i) {
    const Index pixel = labels.pixels[static_cast<std::size_t>(i)].pixel;
    REQUIRE(result.samples.spectra(i, 0) == static_cast<double>(values(pixel, 3)));
    REQUIRE(result.samples.spectra(i, 1) == static_cast<double>(values(pixel, 5)));
  }
}

TEST_CASE("bands without information are dropped and listed, then pixels without a value") {
  Spectra values = random_values(5);
  const LabelledPixels labels = every(7);
  values.col(1).setConstant(test::kNoValue);
  values.col(3).setConstant(17);
  values(labels.pixels[0].pixel, 3) = test::kNoValue;  // in a dropped band: no reason to drop the pixel
  values(labels.pixels[4].pixel, 0) = test::kNoValue;
  values(labels.pixels[9].pixel, 4) = std::numeric_limits<float>::infinity();
  values(labels.pixels[9].pixel, 2) = test::kNoValue;
  test::MemoryScene scene = scene_to_extract(values);
  const Extraction result = extract_samples(scene, labels, test::all_bands(scene), kPlenty, {});
  CHECK(result.bands == Indices{0, 2, 4});
  CHECK(result.constant_bands == Indices{3});
  CHECK(result.empty_bands == Indices{1});
  CHECK(result.invalid_pixels == 2);
  REQUIRE(result.samples.size() == static_cast<Index>(labels.pixels.size()) - 2);
  CHECK(result.samples.places[4].pixel == labels.pixels[5].pixel);
  CHECK(result.samples.spectra(4, 1) == static_cast<double>(values(labels.pixels[5].pixel, 2)));
  CHECK(result.samples.spectra.allFinite());
}

TEST_CASE("a band is constant when only pixels vary that other bands drop") {
  Spectra values = random_values(3);
  const LabelledPixels labels = every(7);
  values.col(1).setConstant(17);
  values(labels.pixels[2].pixel, 1) = 18;
  values(labels.pixels[2].pixel, 0) = test::kNoValue;
  test::MemoryScene scene = scene_to_extract(values);
  const Extraction result = extract_samples(scene, labels, test::all_bands(scene), kPlenty, {});
  CHECK(result.bands == Indices{0, 2});
  CHECK(result.constant_bands == Indices{1});
  CHECK(result.invalid_pixels == 1);
}

TEST_CASE("labels that cannot be trained on are refused with a sentence") {
  test::MemoryScene scene = scene_to_extract(random_values(2));
  LabelledPixels one_class = every(7);
  one_class.classes.pop_back();
  for (LabelledPixel& pixel : one_class.pixels) {
    pixel.label = 0;
  }
  CHECK(mentions(message_of_extraction(scene, one_class), "have 1 class (grass); at least two"));

  LabelledPixels small = every(7);
  small.pixels.erase(small.pixels.begin() + 1);
  small.pixels.resize(2);  // both of grass
  CHECK(mentions(message_of_extraction(scene, small), "class water has 0 usable pixels of 0 labelled"));

  Spectra holes = random_values(2);
  const LabelledPixels labels = every(200);
  for (const LabelledPixel& pixel : labels.pixels) {
    if (pixel.label == 0) {
      holes(pixel.pixel, 1) = test::kNoValue;
    }
  }
  test::MemoryScene broken = scene_to_extract(holes);
  CHECK(mentions(message_of_extraction(broken, labels), "class grass has 0 usable pixels of 3 labelled"));

  Spectra flat = Spectra::Constant(kExtractWidth * kExtractHeight, 2, 4);
  flat.col(0).setConstant(test::kNoValue);
  test::MemoryScene useless = scene_to_extract(flat);
  CHECK(mentions(message_of_extraction(useless, labels), "1 of 2 bands have no value and 1 are constant"));
}

TEST_CASE("a class that lost all pixels to another class is refused with their number") {
  test::MemoryScene scene = scene_to_extract(random_values(2));
  LabelledPixels labels = every(7);
  labels.classes.push_back({3, "bog", {}});
  labels.conflicting = 4;
  CHECK(mentions(message_of_extraction(scene, labels), "pixels that another class claims as well belong to none: 4"));
  labels.pixels.clear();
  CHECK(mentions(message_of_extraction(scene, labels), "has no labelled pixel; pixels that another class claims"));
}

TEST_CASE("a largest value without a name is unlabelled where it has most of the pixels of three classes") {
  const auto labels_of_codes = [](int fill, const std::string& name, int filled) {
    LabelledPixels labels{{{1, "1", {}}, {2, "2", {}}, {fill, name, {}}}, {}};
    for (int pixel = 0; pixel < 4 + filled; ++pixel) {
      labels.pixels.push_back({pixel, pixel < 4 ? pixel % 2 : 2});
    }
    return labels;
  };
  for (const int fill : {255, 65535}) {
    LabelledPixels labels = labels_of_codes(fill, std::to_string(fill), 5);
    leave_out_fill(labels, "map.tif");
    CHECK(labels.classes == ClassTable{{1, "1", {}}, {2, "2", {}}});
    CHECK(class_sizes(labels) == std::vector<Index>{2, 2});
    REQUIRE(labels.messages.size() == 1);
    CHECK(mentions(labels.messages.front(), "5 pixels, more than all classes; they count as unlabelled"));
  }
  LabelledPixels few = labels_of_codes(255, "255", 4);
  leave_out_fill(few, "map.tif");
  CHECK(class_sizes(few) == std::vector<Index>{2, 2, 4});
  CHECK(mentions(few.messages.front(), "and is a class"));
  for (LabelledPixels& others : std::vector{labels_of_codes(255, "snow", 9), labels_of_codes(254, "254", 9)}) {
    leave_out_fill(others, "map.tif");
    CHECK(others.classes.size() == 3);
    CHECK(others.messages.empty());
  }
  LabelledPixels two = labels_of_codes(255, "255", 9);
  two.classes.erase(two.classes.begin());
  std::erase_if(two.pixels, [](const LabelledPixel& pixel) { return pixel.label == 0; });
  leave_out_fill(two, "map.tif");
  CHECK(two.classes.size() == 2);
}

TEST_CASE("a single usable pixel of a class is enough, and none where the caller sees to it") {
  test::MemoryScene scene = scene_to_extract(random_values(2));
  LabelledPixels labels = every(7);
  labels.pixels.resize(3);
  CHECK(class_counts(extract_samples(scene, labels, {0, 1}, kPlenty, {}).samples) == std::vector<Index>{2, 1});
  labels.classes.push_back({3, "bog", {}});
  CHECK(mentions(message_of_extraction(scene, labels), "class bog has 0 usable pixels of 0 labelled ones"));
  CHECK(mentions(message_of_extraction(scene, labels), "at least 1 is needed"));
  CHECK(class_counts(extract_samples(scene, labels, {0, 1}, kPlenty, {}, 0).samples) == std::vector<Index>{2, 1, 0});
}

TEST_CASE("progress of the extraction grows to one and may stop it") {
  test::MemoryScene scene = scene_to_extract(random_values(2));
  double last = 0;
  int calls = 0;
  extract_samples(scene, every(7), test::all_bands(scene), 2 * 4 * 10, [&](double fraction) {
    CHECK(fraction >= last);
    last = fraction;
    ++calls;
  });
  CHECK(last == 1);
  CHECK(calls > 5);
  const auto interrupt = [](double) { throw IoError("interrupted"); };
  CHECK_THROWS_AS(extract_samples(scene, every(7), test::all_bands(scene), kPlenty, interrupt), IoError);
}

TEST_CASE("bands chosen before are kept, and classes may be absent") {
  Spectra values = random_values(4);
  values.col(1).setConstant(3);
  LabelledPixels labels = every(7);
  for (LabelledPixel& pixel : labels.pixels) {
    pixel.label = 1;
  }
  const auto row = [&](std::size_t i) { return static_cast<Index>(labels.pixels[i].pixel); };
  values(row(2), 3) = test::kNoValue;
  values(row(4), 0) = test::kNoValue;
  test::MemoryScene scene = scene_to_extract(values);
  const Extraction extraction = extract_samples_of_bands(scene, labels, {1, 3}, kPlenty, {});
  CHECK(extraction.bands == Indices{1, 3});
  CHECK(extraction.constant_bands.empty());
  CHECK(extraction.invalid_pixels == 1);
  REQUIRE(extraction.samples.size() == static_cast<Index>(labels.pixels.size()) - 1);
  CHECK(extraction.samples.labels == std::vector<int>(labels.pixels.size() - 1, 1));
  CHECK(extraction.samples.places[2].pixel == labels.pixels[3].pixel);
  CHECK(extraction.samples.spectra(2, 0) == 3);
  CHECK(extraction.samples.spectra(2, 1) == values(row(3), 3));
}

}  // namespace parsimap::test
