#include "parsimap/mapping/classify_scene.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "parsimap/core/error.hpp"
#include "parsimap/mapping/map_layer.hpp"

#include "support/memory_scene.hpp"
#include "support/memory_segments.hpp"
#include "unit/mapping/hand_made_scene.hpp"

using namespace parsimap;
using namespace parsimap::test;

namespace {

void check_same_map(const Outcome& outcome, const Outcome& expected) {
  CHECK(outcome.codes == expected.codes);
  CHECK(same_values(outcome.probabilities, expected.probabilities));
  CHECK(same_values(outcome.confidence, expected.confidence));
  CHECK(outcome.summary.class_pixels == expected.summary.class_pixels);
}

}  // namespace

TEST_CASE("the map and the fields are those of the definition") {
  const Model model = hand_made_model();
  for (const Spectra& values : {dense_values(), sparse_values()}) {
    MemoryScene scene = scene_of(values);
    const Outcome outcome = map_of(scene, model, {});
    std::vector<std::int64_t> counts(kClasses, 0);
    for (Index pixel = 0; pixel < values.rows(); ++pixel) {
      const auto i = static_cast<std::size_t>(pixel);
      if (!values(pixel, model.bands).allFinite()) {
        REQUIRE(outcome.codes[i] == 0);
        REQUIRE(outcome.probabilities.row(pixel).array().isNaN().all());
        REQUIRE(std::isnan(outcome.confidence(pixel, 0)));
        REQUIRE(outcome.decision_values.row(pixel).array().isNaN().all());
        REQUIRE(std::isnan(outcome.novelty(pixel, 0)));
        continue;
      }
      const Vector f = oracle(model, values, pixel);
      const Vector weights = (model.softmax_slope * (f.array() - f.maxCoeff())).exp();
      const Vector expected = weights / weights.sum();
      const Vector found = outcome.probabilities.row(pixel).transpose().cast<double>();
      REQUIRE((found - expected).cwiseAbs().maxCoeff() < 1e-5);
      REQUIRE((outcome.decision_values.row(pixel).transpose().cast<double>() - f).cwiseAbs().maxCoeff() < 1e-5);
      Index label = 0;
      REQUIRE(outcome.confidence(pixel, 0) == outcome.probabilities.row(pixel).maxCoeff(&label));
      const Vector unlike = unlikeness_of(model, values, pixel);
      REQUIRE(outcome.novelty(pixel, 0) == doctest::Approx(unlike.minCoeff()).epsilon(1e-5));
      REQUIRE(outcome.applicability(pixel, 0) == doctest::Approx(unlike(label)).epsilon(1e-5));
      REQUIRE(
          (outcome.applicability.row(pixel).tail(kClasses).transpose().cast<double>() - unlike).cwiseAbs().maxCoeff() <
          1e-5);
      REQUIRE(std::isnan(outcome.applicability(pixel, 1)));  // a model of an earlier version
      REQUIRE(outcome.codes[i] == model.classes[static_cast<std::size_t>(label)].code);
      ++counts[static_cast<std::size_t>(label)];
    }
    CHECK(outcome.summary.class_pixels == counts);
    CHECK(outcome.summary.classified == counts[0] + counts[1] + counts[2]);
    CHECK(outcome.summary.pixels == kWidth * kHeight);
    CHECK(*std::min_element(counts.begin(), counts.end()) > 0);
  }
}

TEST_CASE("the outcome depends neither on storage blocks, nor on memory, nor on threads") {
  const Model model = hand_made_model();
  for (const Spectra& values : {dense_values(), sparse_values()}) {
    MemoryScene reference = scene_of(values);
    const Outcome expected = map_of(reference, model, {.ram_bytes = 1 << 28, .threads = 1});
    for (const auto& [block_width, block_height] : {std::pair<Index, Index>{kWidth, 1}, {16, 16}, {kWidth, kHeight}}) {
      for (const std::int64_t ram : {std::int64_t{0}, std::int64_t{1} << 28U}) {
        for (const int threads : {1, 3}) {
          MemoryScene scene = scene_of(values);
          scene.set_block_size(block_width, block_height);
          const Outcome outcome = map_of(scene, model, {.ram_bytes = ram, .threads = threads});
          check_same_map(outcome, expected);
          CHECK(same_values(outcome.decision_values, expected.decision_values));
          CHECK(same_values(outcome.novelty, expected.novelty));
          CHECK(scene.largest_read() <= (ram == 0 ? 256 : kWidth * kHeight) * 6);
        }
      }
    }
  }
}

TEST_CASE("regularised maps are those of the whole scene at once, whatever the blocks, memory and threads") {
  const Model model = hand_made_model();
  for (const char* rule : {"gaussian:1.5", "neighbours:0.7:3", "auto"}) {
    const Regularisation regularisation = parse_regularisation(rule);
    for (const Spectra& values : {dense_values(), sparse_values()}) {
      MemoryScene reference = scene_of(values);
      const Outcome plain = map_of(reference, model, {});
      const Outcome expected =
          map_of(reference, model, {.ram_bytes = 1 << 28, .threads = 1, .regularisation = regularisation});
      CHECK(expected.summary.regularisation.method != RegularisationMethod::automatic);
      CHECK(expected.summary.classified == plain.summary.classified);
      CHECK(expected.probabilities.array().isNaN().cast<int>().sum() ==
            plain.probabilities.array().isNaN().cast<int>().sum());
      for (const auto& [block_width, block_height] :
           {std::pair<Index, Index>{kWidth, 1}, {16, 16}, {5, 40}, {kWidth, kHeight}}) {
        for (const int threads : {1, 3}) {
          MemoryScene scene = scene_of(values);
          scene.set_block_size(block_width, block_height);
          const Outcome outcome = map_of(
              scene, model,
              {.ram_bytes = little_memory(model, threads), .threads = threads, .regularisation = regularisation});
          check_same_map(outcome, expected);
          CHECK(outcome.summary.regularisation == expected.summary.regularisation);
        }
      }
    }
  }
}

TEST_CASE("regularised pixels are rejected by their own novelty and their regularised probability") {
  const Model model = hand_made_model();
  const Regularisation rule{RegularisationMethod::neighbours, 1, 2};
  MemoryScene scene = scene_of(sparse_values());
  const Outcome plain = map_of(scene, model, {});
  const Outcome all = map_of(scene, model, {.regularisation = rule});
  const Outcome some = map_of(scene, model,
                              {.ram_bytes = little_memory(model, 1),
                               .threads = 1,
                               .reject = 0.6,
                               .reject_novelty = 0.5,
                               .regularisation = rule});
  CHECK(same_values(all.novelty, plain.novelty));
  CHECK(same_values(some.novelty, plain.novelty));
  CHECK(same_values(some.probabilities, all.probabilities));
  CHECK_FALSE(same_values(all.probabilities, plain.probabilities));
  std::int64_t rejected = 0;
  for (Index pixel = 0; pixel < kWidth * kHeight; ++pixel) {
    const auto i = static_cast<std::size_t>(pixel);
    const bool out = all.codes[i] != 0 && (all.confidence(pixel, 0) < 0.6F || all.novelty(pixel, 0) > 0.5F);
    REQUIRE(some.codes[i] == (out ? 0 : all.codes[i]));
    rejected += out ? 1 : 0;
  }
  CHECK(rejected > 10);
  CHECK(some.summary.rejected == rejected);
}

TEST_CASE("rows by themselves are those of the whole scene, bit by bit, and nothing else is written") {
  const Model model = hand_made_model();
  for (const char* rule : {"none", "gaussian:1.2", "neighbours:0.7:2"}) {
    for (const Spectra& values : {dense_values(), sparse_values()}) {
      MemoryScene whole_scene = scene_of(values);
      MappingOptions options{.threads = 1, .reject = 0.5, .reject_novelty = 0.9, .reject_outside = 0.95};
      options.regularisation = parse_regularisation(rule);
      const Outcome whole = map_of(whole_scene, model, options);
      for (const std::vector<Index>& cuts : {std::vector<Index>{0, 1, 2, 20, 21, kHeight}, {0, 16, 16, 32, kHeight}}) {
        std::vector<std::int64_t> counts(kClasses, 0);
        std::int64_t rejected = 0;
        for (std::size_t part = 0; part + 1 < cuts.size(); ++part) {
          CAPTURE(rule);
          CAPTURE(part);
          MemoryScene scene = scene_of(values);
          scene.set_block_size(16, 16);
          options.rows = ItemRange{cuts[part], cuts[part + 1]};
          options.threads = 1 + static_cast<int>(part % 2);
          options.ram_bytes = part % 2 == 0 ? std::int64_t{1} << 28U : little_memory(model, options.threads);
          const Outcome outcome = map_of(scene, model, options);
          const Index first = cuts[part] * kWidth;
          const Index count = options.rows->size() * kWidth;
          std::vector<std::uint16_t> codes(whole.codes.size(), 0);
          std::copy_n(whole.codes.begin() + first, count, codes.begin() + first);
          REQUIRE(outcome.codes == codes);
          const auto same_rows = [&](const Spectra& part_values, const Spectra& all) {
            Spectra expected = Spectra::Constant(all.rows(), all.cols(), kNoValue);
            expected.middleRows(first, count) = all.middleRows(first, count);
            return same_values(part_values, expected);
          };
          REQUIRE(same_rows(outcome.probabilities, whole.probabilities));
          REQUIRE(same_rows(outcome.confidence, whole.confidence));
          REQUIRE(same_rows(outcome.decision_values, whole.decision_values));
          REQUIRE(same_rows(outcome.novelty, whole.novelty));
          CHECK(outcome.summary.pixels == count);
          for (std::size_t c = 0; c < counts.size(); ++c) {
            counts[c] += outcome.summary.class_pixels[c];
          }
          rejected += outcome.summary.rejected;
        }
        CHECK(counts == whole.summary.class_pixels);
        CHECK(rejected == whole.summary.rejected);
      }
    }
  }
}

TEST_CASE("of rows, those around them are read as far as regularisation sees, and no others") {
  const Model model = hand_made_model();
  MemoryScene scene = scene_of(dense_values());
  map_of(scene, model, {.rows = ItemRange{10, 20}});
  CHECK(scene.values_read() == 10 * kWidth * (6 + 1));  // the first window is looked at in one band
  MemoryScene regularised = scene_of(dense_values());
  MappingOptions options{.rows = ItemRange{10, 20}};
  options.regularisation = parse_regularisation("gaussian:1");
  map_of(regularised, model, options);
  CHECK(regularised.values_read() == (10 + 3 + 3) * kWidth * (6 + 1));
}

TEST_CASE("what auto chooses is known without a map") {
  const Model model = hand_made_model();
  MemoryScene scene = scene_of(dense_values());
  MappingOptions options{.threads = 1};
  CHECK(resolve_regularisation(scene, model, options) == Regularisation{});
  options.regularisation = parse_regularisation("gaussian:2");
  CHECK(to_string(resolve_regularisation(scene, model, options)) == "gaussian:2");
  options.regularisation = parse_regularisation("auto");
  const Regularisation chosen = resolve_regularisation(scene, model, options);
  CHECK(chosen == map_of(scene, model, options).summary.regularisation);
}

TEST_CASE("regularising reads every pixel once, and nothing but valid ones of a sparse scene") {
  const MappingOptions options{.ram_bytes = little_memory(hand_made_model(), 1),
                               .threads = 1,
                               .regularisation = {RegularisationMethod::gaussian, 1.5}};
  MemoryScene dense = scene_of(dense_values());
  MemoryClassMapSink map(dense.grid());
  classify_scene(dense, hand_made_model(), {&map}, options, {});
  CHECK(map.pixels_written() == kWidth * kHeight);
  CHECK(dense.values_read() < (6 + 1) * kWidth * kHeight);
  MemoryScene sparse = scene_of(sparse_values());
  sparse.set_block_size(8, 8);
  MemoryClassMapSink sparse_map(sparse.grid());
  classify_scene(sparse, hand_made_model(), {&sparse_map}, options, {});
  CHECK(sparse_map.pixels_written() <= 7 * 17 + 11 * 7);
  CHECK(sparse.values_read() < kWidth * kHeight + 8 * (7 * 17 + 11 * 7));
}

TEST_CASE("too little memory for what regularising keeps is refused") {
  MemoryScene scene = scene_of(dense_values());
  MemoryClassMapSink map(scene.grid());
  const MappingOptions options{.ram_bytes = 1000, .regularisation = {RegularisationMethod::gaussian, 20}};
  CHECK_THROWS_WITH_AS(classify_scene(scene, hand_made_model(), {&map}, options, {}),
                       "regularisation 'gaussian:20' of scene keeps 2 MB of probabilities, which may be half of the 0 "
                       "MB for windows at most; give it more memory or a smaller sigma",
                       ConfigError);
  CHECK(map.pixels_written() == 0);
}

TEST_CASE("a sparse scene is hardly read and hardly written") {
  MemoryScene scene = scene_of(sparse_values());
  scene.set_block_size(8, 8);
  scene.add_known_empty({0, 24, 48, kHeight - 24});
  MemoryClassMapSink map(scene.grid());
  const MappingSummary summary = classify_scene(scene, hand_made_model(), {&map}, {.ram_bytes = 0}, {});
  CHECK(summary.classified == 7 * 16 + 11 * 7);
  CHECK(map.pixels_written() <= 7 * 17 + 11 * 7);
  // One band of what is not known to be empty, and six of the valid pixels, a few of them in mixed windows.
  CHECK(scene.values_read() < kWidth * kHeight + 8 * (7 * 17 + 11 * 7));
}

TEST_CASE("a scene without any value gives an empty map") {
  MemoryScene scene = scene_of(Spectra::Constant(kWidth * kHeight, kBands, kNoValue));
  const Outcome outcome = map_of(scene, hand_made_model(), {});
  CHECK(outcome.summary.classified == 0);
  CHECK(outcome.codes == std::vector<std::uint16_t>(kWidth * kHeight, 0));
  CHECK(outcome.probabilities.array().isNaN().all());
}

TEST_CASE("a tie of probabilities goes to the first class") {
  Model model = hand_made_model();
  for (BinaryClassifier& machine : model.classifiers) {
    machine = model.classifiers.front();
  }
  MemoryScene scene = scene_of(dense_values());
  const Outcome outcome = map_of(scene, model, {});
  CHECK(outcome.codes == std::vector<std::uint16_t>(kWidth * kHeight, 2));
}

TEST_CASE("a scene that lacks a band of the model is refused") {
  Model model = hand_made_model();
  model.band_table[2].wavelength = 2000;
  MemoryScene unfit = scene_of(dense_values());
  MemoryClassMapSink map(unfit.grid());
  CHECK_THROWS_AS(classify_scene(unfit, model, {&map}, {}, {}), DataError);
}

TEST_CASE("progress of the mapping grows to one, and may stop it") {
  MemoryScene scene = scene_of(dense_values());
  MemoryClassMapSink map(scene.grid());
  double last = 0;
  int calls = 0;
  classify_scene(scene, hand_made_model(), {&map}, {.ram_bytes = 0}, [&](double fraction) {
    CHECK(fraction > last);
    last = fraction;
    ++calls;
  });
  CHECK(last == 1);
  CHECK(calls > 5);
  const auto interrupt = [](double) { throw IoError("interrupted"); };
  CHECK_THROWS_AS(classify_scene(scene, hand_made_model(), {&map}, {.ram_bytes = 0}, interrupt), IoError);
}

namespace {

// Number 0 in the last columns, 9 in one far pixel of each corner, else blocks of 13 x 11 pixels in which number 3 is
// scattered.
std::vector<std::int64_t> segment_numbers() {
  std::vector<std::int64_t> numbers;
  for (Index row = 0; row < kHeight; ++row) {
    for (Index column = 0; column < kWidth; ++column) {
      const bool corner = (row == 0 || row == kHeight - 1) && column == 0;
      const std::int64_t block = 10'000'000'000 + (row / 11) * 100 + column / 13;
      numbers.push_back(column > 56 ? 0 : corner ? 9 : (row * kWidth + column) % 7 == 0 ? 3 : block);
    }
  }
  return numbers;
}

Outcome segments_of(MemoryScene& scene, const Model& model, const MappingOptions& options) {
  test::MemorySegments segments(kWidth, segment_numbers());
  std::vector<double> shares;
  const Outcome outcome = map_of(
      scene, model, options, [&](double share) { shares.push_back(share); }, &segments);
  CHECK(std::is_sorted(shares.begin(), shares.end()));
  CHECK(shares.back() == 1);
  return outcome;
}

// Means over the pixels of each segment that have a value: of the probabilities, and of the novelty behind them.
std::map<std::int64_t, Vector> naive_means(const Outcome& plain) {
  const std::vector<std::int64_t> numbers = segment_numbers();
  std::map<std::int64_t, Vector> sums;
  std::map<std::int64_t, double> counts;
  for (Index pixel = 0; pixel < kWidth * kHeight; ++pixel) {
    const std::int64_t number = numbers[static_cast<std::size_t>(pixel)];
    if (number > 0 && std::isfinite(plain.confidence(pixel, 0))) {
      Vector& sum = sums.try_emplace(number, Vector::Zero(kClasses + 1)).first->second;
      sum.head(kClasses) += plain.probabilities.row(pixel).transpose().cast<double>();
      sum[kClasses] += static_cast<double>(plain.novelty(pixel, 0));
      ++counts[number];
    }
  }
  for (auto& [number, sum] : sums) {
    sum /= counts[number];
  }
  return sums;
}

}  // namespace

TEST_CASE("the pixels of a segment have the label of their mean probabilities, the others their own") {
  const Model model = hand_made_model();
  const std::vector<std::int64_t> numbers = segment_numbers();
  for (const Spectra& values : {dense_values(), sparse_values()}) {
    MemoryScene scene = scene_of(values);
    const Outcome plain = map_of(scene, model, {});
    const Outcome outcome = segments_of(scene, model, {});
    const std::map<std::int64_t, Vector> means = naive_means(plain);
    CHECK(same_values(outcome.novelty, plain.novelty));
    CHECK(outcome.summary.classified == plain.summary.classified);
    std::size_t changed = 0;
    for (Index pixel = 0; pixel < kWidth * kHeight; ++pixel) {
      const auto i = static_cast<std::size_t>(pixel);
      if (numbers[i] == 0 || plain.codes[i] == 0) {
        REQUIRE(outcome.codes[i] == plain.codes[i]);
        continue;
      }
      const Vector expected = means.at(numbers[i]).head(kClasses);
      Index label = 0;
      REQUIRE(std::abs(static_cast<double>(outcome.confidence(pixel, 0)) - expected.maxCoeff(&label)) < 1e-6);
      REQUIRE(outcome.codes[i] == model.classes[static_cast<std::size_t>(label)].code);
      const Vector found = outcome.probabilities.row(pixel).transpose().cast<double>();
      REQUIRE((found - expected).cwiseAbs().maxCoeff() < 1e-6);
      changed += outcome.codes[i] != plain.codes[i] ? 1 : 0;
    }
    CHECK(changed > 1);
    // The list of segments says the same.
    REQUIRE(outcome.summary.segments.size() == means.size());
    std::int64_t before = 0;
    for (const ClassifiedSegment& segment : outcome.summary.segments) {
      CHECK(segment.number > before);
      before = segment.number;
      Index label = 0;
      CHECK(static_cast<double>(segment.confidence) ==
            doctest::Approx(means.at(segment.number).head(kClasses).maxCoeff(&label)).epsilon(1e-6));
      CHECK(segment.label == label);
      CHECK_FALSE(segment.rejected);
      CHECK(std::count_if(numbers.begin(), numbers.end(), [&](std::int64_t one) { return one == segment.number; }) >=
            segment.pixels);
    }
  }
}

TEST_CASE("a map by segments depends neither on storage blocks, nor on memory, nor on threads") {
  const Model model = hand_made_model();
  for (const Spectra& values : {dense_values(), sparse_values()}) {
    MemoryScene reference = scene_of(values);
    const Outcome expected = segments_of(reference, model, {.ram_bytes = 1 << 28, .threads = 1});
    for (const auto& [block_width, block_height] : {std::pair<Index, Index>{kWidth, 1}, {16, 16}, {7, 5}}) {
      for (const int threads : {1, 3}) {
        MemoryScene scene = scene_of(values);
        scene.set_block_size(block_width, block_height);
        const Outcome outcome = segments_of(scene, model, {.ram_bytes = 0, .threads = threads});
        check_same_map(outcome, expected);
        REQUIRE(outcome.summary.segments.size() == expected.summary.segments.size());
        for (std::size_t i = 0; i < expected.summary.segments.size(); ++i) {
          CHECK(outcome.summary.segments[i].confidence == expected.summary.segments[i].confidence);
          CHECK(outcome.summary.segments[i].pixels == expected.summary.segments[i].pixels);
          CHECK(outcome.summary.segments[i].window == expected.summary.segments[i].window);
        }
      }
    }
  }
}

TEST_CASE("segments are rejected as a whole, by their mean probability and their mean novelty") {
  const Model model = hand_made_model();
  MemoryScene scene = scene_of(dense_values());
  const Outcome plain = map_of(scene, model, {});
  const std::map<std::int64_t, Vector> means = naive_means(plain);
  const Outcome all = segments_of(scene, model, {});
  // Limits between those of the segments.
  std::vector<double> confidences;
  std::vector<double> novelties;
  for (const auto& [number, mean] : means) {
    confidences.push_back(mean.head(kClasses).maxCoeff());
    novelties.push_back(mean[kClasses]);
  }
  std::sort(confidences.begin(), confidences.end());
  std::sort(novelties.begin(), novelties.end());
  const std::size_t half = means.size() / 2;
  const MappingOptions options{.reject = (confidences[2] + confidences[3]) / 2,
                               .reject_novelty = (novelties[half] + novelties[half + 1]) / 2};
  const Outcome outcome = segments_of(scene, model, options);
  std::map<std::int64_t, bool> rejected;
  for (const ClassifiedSegment& segment : outcome.summary.segments) {
    const Vector& mean = means.at(segment.number);
    CHECK(segment.rejected ==
          (mean.head(kClasses).maxCoeff() < *options.reject || mean[kClasses] > *options.reject_novelty));
    rejected[segment.number] = segment.rejected;
  }
  const std::vector<std::int64_t> numbers = segment_numbers();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] > 0) {
      REQUIRE(outcome.codes[i] == (rejected.at(numbers[i]) ? 0 : all.codes[i]));
    }
  }
}

TEST_CASE("a map by segments is not made by rows") {
  const Model model = hand_made_model();
  MemoryScene scene = scene_of(dense_values());
  test::MemorySegments segments(kWidth, std::vector<std::int64_t>(kWidth * kHeight, 1));
  MemoryClassMapSink map(scene.grid());
  CHECK_THROWS_AS(classify_scene(scene, model, {&map, {}}, {.rows = ItemRange{0, 2}}, {}, &segments), ConfigError);
}

TEST_CASE("a map by segments is not regularised, too") {
  const Model model = hand_made_model();
  MemoryScene scene = scene_of(dense_values());
  MemoryClassMapSink map(scene.grid());
  test::MemorySegments segments(kWidth, segment_numbers());
  for (const char* rule : {"auto", "gaussian:1"}) {
    CHECK_THROWS_WITH_AS(
        classify_scene(scene, model, {&map, {}}, {.regularisation = parse_regularisation(rule)}, {}, &segments),
        "a map by segments is not regularised, too: the pixels of a segment are classified together already",
        ConfigError);
  }
}

TEST_CASE("a model that was trained to ask its neighbours has them asked, as strongly as was found good") {
  Model model = hand_made_model();
  MappingOptions options;
  set_regularisation(model, {}, options);
  CHECK(options.regularisation.method == RegularisationMethod::none);
  model.spatial = SpatialRecord{"none", {}};
  set_regularisation(model, {}, options);
  CHECK(options.regularisation.method == RegularisationMethod::none);
  model.spatial->steps.neighbours = true;
  model.spatial->strongest = 3;
  CHECK(is_calibrated(model, options));
  set_regularisation(model, {}, options);
  CHECK_FALSE(is_calibrated(model, options));
  CHECK(options.regularisation.method == RegularisationMethod::automatic);
  CHECK(options.strongest == 3);
}

namespace {

// A piece of the scene of `values`, as a scene of its own.
MemoryScene piece_of(const Spectra& values, const Window& piece) {
  Spectra part(piece.pixels(), kBands);
  for (Index row = 0; row < piece.height; ++row) {
    part.middleRows(row * piece.width, piece.width) =
        values.middleRows((piece.row + row) * kWidth + piece.column, piece.width);
  }
  RasterGrid grid;
  grid.width = piece.width;
  grid.height = piece.height;
  return {"piece", grid, scene_of(values).bands(), part};
}

// Whether the pixels of `inner` are in the map of the scene what they are in that of the inner window and `border`
// pixels around it.
bool same_in_piece(const Spectra& values, const Model& model, const MappingOptions& options, const Window& inner,
                   Index border) {
  const Index left = std::max<Index>(0, inner.column - border);
  const Index top = std::max<Index>(0, inner.row - border);
  const Window piece{left, top, std::min(kWidth, inner.column + inner.width + border) - left,
                     std::min(kHeight, inner.row + inner.height + border) - top};
  MemoryScene whole = scene_of(values);
  MemoryScene part = piece_of(values, piece);
  const Outcome expected = map_of(whole, model, options);
  const Outcome outcome = map_of(part, model, options);
  bool equal = true;
  for (Index row = inner.row; row < inner.row + inner.height; ++row) {
    for (Index column = inner.column; column < inner.column + inner.width; ++column) {
      const Index there = row * kWidth + column;
      const Index here = (row - top) * piece.width + column - left;
      equal = equal &&
              expected.codes[static_cast<std::size_t>(there)] == outcome.codes[static_cast<std::size_t>(here)] &&
              same_values(expected.probabilities.row(there), outcome.probabilities.row(here)) &&
              same_values(expected.decision_values.row(there), outcome.decision_values.row(here));
    }
  }
  return equal;
}

}  // namespace

TEST_CASE("a piece of a scene that reaches so far around its pixels tells of them what the whole scene does") {
  for (const Model& model : {hand_made_model(), profiled_model()}) {
    for (const char* rule : {"none", "gaussian:1.5", "neighbours:0.7:3"}) {
      const MappingOptions options{.regularisation = parse_regularisation(rule)};
      const Index reach = map_reach(model, options.regularisation, {});
      CHECK((reach == 0) == (!model.profile && options.regularisation.method == RegularisationMethod::none));
      for (const Spectra& values : {dense_values(), sparse_values()}) {
        CHECK(same_in_piece(values, model, options, {20, 15, 9, 7}, reach));
        CHECK(same_in_piece(values, model, options, {0, 30, 12, 17}, reach));
        CHECK(same_in_piece(values, model, options, {45, 0, 16, 8}, reach));
      }
    }
  }
}

TEST_CASE("neighbours and profiles reach no further than that") {
  CHECK(map_reach(hand_made_model(), parse_regularisation("neighbours:1"), {}) == 3);
  CHECK(map_reach(hand_made_model(), parse_regularisation("gaussian:1.5"), {}) == 5);
  CHECK_FALSE(same_in_piece(dense_values(), hand_made_model(), {.regularisation = parse_regularisation("neighbours:1")},
                            {20, 15, 9, 7}, 2));
  // A disc of radius 2, opened and closed, sees 4 pixels, and 3 steps of reconstruction 3 more.
  CHECK(map_reach(profiled_model(), {}, {}) == 7);
  CHECK(map_reach(profiled_model(), parse_regularisation("neighbours:1"), {}) == 10);
}

TEST_CASE("what is chosen from a scene, or is in metres of it, needs the scene") {
  CHECK_THROWS_AS(map_reach(hand_made_model(), parse_regularisation("auto"), {}), ConfigError);
  Model metres = profiled_model();
  metres.profile->metres = true;
  metres.profile->radii = {30, 60};
  CHECK_THROWS_AS(map_reach(metres, {}, {}), DataError);
  CHECK(map_reach(metres, {}, 30) == 7);
}
