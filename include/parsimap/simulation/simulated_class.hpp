// Classes of the HDDA model to draw spectra from (Bouveyron, Girard, Schmid 2007, submodel [a_ij b_i Q_i d_i]).
#pragma once

#include <cstdint>
#include <vector>

#include "parsimap/core/random.hpp"
#include "parsimap/core/types.hpp"
#include "parsimap/simulation/simulation_spec.hpp"

namespace parsimap {

// Normal with mean m and covariance Q diag(a) Q' + b (I - Q Q').
struct SimulatedClass {
  Vector mean;                // d, reflectance
  Matrix directions;          // Q, d x p, orthonormal columns
  Vector variances;           // a, p
  double noise_variance = 0;  // b

  [[nodiscard]] Vector draw(Random& random) const;
};

// The classes of a specification. Mean spectra and directions are drawn from the seed and the class's position,
// whatever the scene's size or layout. Same on every machine up to rounding.
std::vector<SimulatedClass> simulated_classes(const SimulationSpec& spec);

// Mixing proportions alpha of all `classes`, which sum to 1: alpha = (1 - strength) e_label + strength u, with u
// uniform on the simplex of the label and `others`, its largest entry moved to the label. The label has the largest
// alpha.
Vector mixing_proportions(Index classes, Index label, const Indices& others, double strength, Random& random);

// The independent random streams of one simulation seed.
enum class SimulationStream : std::uint64_t { layout = 1, class_model = 2, row = 3, polygons = 4 };

// The stream of the `index`-th class, row ...
inline std::uint64_t simulation_stream(SimulationStream kind, std::uint64_t index) {
  return (static_cast<std::uint64_t>(kind) << 32U) + index;
}

}  // namespace parsimap
