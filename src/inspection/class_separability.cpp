#include "parsimap/inspection/class_separability.hpp"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <optional>

#include "parsimap/core/parallel_for.hpp"
#include "parsimap/hdda/blended_model.hpp"

namespace parsimap {
namespace {

constexpr double kBlend = 0.5;
constexpr double kLeastVariance = 1e-8;  // part of the largest variance, as kernels have it

struct ClassNormal {
  Vector mean;
  Matrix covariance;
  double log_determinant = 0;
};

ClassNormal normal_of(const SubspaceModel& model, Vector mean) {
  const Index bands = mean.size();
  const double largest = model.dimension() > 0 ? model.variances(0) : 1;
  const double noise = std::max(model.noise_variance, kLeastVariance * largest);
  const Vector variances = model.variances.cwiseMax(noise);
  ClassNormal normal{std::move(mean), noise * Matrix::Identity(bands, bands),
                     variances.array().log().sum() + static_cast<double>(bands - variances.size()) * std::log(noise)};
  normal.covariance +=
      model.directions * (variances.array() - noise).matrix().asDiagonal() * model.directions.transpose();
  return normal;
}

double bhattacharyya(const ClassNormal& a, const ClassNormal& b) {
  const Eigen::LLT<Matrix> middle((a.covariance + b.covariance) / 2);
  const Vector difference = a.mean - b.mean;
  const double log_determinant = 2 * middle.matrixLLT().diagonal().array().log().sum();
  return difference.dot(middle.solve(difference)) / 8 +
         (log_determinant - (a.log_determinant + b.log_determinant) / 2) / 2;
}

}  // namespace

std::vector<ClassPair> class_separability(const Matrix& spectra, const std::vector<int>& labels, std::size_t classes,
                                          const DimensionRule& dimension, int threads) {
  std::vector<Indices> members(classes);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    members[static_cast<std::size_t>(labels[i])].push_back(static_cast<Index>(i));
  }
  const BlendedModels models(spectra, labels, classes);
  std::vector<std::optional<ClassNormal>> normals(classes);
  parallel_for(static_cast<Index>(classes), threads, [&](Index c) {
    const Indices& rows = members[static_cast<std::size_t>(c)];
    if (!rows.empty()) {
      normals[static_cast<std::size_t>(c)] =
          normal_of(models.model(static_cast<int>(c), kBlend, dimension), spectra(rows, Eigen::all).colwise().mean());
    }
  });
  std::vector<ClassPair> pairs;
  for (int first = 0; first < static_cast<int>(classes); ++first) {
    for (int second = first + 1; second < static_cast<int>(classes); ++second) {
      if (normals[static_cast<std::size_t>(first)] && normals[static_cast<std::size_t>(second)]) {
        pairs.push_back({first, second});
      }
    }
  }
  parallel_for(static_cast<Index>(pairs.size()), threads, [&](Index i) {
    ClassPair& pair = pairs[static_cast<std::size_t>(i)];
    // Rounding may take the distance of equal classes below 0.
    pair.bhattacharyya = std::max(0.0, bhattacharyya(*normals[static_cast<std::size_t>(pair.first)],
                                                     *normals[static_cast<std::size_t>(pair.second)]));
    pair.jeffries_matusita = 2 * (1 - std::exp(-pair.bhattacharyya));
  });
  return pairs;
}

}  // namespace parsimap
