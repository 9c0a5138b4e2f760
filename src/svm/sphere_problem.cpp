#include <algorithm>
#include <cmath>
#include <numeric>

#include "parsimap/svm/l2_svm.hpp"

namespace parsimap {
namespace {

// Block exchanges that may fail to lower the number of infeasibilities before single exchanges take over.
constexpr int kPatience = 3;

// Problems up to this size start with every sample.
constexpr Index kCoarsestSphere = 200;

// Block principal pivoting for min 1/2 z'K~z - sum z_i over z >= 0. Every sample is either active, with z_i free and
// the gradient zero, or inactive, with z_i = 0 and the gradient free. At the optimum free z_i are >= 0 and free
// gradients are >= 0; samples that break this are infeasible and change sides.
class SphereSolver {
 public:
  SphereSolver(ActiveSystem& system, const SolverOptions& options)
      : system_(system),
        kernel_(system.kernel()),
        C_(system.penalties()(0)),
        options_(options),
        active_(static_cast<std::size_t>(kernel_.size()), false) {}

  SphereSolution solve(const Indices* start) {
    activate(start);
    Index fewest = kernel_.size() + 1;
    int patience = kPatience;
    while (solution_.iterations < options_.iterations) {
      ++solution_.iterations;
      if (!solve_on_active()) {
        solution_.stop = SolverStop::not_positive;
        break;
      }
      const Indices infeasible = find_infeasible();
      if (infeasible.empty()) {
        solution_.stop = SolverStop::optimal;
        break;
      }
      // Exchanging all infeasible samples at once is fast but may cycle. As long as their number reaches new lows this
      // cannot go on for ever; when it has not for a while, only the last one is exchanged, which is Murty's rule and
      // ends for certain.
      const auto count = static_cast<Index>(infeasible.size());
      if (count < fewest) {
        fewest = count;
        patience = kPatience;
      } else {
        --patience;
      }
      exchange(infeasible, patience >= 0);
    }
    finish();
    return std::move(solution_);
  }

 private:
  void activate(const Indices* start) {
    if (start == nullptr || start->empty()) {
      std::fill(active_.begin(), active_.end(), true);
      return;
    }
    for (const Index i : *start) {
      active_[static_cast<std::size_t>(i)] = true;
    }
  }

  // z on the active samples from K~_SS z = 1, and the gradient K~ z - 1 of all samples.
  bool solve_on_active() {
    support_.clear();
    for (std::size_t i = 0; i < active_.size(); ++i) {
      if (active_[i]) {
        support_.push_back(static_cast<Index>(i));
      }
    }
    Matrix solved = Matrix::Ones(static_cast<Index>(support_.size()), 1);
    if (!system_.solve(support_, solved)) {
      return false;
    }
    z_ = solved;
    gradient_ = kernel_.product(support_, z_).array() - 1;
    gradient_(support_) += z_ / C_;
    return true;
  }

  [[nodiscard]] Indices find_infeasible() const {
    Indices infeasible;
    for (std::size_t k = 0; k < support_.size(); ++k) {
      if (z_(static_cast<Index>(k)) < 0) {
        infeasible.push_back(support_[k]);
      }
    }
    for (Index i = 0; i < gradient_.size(); ++i) {
      if (!active_[static_cast<std::size_t>(i)] && gradient_(i) < -options_.kkt_tolerance) {
        infeasible.push_back(i);
      }
    }
    return infeasible;
  }

  void exchange(const Indices& infeasible, bool all) {
    const Index last = *std::max_element(infeasible.begin(), infeasible.end());
    for (const Index i : infeasible) {
      if (all || i == last) {
        active_[static_cast<std::size_t>(i)] = !active_[static_cast<std::size_t>(i)];
      }
    }
    // Without any active sample there is no sphere; one must stay.
    if (std::none_of(active_.begin(), active_.end(), [](bool a) { return a; })) {
      active_[static_cast<std::size_t>(last)] = true;
    }
  }

  // From z to the weights on the simplex, b = z / sum z, and R^2 = 1 + 1/C - b'K~ b. Where no z was found the samples
  // weigh the same, which is feasible.
  void finish() {
    const Index n = kernel_.size();
    const Vector z = z_.size() > 0 ? Vector(z_.cwiseMax(0.0)) : Vector();
    solution_.coefficients = Vector::Zero(n);
    if (z.sum() <= 0) {
      solution_.coefficients.setConstant(1.0 / static_cast<double>(n));
      support_.resize(static_cast<std::size_t>(n));
      std::iota(support_.begin(), support_.end(), Index{0});
    } else {
      solution_.coefficients(support_) = z / z.sum();
    }
    solution_.support = support_;
    const Vector b = solution_.coefficients(support_);
    Vector image = kernel_.product(support_, b);
    image(support_) += b / C_;
    // At the optimum K~b equals b'K~b on the support and is at least as large elsewhere: the violation is the largest
    // deviation from this.
    const double least = solution_.coefficients.dot(image);
    solution_.squared_radius = 1 + 1 / C_ - least;
    solution_.kkt_violation = std::max(0.0, least - image.minCoeff());
    for (const Index i : support_) {
      solution_.kkt_violation = std::max(solution_.kkt_violation, std::abs(image(i) - least));
    }
  }

  ActiveSystem& system_;
  const QuadraticForm& kernel_;
  double C_;
  SolverOptions options_;
  std::vector<bool> active_;
  Indices support_;
  Vector z_;         // on the support
  Vector gradient_;  // K~ z - 1, n
  SphereSolution solution_;
};

// A support to start from: that of the sphere around every second sample, itself started in the same way, and the
// samples outside it.
Indices start_from_half(const QuadraticForm& kernel, double C, const SolverOptions& options) {
  Indices half;
  for (Index i = 0; i < kernel.size(); i += 2) {
    half.push_back(i);
  }
  const Matrix part = kernel.block(half, half);
  const SphereSolution sphere = solve_sphere(DenseQuadraticForm(part, options.threads), C, nullptr, options);
  const Vector image = kernel.product(half, sphere.coefficients);
  // With least = b'K~b, R^2 = 1 + 1/C - least. The centre of the sphere is the sum of b_j phi(x_j), and a sample of the
  // other half has the squared distance 1 + 1/C - 2 image_i + least from it, so that it is enclosed if image_i >=
  // least. A sample of the half is enclosed if it does not support the sphere.
  const double least = 1 + 1 / C - sphere.squared_radius;
  Indices start;
  for (Index i = 0; i < kernel.size(); ++i) {
    const bool enclosed = i % 2 == 0 ? sphere.coefficients(i / 2) == 0 : image(i) >= least;
    if (!enclosed) {
      start.push_back(i);
    }
  }
  return start;
}

}  // namespace

SphereSolution solve_sphere(ActiveSystem& system, const Indices* start, const SolverOptions& options) {
  if (start == nullptr && system.kernel().size() > kCoarsestSphere) {
    const Indices coarse = start_from_half(system.kernel(), system.penalties()(0), options);
    return SphereSolver(system, options).solve(&coarse);
  }
  return SphereSolver(system, options).solve(start);
}

SphereSolution solve_sphere(const QuadraticForm& kernel, double C, const Indices* start, const SolverOptions& options) {
  ActiveSystem system(kernel, C, options);
  return solve_sphere(system, start, options);
}

}  // namespace parsimap
