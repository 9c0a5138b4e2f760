#include "parsimap/inspection/label_inspection.hpp"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "parsimap/core/parallel_for.hpp"
#include "parsimap/samples/sample_set.hpp"
#include "parsimap/samples/sampling.hpp"

namespace parsimap {

// Without rank. `decisions`: K values.
// `label_probability` is the softmax of the left-out decision values at the label, `margin` the decision value of the
// label less the largest one of the other classes: negative where another class is more likely.
static LabelEvidence evidence_of(int label, Vector decisions, double slope) {
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
  // The largest value is taken away before the exponentials, so that none of them overflows.
  const double sum = (slope * (decisions.array() - largest)).exp().sum();
  evidence.label_probability = std::exp(slope * (own - largest)) / sum;
  evidence.likely_probability = 1 / sum;
  // The margin compares the label with the best of the other classes, so its own value must not win.
  decisions(label) = decisions.minCoeff();
  evidence.margin = own - decisions.maxCoeff();
  return evidence;
}

// Positions of the evidence from the smallest margin to the largest.
template <typename Evidence>
static void set_ranks(std::vector<Evidence*> all) {
  std::ranges::stable_sort(all, [](const auto* a, const auto* b) { return a->margin < b->margin; });
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i]->rank = static_cast<Index>(i) + 1;
  }
}

static std::vector<RegionEvidence> inspect_regions(const LeftOutLabels& labels,
                                                   const std::vector<LabelEvidence>& pixels) {
  // Regions in the order of their numbers, each with its pixels; all pixels of a region have the same label.
  std::map<std::int64_t, Indices> members;
  for (std::size_t i = 0; i < labels.regions.size(); ++i) {
    members[labels.regions[i]].push_back(static_cast<Index>(i));
  }
  std::vector<RegionEvidence> regions;
  for (auto& [region, rows] : members) {
    // The evidence of a region is the median over its pixels for each class, so that a few odd pixels do not decide.
    const int label = labels.labels[static_cast<std::size_t>(rows.front())];
    const Vector medians = band_medians(labels.decisions(rows, Eigen::all));
    RegionEvidence of_region{region, rows, evidence_of(label, medians, labels.softmax_slope)};
    of_region.against =
        std::ranges::count_if(rows, [&](Index row) { return pixels[static_cast<std::size_t>(row)].margin < 0; });
    regions.push_back(std::move(of_region));
  }
  set_ranks(mapped<LabelEvidence*>(regions, [](RegionEvidence& region) { return &region.evidence; }));
  std::ranges::sort(regions,
                    [](const RegionEvidence& a, const RegionEvidence& b) { return a.evidence.rank < b.evidence.rank; });
  return regions;
}

LabelInspection inspect_labels(const LeftOutLabels& labels) {
  LabelInspection inspection;
  const Index classes = labels.decisions.cols();
  inspection.confusion = CountMatrix::Zero(classes, classes);
  for (std::size_t i = 0; i < labels.labels.size(); ++i) {
    const LabelEvidence evidence =
        evidence_of(labels.labels[i], labels.decisions.row(static_cast<Index>(i)), labels.softmax_slope);
    inspection.confusion(evidence.label, evidence.likely) += evidence.label_known ? 1 : 0;
    inspection.pixels.push_back(evidence);
  }
  set_ranks(mapped<LabelEvidence*>(inspection.pixels, [](LabelEvidence& evidence) { return &evidence; }));
  inspection.regions = inspect_regions(labels, inspection.pixels);
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
  // The covariance of the subspace model: noise in all directions, and what is more than noise along those of the
  // signal.
  normal.covariance +=
      model.directions * (variances.array() - noise).matrix().asDiagonal() * model.directions.transpose();
  return normal;
}

double bhattacharyya(const ClassNormal& a, const ClassNormal& b) {
  // B = (m_a - m_b)' S^-1 (m_a - m_b) / 8 + ln(|S| / sqrt(|S_a| |S_b|)) / 2 with S = (S_a + S_b) / 2, the
  // Bhattacharyya distance of two normal distributions. The Cholesky factor of S serves for both terms.
  const Eigen::LLT<Matrix> middle((a.covariance + b.covariance) / 2);
  const Vector difference = a.mean - b.mean;
  const double log_determinant = 2 * middle.matrixLLT().diagonal().array().log().sum();
  return difference.dot(middle.solve(difference)) / 8 +
         (log_determinant - (a.log_determinant + b.log_determinant) / 2) / 2;
}

}  // namespace

std::vector<ClassPair> class_separability(const Matrix& spectra, const std::vector<int>& labels, std::size_t classes,
                                          const DimensionRule& dimension, int threads) {
  const std::vector<Indices> members = rows_by_class(labels, classes);
  const BlendedModels models(spectra, labels, classes);
  std::vector<std::optional<ClassNormal>> normals(classes);
  parallel_for(static_cast<Index>(classes), threads, [&](Index c) {
    const Indices& rows = members[static_cast<std::size_t>(c)];
    if (!rows.empty()) {
      normals[static_cast<std::size_t>(c)] =
          normal_of(models.model(static_cast<int>(c), kBlend, dimension), spectra(rows, Eigen::all).colwise().mean());
    }
  });
  // Every class becomes a normal distribution once; then all pairs of classes with samples are compared.
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
    // The Jeffries-Matusita distance, from 0 (equal) to 2 (completely separable).
    pair.jeffries_matusita = 2 * (1 - std::exp(-pair.bhattacharyya));
  });
  return pairs;
}

}  // namespace parsimap
