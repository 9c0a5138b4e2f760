#include "experiment/draws.hpp"

#include <doctest/doctest.h>

#include "unit/experiment/toy_experiment.hpp"

using namespace parsimap;

TEST_CASE("draws: loaded samples are shared where nothing is random") {
  const auto loaded = std::make_shared<const Dataset>(toy::three_class_dataset());
  DataSpec data = toy::loaded_data("hills");
  CHECK(make_draw(data, loaded, 3) == loaded);
  data.train_per_class = 6;
  CHECK(make_draw(data, loaded, 3)->train.pixels == split_training(*loaded, 6, 3).train.pixels);
}

TEST_CASE("draws: simulated samples may be split too") {
  DataSpec data;
  data.source = toy::small_simulation();
  CHECK(make_draw(data, nullptr, 3)->train.spectra == draw_simulation(toy::small_simulation(), 3).train.spectra);
  data.train_per_class = 8;
  const auto draw = make_draw(data, nullptr, 3);
  CHECK(draw->train.size() == 24);
  CHECK(draw->tests.front().samples.size() == 90 - 24);
  CHECK(draw->tests.back().samples.size() == 510);
}

TEST_CASE("draws: made once and dropped after the last run") {
  DrawSlot slot;
  slot.add_run();
  slot.add_run();
  int made = 0;
  const auto make = [&] {
    ++made;
    return std::make_shared<const Dataset>(toy::three_class_dataset());
  };
  std::weak_ptr<const Dataset> draw = slot.take(make);
  CHECK(slot.take(make) == draw.lock());
  CHECK(made == 1);
  slot.finish_run();
  CHECK(!draw.expired());
  slot.finish_run();
  CHECK(draw.expired());
}
