#include "mapping/window_plan.hpp"

#include <doctest/doctest.h>

#include <map>

#include "parsimap/core/error.hpp"
#include "parsimap/mapping/classify_scene.hpp"

#include "support/memory_scene.hpp"
#include "unit/mapping/hand_made_scene.hpp"

using namespace parsimap;
using namespace parsimap::test;

static Index pixels_of(const std::vector<Window>& windows) {
  Index pixels = 0;
  for (const Window& window : windows) {
    pixels += window.pixels();
  }
  return pixels;
}

TEST_CASE("windows cover the rows, within the memory") {
  const Model model = hand_made_model();
  MemoryScene scene = scene_of(dense_values());
  const Regularisation rule{RegularisationMethod::neighbours, 1, 2};
  const ItemRange rows{10, 30};
  for (const std::int64_t bytes : {1 << 16, 1 << 18, 1 << 28}) {
    const WindowPlan plain = window_plan(scene, rows, model, {}, kClasses, bytes, 1);
    CHECK(pixels_of(plain.windows) == rows.size() * kWidth);
    CHECK_FALSE(plain.neighbours);
    CHECK(plain.bytes <= bytes);
    const WindowPlan smooth = window_plan(scene, rows, model, rule, kClasses, bytes, 1);
    // Neighbours above and below are evaluated with them.
    CHECK(pixels_of(smooth.windows) == (rows.size() + 2 * gaussian_reach(rule.sigma)) * kWidth);
    REQUIRE(smooth.neighbours);
    CHECK(smooth.bytes <= bytes);
    CHECK(smooth.bytes > RollingBlocks::bytes(*smooth.neighbours, kClasses, gaussian_reach(rule.sigma)));
  }
  CHECK_THROWS_AS(window_plan(scene, rows, model, rule, kClasses, 1000, 1), ConfigError);
}

TEST_CASE("the plan of a map counts operations and memory as the map takes them") {
  const Model model = hand_made_model();
  MemoryScene scene = scene_of(dense_values());
  MappingOptions options{.ram_bytes = 1 << 20, .threads = 1};
  double operations = 12 * 6;
  for (const BinaryClassifier& machine : model.classifiers) {
    operations += static_cast<double>(machine.support.size()) * (2 + 12);
  }
  const MappingPlan plain = plan_mapping(scene, model, {}, options, false);
  CHECK(plain.operations == doctest::Approx(kWidth * kHeight * operations));
  CHECK(plain.windows * plain.window_pixels >= kWidth * kHeight);
  CHECK(plain.bytes <= options.ram_bytes);
  // A second pass, and tables of novelty.
  const MappingPlan more = plan_mapping(scene, model, {{MapLayer::novelty, "n.tif"}}, options, true);
  CHECK(more.operations == doctest::Approx(2 * plain.operations));
  CHECK(more.bytes > plain.bytes);
  options.rows = ItemRange{0, 10};
  CHECK(plan_mapping(scene, model, {}, options, false).operations == doctest::Approx(10 * kWidth * operations));
  // The refusal of a map that would not fit.
  options.regularisation = parse_regularisation("gaussian:9");
  options.ram_bytes = 1 << 14;
  CHECK_THROWS_AS(plan_mapping(scene, model, {}, options, false), ConfigError);
  CHECK_THROWS_AS(map_of(scene, model, options), ConfigError);
}

TEST_CASE("early stages count by the pixels that they leave to what follows") {
  Model model = hand_made_model();
  MemoryScene scene = scene_of(dense_values());
  const MappingOptions options{.threads = 1};
  const double all = plan_mapping(scene, model, {}, options, false).operations / (kWidth * kHeight);
  EarlyStage stage;
  stage.support = {0, 1};
  stage.coefficients = Matrix::Zero(2 + 1 + 1, kClasses);
  stage.leads = Vector::Ones(kClasses);
  stage.decided = 0.75;
  model.early_stages = EarlyStages{Matrix::Identity(6, 1), {stage}};
  const double early = 6 * 1 + 2 * (1 + 12) + (2 + 1) * kClasses;
  CHECK(plan_mapping(scene, model, {}, options, false).operations ==
        doctest::Approx(kWidth * kHeight * (early + 0.25 * all)));
  CHECK(plan_mapping(scene, model, {{MapLayer::confidence, "c.tif"}}, options, false).operations ==
        doctest::Approx(kWidth * kHeight * all));
}
