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

}  // namespace parsimap
