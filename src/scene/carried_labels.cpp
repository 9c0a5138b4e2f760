#include "parsimap/scene/carried_labels.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "parsimap/core/error.hpp"

namespace parsimap {
namespace {

constexpr Index kStripPixels = Index{1} << 20;

// Every label of the map whose pixel shows one of the scene, as a label of that, in the order of the map.
std::vector<LabelledPixel> carried(const std::vector<LabelledPixel>& labels, GeometryLookup& lookup) {
  const RasterGrid& grid = lookup.grid();
  const Index rows = std::max<Index>(1, kStripPixels / grid.width);
  std::vector<LabelledPixel> claims;
  std::vector<std::int64_t> shown;
  for (auto first = labels.begin(); first != labels.end();) {
    // A strip begins in the row of the next label: the map may be labelled in few places.
    const Index row = first->pixel / grid.width;
    const Window strip{0, row, grid.width, std::min(rows, grid.height - row)};
    const std::int64_t begin = row * grid.width;
    lookup.read(strip, shown);
    for (; first != labels.end() && first->pixel < begin + strip.pixels(); ++first) {
      const std::int64_t pixel = shown[static_cast<std::size_t>(first->pixel - begin)];
      if (pixel >= 0) {
        claims.push_back({pixel, first->label, first->region});
      }
    }
  }
  std::stable_sort(claims.begin(), claims.end(), [](const auto& a, const auto& b) { return a.pixel < b.pixel; });
  return claims;
}

std::set<std::int64_t> regions_of(const std::vector<LabelledPixel>& labels) {
  std::set<std::int64_t> regions;
  for (const LabelledPixel& label : labels) {
    regions.insert(label.region);
  }
  return regions;
}

}  // namespace

LabelledPixels carry_labels(LabelledPixels labels, GeometryLookup& lookup) {
  const std::vector<LabelledPixel> claims = carried(labels.pixels, lookup);
  if (claims.empty()) {
    throw DataError("no label lies where the map of " + lookup.name() + " shows a pixel of the scene");
  }
  if (labels.has_regions) {
    labels.outside += static_cast<std::int64_t>(regions_of(labels.pixels).size() - regions_of(claims).size());
  }
  labels.pixels.clear();
  settle_claims(claims, labels);
  return labels;
}

}  // namespace parsimap
