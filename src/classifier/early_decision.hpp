// The values of an early stage of a map, in single precision.
#pragma once

#include "parsimap/classifier/model.hpp"
#include "parsimap/core/types.hpp"

#include "shared_kernel.hpp"

namespace parsimap {

class EarlyDecision {
 public:
  struct Workspace {
    Spectra centred;                 // tile x (d + q)
    Eigen::MatrixXf coordinates;     // tile x r
    Eigen::MatrixXf of_coordinates;  // tile x K
    SharedKernel<float>::Workspace kernel;
    Matrix sums;  // tile x K
  };

  // A stage of a model's early stages.
  EarlyDecision(const Model& model, const EarlyStages& early, const EarlyStage& stage);

  [[nodiscard]] Workspace workspace() const;
  [[nodiscard]] std::size_t workspace_bytes() const;

  // Values of up to kTilePixels<float> raw spectra and their profiles (count x (d + q)), left in the first rows of
  // work.sums.
  void evaluate(const Eigen::Ref<const Spectra>& spectra, Workspace& work) const;

 private:
  Eigen::RowVectorXf centre_;    // d + q: of raw spectra
  Eigen::MatrixXf directions_;   // (d + q) x r: coordinates are (x - centre) directions + shift
  Eigen::RowVectorXf shift_;     // r
  Eigen::MatrixXf linear_;       // r x K
  Eigen::RowVectorXd constant_;  // K
  SharedKernel<float> kernel_;
};

}  // namespace parsimap
