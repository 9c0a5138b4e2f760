#include "parsimap/inspection/band_intervals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace parsimap {
namespace {

// Correlations of the columns of `spectra` in this order, d x d.
Matrix correlations(const Matrix& spectra, const Indices& order) {
  Matrix standardised = spectra(Eigen::all, order);
  standardised.rowwise() -= standardised.colwise().mean().eval();
  for (Index j = 0; j < standardised.cols(); ++j) {
    const double norm = standardised.col(j).norm();
    standardised.col(j) /= norm > 0 ? norm : 1;
  }
  return standardised.transpose() * standardised;
}

// The cost of intervals [first, last), from sums of the correlations over rectangles.
class IntervalCost {
 public:
  explicit IntervalCost(const Matrix& correlation)
      : sums_(Matrix::Zero(correlation.rows() + 1, correlation.cols() + 1)) {
    for (Index j = 0; j < correlation.rows(); ++j) {
      for (Index k = 0; k < correlation.cols(); ++k) {
        sums_(j + 1, k + 1) = correlation(j, k) + sums_(j, k + 1) + sums_(j + 1, k) - sums_(j, k);
      }
    }
  }

  [[nodiscard]] double operator()(Index first, Index last) const {
    const auto width = static_cast<double>(last - first);
    const double sum = sums_(last, last) - sums_(first, last) - sums_(last, first) + sums_(first, first);
    return width - sum / width;
  }

 private:
  Matrix sums_;
};

// The ends of the intervals of the lowest cost, ascending. Of equals the earlier cut.
std::vector<Index> best_ends(const IntervalCost& cost, Index bands, Index intervals, Index narrowest) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  Matrix lowest = Matrix::Constant(intervals + 1, bands + 1, kNone);
  CountMatrix cut = CountMatrix::Zero(intervals + 1, bands + 1);
  lowest(0, 0) = 0;
  for (Index k = 1; k <= intervals; ++k) {
    for (Index last = k * narrowest; last <= bands; ++last) {
      for (Index first = (k - 1) * narrowest; first + narrowest <= last; ++first) {
        const double sum = lowest(k - 1, first) + cost(first, last);
        if (sum < lowest(k, last)) {
          lowest(k, last) = sum;
          cut(k, last) = first;
        }
      }
    }
  }
  std::vector<Index> ends(static_cast<std::size_t>(intervals));
  Index last = bands;
  for (Index k = intervals; k > 0; --k) {
    ends[static_cast<std::size_t>(k - 1)] = last;
    last = static_cast<Index>(cut(k, last));
  }
  return ends;
}

}  // namespace

std::vector<Indices> band_intervals(const Matrix& spectra, const Indices& order, const IntervalOptions& options) {
  const auto bands = static_cast<Index>(order.size());
  const Index intervals = std::min(options.most, bands);
  const Index narrowest =
      std::max<Index>(1, std::lround(static_cast<double>(bands) / (4 * static_cast<double>(intervals))));
  std::vector<Indices> result;
  Index first = 0;
  for (const Index end : best_ends(IntervalCost(correlations(spectra, order)), bands, intervals, narrowest)) {
    result.emplace_back(order.begin() + first, order.begin() + end);
    first = end;
  }
  return result;
}

}  // namespace parsimap
