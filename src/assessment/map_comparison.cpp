#include "parsimap/assessment/map_comparison.hpp"

#include <algorithm>
#include <map>

#include "parsimap/accuracy/paired_test.hpp"
#include "parsimap/core/error.hpp"

namespace parsimap {
namespace {

std::int64_t& count_of(PairedCounts& counts, bool first_right, bool second_right) {
  if (first_right) {
    return second_right ? counts.both_right : counts.first_only;
  }
  return second_right ? counts.second_only : counts.both_wrong;
}

// Independent pixels are regions of one pixel each.
std::vector<RegionDifference> pixel_differences(const PairedCounts& counts) {
  std::vector<RegionDifference> pixels(static_cast<std::size_t>(counts.pixels()), {1, 0});
  const auto better = pixels.begin() + counts.first_only;
  std::fill(pixels.begin(), better, RegionDifference{1, 1});
  std::fill(better, better + counts.second_only, RegionDifference{1, -1});
  return pixels;
}

}  // namespace

MapComparison compare_maps(const ClassMapSource& first, const Comparison& comparison, ClassMapSource& second,
                           const LabelledPixels& reference, const std::string& reference_name) {
  const ClassMatch second_match = match_classes(second, reference, reference_name);
  const Indices column_of = index_of_codes(second.classes());
  const std::vector<std::uint16_t> codes = codes_at(second, reference.pixels);
  MapComparison result;
  result.map = second.name();
  std::map<std::int64_t, RegionDifference> regions;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const LabelledPixel& pixel = reference.pixels[i];
    const Index first_column = comparison.columns[i];
    const Index second_column = column_of[codes[i]];
    if (first_column < 0 || second_column < 0) {
      ++result.unclassified_pixels;
      continue;
    }
    const bool first_right = first_column == comparison.match.row_of(pixel);
    const bool second_right = second_column == second_match.row_of(pixel);
    ++count_of(result.counts, first_right, second_right);
    RegionDifference& region = regions[pixel.region];
    ++region.pixels;
    region.difference += static_cast<int>(first_right) - static_cast<int>(second_right);
  }
  if (result.counts.pixels() == 0) {
    throw DataError(first.name() + " and " + second.name() +
                    " have no reference pixel that both classify; there is nothing to compare");
  }
  result.test = mcnemar_test(result.counts);
  std::vector<RegionDifference> drawn;
  if (reference.has_regions) {
    result.regions = static_cast<std::int64_t>(regions.size());
    for (const auto& [region, difference] : regions) {
      drawn.push_back(difference);
    }
  } else {
    drawn = pixel_differences(result.counts);
  }
  result.difference = bootstrap_difference(drawn, 0);
  return result;
}

}  // namespace parsimap
