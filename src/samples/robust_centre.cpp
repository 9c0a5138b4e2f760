#include "parsimap/samples/robust_centre.hpp"

#include <algorithm>
#include <cmath>

namespace parsimap {
namespace {

double median(Vector values) {
  const auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  return values.size() % 2 == 1 ? *middle : (*std::max_element(values.begin(), middle) + *middle) / 2;
}

constexpr double kLargestRatio = 1000;

}  // namespace

Vector band_medians(const Matrix& spectra) {
  Vector medians(spectra.cols());
  for (Index band = 0; band < spectra.cols(); ++band) {
    medians(band) = median(spectra.col(band));
  }
  return medians;
}

double usual_distance(const Vector& distances, double factor) {
  const double usual = factor * median(distances);
  if (usual > 0) {
    return usual;
  }
  const double root_mean_square = distances.norm() / std::sqrt(static_cast<double>(distances.size()));
  return root_mean_square > 0 ? root_mean_square : 1;
}

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
