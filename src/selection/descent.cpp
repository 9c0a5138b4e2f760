#include "parsimap/selection/descent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "parsimap/samples/sampling.hpp"

#include "radius_margin.hpp"

namespace parsimap {
Vector to_theta(const Hyperparameters& parameters, bool has_isotropic) {
  const Index p = parameters.weights.directional.size();
  Vector theta(p + (has_isotropic ? 2 : 1));
  theta.head(p) = parameters.weights.directional.array().log();
  if (has_isotropic) {
    theta(p) = std::log(parameters.weights.isotropic);
  }
  theta(theta.size() - 1) = std::log(parameters.C);
  return theta;
}

Hyperparameters from_theta(const Vector& theta, Index directions, bool has_isotropic) {
  Hyperparameters parameters;
  parameters.weights.directional = theta.head(directions).array().exp();
  parameters.weights.isotropic = has_isotropic ? std::exp(theta(directions)) : 0.0;
  parameters.C = std::exp(theta(theta.size() - 1));
  return parameters;
}

namespace {

// The scan ranks starts on at most this many samples: a rough answer is enough there.
constexpr Index kStartSamples = 400;

// Above this many samples the descent starts from the optimum of two fifths of them, found in the same way.
constexpr Index kFewSamples = 700;

// The bound of a small problem has many local optima: as many starts as cost no more than one descent on a few hundred
// samples.
constexpr double kStartCost = 1e8;
constexpr Index kMostStarts = 16;

struct Candidate {
  Hyperparameters parameters;
  double value = std::numeric_limits<double>::infinity();
};

// The bound of one problem and kernel family, with the best that was found of it.
class Selector {
 public:
  Selector(const BinaryProblem& problem, KernelFamily family, const SelectionOptions& options)
      : options_(options),
        geometry_(family_geometry(problem, family, options.threads)),
        bound_(geometry_, problem.labels, options.work, options.threads),
        space_(problem, family),
        of_class_((problem.labels.array() > 0).count()) {}
  Selector(const Selector&) = delete;
  Selector& operator=(const Selector&) = delete;

  // The start of the lowest criterion, or the first where none has a finite one.
  Candidate best_of(const std::vector<Hyperparameters>& starts) {
    Candidate best;
    for (const Hyperparameters& start : starts) {
      ++selection_.evaluations;
      const double value = bound_.evaluate(start, false).value;
      if (value < best.value || std::isinf(best.value)) {
        best = {start, value};
      }
    }
    return best;
  }

  // The best start of the HDDA kernel near the optimum of one of its limits, whose value is that of the limit itself.
  // Where evaluations are dear, no further into the family than the criterion falls.
  Candidate best_near(const Selection& limit, bool dear) {
    const std::vector<Hyperparameters> starts = space_.near_limit(limit.parameters);
    Candidate best{starts.front(), limit.value};
    for (std::size_t i = 1; i < starts.size(); ++i) {
      const Candidate next = best_of({starts[i]});
      if (next.value < best.value) {
        best = next;
      } else if (dear) {
        break;
      }
    }
    return best;
  }

  // The best of every group of the scan, lowest criterion first.
  std::vector<Candidate> scan() {
    auto candidates = mapped<Candidate>(space_.scan(), [this](const auto& group) { return best_of(group); });
    std::ranges::stable_sort(candidates, {}, &Candidate::value);
    return candidates;
  }

  // Descends from a start, and remembers the optimum if it is the lowest so far.
  void descend(const Hyperparameters& start) {
    const Index p = geometry_.directions();
    const bool isotropic = geometry_.has_isotropic();
    const Objective objective = [&](const Vector& theta, Vector& gradient) {
      const CriterionValue result = bound_.evaluate(from_theta(theta, p, isotropic), true);
      if (!std::isfinite(result.value)) {
        return result.value;
      }
      // The descent minimises log T, whose gradient is that of T divided by T: T spans orders of magnitude, and for its
      // logarithm tolerances are relative.
      gradient = result.gradient / result.value;
      return std::log(result.value);
    };
    Descent descent = minimise(objective, to_theta(start, isotropic), space_.lower(), space_.upper(), options_.descent);
    selection_.evaluations += descent.evaluations;
    const double value = std::exp(descent.value);
    if (selection_.trace.empty() || value < selection_.value) {
      selection_.value = value;
      selection_.parameters = from_theta(descent.point, p, isotropic);
      selection_.stop = descent.stop;
      selection_.trace = mapped<double>(descent.trace, [](double t) { return std::exp(t); });
    }
  }

  Selection result() {
    selection_.trivial = is_trivial(selection_.value, of_class_, geometry_.samples());
    return std::move(selection_);
  }

 private:
  SelectionOptions options_;
  TrainingGeometry geometry_;
  RadiusMargin bound_;
  SearchSpace space_;
  Index of_class_;
  Selection selection_;
};

// About `samples` samples in proportion to the two classes, but enough of the class even where it is small.
BinaryProblem stratified(const BinaryProblem& problem, Index samples) {
  const auto labels = mapped<int>(problem.labels, [](double y) { return y > 0 ? 1 : 0; });
  return subset(problem, draw_stratified(labels, 2, samples, samples / 8, 0));
}

std::size_t start_count(Index samples) {
  // An evaluation takes about n^3 operations, so that there are as many starts as take kStartCost together: all 16 for
  // 184 samples or fewer, and one for 369 or more.
  const double cost = std::pow(static_cast<double>(samples), 3);
  return static_cast<std::size_t>(std::clamp(static_cast<Index>(kStartCost / cost), Index{1}, kMostStarts));
}

// The best of the scan, which looks at a subset of many samples or at all of few.
std::vector<Hyperparameters> scan_starts(const BinaryProblem& problem, KernelFamily family,
                                         const SelectionOptions& options, Selector& selector) {
  const Index n = problem.labels.size();
  const std::vector<Candidate> candidates =
      n > kStartSamples ? Selector(stratified(problem, kStartSamples), family, options).scan() : selector.scan();
  auto starts = mapped<Hyperparameters>(candidates, &Candidate::parameters);
  starts.resize(std::min(starts.size(), start_count(n)));
  return starts;
}

// Optima of kernel families, each of the limits of the HDDA kernel before itself.
using Optima = std::map<KernelFamily, Selection>;

// The optima of `families` on one problem. A problem of many samples starts from the optima of a coarser one, found by
// this function too; a problem of few starts from a scan. The HDDA kernel comes last, so that it can start from the
// optima of its two limits and never end above them.
Optima optimise(const BinaryProblem& problem, const std::vector<KernelFamily>& families,
                const SelectionOptions& options) {
  const Index n = problem.labels.size();
  const bool many = n > kFewSamples;
  const Optima coarse = many ? optimise(stratified(problem, 2 * n / 5), families, options) : Optima{};
  Optima optima;
  for (const KernelFamily family : families) {
    Selector selector(problem, family, options);
    // Candidates from the limits, with the Gaussian or the PCA optimum itself among them.
    std::vector<Candidate> near;
    if (family == KernelFamily::hdda) {
      near = mapped<Candidate>(optima, [&](const auto& one) { return selector.best_near(one.second, many); });
    }
    std::vector<Hyperparameters> starts;
    if (many) {
      // An evaluation on many samples takes long, so that only the best candidate is followed.
      near.push_back(selector.best_of({coarse.at(family).parameters}));
      starts = {std::ranges::min_element(near, {}, &Candidate::value)->parameters};
    } else {
      starts = scan_starts(problem, family, options, selector);
      add_all(starts, mapped<Hyperparameters>(near, &Candidate::parameters));
    }
    for (const Hyperparameters& start : starts) {
      selector.descend(start);
    }
    optima.emplace(family, selector.result());
  }
  return optima;
}

}  // namespace

BinaryProblem subset(const BinaryProblem& problem, const Indices& rows) {
  return {problem.directions,
          problem.projections(rows, Eigen::all),
          std::make_shared<const Matrix>((*problem.distances)(rows, rows)),
          problem.labels(rows),
          problem.variances,
          problem.noise_variance};
}

TrainingGeometry family_geometry(const BinaryProblem& problem, KernelFamily family, int threads) {
  return {family == KernelFamily::gaussian ? Matrix(problem.labels.size(), 0) : problem.projections,
          family == KernelFamily::pca ? nullptr : problem.distances, threads};
}

bool is_trivial(double bound, Index of_class, Index samples) {
  constexpr double kPlateau = 0.99;
  const auto n = static_cast<double>(samples);
  const auto class_share = static_cast<double>(of_class) / n;
  return bound > kPlateau * 4 * class_share * (1 - class_share) * (n - 1);
}

double descent_operations(Index samples, Index directions, KernelFamily family) {
  // A descent on many samples mostly ends after so many evaluations, each of which computes the kernel matrix and
  // factorises the systems of two problems with about a third of the samples, some three times.
  constexpr double kEvaluations = 10;
  constexpr double kFactorisations = 3;
  const double families = family == KernelFamily::hdda ? 3 : 1;
  double sum = 0;
  for (Index n = samples; n > 0; n = n > kFewSamples ? 2 * n / 5 : 0) {
    const double kernel = operations(n, n, kernel_operations(directions)) / 2;
    sum += families * kEvaluations * (kernel + 2 * kFactorisations * operations(n / 3, n / 3, n / 3) / 6);
  }
  return sum;
}

Selection select_hyperparameters(const BinaryProblem& problem, KernelFamily family, const SelectionOptions& options) {
  // A class without any variance has no directions: its kernel can only be the Gaussian one.
  const KernelFamily usable = problem.projections.cols() == 0 ? KernelFamily::gaussian : family;
  std::vector<KernelFamily> families = {usable};
  if (usable == KernelFamily::hdda) {
    families = {KernelFamily::gaussian, KernelFamily::pca, KernelFamily::hdda};
  }
  return optimise(problem, families, options).at(usable);
}

}  // namespace parsimap
