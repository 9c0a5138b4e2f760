#include "parsimap/inspection/label_inspection.hpp"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include "parsimap/core/parallel_for.hpp"
#include "parsimap/hdda/blended_model.hpp"

namespace parsimap {

namespace {

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) {
    return *middle;
  }
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

// Without rank. `decisions`: K values.
LabelEvidence evidence_of(int label, Vector decisions, double slope) {
  LabelEvidence evidence;
  evidence.label = label;
  evidence.label_known = std::isfinite(decisions(label));
  if (!evidence.label_known) {
    decisions(label) = 0;
  }
  // A tie goes to the label: nothing speaks against it then.
  const double own = decisions(label);
  Index likely = 0;
  const double largest = decisions.maxCoeff(&likely);
  evidence.likely = largest > own ? static_cast<int>(likely) : label;
  const double sum = (slope * (decisions.array() - largest)).exp().sum();
  evidence.label_probability = std::exp(slope * (own - largest)) / sum;
  evidence.likely_probability = 1 / sum;
  decisions(label) = decisions.minCoeff();
  evidence.margin = own - decisions.maxCoeff();
  return evidence;
}

Vector region_decisions(const Matrix& decisions, const Indices& pixels) {
  Vector result(decisions.cols());
  for (Index c = 0; c < decisions.cols(); ++c) {
    const Vector values = decisions(pixels, c);
    result(c) = median({values.begin(), values.end()});
  }
  return result;
}

// Positions of the evidence from the smallest margin to the largest.
template <typename Evidence>
void set_ranks(std::vector<Evidence*> all) {
  std::stable_sort(all.begin(), all.end(), [](const auto* a, const auto* b) { return a->margin < b->margin; });
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i]->rank = static_cast<Index>(i) + 1;
  }
}

std::vector<RegionEvidence> judge_regions(const JudgedLabels& judged, const std::vector<LabelEvidence>& pixels) {
  std::map<std::int64_t, Indices> members;
  for (std::size_t i = 0; i < judged.regions.size(); ++i) {
    members[judged.regions[i]].push_back(static_cast<Index>(i));
  }
  std::vector<RegionEvidence> regions;
  for (auto& [region, rows] : members) {
    const int label = judged.labels[static_cast<std::size_t>(rows.front())];
    RegionEvidence of_region{region, rows,
                             evidence_of(label, region_decisions(judged.decisions, rows), judged.softmax_slope)};
    of_region.against = std::count_if(rows.begin(), rows.end(),
                                      [&](Index row) { return pixels[static_cast<std::size_t>(row)].margin < 0; });
    regions.push_back(std::move(of_region));
  }
  std::vector<LabelEvidence*> all;
  for (RegionEvidence& region : regions) {
    all.push_back(&region.evidence);
  }
  set_ranks(all);
  std::sort(regions.begin(), regions.end(),
            [](const RegionEvidence& a, const RegionEvidence& b) { return a.evidence.rank < b.evidence.rank; });
  return regions;
}

}  // namespace

LabelInspection inspect_labels(const JudgedLabels& judged) {
  LabelInspection inspection;
  const Index classes = judged.decisions.cols();
  inspection.confusion = CountMatrix::Zero(classes, classes);
  for (std::size_t i = 0; i < judged.labels.size(); ++i) {
    const LabelEvidence evidence =
        evidence_of(judged.labels[i], judged.decisions.row(static_cast<Index>(i)), judged.softmax_slope);
    inspection.confusion(evidence.label, evidence.likely) += evidence.label_known ? 1 : 0;
    inspection.pixels.push_back(evidence);
  }
  std::vector<LabelEvidence*> all;
  for (LabelEvidence& evidence : inspection.pixels) {
    all.push_back(&evidence);
  }
  set_ranks(all);
  inspection.regions = judge_regions(judged, inspection.pixels);
  return inspection;
}

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
