#include "parsimap/samples/outliers.hpp"

#include <algorithm>

#include "parsimap/samples/robust_centre.hpp"

namespace parsimap {
namespace {

constexpr double kLargestRatio = 1000;

}  // namespace

std::vector<Outlier> find_outliers(const Matrix& spectra) {
  const Vector distances = (spectra.rowwise() - band_medians(spectra).transpose()).rowwise().norm();
  const double usual = usual_distance(distances);
  std::vector<Outlier> outliers;
  for (Index i = 0; i < distances.size(); ++i) {
    if (distances(i) > kLargestRatio * usual) {
      outliers.push_back({i, distances(i) / usual});
    }
  }
  std::stable_sort(outliers.begin(), outliers.end(), [](const auto& a, const auto& b) { return a.ratio > b.ratio; });
  return outliers;
}

}  // namespace parsimap
