#include "parsimap/hdda/blended_model.hpp"

#include <cmath>
#include <numeric>

namespace parsimap {

BlendedModels::BlendedModels(const Matrix& spectra, const std::vector<int>& labels, std::size_t classes)
    : centred_(spectra), members_(classes) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    members_[static_cast<std::size_t>(labels[i])].push_back(static_cast<Index>(i));
  }
  for (const Indices& members : members_) {
    if (!members.empty()) {
      const Matrix own = spectra(members, Eigen::all);
      centred_(members, Eigen::all) = own.rowwise() - own.colwise().mean();
    }
  }
}

SubspaceModel BlendedModels::model(int c, double blend, const DimensionRule& rule) const {
  const Indices& members = members_[static_cast<std::size_t>(c)];
  const auto own = static_cast<Index>(members.size());
  const Index all = centred_.rows();
  const double share = own < kLeastSamples ? 0 : blend;
  if (share == 1) {
    return subspace_model(covariance_statistics(centred_(members, Eigen::all) / std::sqrt(own), own), rule);
  }
  Vector weights = Vector::Constant(all, (1 - share) / static_cast<double>(all));
  weights(members).array() += share / static_cast<double>(std::max<Index>(1, own));
  const auto samples =
      static_cast<Index>(std::lround(share * static_cast<double>(own) + (1 - share) * static_cast<double>(all)));
  return subspace_model(covariance_statistics(weights.cwiseSqrt().asDiagonal() * centred_, samples), rule);
}

}  // namespace parsimap
