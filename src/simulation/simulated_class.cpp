#include <cmath>
#include <numbers>

#include "parsimap/simulation/simulation.hpp"

namespace parsimap {
namespace {

// A logistic curve of a sum of bumps and dips along the bands: smooth, and between 0 and 0.6 without clamping.
Vector smooth_mean(Index bands, Random& random) {
  // The constants are those of docs/method.md (Simulated scenes). Reflectances of vegetation and soil are rarely above
  // 0.6, and a level around -0.5 gives values around 0.2.
  constexpr int kBumps = 6;
  Vector curve = Vector::Constant(bands, -0.5 + 0.8 * random.normal());
  for (int bump = 0; bump < kBumps; ++bump) {
    const double centre = random.uniform();
    const double width = 0.04 + 0.2 * random.uniform();
    const double height = random.normal();
    for (Index band = 0; band < bands; ++band) {
      const double position = (static_cast<double>(band) + 0.5) / static_cast<double>(bands);
      const double z = (position - centre) / width;
      curve[band] += height * std::exp(-0.5 * z * z);
    }
  }
  return curve.unaryExpr([](double value) { return 0.6 / (1 + std::exp(-value)); });
}

// Modified Gram-Schmidt, each column twice, which makes it orthonormal to the precision of double; needs no pivoting,
// so that the directions differ by rounding only from computer to computer.
void orthonormalise(Matrix& columns) {
  for (Index j = 0; j < columns.cols(); ++j) {
    for (int pass = 0; pass < 2; ++pass) {
      for (Index i = 0; i < j; ++i) {
        columns.col(j) -= columns.col(i).dot(columns.col(j)) * columns.col(i);
      }
    }
    columns.col(j).normalize();
  }
}

// The orthonormal cosine basis along the bands (DCT-II), its `count` lowest frequencies.
Matrix cosine_basis(Index bands, Index count) {
  const auto d = static_cast<double>(bands);
  Matrix basis(bands, count);
  for (Index k = 0; k < count; ++k) {
    const double norm = std::sqrt((k == 0 ? 1 : 2) / d);
    for (Index i = 0; i < bands; ++i) {
      basis(i, k) = norm * std::cos(std::numbers::pi * (static_cast<double>(i) + 0.5) * static_cast<double>(k) / d);
    }
  }
  return basis;
}

Matrix random_directions(Index bands, Index dimension, bool smooth, Random& random) {
  // Twice as many frequencies as directions leave the classes different subspaces, and the draw well conditioned.
  const Index frequencies = std::min(bands, 2 * dimension + 2);
  Matrix draw = random.normal_matrix(smooth ? frequencies : bands, dimension);
  orthonormalise(draw);
  return smooth ? Matrix(cosine_basis(bands, frequencies) * draw) : draw;
}

// The variances along the directions of the signal: as given, or falling by the factor `decay` from the largest.
Vector signal_variances(const SimulatedClassSpec& spec) {
  Vector variances(spec.dimension);
  for (Index i = 0; i < spec.dimension; ++i) {
    variances[i] = spec.variances.empty() ? spec.largest_variance * std::pow(spec.decay, static_cast<double>(i))
                                          : spec.variances[static_cast<std::size_t>(i)];
  }
  return variances;
}

}  // namespace

Vector SimulatedClass::draw(Random& random) const {
  // A spectrum is the mean, noise in all directions, and along the directions of the signal what is drawn there in
  // place of the noise.
  // With white noise e of variance b in all directions, Q'e is its part along the directions. Replacing this by a
  // signal s of the variances a gives m + e + Q (s - Q'e), of covariance Q diag(a) Q' + b (I - Q Q').
  const Vector signal = variances.cwiseSqrt().cwiseProduct(random.normal_matrix(variances.size(), 1).col(0));
  const Vector noise = std::sqrt(noise_variance) * random.normal_matrix(mean.size(), 1).col(0);
  return mean + noise + directions * (signal - directions.transpose() * noise);
}

std::vector<SimulatedClass> simulated_classes(const SimulationSpec& spec) {
  std::vector<SimulatedClass> classes;
  Vector common = Vector::Zero(spec.bands);
  double drawn = 0;
  // Every class is drawn from a stream of its own, so that it does not change when others are added.
  for (std::size_t c = 0; c < spec.classes.size(); ++c) {
    const SimulatedClassSpec& entry = spec.classes[c];
    Random random(spec.seed, simulation_stream(SimulationStream::class_model, c));
    SimulatedClass model;
    model.mean = smooth_mean(spec.bands, random);
    model.directions = random_directions(spec.bands, entry.dimension, spec.subspace == "smooth", random);
    model.variances = signal_variances(entry);
    model.noise_variance = entry.noise_variance;
    if (entry.mean.empty()) {
      // Means that are drawn are moved towards their common mean, or away from it, by the factor `separation`; means
      // that are given stay.
      common += model.mean;
      ++drawn;
    } else {
      model.mean = Vector::Map(entry.mean.data(), spec.bands);
    }
    classes.push_back(std::move(model));
  }
  for (std::size_t c = 0; c < classes.size(); ++c) {
    if (spec.classes[c].mean.empty()) {
      classes[c].mean = common / drawn + spec.separation * (classes[c].mean - common / drawn);
    }
  }
  return classes;
}

Vector mixing_proportions(Index classes, Index label, const Indices& others, double strength, Random& random) {
  // Proportions that are uniform over the simplex are exponential variables divided by their sum. The class of the
  // pixel has the largest of them, and the share 1 - strength on top of that.
  const auto exponential = [&random] { return -std::log1p(-random.uniform()); };
  Vector proportions = Vector::Zero(classes);
  proportions[label] = exponential();
  for (const Index other : others) {
    proportions[other] = exponential();
  }
  Index largest = 0;
  proportions.maxCoeff(&largest);
  std::swap(proportions[label], proportions[largest]);
  proportions *= strength / proportions.sum();
  proportions[label] += 1 - strength;
  return proportions;
}

}  // namespace parsimap
