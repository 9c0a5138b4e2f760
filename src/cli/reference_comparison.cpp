#include "reference_comparison.hpp"

#include <algorithm>
#include <utility>

#include "parsimap/core/error.hpp"

namespace parsimap {
namespace {

std::vector<bool> classes_with_pixels(const LabelledPixels& reference) {
  std::vector<bool> present(reference.classes.size(), false);
  for (const LabelledPixel& pixel : reference.pixels) {
    present[static_cast<std::size_t>(pixel.label)] = true;
  }
  return present;
}

// The index in the map's class table of the class that stands for `entry`, -1 for none.
Index counterpart(const ClassTable& table, const ClassEntry& entry, bool by_name) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const ClassEntry& candidate) {
    return by_name ? candidate.name == entry.name : candidate.code == entry.code;
  });
  return found == table.end() ? -1 : static_cast<Index>(found - table.begin());
}

std::string unused_name(const ClassEntry& entry, const std::vector<std::string>& names) {
  const bool taken = std::find(names.begin(), names.end(), entry.name) != names.end();
  return taken ? entry.name + " (code " + std::to_string(entry.code) + ")" : entry.name;
}

// A class that no file names is named by its code, which says nothing.
bool share_a_name(const ClassTable& map, const ClassTable& reference) {
  return std::any_of(reference.begin(), reference.end(), [&](const ClassEntry& entry) {
    return entry.name != std::to_string(entry.code) && counterpart(map, entry, true) >= 0;
  });
}

// Windows of whole rows, small enough for any map, cut to the columns that are asked for.
template <typename Visit>
void visit_codes(ClassMapSource& map, const std::vector<LabelledPixel>& pixels, const Visit& visit) {
  constexpr Index kMostPixels = Index{1} << 22U;
  const Index width = map.grid().width;
  const Index rows = std::max<Index>(1, kMostPixels / width);
  std::vector<std::uint16_t> codes;
  for (std::size_t begin = 0; begin < pixels.size();) {
    const Index first_row = pixels[begin].pixel / width;
    Window window{width, first_row, 0, 1};
    Index right = 0;
    std::size_t end = begin;
    for (; end < pixels.size() && pixels[end].pixel / width < first_row + rows; ++end) {
      window.column = std::min(window.column, Index{pixels[end].pixel % width});
      right = std::max(right, Index{pixels[end].pixel % width});
      window.height = pixels[end].pixel / width - first_row + 1;
    }
    window.width = right - window.column + 1;
    map.read(window, codes);
    for (; begin < end; ++begin) {
      const Index row = pixels[begin].pixel / width - window.row;
      const Index column = pixels[begin].pixel % width - window.column;
      visit(pixels[begin], codes[static_cast<std::size_t>(row * window.width + column)]);
    }
  }
}

}  // namespace

ClassMatch match_classes(const ClassMapSource& map, const LabelledPixels& reference,
                         const std::string& reference_name) {
  if (reference.named_by_text && !map.has_names()) {
    throw DataError(map.name() + " has no class names, but the classes of " + reference_name +
                    " are texts; assess with a class field of integers or a map with names");
  }
  const ClassTable& classes = map.classes();
  const std::vector<bool> present = classes_with_pixels(reference);
  ClassMatch match;
  match.by_name = reference.named_by_text || (map.has_names() && share_a_name(classes, reference.classes));
  for (const ClassEntry& entry : classes) {
    const Index named = map.has_names() ? -1 : counterpart(reference.classes, entry, false);
    match.names.push_back(named < 0 ? entry.name : reference.classes[static_cast<std::size_t>(named)].name);
  }
  for (std::size_t i = 0; i < reference.classes.size(); ++i) {
    const ClassEntry& entry = reference.classes[i];
    Index row = counterpart(classes, entry, match.by_name);
    if (row < 0 && present[i]) {
      row = static_cast<Index>(match.names.size());
      match.names.push_back(unused_name(entry, match.names));
      match.reference_only.push_back(match.names.back());
    }
    match.row.push_back(row);
  }
  return match;
}

std::vector<std::uint16_t> codes_at(ClassMapSource& map, const std::vector<LabelledPixel>& pixels) {
  std::vector<std::uint16_t> codes;
  codes.reserve(pixels.size());
  visit_codes(map, pixels, [&](const LabelledPixel&, std::uint16_t code) { codes.push_back(code); });
  return codes;
}

Indices index_of_codes(const ClassTable& classes) {
  Indices index(classes.empty() ? 1 : static_cast<std::size_t>(classes.back().code) + 1, -1);
  for (std::size_t i = 0; i < classes.size(); ++i) {
    index[static_cast<std::size_t>(classes[i].code)] = static_cast<Index>(i);
  }
  return index;
}

Comparison compare(ClassMapSource& map, const LabelledPixels& reference, const ClassMatch& match) {
  const Indices column_of = index_of_codes(map.classes());
  Comparison comparison{ConfusionMatrix(match.names), {}, 0};
  comparison.columns.reserve(reference.pixels.size());
  visit_codes(map, reference.pixels, [&](const LabelledPixel& pixel, std::uint16_t code) {
    const Index column = column_of[code];
    comparison.columns.push_back(column);
    if (column < 0) {
      ++comparison.unclassified;
    } else {
      comparison.confusion.add(match.row[static_cast<std::size_t>(pixel.label)], column);
    }
  });
  if (comparison.confusion.pixels() == 0) {
    throw DataError(map.name() + " is unclassified at all " + std::to_string(comparison.unclassified) +
                    " reference pixels; there is nothing to assess");
  }
  return comparison;
}

bool has_regions(const LabelledPixels& reference) {
  return std::any_of(reference.pixels.begin(), reference.pixels.end(),
                     [](const LabelledPixel& pixel) { return pixel.region != 0; });
}

AccuracyIntervals comparison_intervals(const Comparison& comparison, const LabelledPixels& reference,
                                       const ClassMatch& match) {
  if (!has_regions(reference)) {
    return pixel_intervals(comparison.confusion);
  }
  std::vector<ComparedPixel> pixels;
  pixels.reserve(reference.pixels.size());
  for (std::size_t i = 0; i < reference.pixels.size(); ++i) {
    if (comparison.columns[i] >= 0) {
      const LabelledPixel& pixel = reference.pixels[i];
      pixels.push_back({match.row[static_cast<std::size_t>(pixel.label)], comparison.columns[i], pixel.region});
    }
  }
  return region_intervals(comparison.confusion, std::move(pixels));
}

}  // namespace parsimap
