#include "own_decisions.hpp"

#include "parsimap/mapping/model_scene.hpp"
#include "parsimap/scene/open_scene.hpp"

namespace parsimap {

void OwnEvaluator::set_limits() {
  // The limits are rounded to the numbers that the layers hold, so that a user who applies a limit to a layer gets the
  // same map.
  for (const std::optional<double>& limit : {options_.reject_novelty, options_.reject_outside}) {
    if (limit) {
      limits_.push_back(static_cast<float>(*limit));
    }
  }
  needs_unlikeness_ = !limits_.empty() || wants(MapLayer::novelty) || wants(MapLayer::applicability);
  if (wants(MapLayer::sets)) {
    thresholds_ = mapped<float>(model_.own_probabilities, [&](const OwnProbabilities& own) {
      return static_cast<float>(set_threshold(own, options_.set_level));
    });
  }
}

std::int64_t OwnEvaluator::working_bytes() const {
  return static_cast<std::int64_t>((needs_unlikeness_ ? predictor_.novelty_bytes(threads_) : 0) +
                                   (wants(MapLayer::deciding) ? predictor_.deciding_bytes(threads_) : 0));
}

bool OwnEvaluator::exceeds(const Spectra& limited, Index i) const {
  return (limited.row(i).array() > Eigen::Map<const Eigen::RowVectorXf>(limits_.data(), limits()).array()).any();
}

void OwnEvaluator::prepare(SceneSource& scene, std::int64_t window_bytes, MappingSummary& summary) {
  if (wants(MapLayer::sets)) {
    summary.set_sizes.assign(model_.classes.size() + 1, 0);
  }
  if (!wants(MapLayer::deciding)) {
    return;
  }
  const Stopwatch compute;
  summary.deciding.resize(static_cast<std::size_t>(model_.origins->features()));
  // What is usual does not depend on the part that is mapped.
  ModelScene seen(whole_scene(scene), model_, options_.pixel_metres, window_bytes, threads_);
  usual_terms_ = usual_terms(seen, model_, predictor_, threads_);
  summary.compute_seconds += compute.seconds();
}

OwnDecisions OwnEvaluator::evaluate(const Spectra& spectra, bool neighbours) const {
  OwnDecisions own;
  own.decision_values.resize(spectra.rows(), class_count());
  if (spectra.rows() > 0) {
    if (wants(MapLayer::deciding)) {
      predictor_.deciding(spectra, threads_, usual_terms_, own.decision_values, own.deciding);
    } else if (decides_early(neighbours)) {
      predictor_.label_values(spectra, threads_, own.decision_values);
    } else {
      predictor_.decision_values(spectra, threads_, own.decision_values);
    }
  }
  own.limited.resize(spectra.rows(), limits());
  if (needs_unlikeness_) {
    add_unlikeness(spectra, own);
  }
  if (labels_only_ && !neighbours) {
    // Values with the same largest one.
    own.probabilities = std::move(own.decision_values);
  } else {
    own.probabilities = own.decision_values;
    softmax_rows(model_.softmax_slope, own.probabilities);
  }
  if (wants(MapLayer::sets)) {
    own.sets = sets_of(own.probabilities);
  }
  return own;
}

void OwnEvaluator::add_unlikeness(const Spectra& spectra, OwnDecisions& own) const {
  const Index rows = spectra.rows();
  Spectra unlike(rows, class_count());
  Spectra density;
  if (rows > 0) {
    predictor_.unlikeness(spectra, threads_, unlike, wants(MapLayer::applicability) ? &density : nullptr);
  }
  own.novelty = unlike.rowwise().minCoeff();
  if (options_.reject_novelty) {
    own.limited.leftCols(1) = own.novelty;
  }
  if (!options_.reject_outside && !wants(MapLayer::applicability)) {
    return;
  }
  own.applicability.resize(rows, class_count() + 2);
  own.applicability.rightCols(class_count()) = unlike;
  for (Index i = 0; i < rows; ++i) {
    Index label = 0;
    own.decision_values.row(i).maxCoeff(&label);
    own.applicability(i, 0) = unlike(i, label);
    if (density.size() > 0) {
      own.applicability(i, 1) = density(i, label);
    }
  }
  if (options_.reject_outside) {
    own.limited.rightCols(1) = own.applicability.leftCols(1);
  }
}

// OwnDecisions::sets
Spectra OwnEvaluator::sets_of(const Spectra& probabilities) const {
  Spectra sets(probabilities.rows(), class_count() + 1);
  const Eigen::Map<const Eigen::RowVectorXf> thresholds(thresholds_.data(), class_count());
  sets.rightCols(class_count()) = (probabilities.array() >= thresholds.replicate(sets.rows(), 1).array()).cast<float>();
  sets.col(0) = sets.rightCols(class_count()).rowwise().sum();
  return sets;
}

}  // namespace parsimap
