#include "parsimap/spatial/segment_means.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/random.hpp"

using namespace parsimap;

namespace {

// One row of pixels, one number for each.
void add(SegmentMeans& means, Index column, const std::vector<std::int64_t>& numbers,
         const std::vector<float>& values) {
  const auto count = static_cast<Index>(values.size());
  means.add({{column, 3, count, 1}, {}}, numbers, Spectra::Map(values.data(), count, 1));
}

float mean_of(const SegmentMeans& means, std::int64_t number) {
  float mean = 0;
  means.means(number, &mean);
  return mean;
}

}  // namespace

TEST_CASE("means, pixels and windows of segments whose pixels come in several windows") {
  SegmentMeans means(1);
  add(means, 0, {7, 7, 0, 9'000'000'000}, {0.25F, 0.75F, 1, 1});
  add(means, 4, {7, 2, 2}, {0.5F, 0, 0});
  CHECK(means.numbers() == std::vector<std::int64_t>{2, 7, 9'000'000'000});
  CHECK(means.pixels(7) == 3);
  CHECK(mean_of(means, 7) == 0.5F);
  CHECK(means.window(7) == Window{0, 3, 5, 1});
  CHECK(mean_of(means, 2) == 0);
  CHECK(means.window(2) == Window{5, 3, 2, 1});
  CHECK(mean_of(means, 9'000'000'000) == 1);
}

TEST_CASE("only valid pixels count, each with the number of its place") {
  SegmentMeans means(2);
  const Spectra values{{0.25F, 0.75F}, {1, 0}};
  means.add({{10, 20, 3, 2}, {1, 5}}, {1, 2, 3, 4, 5, 6}, values);
  CHECK(means.numbers() == std::vector<std::int64_t>{2, 6});
  CHECK(means.window(6) == Window{12, 21, 1, 1});
  std::vector<float> found(2);
  means.means(2, found.data());
  CHECK(found == std::vector<float>{0.25F, 0.75F});
}

TEST_CASE("a mean is the same to the last bit in whatever order its pixels come") {
  Random random(5);
  std::vector<float> values(5000);
  double sum = 0;
  for (float& value : values) {
    value = static_cast<float>(random.uniform());
    sum += static_cast<double>(value);
  }
  const std::vector<std::int64_t> numbers(values.size(), 1);
  SegmentMeans at_once(1);
  add(at_once, 0, numbers, values);
  SegmentMeans backwards(1);
  for (std::size_t i = values.size(); i-- > 0;) {
    add(backwards, static_cast<Index>(i), {1}, {values[i]});
  }
  CHECK(mean_of(at_once, 1) == mean_of(backwards, 1));
  CHECK(std::abs(static_cast<double>(mean_of(at_once, 1)) - sum / 5000) < 1e-7);
  CHECK(at_once.window(1) == backwards.window(1));
}
