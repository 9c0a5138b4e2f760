#include "parsimap/samples/sample_set.hpp"

#include <doctest/doctest.h>

using namespace parsimap;

namespace {

SampleSet four_samples() {
  SampleSet samples;
  samples.spectra.resize(4, 2);
  samples.spectra << 1, 2, 3, 4, 5, 6, 7, 8;
  samples.labels = {0, 2, 2, 0};
  samples.classes = {{1, "a", {}}, {2, "b", {}}, {3, "c", {}}};
  samples.pixels = {10, 11, 12, 13};
  samples.regions = {1, 2, 2, 1};
  samples.groups = {1, -1, -1, 1};
  return samples;
}

}  // namespace

TEST_CASE("sample set: counts by class, empty ones included") {
  CHECK(class_counts(four_samples()) == std::vector<Index>{2, 0, 2});
}

TEST_CASE("sample set: a subset keeps rows together, in the order asked for") {
  const SampleSet part = subset(four_samples(), {3, 1});
  CHECK(part.size() == 2);
  CHECK(part.spectra(0, 0) == 7);
  CHECK(part.spectra(1, 1) == 4);
  CHECK(part.labels == std::vector<int>{0, 2});
  CHECK(part.pixels == std::vector<std::int64_t>{13, 11});
  CHECK(part.regions == std::vector<std::int64_t>{1, 2});
  CHECK(part.groups == std::vector<std::int64_t>{1, -1});
  CHECK(part.classes.size() == 3);
}

TEST_CASE("sample set: the rows of one class") {
  CHECK(class_rows(four_samples(), 2) == Indices{1, 2});
  CHECK(class_rows(four_samples(), 1).empty());
}

TEST_CASE("sample set: the regions of one class") {
  SampleSet samples = four_samples();
  CHECK(region_count(samples, 0) == 1);
  CHECK(region_count(samples, 1) == 0);
  samples.regions[2] = 7;
  CHECK(region_count(samples, 2) == 2);
}
