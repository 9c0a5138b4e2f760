#include "parsimap/accuracy/comparison.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "parsimap/accuracy/change_map.hpp"
#include "parsimap/core/error.hpp"

namespace parsimap {
namespace {

// The text field of the reference, beside that of its classes, in which half of the names of the map's classes or more
// occur; that with most of them.
struct NamingField {
  std::string name;  // empty: none
  std::size_t found = 0;
  bool same_codes = true;  // the names have the codes of the map there
};

NamingField naming_field(const ClassTable& map, const LabelledPixels& reference) {
  NamingField best;
  for (const auto& [field, texts] : reference.other_texts) {
    NamingField one{field};
    for (const ClassEntry& entry : map) {
      if (const auto text = texts.find(entry.name); text != texts.end()) {
        ++one.found;
        one.same_codes = one.same_codes && text->second == std::set<std::string>{std::to_string(entry.code)};
      }
    }
    best = 2 * one.found >= map.size() && one.found > best.found ? one : best;
  }
  return best;
}

// Refuses a match that few classes are in, of changes few names of pairs, and one by codes where a field of the
// reference has the names of the map's classes, and they have other codes there.
void check_match(const ClassList& map, const ClassList& nameable, const ClassList& present,
                 const LabelledPixels& reference, bool by_name) {
  const NamingField field = has_names(map.classes) ? naming_field(map.classes, reference) : NamingField();
  const std::string option = field.name.empty()
                                 ? "--class-field may name another field, and --classes FILE may rename classes"
                                 : "--class-field " + field.name + " has the names of the map";
  check_agreement(present, by_name ? nameable : map, option);
  if (!by_name && !field.same_codes) {
    throw DataError(present.source + ": the codes of its classes are not those of " + map.source +
                    ", whose classes have other codes in the field '" + field.name + "'; " + option +
                    side_by_side(present, map));
  }
}

using PixelIterator = std::vector<LabelledPixel>::const_iterator;

}  // namespace

ClassMatch match_classes(const ClassMapSource& map, const LabelledPixels& reference,
                         const std::string& reference_name) {
  if (map.classes().empty()) {
    throw DataError(map.name() + " has no pixel with a class");
  }
  if (reference.named_by_text && !map.has_names()) {
    throw DataError(map.name() + " has no class names, but the classes of " + reference_name +
                    " are texts; assess with a class field of integers or a map with names");
  }
  const ClassTable& classes = map.classes();
  const std::vector<Index> sizes = class_sizes(reference);
  ClassMatch match;
  const ClassList of_map{classes, false, map.name()};
  const ClassTable nameable = ChangeMap::reference_classes(map);
  const ClassTable with_pixels =
      values_at(reference.classes, indices_where(sizes.size(), [&](std::size_t i) { return sizes[i] > 0; }));
  const ClassPairs pairs = pair_classes({reference.classes, reference.named_by_text, reference_name}, of_map);
  check_match(of_map, {nameable, false, map.name()}, {with_pixels, reference.named_by_text, reference_name}, reference,
              pairs.by_name);
  match.by_name = pairs.by_name;
  for (const ClassEntry& entry : classes) {
    // The matrix shows the names of the map, or where it has none those that the reference gives to its codes.
    match.codes.emplace_back(entry.code);
    const auto named = std::ranges::find(reference.classes, entry.code, &ClassEntry::code);
    match.names.push_back(map.has_names() || pairs.by_name || named == reference.classes.end() ? entry.name
                                                                                               : named->name);
  }
  for (std::size_t i = 0; i < reference.classes.size(); ++i) {
    const ClassEntry& entry = reference.classes[i];
    Index row = pairs.index[i];
    // A class that only the reference has becomes a further row, if it has a pixel: the map is wrong there.
    if (row < 0 && sizes[i] > 0) {
      row = static_cast<Index>(match.names.size());
      match.names.push_back(entry.name);
      match.codes.emplace_back();
      match.reference_only.push_back(match.names.back());
    }
    match.row.push_back(row);
  }
  return match;
}

// Counts every reference pixel by its reference class and the class that the map has there; pixels that the map
// leaves unclassified are counted apart.
Comparison compare(ClassMapSource& map, const LabelledPixels& reference, const std::string& reference_name) {
  if (reference.pixels.empty()) {
    throw DataError(reference_name + " has no labelled pixel on " + map.name() + "; there is nothing to assess");
  }
  ClassMatch match = match_classes(map, reference, reference_name);
  ConfusionMatrix confusion(match.names);
  Comparison comparison{std::move(match), std::move(confusion), {}, 0};
  const Indices column_of = index_of_codes(map.classes());
  const std::vector<std::uint16_t> codes = codes_at(map, reference.pixels);
  comparison.columns.reserve(codes.size());
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const Index column = column_of[codes[i]];
    comparison.columns.push_back(column);
    if (column < 0) {
      ++comparison.unclassified;
    } else {
      comparison.confusion.add(comparison.match.row_of(reference.pixels[i]), column);
    }
  }
  if (comparison.confusion.pixels() == 0) {
    throw DataError(map.name() + " is unclassified at all " + std::to_string(comparison.unclassified) +
                    " reference pixels; there is nothing to assess");
  }
  return comparison;
}

void count_overlap(const Comparison& comparison, const LabelledPixels& reference,
                   const std::vector<std::int64_t>& training, TrainingOverlap& overlap) {
  // Pixels of a region that is partly trained on are like those of the training: none of them is one of the others.
  std::set<SampleUnit> touched;
  std::vector<bool> trained;
  for (std::size_t i = 0; i < reference.pixels.size(); ++i) {
    const LabelledPixel& pixel = reference.pixels[i];
    trained.push_back(comparison.columns[i] >= 0 && std::binary_search(training.begin(), training.end(), pixel.pixel));
    if (trained[i]) {
      ++overlap.pixels;
      touched.insert(reference.unit_of(pixel.region));
    }
  }
  std::int64_t right = 0;
  for (std::size_t i = 0; i < reference.pixels.size(); ++i) {
    const LabelledPixel& pixel = reference.pixels[i];
    const bool other = !(reference.has_regions ? touched.count(reference.unit_of(pixel.region)) > 0 : trained[i]);
    if (comparison.columns[i] >= 0 && other) {
      ++overlap.other_pixels;
      right += comparison.match.row_of(pixel) == comparison.columns[i] ? 1 : 0;
    }
  }
  if (reference.has_regions) {
    overlap.regions = static_cast<std::int64_t>(touched.size());
  }
  if (overlap.other_pixels > 0) {
    overlap.other_accuracy = static_cast<double>(right) / static_cast<double>(overlap.other_pixels);
  }
}

// Pixels of one feature resemble each other, so that they are not independent: where the reference has features,
// intervals are computed from these.
AccuracyIntervals comparison_intervals(const Comparison& comparison, const LabelledPixels& reference) {
  if (!reference.has_regions) {
    return pixel_intervals(comparison.confusion);
  }
  std::vector<ComparedPixel> pixels;
  pixels.reserve(reference.pixels.size());
  for (std::size_t i = 0; i < reference.pixels.size(); ++i) {
    if (comparison.columns[i] >= 0) {
      const LabelledPixel& pixel = reference.pixels[i];
      pixels.push_back({comparison.match.row_of(pixel), comparison.columns[i], reference.unit_of(pixel.region)});
    }
  }
  return region_intervals(comparison.confusion, std::move(pixels));
}

std::vector<std::uint16_t> codes_at(ClassMapSource& map, const std::vector<LabelledPixel>& pixels) {
  // The pixels are ascending, so those of one window of rows follow each other. Of each window only the smallest
  // part that holds the pixels is read.
  const Index width = map.grid().width;
  std::vector<std::uint16_t> result;
  result.reserve(pixels.size());
  std::vector<std::uint16_t> codes;
  PixelIterator next = pixels.begin();
  for (const Window& rows : row_strips(map.grid())) {
    // `beyond` is the number of the first pixel after the window.
    const std::int64_t beyond = (rows.row + rows.height) * width;
    const PixelIterator end = std::ranges::lower_bound(next, pixels.end(), beyond, {}, &LabelledPixel::pixel);
    if (next == end) {
      continue;
    }
    const Window window = bounds_of(mapped<Index>(std::span(next, end), &LabelledPixel::pixel), width).window();
    map.read(window, codes);
    for (; next != end; ++next) {
      const Index row = next->pixel / width - window.row;
      const Index column = next->pixel % width - window.column;
      result.push_back(codes[static_cast<std::size_t>(row * window.width + column)]);
    }
  }
  map.check_unchanged();
  return result;
}

constexpr std::size_t kPixelsAtATime = std::size_t{1} << 16U;
constexpr std::int64_t kReadBytes = std::int64_t{64} << 20U;

// Probabilities belong to classes by the names of their bands.
static void check_bands(const SceneSource& probabilities, const std::vector<std::string>& classes) {
  for (const Band& band : probabilities.bands()) {
    if (std::ranges::find(classes, band.name) == classes.end()) {
      throw DataError(probabilities.name() + ": the band '" + band.name +
                      "' has not the name of a class; it must be a raster of 'classify --probabilities'");
    }
  }
}

void visit_probabilities(SceneSource& probabilities, const LabelledPixels& reference, const Progress& progress,
                         const ProbabilityVisitor& visit) {
  const Indices bands = consecutive(std::ssize(probabilities.bands()));
  // The reference is visited in parts of so many pixels, which bounds what is held. Extraction leaves out pixels
  // without a value in every band, so samples and pixels are walked side by side.
  LabelledPixels part;
  std::vector<double> values;
  for (std::size_t begin = 0; begin < reference.pixels.size(); begin += kPixelsAtATime) {
    const std::size_t end = std::min(reference.pixels.size(), begin + kPixelsAtATime);
    part.pixels.assign(reference.pixels.begin() + static_cast<std::ptrdiff_t>(begin),
                       reference.pixels.begin() + static_cast<std::ptrdiff_t>(end));
    const SampleSet samples = extract_samples_of_bands(probabilities, part, bands, kReadBytes, {}).samples;
    Index sample = 0;
    for (std::size_t i = begin; i < end; ++i) {
      values.clear();
      if (sample < samples.size() &&
          samples.places[static_cast<std::size_t>(sample)].pixel == reference.pixels[i].pixel) {
        const auto row = samples.spectra.row(sample++);
        values.assign(row.begin(), row.end());
      }
      visit(i, values);
    }
    report_done(progress, end, reference.pixels.size());
  }
}

Reliability assess_probabilities(SceneSource& probabilities, const LabelledPixels& reference, const ClassMatch& match,
                                 const Progress& progress) {
  check_bands(probabilities, match.names);
  Reliability reliability;
  visit_probabilities(probabilities, reference, progress, [&](std::size_t i, const std::vector<double>& values) {
    if (!values.empty()) {
      // The predicted class is that of the largest probability, and its confidence is this probability.
      const auto largest = std::max_element(values.begin(), values.end());
      const Band& band = probabilities.bands()[static_cast<std::size_t>(largest - values.begin())];
      const auto wanted = static_cast<std::size_t>(match.row_of(reference.pixels[i]));
      reliability.add(*largest, band.name == match.names[wanted]);
    }
  });
  return reliability;
}

}  // namespace parsimap
