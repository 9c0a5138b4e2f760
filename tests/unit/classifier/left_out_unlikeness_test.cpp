#include "parsimap/classifier/left_out_unlikeness.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "parsimap/core/random.hpp"
#include "parsimap/samples/sample_set.hpp"

#include "classifier/class_distance.hpp"
#include "classifier/class_novelty.hpp"

namespace parsimap::test {
namespace {

constexpr int kFolds = 3;

// Two classes of 40 samples in units of four, and one of six samples in units of one; every unit is in a fold.
struct LeftOutProblem {
  SampleSet samples;
  Matrix spectra;
  std::vector<LeftOutRecord> left_out;
  DimensionRule rule;
  std::vector<ClassNovelty> novelty;

  LeftOutProblem() {
    Random random(3);
    samples.classes = {{1, "a", {}}, {2, "b", {}}, {3, "rare", {}}};
    for (int i = 0; i < 86; ++i) {
      samples.labels.push_back(i < 40 ? 0 : i < 80 ? 1 : 2);
      SamplePlace place;
      place.unit = {i < 80 ? i / 4 : i};
      place.region = place.unit.number;
      samples.places.push_back(place);
    }
    spectra.resize(86, 5);
    for (Index i = 0; i < spectra.rows(); ++i) {
      for (Index j = 0; j < spectra.cols(); ++j) {
        spectra(i, j) =
            random.normal() * (1 + static_cast<double>(j)) + 3 * samples.labels[static_cast<std::size_t>(i)];
      }
    }
    samples.spectra = spectra;
    // Every second sample has a result; one in seven is taken for the next class.
    for (Index i = 0; i < 86; i += 2) {
      const auto sample = static_cast<std::size_t>(i);
      const int predicted = (samples.labels[sample] + (i % 7 == 0 ? 1 : 0)) % 3;
      left_out.push_back({samples.labels[sample], predicted, samples.places[sample].unit, i});
      left_out.back().fold = samples.places[sample].unit.number % kFolds;
    }
    novelty = fit_novelty(spectra, samples, rule, 1);
  }

  [[nodiscard]] Vector unlikeness(int threads = 1) const {
    std::vector<LeftOutRecord> records = left_out;
    note_unlikeness({spectra, samples.labels, samples.places, samples.classes.size()}, novelty, rule, threads, records);
    return Vector::NullaryExpr(std::ssize(records),
                               [&](Index i) { return records[static_cast<std::size_t>(i)].unlike; });
  }
};

}  // namespace

TEST_CASE("left-out samples are measured from the other samples of the class that they were taken for") {
  const LeftOutProblem problem;
  const Vector found = problem.unlikeness();
  REQUIRE(found.size() == 43);
  for (std::size_t i = 0; i < problem.left_out.size(); ++i) {
    const LeftOutRecord& record = problem.left_out[i];
    const int c = record.predicted;
    Indices kept;
    for (std::size_t j = 0; j < problem.samples.labels.size(); ++j) {
      // Also samples without a result stay out with their unit; those of the rare class are units of their own, of
      // which only the ones with a result are left out.
      const std::int64_t unit = problem.samples.places[j].unit.number;
      const bool left_out = (j < 80 || j % 2 == 0) && unit % kFolds == record.fold;
      if (problem.samples.labels[j] == c && !left_out) {
        kept.push_back(static_cast<Index>(j));
      }
    }
    ClassGaussian gaussian = problem.novelty[static_cast<std::size_t>(c)].gaussian;
    if (c < 2) {
      gaussian = own_gaussian(problem.spectra(kept, Eigen::all), novelty_rule(problem.spectra, problem.rule));
    } else {
      gaussian.mean = problem.spectra(kept, Eigen::all).colwise().mean().transpose();
    }
    // All of so few samples are kept to measure from, but none of the rare class.
    const Matrix samples = problem.spectra(c < 2 ? kept : Indices{}, Eigen::all);
    const Vector distance = ClassDistance(gaussian, samples)(problem.spectra.row(record.sample)).from_class();
    CHECK(found(static_cast<Index>(i)) ==
          doctest::Approx(1 - tail_probability(problem.novelty[static_cast<std::size_t>(c)].tail, distance(0)))
              .epsilon(1e-9));
  }
}

TEST_CASE("a left-out sample does not change with others of its unit, and nothing depends on threads") {
  LeftOutProblem problem;
  const Vector before = problem.unlikeness();
  CHECK(problem.unlikeness(3) == before);
  // Sample 1 has no result, and lies in the unit of sample 0.
  REQUIRE(problem.samples.places[1].unit == problem.left_out.front().unit);
  problem.spectra.row(1).array() += 20;
  const Vector after = problem.unlikeness();
  CHECK(after(0) == doctest::Approx(before(0)).epsilon(1e-6));
  CHECK((after - before).cwiseAbs().maxCoeff() > 0.01);
}

}  // namespace parsimap::test
