#include "parsimap/assessment/probabilities.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "parsimap/core/error.hpp"
#include "parsimap/scene/extract_samples.hpp"

namespace parsimap {
namespace {

constexpr std::size_t kPixelsAtATime = std::size_t{1} << 16U;
constexpr std::int64_t kReadBytes = std::int64_t{64} << 20U;

void check_bands(const SceneSource& probabilities, const std::vector<std::string>& classes) {
  const BandTable& bands = probabilities.bands();
  const bool known = std::any_of(bands.begin(), bands.end(), [&](const Band& band) {
    return std::find(classes.begin(), classes.end(), band.name) != classes.end();
  });
  if (!known) {
    throw DataError(probabilities.name() + ": no band has the name of a class; it must be a raster of 'classify " +
                    "--probabilities'");
  }
}

}  // namespace

void visit_probabilities(SceneSource& probabilities, const LabelledPixels& reference, const Progress& progress,
                         const ProbabilityVisitor& visit) {
  Indices bands(probabilities.bands().size());
  std::iota(bands.begin(), bands.end(), Index{0});
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
      if (sample < samples.size() && samples.pixels[static_cast<std::size_t>(sample)] == reference.pixels[i].pixel) {
        const auto row = samples.spectra.row(sample++);
        values.assign(row.begin(), row.end());
      }
      visit(i, values);
    }
    if (progress) {
      progress(static_cast<double>(end) / static_cast<double>(reference.pixels.size()));
    }
  }
}

Reliability assess_probabilities(SceneSource& probabilities, const LabelledPixels& reference, const ClassMatch& match,
                                 const Progress& progress) {
  check_bands(probabilities, match.names);
  Reliability reliability;
  visit_probabilities(probabilities, reference, progress, [&](std::size_t i, const std::vector<double>& values) {
    if (!values.empty()) {
      const auto largest = std::max_element(values.begin(), values.end());
      const Band& band = probabilities.bands()[static_cast<std::size_t>(largest - values.begin())];
      const auto wanted = static_cast<std::size_t>(match.row_of(reference.pixels[i]));
      reliability.add(*largest, band.name == match.names[wanted]);
    }
  });
  return reliability;
}

}  // namespace parsimap
