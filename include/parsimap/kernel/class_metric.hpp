// The metric of one class and the kernels that follow from it.
//
//   k(x, z) = exp(-1/2 [ sum_{l<=p} v_l d_l + w_0 D ]),   d_l = (q_l'(x - z))^2,   D = |x - z|^2 - sum_l d_l,
//
// with the total weight v_l of direction q_l and the weight w_0 of everything orthogonal to the directions. Two
// families of such kernels are in use:
//
// - The class kernel, for maps: any v_l > 0. The Mahalanobis distance of an HDDA class model has v_l = 1/lambda_l
//   < w_0 = 1/b (Fauvel et al. 2013, their distance in the class): directions in which the class varies count less.
// - The printed kernel, as the paper prints it, with weights w_l >= 0 added to w_0: v_l = w_0 + w_l.
//   It cannot become the distance above. PCA-Mahalanobis has w_0 = 0.
//
// The Gaussian kernel has no directions and is a member of both.
#pragma once

#include <string>

#include "parsimap/core/types.hpp"
#include "parsimap/hdda/subspace_model.hpp"

namespace parsimap {

// Which terms of the kernel are used.
enum class KernelFamily {
  hdda,     // all of it: directions q_i of the class subspace, and w_0 for what is left
  pca,      // w_0 = 0
  gaussian  // no directions
};

// "hdda", "pca", "gaussian" and back; another text is a ConfigError that lists them.
KernelFamily parse_kernel_family(const std::string& text);
std::string to_string(KernelFamily family);

// A second kernel that is added to the first, for what lies around a pixel (morphology/profile_design.hpp):
//   (1 - share) k(x, z) + share exp(-weight/2 |p - r|^2),   p and r the profiles of the two pixels.
// A sum of kernels with weights that are not negative is a kernel (composite kernels: Camps-Valls, Gomez-Chova,
// Munoz-Mari, Vila-Frances, Calpe-Maravilla, Composite kernels for hyperspectral image classification, 2006).
struct ProfileTerm {
  Index features = 0;  // q: columns that follow those of the bands; 0 without a second kernel
  double weight = 0;   // > 0 where there are features
  double share = 0;    // in [0, 1]
  bool operator==(const ProfileTerm&) const = default;
};

struct ClassMetric {
  Matrix directions;       // Q, d x p, orthonormal columns; d x 0 for the Gaussian kernel
  Vector weights;          // v, p, > 0
  double rest_weight = 0;  // w_0 >= 0
  ProfileTerm profile = {};
};

// v_l = tau lambda_l^-damping and w_0 = tau b^-damping of a class model, tau such that two samples drawn from the model
// have a mean squared distance of `width` > 0 in the metric: tau = width / (2 [sum lambda_l^(1 - damping) + (d - p)
// b^(1 - damping)]). Damping 1 is the Mahalanobis metric, 0 the Euclidean one, without directions. Variances are taken
// as at least 1e-8 of the largest. A model without variance gets the weight `width` in all bands.
ClassMetric damped_metric(const SubspaceModel& model, double damping, double width);

// The same along the directions alone, w_0 = 0, for a model that has directions; the mean is over these.
ClassMetric damped_directions(const SubspaceModel& model, double damping, double width);

// All weights multiplied by `factor`: squared distances of spectra are so many times as large.
ClassMetric scaled(ClassMetric metric, double factor);

// The metric with another term for profiles.
ClassMetric with_profile(ClassMetric metric, const ProfileTerm& profile);

}  // namespace parsimap
