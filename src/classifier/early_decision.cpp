#include "early_decision.hpp"

#include <cmath>
#include <numbers>

#include "parsimap/classifier/early_stages.hpp"

namespace parsimap {

// Powers of 2 are cheaper than those of e: coordinates in which kernel values are 2^(-1/2 |a - b|^2).
static const double kRoot = std::sqrt(std::numbers::log2e);

EarlyDecision::EarlyDecision(const Model& model, const EarlyStages& early, const EarlyStage& stage)
    : kernel_(kRoot * stage_coordinates(model, early, model.support_spectra(stage.support, Eigen::all)),
              stage.coefficients.topRows(std::ssize(stage.support)), false) {
  const Index bands = model.scaling.offset.size();
  // Profiles are not scaled.
  Eigen::RowVectorXd centre = model.support_spectra.colwise().mean();
  centre.head(bands) =
      centre.head(bands).cwiseProduct(model.scaling.scale.transpose()) + model.scaling.offset.transpose();
  Matrix directions = kRoot * early.directions;
  directions.topRows(bands).array().colwise() /= model.scaling.scale.array();
  centre_ = centre.cast<float>();
  directions_ = directions.cast<float>();
  // The centre in single precision is another one.
  shift_ = ((centre_.cast<double>() - centre) * directions).cast<float>();
  const Index coordinates = directions.cols();
  linear_ = (stage.coefficients.middleRows(std::ssize(stage.support), coordinates) / kRoot).cast<float>();
  constant_ = stage.coefficients.bottomRows(1);
}

EarlyDecision::Workspace EarlyDecision::workspace() const {
  constexpr Index pixels = kTilePixels<float>;
  return {Spectra(pixels, centre_.size()), Eigen::MatrixXf(pixels, shift_.size()),
          Eigen::MatrixXf(pixels, constant_.size()), kernel_.workspace(), Matrix(pixels, constant_.size())};
}

std::size_t EarlyDecision::workspace_bytes() const {
  const Index floats = centre_.size() + shift_.size() + 2 * constant_.size() + 1 + kTileSupport;
  return static_cast<std::size_t>(kTilePixels<float>) * (static_cast<std::size_t>(floats) * sizeof(float) +
                                                         static_cast<std::size_t>(constant_.size()) * sizeof(double));
}

void EarlyDecision::evaluate(const Eigen::Ref<const Spectra>& spectra, Workspace& work) const {
  const Index rows = padded_rows<float>(spectra.rows());
  work.centred.topRows(spectra.rows()) = spectra.rowwise() - centre_;
  work.centred.middleRows(spectra.rows(), rows - spectra.rows()).setZero();
  auto coordinates = work.coordinates.topRows(rows);
  coordinates.noalias() = work.centred.topRows(rows) * directions_;
  coordinates.rowwise() += shift_;
  work.of_coordinates.topRows(rows).noalias() = coordinates * linear_;
  work.sums.topRows(rows) = work.of_coordinates.topRows(rows).cast<double>();
  work.sums.topRows(rows).rowwise() += constant_;
  kernel_.add(coordinates, work.kernel, work.sums.topRows(rows));
}

}  // namespace parsimap
