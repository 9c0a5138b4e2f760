#include "parsimap/mapping/model_scene.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "parsimap/core/error.hpp"
#include "parsimap/core/random.hpp"
#include "parsimap/mapping/classify_scene.hpp"
#include "parsimap/mapping/label_places.hpp"
#include "parsimap/mapping/map_layer.hpp"
#include "parsimap/scene/open_scene.hpp"

#include "support/memory_scene.hpp"
#include "unit/mapping/hand_made_scene.hpp"

namespace parsimap::test {
namespace {

// Bands and features of all pixels, read at once.
Spectra all_values(SceneSource& scene, const Model& model) {
  ModelScene seen(scene, model, {}, std::int64_t{1} << 28U, 1);
  Spectra values;
  seen.source().read({0, 0, kWidth, kHeight}, seen.bands(), values);
  return values;
}

void check_same(const Outcome& a, const Outcome& b) {
  CHECK(a.codes == b.codes);
  CHECK(same_values(a.probabilities, b.probabilities));
  CHECK(same_values(a.confidence, b.confidence));
  CHECK(same_values(a.decision_values, b.decision_values));
  CHECK(same_values(a.novelty, b.novelty));
}

}  // namespace

TEST_CASE("model scene: without profiles it is the scene in the bands of the model") {
  MemoryScene scene = scene_of(dense_values());
  const Model model = hand_made_model();
  ModelScene seen(scene, model, {}, 1 << 20U, 1);
  CHECK(&seen.source() == &scene);
  CHECK(seen.bands() == model.bands);
  CHECK(seen.bytes() == 0);
  CHECK(values_of_pixel(model) == 6);
}

TEST_CASE("model scene: drawn pixels have values, are spread over the scene and always the same") {
  MemoryScene scene = scene_of(sparse_values());
  const Model model = hand_made_model();
  ModelScene seen(scene, model, {}, 1 << 20U, 1);
  const DrawnPixels drawn = drawn_pixels(seen, 65536, 100);
  REQUIRE(drawn.spectra.rows() == std::ssize(drawn.pixels));
  CHECK(drawn.spectra.rows() > 50);
  CHECK(drawn.spectra.rows() <= 100);
  const Spectra values = all_values(scene, model);
  for (std::size_t i = 0; i < drawn.pixels.size(); ++i) {
    CHECK(drawn.spectra.row(static_cast<Index>(i)) == values.row(drawn.pixels[i]));
  }
  CHECK(drawn_pixels(seen, 65536, 100).pixels == drawn.pixels);
}

TEST_CASE("a map begins when pixels have been drawn, and not before") {
  MemoryScene scene = scene_of(dense_values());
  MemoryClassMapSink map(scene.grid());
  std::int64_t drawn = 0;
  MappingOptions options;
  options.regularisation.method = RegularisationMethod::automatic;
  options.begin = [&] { drawn = scene.values_read(); };
  classify_scene(scene, hand_made_model(), {&map, {}}, options, {});
  CHECK(drawn > 0);
  CHECK(scene.values_read() > drawn);
}

TEST_CASE(
    "model scene: features follow the bands, and what they take of the memory is at most half of what it can be") {
  MemoryScene scene = scene_of(dense_values());
  const Model model = profiled_model();
  CHECK(values_of_pixel(model) == 6 + 10);
  const std::int64_t working = ProfiledScene::working_bytes(*model.profile, {}, 2);
  for (const std::int64_t ram : {std::int64_t{0}, working + 1000, std::int64_t{1} << 30U}) {
    ModelScene seen(scene, model, {}, ram, 2);
    CHECK(seen.bands().size() == 16);
    CHECK(seen.bytes() <= working + std::max<std::int64_t>(0, ram - working) / 2);
    CHECK(seen.bytes() >= working);
  }
}

TEST_CASE("a map with profiles is that of the spectra and profiles of its pixels") {
  const Model model = profiled_model();
  for (const Spectra& values : {dense_values(), sparse_values()}) {
    MemoryScene scene = scene_of(values);
    const Outcome outcome = map_of(scene, model, {});
    const Spectra all = all_values(scene, model);
    const Outcome plain = map_of(scene, hand_made_model(), {});
    CHECK(same_values(outcome.novelty, plain.novelty));
    CHECK_FALSE(outcome.codes == plain.codes);
    for (Index i = 0; i < all.rows(); i += 7) {
      REQUIRE(all.row(i).allFinite() == values(i, model.bands).allFinite());
      REQUIRE(all.row(i).allFinite() == (outcome.codes[static_cast<std::size_t>(i)] != 0));
      if (all.row(i).allFinite()) {
        Spectra expected;
        Predictor(model).decision_values(all.row(i), 1, expected);
        REQUIRE(same_values(outcome.decision_values.row(i), expected));
      }
    }
  }
}

TEST_CASE("a map with profiles depends neither on storage blocks, nor on memory, threads or rows") {
  const Model model = profiled_model();
  for (const char* rule : {"none", "neighbours:0.7:3", "auto"}) {
    const Regularisation regularisation = parse_regularisation(rule);
    for (const Spectra& values : {dense_values(), sparse_values()}) {
      MemoryScene reference = scene_of(values);
      const Outcome expected = map_of(reference, model, {.threads = 1, .regularisation = regularisation});
      for (const auto& [block_width, block_height] : {std::pair<Index, Index>{kWidth, 1}, {16, 16}}) {
        for (const int threads : {2, 5}) {
          MemoryScene scene = scene_of(values);
          scene.set_block_size(block_width, block_height);
          // Enough for what regularising keeps, and for windows of few pixels.
          const std::int64_t ram = little_memory(model, threads) +
                                   2 * ProfiledScene::working_bytes(*model.profile, {}, threads) + (6 << 20U) * threads;
          MappingOptions options{.ram_bytes = threads == 2 ? ram : std::int64_t{1} << 28U,
                                 .threads = threads,
                                 .regularisation = regularisation};
          check_same(map_of(scene, model, options), expected);
          options.rows = ItemRange{13, 14};
          const Outcome part = map_of(scene, model, options);
          CHECK(std::equal(part.codes.begin() + 13 * kWidth, part.codes.begin() + 14 * kWidth,
                           expected.codes.begin() + 13 * kWidth));
          CHECK(same_values(part.probabilities.middleRows(13 * kWidth, kWidth),
                            expected.probabilities.middleRows(13 * kWidth, kWidth)));
        }
      }
      if (regularisation.method == RegularisationMethod::automatic) {
        CHECK(resolve_regularisation(reference, model, {.ram_bytes = 0, .regularisation = regularisation}) ==
              expected.summary.regularisation);
      }
      if (regularisation.method == RegularisationMethod::none) {
        check_same(map_of(reference, model, {.ram_bytes = 0, .threads = 1}), expected);
      }
    }
  }
}

TEST_CASE("a mask leaves pixels without a class, and changes no label, probability or layer of the others") {
  const auto mask = [] {
    Spectra shown(kWidth * kHeight, 1);
    for (Index i = 0; i < shown.rows(); ++i) {
      // A disc and a single pixel, so that nearly all neighbours and surroundings of some pixels are hidden.
      const Index column = i % kWidth;
      const Index row = i / kWidth;
      const bool disc = (column - 20) * (column - 20) + (row - 15) * (row - 15) < 60;
      shown(i, 0) = disc || (column == 55 && row == 41) ? 1.0F : 0.0F;
    }
    return std::make_shared<MemoryScene>("mask", RasterGrid{kWidth, kHeight, std::nullopt, ""}, BandTable(1), shown);
  };
  for (const Model& model : {hand_made_model(), profiled_model()}) {
    for (const char* rule : {"none", "neighbours:0.7:3", "auto"}) {
      for (const Spectra& values : {dense_values(), sparse_values()}) {
        const Regularisation regularisation = parse_regularisation(rule);
        MemoryScene whole = scene_of(values);
        const Outcome expected = map_of(whole, model, {.threads = 1, .regularisation = regularisation});
        for (const int threads : {1, 3}) {
          MaskedScene masked(std::make_shared<MemoryScene>(scene_of(values)), mask());
          const MappingOptions options{
              .ram_bytes = std::int64_t{1} << 28U, .threads = threads, .regularisation = regularisation};
          const Outcome outcome = map_of(masked, model, options);
          CHECK(outcome.summary.regularisation == expected.summary.regularisation);
          CHECK(resolve_regularisation(masked, model, options) == expected.summary.regularisation);
          const std::vector<bool> shown = masked.shown({0, 0, kWidth, kHeight});
          std::int64_t classified = 0;
          for (std::size_t i = 0; i < shown.size(); ++i) {
            const auto row = static_cast<Index>(i);
            REQUIRE(outcome.codes[i] == (shown[i] ? expected.codes[i] : 0));
            if (shown[i]) {
              REQUIRE(same_values(outcome.probabilities.row(row), expected.probabilities.row(row)));
              REQUIRE(same_values(outcome.decision_values.row(row), expected.decision_values.row(row)));
              REQUIRE(same_values(outcome.novelty.row(row), expected.novelty.row(row)));
            } else {
              REQUIRE(std::isnan(outcome.confidence(row, 0)));
              REQUIRE(std::isnan(outcome.novelty(row, 0)));
            }
            classified += outcome.codes[i] != 0 ? 1 : 0;
          }
          CHECK(outcome.summary.classified == classified);
          CHECK(classified > 0);
        }
      }
    }
  }
}

TEST_CASE("radii in metres want the width of a pixel") {
  Model metres = profiled_model();
  metres.profile->metres = true;
  metres.profile->radii = {30, 60};
  MemoryScene scene = scene_of(dense_values());
  CHECK_THROWS_AS(map_of(scene, metres, {}), DataError);
  check_same(map_of(scene, metres, {.pixel_metres = 30}), map_of(scene, profiled_model(), {}));
}

TEST_CASE("places to label are found with profiles, whatever the memory and the threads") {
  const Model model = profiled_model();
  MemoryScene scene = scene_of(dense_values());
  const LabelPlaces expected = choose_label_places(scene, model, nullptr, {.count = 6, .threads = 1}, {});
  CHECK(expected.pixels == kWidth * kHeight);
  REQUIRE(expected.places.size() == 6);
  const Outcome outcome = map_of(scene, model, {});
  const LabelPlaces again = choose_label_places(scene, model, nullptr, {.count = 6, .ram_bytes = 0, .threads = 3}, {});
  for (std::size_t i = 0; i < expected.places.size(); ++i) {
    const LabelPlace& place = expected.places[i];
    CHECK(again.places[i].pixel == place.pixel);
    CHECK(place.probability == outcome.probabilities(place.pixel, place.label));
  }
}

}  // namespace parsimap::test

using namespace parsimap;
using namespace parsimap::test;

namespace {

MemoryScene scene_with_bands(const BandTable& bands) {
  RasterGrid grid;
  grid.width = 1;
  grid.height = 1;
  return {"s.tif", grid, bands, Spectra::Zero(1, static_cast<Index>(bands.size()))};
}

BandTable at(const std::vector<double>& wavelengths) {
  BandTable bands;
  for (const double wavelength : wavelengths) {
    bands.push_back({"", wavelength});
  }
  return bands;
}

BandTable named(const std::vector<std::string>& names) {
  BandTable bands;
  for (const std::string& name : names) {
    bands.push_back({name, std::nullopt});
  }
  return bands;
}

// A model trained on `bands` that uses those of `used`.
Model model_of(const BandTable& bands, const Indices& used) {
  Model model;
  model.scene_bands = static_cast<Index>(bands.size());
  model.bands = used;
  for (const Index band : used) {
    model.band_table.push_back(bands[static_cast<std::size_t>(band)]);
  }
  return model;
}

std::string refusal_of_bands(const BandTable& scene, const Model& model) {
  try {
    match_bands(scene_with_bands(scene), model);
  } catch (const DataError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace

TEST_CASE("the tolerance is half the usual distance of bands, at most five nanometres") {
  CHECK(wavelength_tolerance(at({400, 410, 420, 430})) == 5);
  CHECK(wavelength_tolerance(at({400, 405, 410, 2000})) == 2.5);
  CHECK(wavelength_tolerance(at({2000, 400, 401, 402, 403})) == 0.5);
  CHECK(wavelength_tolerance(at({700, 400, 700, 404})) == 5);
  CHECK(wavelength_tolerance(at({500, 500})) == 5);
  CHECK(wavelength_tolerance(named({"a", "b"})) == 5);
}

TEST_CASE("the bands of the training scene are found where they are, in any order, among others") {
  BandTable bands;
  Random random(3);
  for (int i = 0; i < 60; ++i) {
    bands.push_back({"", 400 + 7 * i + random.uniform()});
  }
  const Model model = model_of(bands, {0, 3, 4, 17, 40, 41, 59});
  CHECK(match_bands(scene_with_bands(bands), model) == model.bands);

  std::reverse(bands.begin(), bands.end());
  bands.insert(bands.begin(), {"", std::nullopt});
  bands.push_back({"", 2500.0});
  Indices reversed;
  for (const Index band : model.bands) {
    reversed.push_back(60 - band);
  }
  CHECK(match_bands(scene_with_bands(bands), model) == reversed);
}

TEST_CASE("wavelengths: nearest first, one to one, within the tolerance") {
  const Model model = model_of(at({400, 410, 420}), {0, 1, 2});
  CHECK(match_bands(scene_with_bands(at({404, 411, 417, 424})), model) == Indices{0, 1, 2});
  CHECK(match_bands(scene_with_bands(at({425, 415, 400})), model) == Indices{2, 1, 0});
  CHECK(refusal_of_bands(at({400, 415.1, 425}), model) ==
        "s.tif lacks 1 of the 3 bands that the model uses (a band of its own within 5 nm); of the training scene "
        "these are the bands 2 (410 nm)");
  // One band does not stand for two.
  CHECK(refusal_of_bands(at({405, 420, 430}), model) ==
        "s.tif lacks 1 of the 3 bands that the model uses (a band of its own within 5 nm); of the training scene "
        "these are the bands 2 (410 nm)");
  CHECK(refusal_of_bands(at({2000}), model) ==
        "s.tif lacks 3 of the 3 bands that the model uses (a band of its own within 5 nm); of the training scene "
        "these are the bands 1 (400 nm), 2 (410 nm), 3 (420 nm)");
}

TEST_CASE("wavelengths: a neighbour is not taken for a missing band") {
  const Model model = model_of(at({400, 405, 410, 415, 420}), {0, 1, 2, 4});
  CHECK(refusal_of_bands(at({400, 405, 415, 420}), model).find("the bands 3 (410 nm)") != std::string::npos);
}

TEST_CASE("wavelengths that occur several times are distinguished by name, then by position") {
  // Two dates of three bands.
  BandTable stack = at({450, 550, 650, 450, 550, 650});
  const Model by_position = model_of(stack, {0, 1, 2, 3, 4, 5});
  CHECK(match_bands(scene_with_bands(stack), by_position) == by_position.bands);
  for (std::size_t i = 0; i < 6; ++i) {
    stack[i].name = i < 3 ? "May" : "June";
  }
  const Model model = model_of(stack, {0, 1, 4});
  std::rotate(stack.begin(), stack.begin() + 3, stack.end());
  CHECK(match_bands(scene_with_bands(stack), model) == Indices{3, 4, 1});
}

TEST_CASE("names count where there are no wavelengths in both") {
  BandTable bands = named({"B2", "B3", "B4", "B8"});
  const Model model = model_of(bands, {0, 2, 3});
  CHECK(match_bands(scene_with_bands(named({"B8", "B4", "", "B3", "B2", "B12"})), model) == Indices{4, 1, 0});
  CHECK(refusal_of_bands(named({"B1", "B4", "B3", "B2"}), model) ==
        "s.tif lacks 1 of the 3 bands that the model uses (by name); of the training scene these are the bands 4 (B8); "
        "bands that the model uses: 1 (B2), 3 (B4), 4 (B8); bands of s.tif: 1 (B1), 2 (B4), 3 (B3), 4 (B2); "
        "--bands-by-position takes bands at equal positions");
  CHECK(
      refusal_of_bands(named({"B4", "B4", "B8", "B2"}), model) ==
      "s.tif has 2 bands named 'B4'; the bands that the model uses are found by name, so there must be one; bands that "
      "the model uses: 1 (B2), 3 (B4), 4 (B8); bands of s.tif: 1 (B4), 2 (B4), 3 (B8), 4 (B2); --bands-by-position "
      "takes "
      "bands at equal positions");
  // Wavelengths on one side alone do not help.
  bands[1].wavelength = 500;
  std::swap(bands[0], bands[3]);
  CHECK(match_bands(scene_with_bands(bands), model) == Indices{3, 2, 0});
}

TEST_CASE("without wavelengths or names in both the order counts, and the number must agree") {
  const Model plain = model_of(BandTable(4), {0, 2, 3});
  CHECK(match_bands(scene_with_bands(BandTable(4)), plain) == plain.bands);
  CHECK(match_bands(scene_with_bands(at({1, 2, 3, 4})), plain) == plain.bands);
  CHECK(match_bands(scene_with_bands(named({"a", "b", "c", "d"})), plain) == plain.bands);
  CHECK(match_bands(scene_with_bands(BandTable(4)), model_of(at({400, 500, 600, 700}), {1, 2})) == Indices{1, 2});
  CHECK(match_bands(scene_with_bands(named({"x", "y", "z"})), model_of(named({"a", "a", "b"}), {0, 1})) ==
        Indices{0, 1});
  CHECK(refusal_of_bands(BandTable(5), plain) ==
        "s.tif has 5 bands, but the training scene has 4 bands; without wavelengths or names in both they must be the "
        "same "
        "bands");
  // A wavelength that both know must agree all the same.
  BandTable partly = at({400, 500, 600});
  partly[1].wavelength.reset();
  const Model model = model_of(partly, {0, 1, 2});
  CHECK(match_bands(scene_with_bands(at({405, 1, 595})), model) == model.bands);
  CHECK(refusal_of_bands(at({400, 1, 594}), model) ==
        "s.tif: band 3 has wavelength 594 nm, but the training scene has 600 nm there; they may differ by 5 nm at "
        "most");
}

TEST_CASE("the bands of a scene by their places are those of the model") {
  const Model model = model_of(at({400, 500, 600}), {0, 2});
  BandTable scaled(3);
  scaled[2].scale = 0.1;
  const BandTable named = bands_by_place(scaled, model);
  CHECK(named[0].wavelength == 400);
  CHECK_FALSE(named[1].wavelength);
  CHECK(named[2].wavelength == 600);
  CHECK(named[2].scale == 0.1);
  CHECK(match_bands(scene_with_bands(named), model) == model.bands);
}

TEST_CASE("a long list of missing bands is cut") {
  BandTable bands;
  for (int i = 0; i < 30; ++i) {
    bands.push_back({"b" + std::to_string(i), std::nullopt});
  }
  Indices used(30);
  for (std::size_t i = 0; i < 30; ++i) {
    used[i] = static_cast<Index>(i);
  }
  const std::string text = refusal_of_bands(named({"other"}), model_of(bands, used));
  CHECK(text.find("lacks 30 of the 30 bands") != std::string::npos);
  CHECK(text.find("20 (b19) and 10 more") != std::string::npos);
  CHECK(text.find("b20") == std::string::npos);
}
