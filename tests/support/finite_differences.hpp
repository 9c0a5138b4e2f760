// The gradient of the radius-margin bound against central differences.
#pragma once

#include "selection/radius_margin.hpp"

namespace parsimap::toy {

// Central differences of the criterion at theta.
inline Vector central_differences(RadiusMargin& criterion, const Vector& theta, Index directions, bool has_isotropic,
                                  double step) {
  Vector result(theta.size());
  for (Index k = 0; k < theta.size(); ++k) {
    Vector up = theta;
    Vector down = theta;
    up(k) += step;
    down(k) -= step;
    result(k) = (criterion.evaluate(from_theta(up, directions, has_isotropic), false).value -
                 criterion.evaluate(from_theta(down, directions, has_isotropic), false).value) /
                (2 * step);
  }
  return result;
}

// The largest difference between gradient and central differences, relative to the gradient's largest entry.
inline double gradient_error(RadiusMargin& criterion, const Vector& theta, Index directions, bool has_isotropic,
                             double step = 1e-5) {
  const Vector gradient = criterion.evaluate(from_theta(theta, directions, has_isotropic), true).gradient;
  const Vector difference = central_differences(criterion, theta, directions, has_isotropic, step) - gradient;
  return difference.cwiseAbs().maxCoeff() / gradient.cwiseAbs().maxCoeff();
}

}  // namespace parsimap::toy
