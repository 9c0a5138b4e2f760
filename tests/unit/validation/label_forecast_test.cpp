#include "parsimap/validation/label_forecast.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "parsimap/classifier/model.hpp"
#include "parsimap/classifier/train.hpp"
#include "parsimap/core/random.hpp"

#include "support/toy_regions.hpp"

namespace parsimap::test {
namespace {

struct Forecaster {
  SampleSet samples;
  Model model = train_one_vs_all(samples, {}, {});

  [[nodiscard]] LabelForecast forecast(Index more, int threads = 1, const Vector& shares = {}) const {
    const Matrix spectra = model.scaling.apply(samples.spectra);
    LeftOutOptions options;
    options.repeats = 2;
    options.threads = threads;
    return forecast_accuracy({spectra, samples.labels, samples.places, samples.classes.size()}, {},
                             design_of(model, DimensionRule()), more, shares, options);
  }
};

// Classes further apart, or nearer, than those of the toy.
SampleSet regions_apart(Index regions, double factor) {
  SampleSet samples = toy::labelled_regions(regions, 3);
  for (Index i = 0; i < samples.size(); ++i) {
    samples.spectra(i, samples.labels[static_cast<std::size_t>(i)]) += 3 * (factor - 1);
  }
  return samples;
}

void check_equal(const std::optional<ForecastValue>& a, const std::optional<ForecastValue>& b) {
  REQUIRE(a.has_value() == b.has_value());
  if (a) {
    CHECK(a->now == doctest::Approx(b->now).epsilon(1e-9));
    CHECK(a->then == doctest::Approx(b->then).epsilon(1e-9));
    CHECK(a->interval.low == doctest::Approx(b->interval.low).epsilon(1e-6));
    CHECK(a->interval.high == doctest::Approx(b->interval.high).epsilon(1e-6));
  }
}

void check_equal(const LabelForecast& a, const LabelForecast& b) {
  check_equal(a.overall, b.overall);
  check_equal(a.average, b.average);
  for (std::size_t c = 0; c < a.classes.size(); ++c) {
    check_equal(a.classes[c], b.classes[c]);
  }
  CHECK(a.enough == b.enough);
}

}  // namespace

TEST_CASE("label forecast: accuracy does not fall with more features, and is known less far away") {
  const Forecaster toy{regions_apart(8, 0.6)};
  const LabelForecast now = toy.forecast(0);
  CHECK(now.features == 32);
  CHECK(now.units == std::vector<Index>(4, 8));
  REQUIRE(now.overall);
  CHECK(now.overall->then == now.overall->now);
  double before = 0;
  for (const Index more : {0, 16, 64, 256}) {
    const LabelForecast forecast = toy.forecast(more);
    for (const auto& value : {forecast.overall, forecast.average}) {
      REQUIRE(value);
      CHECK(value->interval.low <= value->then);
      CHECK(value->then <= value->interval.high);
      CHECK(value->now <= value->then);
    }
    CHECK(forecast.overall->then >= before);
    before = forecast.overall->then;
    // As many units of every class, and as many pixels of every unit.
    CHECK(forecast.average->then == doctest::Approx(forecast.overall->then).epsilon(0.05));
    CHECK(forecast.enough == now.enough);
  }
}

TEST_CASE("label forecast: classes of too few units have no value, and less than two judged classes none at all") {
  SampleSet samples = regions_apart(8, 1);
  const auto keep = [&](int label, std::int64_t regions) {
    Indices rows;
    for (Index i = 0; i < samples.size(); ++i) {
      const auto row = static_cast<std::size_t>(i);
      if (samples.labels[row] != label || samples.places[row].region < 4 * regions) {
        rows.push_back(i);
      }
    }
    samples = subset(samples, rows);
  };
  keep(2, 4);
  const LabelForecast three = Forecaster{samples}.forecast(10);
  CHECK(three.units == std::vector<Index>{8, 8, 4, 8});
  CHECK(!three.classes[2]);
  CHECK(three.classes[0]);
  CHECK(three.overall);
  keep(0, 3);
  keep(1, 2);
  const LabelForecast one = Forecaster{samples}.forecast(10);
  CHECK(!one.overall);
  CHECK(!one.average);
  CHECK(!one.enough);
  CHECK(std::ranges::none_of(one.classes, [](const auto& value) { return value.has_value(); }));
}

TEST_CASE("label forecast: where nothing is wrong, more labels do not pay") {
  const LabelForecast forecast = Forecaster{regions_apart(8, 4)}.forecast(32);
  REQUIRE(forecast.overall);
  CHECK(forecast.overall->now > 0.99);
  CHECK(forecast.enough == 0);
  CHECK(forecast.overall->interval.high == doctest::Approx(1).epsilon(1e-3));
  // Without an error the interval is not empty: 32 units say that few are wrong, and not that none is.
  CHECK(forecast.overall->interval.low < 0.99);
  CHECK(forecast.overall->interval.low > 0.8);
}

TEST_CASE("label forecast: neither threads nor the order of the samples matter, and equal shares are no shares") {
  const Forecaster toy{regions_apart(7, 0.7)};
  const LabelForecast forecast = toy.forecast(20);
  check_equal(toy.forecast(20, 3), forecast);
  const Forecaster shuffled{subset(toy.samples, Random(5).permutation(toy.samples.size())), toy.model};
  check_equal(shuffled.forecast(20), forecast);
  const LabelForecast shared = toy.forecast(20, 1, Vector::Constant(4, 0.25));
  CHECK(shared.overall->then == doctest::Approx(forecast.overall->then).epsilon(0.02));
  check_equal(shared.average, forecast.average);
  // All of the map is one class: the overall accuracy is that of the class.
  const LabelForecast single = toy.forecast(0, 1, Vector::Unit(4, 1));
  CHECK(single.overall->now == doctest::Approx(single.classes[1]->now).epsilon(0.1));
}

}  // namespace parsimap::test
