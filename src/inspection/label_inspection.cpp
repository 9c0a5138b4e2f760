#include "parsimap/inspection/label_inspection.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

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

}  // namespace parsimap
