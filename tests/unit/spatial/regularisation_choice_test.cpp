#include "parsimap/spatial/regularisation_choice.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "parsimap/spatial/regularisation.hpp"

#include "random_picture.hpp"

namespace parsimap::test {
namespace {

// What regularise() makes of a pixel, divided by its own probabilities, is in proportion to the prior r^s.
double gain_by_regularising(const Picture& picture, const Regularisation& candidate) {
  const PixelBlock block = picture.block(gaussian_reach(candidate.sigma));
  ValidPixels pixels;
  Spectra found;
  regularise(block, block.window(), picture.classes(), candidate, 1, pixels, found);
  double gain = 0;
  for (Index i = 0; i < found.rows(); ++i) {
    const Index position = pixels.position(i);
    const Vector own = picture.probabilities(pixels.window.column + position % pixels.window.width,
                                             pixels.window.row + position / pixels.window.width);
    const Vector prior = (found.row(i).transpose().cast<double>().array() / own.array()).matrix();
    gain += std::log(own.dot(prior) / prior.mean());
  }
  return gain;
}

// A picture of two halves, each pixel sure of its half with probability `right`, and a line of the first class in the
// second half where `line`.
SampledWindow halves(double right, bool line) {
  constexpr Index kSide = 60;
  Random random(8);
  SampledWindow sample;
  sample.pixels.window = {0, 0, kSide, kSide};
  sample.probabilities.resize(kSide * kSide, 2);
  for (Index i = 0; i < kSide * kSide; ++i) {
    const bool first = i % kSide < kSide / 2 || (line && i % 4 == 0);
    const bool seen = random.uniform() < right ? first : !first;
    const float sure = 0.8F;
    sample.probabilities.row(i) << (seen ? sure : 1 - sure), (seen ? 1 - sure : sure);
  }
  return sample;
}

}  // namespace

TEST_CASE("gains are those of the priors that regularising multiplies with, for any number of threads") {
  const Picture picture(24, 18, 3, 0.25);
  SampledWindow sample;
  picture.read({0, 0, 24, 18}, sample.pixels, sample.probabilities);
  const std::vector<Regularisation> candidates = regularisation_candidates();
  const Vector gains = summed_gains({sample, sample}, candidates, 1);
  for (std::size_t i = 0; i < candidates.size(); i += 3) {
    CHECK(gains[static_cast<Index>(i)] ==
          doctest::Approx(2 * gain_by_regularising(picture, candidates[i])).epsilon(1e-4));
  }
  CHECK(summed_gains({sample, sample}, candidates, 3) == gains);
}

TEST_CASE("none is worth what class shares tell") {
  SampledWindow sample;
  sample.pixels.window = {0, 0, 2, 1};
  sample.probabilities = Spectra{{1, 0}, {0.5F, 0.5F}};
  // Mean probabilities 3/4 and 1/4, against 1/2 each.
  CHECK(summed_gain_of_none({sample}) == doctest::Approx(std::log(1.5)));
  CHECK(summed_gain_of_none({}) == 0);
}

TEST_CASE("the noisier the pixels, the more their neighbours are believed; without order not at all") {
  const Regularisation clear = best_regularisation({halves(0.98, false)}, 2);
  const Regularisation noisy = best_regularisation({halves(0.7, false)}, 2);
  CHECK(clear.method == RegularisationMethod::neighbours);
  CHECK(noisy.method == RegularisationMethod::neighbours);
  CHECK(noisy.sigma > clear.sigma);
  CHECK(best_regularisation({halves(0.98, true)}, 2).sigma <= clear.sigma);
  CHECK(best_regularisation({halves(0.5, false)}, 2).method == RegularisationMethod::none);
  const std::vector<SampledWindow> of_noise = {halves(0.7, false)};
  for (int strength = 1; strength <= kStrongestNeighbours; ++strength) {
    const Regularisation rule = best_regularisation(of_noise, 2, strength);
    CHECK((rule.method == RegularisationMethod::none || rule.strength <= strength));
  }
  CHECK(best_regularisation({}, 2).method == RegularisationMethod::none);
}

}  // namespace parsimap::test
