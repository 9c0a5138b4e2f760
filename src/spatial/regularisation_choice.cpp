#include "parsimap/spatial/regularisation_choice.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "parsimap/core/parallel_for.hpp"

namespace parsimap {

constexpr double kWorthwhileGain = 0.01;  // per pixel; chance alone gives less

// The gain of one pixel: the logarithm of the mean of its prior `factors`, weighed by its probabilities p, over their
// plain mean. Besag's pseudo-likelihood of the pixel under the prior, against a prior that says nothing.
static double log_gain(const float* p, const float* factors, Index classes) {
  double weighed = 0;
  double sum = 0;
  for (Index c = 0; c < classes; ++c) {
    weighed += static_cast<double>(p[c]) * static_cast<double>(factors[c]);
    sum += static_cast<double>(factors[c]);
  }
  return std::log(weighed * static_cast<double>(classes) / sum);
}

// Adds to `gains` those of the candidates whose sigma is that of `sigma`, over one sampled window.
static void add_gains(const SampledWindow& sample, const std::vector<Regularisation>& candidates, double sigma,
                      Eigen::Ref<Vector> gains) {
  const Window& window = sample.pixels.window;
  // Pixels outside of the sampled window are unknown and have no weight, as at the border of a scene.
  const Index classes = sample.probabilities.cols();
  PixelBlock block(window.width, window.height, classes, gaussian_reach(sigma));
  block.reset(window);
  block.fill(sample.pixels, sample.probabilities);
  std::vector<float> factors(static_cast<std::size_t>(classes));
  gaussian_sums(block, window, sigma, 1, [&](Index row, const float* sums) {
    for (Index column = window.column; column < window.column + window.width; ++column, sums += classes + 1) {
      const float* own = block.pixel(column, row);
      for (std::size_t i = 0; i < candidates.size() && block.has_value(column, row); ++i) {
        if (candidates[i].sigma == sigma &&
            neighbour_factors(own, sums, sums[classes], classes, candidates[i].strength, factors.data())) {
          gains[static_cast<Index>(i)] += log_gain(own, factors.data(), classes);
        }
      }
    }
  });
}

// Sorted by strength and then by sigma: the weakest rule is the one that changes least.
std::vector<Regularisation> regularisation_candidates(int strongest) {
  std::vector<Regularisation> candidates;
  for (int strength = 1; strength <= strongest; ++strength) {
    for (const double sigma : {0.7, 1.0, 1.5, 2.0, 3.0}) {
      candidates.push_back({RegularisationMethod::neighbours, sigma, strength});
    }
  }
  return candidates;
}

Vector summed_gains(const std::vector<SampledWindow>& samples, const std::vector<Regularisation>& candidates,
                    int threads) {
  // The sums over neighbourhoods are most of the work, and candidates of the same sigma share them. Every pair of a
  // sampled window and a sigma is a task with a column of its own, so that the order of summing is always the same.
  const std::vector<double> sigmas = distinct(mapped<double>(candidates, &Regularisation::sigma));
  const auto count = static_cast<Index>(sigmas.size());
  Matrix gains = Matrix::Zero(static_cast<Index>(candidates.size()), static_cast<Index>(samples.size()) * count);
  parallel_for(gains.cols(), threads, [&](Index i) {
    add_gains(samples[static_cast<std::size_t>(i / count)], candidates, sigmas[static_cast<std::size_t>(i % count)],
              gains.col(i));
  });
  return gains.rowwise().sum();
}

double summed_gain_of_none(const std::vector<SampledWindow>& samples) {
  // The prior of every pixel is the mean probability of each class over all samples.
  Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(samples.empty() ? 0 : samples.front().probabilities.cols());
  for (const SampledWindow& sample : samples) {
    sum += sample.probabilities.cast<double>().colwise().sum();
  }
  // A common factor of the prior cancels in log_gain(), so that the sum serves as well as the mean.
  const Eigen::RowVectorXf prior = sum.cast<float>();
  double gain = 0;
  for (const SampledWindow& sample : samples) {
    for (Index i = 0; i < sample.probabilities.rows(); ++i) {
      gain += log_gain(sample.probabilities.row(i).data(), prior.data(), prior.size());
    }
  }
  return gain;
}

Regularisation best_regularisation(const std::vector<SampledWindow>& samples, int threads, int strongest) {
  const std::vector<Regularisation> candidates = regularisation_candidates(strongest);
  const Vector gains = summed_gains(samples, candidates, threads);
  const double gain_of_none = summed_gain_of_none(samples);
  const Index pixels = total(samples, [](const SampledWindow& sample) { return sample.probabilities.rows(); });
  // What gains less than this over the best is not worth the lines and small objects that it may cost. Candidates come
  // with the weakest first, and none is weaker than all of them.
  const double enough = std::max(gain_of_none, gains.maxCoeff()) - kWorthwhileGain * static_cast<double>(pixels);
  if (gain_of_none >= enough) {
    return {};
  }
  const auto first = std::find_if(gains.begin(), gains.end(), [&](double gain) { return gain >= enough; });
  return candidates[static_cast<std::size_t>(first - gains.begin())];
}

Regularisation choose_regularisation(SceneSource& scene, const Indices& bands, const Predictor& predictor, int threads,
                                     int strongest) {
  std::vector<SampledWindow> drawn;
  // Windows spread over the scene, evaluated as in a map but in memory; they are few enough to be kept with their
  // probabilities.
  for_sampled_windows(scene, bands, [&](ValidSpectra&& input) {
    drawn.emplace_back();
    predictor.probabilities(input.spectra, threads, drawn.back().probabilities);
    drawn.back().pixels = std::move(input);
  });
  return best_regularisation(drawn, threads, strongest);
}

}  // namespace parsimap
