#include "parsimap/report/inspection_record.hpp"

#include <algorithm>

namespace parsimap {

std::vector<InspectedClass> inspected_classes(const InspectionRecord& record) {
  std::vector<InspectedClass> all(record.classes.size());
  for (const RegionEvidence& region : record.evidence.regions) {
    InspectedClass& entry = all[static_cast<std::size_t>(region.evidence.label)];
    ++entry.regions;
    entry.suspicious_regions += region.evidence.margin < 0 ? 1 : 0;
    entry.pixels += static_cast<Index>(region.pixels.size());
  }
  std::vector<InspectedClass> labelled;
  for (std::size_t c = 0; c < all.size(); ++c) {
    all[c].name = record.classes[c].name;
    const auto row = static_cast<Index>(c);
    auto counts = record.evidence.confusion.row(row).eval();
    const auto known = counts.sum();
    if (known > 0) {
      all[c].agreement = static_cast<double>(counts(row)) / static_cast<double>(known);
      counts(row) = 0;
      Index other = 0;
      if (counts.maxCoeff(&other) > 0) {
        all[c].taken_for = record.classes[static_cast<std::size_t>(other)].name;
      }
    }
    if (all[c].regions > 0) {
      labelled.push_back(std::move(all[c]));
    }
  }
  return labelled;
}

Index suspicious_regions(const InspectionRecord& record) {
  return std::count_if(record.evidence.regions.begin(), record.evidence.regions.end(),
                       [](const RegionEvidence& region) { return region.evidence.margin < 0; });
}

}  // namespace parsimap
