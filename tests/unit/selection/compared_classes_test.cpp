#include "selection/compared_classes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "parsimap/core/random.hpp"

namespace parsimap::test {
namespace {

// Classes in groups of five that are alike, each class with four samples of one unit.
struct GroupedClasses {
  Matrix spectra;
  std::vector<int> labels;
  std::vector<SamplePlace> places;

  explicit GroupedClasses(Index classes) : spectra(Random(1).normal_matrix(4 * classes, 3)) {
    const Matrix groups = 1000 * Random(2).normal_matrix(classes / 5, 3);
    const Matrix means = 10 * Random(3).normal_matrix(classes, 3);
    for (Index i = 0; i < spectra.rows(); ++i) {
      const Index c = i % classes;
      spectra.row(i) += groups.row(c % groups.rows()) + means.row(c);
      labels.push_back(static_cast<int>(c));
      places.push_back({i, c, {c}});
    }
  }
  [[nodiscard]] LabelledSpectra view() const {
    return {spectra, labels, places, static_cast<std::size_t>(*std::ranges::max_element(labels)) + 1};
  }
};

}  // namespace

TEST_CASE("compared classes: groups of classes that are alike, the same in any unit of the bands") {
  GroupedClasses data(100);
  const std::vector<int> drawn = neighbouring_classes(data.view(), 30, 4);
  REQUIRE(drawn.size() == 30);
  CHECK(std::ranges::is_sorted(drawn));
  std::set<int> groups;
  for (const int c : drawn) {
    groups.insert(c % 20);
    CHECK(std::ranges::count_if(drawn, [&](int other) { return other % 20 == c % 20; }) == 5);
  }
  CHECK(groups.size() == 6);
  CHECK(neighbouring_classes(data.view(), 30, 5) != drawn);
  data.spectra = data.spectra * Eigen::Vector3d(1e-4, 1, 1e3).asDiagonal();
  CHECK(neighbouring_classes(data.view(), 30, 4) == drawn);
}

TEST_CASE("compared classes: all of few, and of many so many with their samples and weights") {
  const GroupedClasses few(30);
  const LabelledSpectra all = few.view();
  const ComparedClasses every(all, 4);
  CHECK_FALSE(every.fewer());
  CHECK(&every.samples() == &all);
  const GroupedClasses data(100);
  LabelledSpectra many = data.view();
  many.weights = Vector::LinSpaced(400, 1, 400);
  const ComparedClasses compared(many, 4);
  CHECK(compared.fewer());
  const LabelledSpectra& samples = compared.samples();
  CHECK(samples.classes == kComparedClasses);
  REQUIRE(samples.labels.size() == 4 * kComparedClasses);
  const std::vector<int> drawn = neighbouring_classes(many, kComparedClasses, 4);
  for (Index i = 0; i < samples.spectra.rows(); ++i) {
    const auto row = static_cast<Index>(samples.weights(i)) - 1;
    CHECK(samples.spectra.row(i) == data.spectra.row(row));
    CHECK(drawn[static_cast<std::size_t>(samples.labels[static_cast<std::size_t>(i)])] ==
          data.labels[static_cast<std::size_t>(row)]);
    CHECK(samples.places[static_cast<std::size_t>(i)] == data.places[static_cast<std::size_t>(row)]);
  }
  // As many are planned where spectra are not known.
  const Matrix none(0, 3);
  const LabelledSpectra planned{none, data.labels, data.places, 100};
  CHECK(ComparedClasses(planned, 4).samples().labels.size() == 4 * kComparedClasses);
}

}  // namespace parsimap::test
