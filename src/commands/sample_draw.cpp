#include "sample_draw.hpp"

#include <algorithm>
#include <cmath>

#include "parsimap/core/error.hpp"
#include "parsimap/samples/sampling.hpp"
#include "parsimap/scene/labelled_pixels.hpp"
#include "parsimap/text/text_tables.hpp"

namespace parsimap {
namespace {

// Enough for classes of which most pixels have no spectrum.
constexpr Index kCandidatesPerSample = 20;

std::vector<int> labels_of(const LabelledPixels& labelled) {
  std::vector<int> labels;
  labels.reserve(labelled.pixels.size());
  for (const LabelledPixel& pixel : labelled.pixels) {
    labels.push_back(pixel.label);
  }
  return labels;
}

}  // namespace

std::vector<Index> class_table_counts(const SamplingRule& rule, const ClassTable& classes, const Warn& warn) {
  if (rule.strategy != SamplingStrategy::by_class) {
    return {};
  }
  std::vector<Index> counts(classes.size(), -1);
  for (const auto& [name, count] : read_class_counts(rule.file, warn)) {
    const auto found = std::find_if(classes.begin(), classes.end(), [&name = name](const ClassEntry& entry) {
      return entry.name == name || std::to_string(entry.code) == name;
    });
    if (found == classes.end()) {
      throw DataError(rule.file + ": there is no class '" + name + "' in the labels");
    }
    if (count < kLeastSamples) {
      throw DataError(rule.file + ": class '" + name + "' is to have " + std::to_string(count) +
                      " pixels; training takes " + std::to_string(kLeastSamples) + " or more");
    }
    counts[static_cast<std::size_t>(found - classes.begin())] = count;
  }
  const auto missing = std::find(counts.begin(), counts.end(), -1);
  if (missing != counts.end()) {
    throw DataError(rule.file + ": class '" + classes[static_cast<std::size_t>(missing - counts.begin())].name +
                    "' of the labels is missing");
  }
  return counts;
}

SampleDraw::SampleDraw(const SamplingRule& rule, const ClassTable& classes, std::uint64_t seed, const Warn& warn)
    : rule_(rule), seed_(seed) {
  const std::vector<Index> counts = class_table_counts(rule, classes, warn);
  for (std::size_t c = 0; c < counts.size(); ++c) {
    table_[classes[c].code] = counts[c];
  }
}

std::vector<Index> SampleDraw::table_of(const ClassTable& classes) const {
  std::vector<Index> table;
  if (rule_.strategy == SamplingStrategy::by_class) {
    for (const ClassEntry& entry : classes) {
      table.push_back(table_.at(entry.code));
    }
  }
  return table;
}

void SampleDraw::choose_candidates(LabelledPixels& labelled, Index least) {
  if (rule_.strategy == SamplingStrategy::all) {
    return;
  }
  const std::vector<int> labels = labels_of(labelled);
  labelled_ = class_sizes(labelled);
  std::vector<Index> wanted = sample_counts(rule_, labelled_, table_of(labelled.classes));
  for (Index& count : wanted) {
    count = kCandidatesPerSample * std::max(count, least);
  }
  std::vector<LabelledPixel> kept;
  for (const Index i : draw_counts(labels, wanted, seed_)) {
    kept.push_back(labelled.pixels[static_cast<std::size_t>(i)]);
  }
  labelled.pixels = std::move(kept);
  candidates_ = class_sizes(labelled);
}

std::vector<Index> SampleDraw::sizes(const SampleSet& samples) const {
  std::vector<Index> sizes = class_counts(samples);
  if (rule_.strategy == SamplingStrategy::all) {
    return sizes;
  }
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    const double per_candidate =
        static_cast<double>(labelled_[c]) / static_cast<double>(std::max<Index>(1, candidates_[c]));
    sizes[c] = static_cast<Index>(std::lround(per_candidate * static_cast<double>(sizes[c])));
  }
  return sizes;
}

void SampleDraw::draw(SampleSet& samples) const {
  if (rule_.strategy != SamplingStrategy::all) {
    const std::vector<Index> counts = sample_counts(rule_, sizes(samples), table_of(samples.classes));
    samples = subset(samples, draw_counts(samples.labels, counts, seed_));
  }
}

}  // namespace parsimap
