#include "commands/inspected_wavelengths.hpp"

#include <doctest/doctest.h>

#include <numeric>

#include "parsimap/json/model_file.hpp"

#include "commands/inspected_samples.hpp"
#include "support/small_scene.hpp"

namespace parsimap::test {

TEST_CASE("every band of the model is in one interval, and the intervals say where they are") {
  const SmallScene& small = SmallScene::instance();
  Model model = load_model(small.model());
  InspectOptions options;
  options.model = small.model();
  options.scene.path = small.scene();
  options.labels = {{small.polygons()}, {"class", {}}};
  const InputScene scene = open_input_scene(options.scene);
  RecordingListener listener;
  const SampleSet samples = read_inspected_samples(options, model, *scene.source, listener).samples;
  const Matrix spectra = model.scaling.apply(samples.spectra);
  const auto inspected = [&](const Indices& untrusted) {
    return inspect_wavelengths(options, model, ClassifierDesign(model), samples, spectra, untrusted, listener);
  };
  const WavelengthRecord record = inspected({});
  REQUIRE(record.ranges.size() == record.importance.intervals.size());
  std::size_t bands = 0;
  for (const Indices& interval : record.importance.intervals) {
    bands += interval.size();
  }
  CHECK(bands == model.bands.size());
  CHECK(record.ranges.front().first == 0);
  CHECK(record.ranges.back().last == 11);
  REQUIRE(record.ranges.front().wavelengths);
  CHECK((*record.ranges.front().wavelengths)[0] == doctest::Approx(400));
  CHECK(record.importance.all.samples == samples.size());
  REQUIRE(record.pairs.size() == 1);
  CHECK(record.pairs[0].jeffries_matusita > 1);
  CHECK(listener.stages.back() == "judging wavelengths");
  CHECK(inspected({0, 1}).importance.all.samples == samples.size() - 2);
  // Without wavelengths the order is that of the bands.
  model.band_table[3].wavelength.reset();
  CHECK_FALSE(inspected({}).ranges.front().wavelengths);
}

}  // namespace parsimap::test
