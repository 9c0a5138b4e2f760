#include "inspected_wavelengths.hpp"

#include <algorithm>
#include <numeric>

#include "parsimap/classifier/sample_columns.hpp"
#include "parsimap/inspection/band_importance.hpp"
#include "parsimap/samples/sampling.hpp"

#include "job_frame.hpp"

namespace parsimap {
namespace {

constexpr Index kJudged = 1500;
constexpr Index kLeastOfClass = 50;

bool has_wavelengths(const Model& model) {
  return std::all_of(model.band_table.begin(), model.band_table.end(),
                     [](const Band& band) { return band.wavelength.has_value(); });
}

// The columns of the spectra by wavelength, or in the order of the bands.
Indices band_order(const Model& model) {
  Indices order(model.bands.size());
  std::iota(order.begin(), order.end(), Index{0});
  if (has_wavelengths(model)) {
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
      return *model.band_table[static_cast<std::size_t>(a)].wavelength <
             *model.band_table[static_cast<std::size_t>(b)].wavelength;
    });
  }
  return order;
}

std::vector<IntervalRange> ranges_of(const std::vector<Indices>& intervals, const Model& model) {
  std::vector<IntervalRange> ranges;
  for (const Indices& interval : intervals) {
    const auto first = static_cast<std::size_t>(interval.front());
    const auto last = static_cast<std::size_t>(interval.back());
    IntervalRange range{model.bands[first], model.bands[last]};
    if (has_wavelengths(model)) {
      range.wavelengths = {*model.band_table[first].wavelength, *model.band_table[last].wavelength};
    }
    ranges.push_back(range);
  }
  return ranges;
}

Indices judged_rows(const SampleSet& samples, const Indices& untrusted, std::uint64_t seed) {
  Indices rows = draw_stratified(samples.labels, samples.classes.size(), kJudged, kLeastOfClass, seed);
  std::erase_if(rows, [&](Index row) { return std::find(untrusted.begin(), untrusted.end(), row) != untrusted.end(); });
  return rows;
}

}  // namespace

WavelengthRecord inspect_wavelengths(const InspectOptions& options, const Model& model, const ClassifierDesign& design,
                                     const SampleSet& samples, const Matrix& spectra, const Indices& untrusted,
                                     Listener& listener) {
  const Indices rows = judged_rows(samples, untrusted, options.seed);
  const SampleSet judged = subset(samples, rows);
  const Matrix judged_columns = spectra(rows, Eigen::all);
  const LabelledSpectra labelled{judged_columns, judged.labels, judged.groups, model.classes.size(),
                                 profile_features(model)};
  const Matrix judged_spectra = judged_columns.leftCols(labelled.bands());
  LeftOutOptions left_out;
  left_out.repeats = 1;
  left_out.samples = judged.size();
  left_out.seed = options.seed;
  left_out.threads = thread_count(options);
  left_out.progress = listener.progress("judging wavelengths");
  WavelengthRecord record;
  record.importance =
      interval_importance(labelled, left_out_folds(labelled, {}, left_out), design,
                          band_intervals(judged_spectra, band_order(model)), exact_softmax_slope(model), left_out);
  record.ranges = ranges_of(record.importance.intervals, model);
  record.pairs = class_separability(judged_spectra, judged.labels, model.classes.size(), {}, thread_count(options));
  return record;
}

}  // namespace parsimap
