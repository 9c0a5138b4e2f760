#include "inspected_samples.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/inspection/band_importance.hpp"
#include "parsimap/inspection/label_inspection.hpp"
#include "parsimap/mapping/model_scene.hpp"
#include "parsimap/samples/sampling.hpp"
#include "parsimap/scene/labelled_pixels.hpp"
#include "parsimap/validation/left_out.hpp"

#include "job_frame.hpp"
#include "training/train_options.hpp"

namespace parsimap {

// Gives the labels the classes of the model.
static void take_classes(LabelledPixels& labels, const InspectOptions& options, const Model& model,
                         Listener& listener) {
  const ClassList of_labels{labels.classes, labels.named_by_text, options.labels.files.front()};
  const ClassList of_model{model.classes, false, options.model};
  check_agreement(of_labels, of_model, "--class-field may name another field, and --classes FILE may rename classes");
  const std::vector<int> match = pair_classes(of_labels, of_model).index;
  const std::set<int> matched(match.begin(), match.end());
  // -1 stands for no match. With fewer than two classes there is no other class that a label could be confused with.
  if (matched.size() - matched.count(-1) < 2) {
    throw DataError("labels can be inspected where two classes at least are those of the model" +
                    side_by_side(of_labels, of_model));
  }
  std::set<std::string> unknown;
  for (std::size_t c = 0; c < match.size(); ++c) {
    if (match[c] < 0) {
      unknown.insert(labels.classes[c].name);
    }
  }
  if (!unknown.empty()) {
    listener.warn("labels-of-other-classes",
                  "labels of classes that the model does not have are left out: " + quoted_names(unknown));
  }
  relabel(match, labels);
  labels.classes = model.classes;
}

static void warn_of_losses(const LabelledPixels& labels, std::int64_t invalid, bool masked, Listener& listener) {
  for (const std::string& note : labels.notes) {
    listener.warn("names-read-otherwise", note);
  }
  if (labels.outside > 0) {
    listener.warn("features-outside", "features without a pixel on the scene: " + outside_text(labels));
  }
  if (labels.conflicting > 0) {
    listener.warn("conflicting-labels",
                  "pixels left out because two classes claim them: " + std::to_string(labels.conflicting));
  }
  if (invalid > 0) {
    listener.warn("pixels-without-value", std::string("labelled pixels left out because a band has no value there") +
                                              (masked ? " or they lie outside of the mask: " : ": ") +
                                              std::to_string(invalid));
  }
}

InspectedSamples read_inspected_samples(const InspectOptions& options, const Model& model, SceneSource& scene,
                                        Listener& listener) {
  // Samples are read in the bands of the model, in the order in which the model uses them, and with the profiles that
  // it looks at.
  ModelScene source(scene, model, pixel_metres(scene.grid()), work_bytes(options), thread_count(options));
  LabelInput input = options.labels;
  input.options.separate_parts = true;
  LabelledPixels labels = read_label_input(input, scene);
  InspectedSamples result;
  if (input.files.size() == 1) {
    // Ids of features say nothing where they may be of several files.
    result.features = labels.region_features;
  }
  take_classes(labels, options, model, listener);
  // Rasters of labels have no features: connected pixels of one class become a region.
  if (!labels.has_regions) {
    find_regions(labels, scene.grid().width);
  }
  Extraction extraction = extract_samples_of_bands(source.source(), labels, source.bands(), work_bytes(options),
                                                   listener.progress("reading labelled pixels"));
  tell_reading(labels, listener);
  warn_of_losses(labels, extraction.invalid_pixels, scene.masked() != nullptr, listener);
  result.samples = std::move(extraction.samples);
  Matrix& spectra = result.samples.spectra;
  result.samples.profiles = spectra.rightCols(profile_features(model));
  spectra = Matrix(spectra.leftCols(std::ssize(model.bands)));
  const std::vector<Index> counts = class_counts(result.samples);
  if (std::ranges::count_if(counts, [](Index count) { return count > 0; }) < 2) {
    throw DataError(scene.name() +
                    ": fewer than two classes of the model have labelled pixels with a value in every band");
  }
  return result;
}

Indices outliers_of(const SampleSet& samples, Listener& listener) {
  Indices rows = mapped<Index>(find_outliers(samples.spectra), &Outlier::sample);
  if (!rows.empty()) {
    listener.warn("outliers-left-out",
                  "pixels left out of training because they lie more than 1000 times as far from the others "
                  "as usual: " +
                      std::to_string(rows.size()));
  }
  return rows;
}

ClassifierDesign design_with_weights(const Model& model, std::optional<DimensionRule> dimension) {
  ClassifierDesign design = design_of(model, dimension);
  const ClassWeights trained = trained_with(model).training.class_weights;
  design.class_weights = trained == ClassWeights::automatic ? model.class_weights : trained;
  return design;
}

// Most samples that the wavelengths are evaluated with, and the least number of a class: the evaluation classifies each
// sample in more than thirty variants, and its standard errors depend on the number of regions rather than of pixels.
constexpr Index kJudged = 1500;
constexpr Index kLeastOfClass = 50;

// The columns of the spectra by wavelength, or in the order of the bands.
static Indices band_order(const Model& model) {
  Indices order = consecutive(std::ssize(model.bands));
  if (std::ranges::all_of(model.band_table, has_wavelength)) {
    std::ranges::stable_sort(order, [&](Index a, Index b) {
      return *model.band_table[static_cast<std::size_t>(a)].wavelength <
             *model.band_table[static_cast<std::size_t>(b)].wavelength;
    });
  }
  return order;
}

static std::vector<IntervalRange> ranges_of(const std::vector<Indices>& intervals, const Model& model) {
  std::vector<IntervalRange> ranges;
  for (const Indices& interval : intervals) {
    const auto first = static_cast<std::size_t>(interval.front());
    const auto last = static_cast<std::size_t>(interval.back());
    IntervalRange range{model.bands[first], model.bands[last]};
    if (std::ranges::all_of(model.band_table, has_wavelength)) {
      range.wavelengths = {*model.band_table[first].wavelength, *model.band_table[last].wavelength};
    }
    ranges.push_back(range);
  }
  return ranges;
}

static Indices judged_rows(const SampleSet& samples, const Indices& untrusted, std::uint64_t seed) {
  Indices rows = draw_stratified(samples.labels, samples.classes.size(), kJudged, kLeastOfClass, seed);
  std::erase_if(rows, [&](Index row) { return std::ranges::find(untrusted, row) != untrusted.end(); });
  return rows;
}

WavelengthRecord inspect_wavelengths(const InspectOptions& options, const Model& model, const ClassifierDesign& design,
                                     const SampleSet& samples, const Matrix& spectra, const Indices& untrusted,
                                     Listener& listener) {
  const Indices rows = judged_rows(samples, untrusted, options.seed);
  // Columns are the scaled bands, followed by the features of profiles where the model has a kernel of them. The
  // intervals and the separability of classes are computed from the bands alone, the classification with all columns.
  const SampleSet judged = subset(samples, rows);
  const Matrix judged_columns = spectra(rows, Eigen::all);
  const LabelledSpectra labelled{judged_columns, judged.labels, judged.places, model.classes.size(),
                                 profile_features(model)};
  const Matrix judged_spectra = judged_columns.leftCols(labelled.bands());
  // One distribution of the regions over folds is enough here: all variants are compared on the same folds, so that the
  // draw of the folds cancels in the differences.
  const LeftOutOptions left_out{1, judged.size(), options.seed, thread_count(options),
                                listener.progress("evaluating wavelengths")};
  WavelengthRecord record;
  record.importance =
      interval_importance(labelled, left_out_folds(labelled, {}, left_out), design,
                          band_intervals(judged_spectra, band_order(model)), model.softmax_slope, left_out);
  record.ranges = ranges_of(record.importance.intervals, model);
  record.pairs = class_separability(judged_spectra, judged.labels, model.classes.size(), {}, thread_count(options));
  return record;
}

static std::vector<VectorField> evidence_fields() {
  return {{"rank", FieldKind::integer},  {"share", FieldKind::real},   {"label", FieldKind::text},
          {"likely", FieldKind::text},   {"margin", FieldKind::real},  {"p_label", FieldKind::real},
          {"p_likely", FieldKind::real}, {"known", FieldKind::integer}};
}

static std::vector<FieldValue> evidence_values(const InspectionRecord& record, const LabelEvidence& evidence,
                                               std::size_t count) {
  // The share is rank / count, in (0, 1], on which the steps of the style are defined.
  return {std::int64_t{evidence.rank},
          static_cast<double>(evidence.rank) / static_cast<double>(count),
          class_name(record, evidence.label),
          class_name(record, evidence.likely),
          evidence.margin,
          evidence.label_probability,
          evidence.likely_probability,
          std::int64_t{evidence.label_known ? 1 : 0}};
}

// `opacity` is that of what looks like another class.
static GradedStyle style_of(const std::string& name, const std::string& opacity) {
  // The style of QGIS is graded by an SQL expression: the share in the list where the margin is negative, else 2, which
  // lies in the last step of suspicion_steps(), from 1.5 to 2.5.
  GradedStyle style{name, "CASE WHEN \"margin\" < 0 THEN \"share\" ELSE 2 END", {}};
  for (const SuspicionStep& step : suspicion_steps()) {
    const auto& [red, green, blue] = step.colour;
    style.steps.push_back({step.low, step.high, step.label,
                           std::to_string(red) + "," + std::to_string(green) + "," + std::to_string(blue) + "," +
                               (step.low < 1 ? opacity : "60")});
  }
  return style;
}

static PixelLayer region_layer(const InspectionRecord& record, const SampleSet& samples) {
  PixelLayer layer{"regions", PixelGeometry::outline, evidence_fields(), {}, style_of("Suspicious regions", "200")};
  layer.fields.insert(
      layer.fields.end(),
      {{"pixels", FieldKind::integer}, {"against", FieldKind::integer}, {"feature", FieldKind::integer}});
  for (std::size_t i = 0; i < record.evidence.regions.size(); ++i) {
    const RegionEvidence& region = record.evidence.regions[i];
    PixelFeature feature;
    feature.pixels = pixels_of(values_at(samples.places, region.pixels));
    feature.values = evidence_values(record, region.evidence, record.evidence.regions.size());
    feature.values.emplace_back(static_cast<std::int64_t>(region.pixels.size()));
    feature.values.emplace_back(std::int64_t{region.against});
    const auto& id = record.places[i].feature;
    feature.values.push_back(id ? FieldValue(*id) : FieldValue());
    layer.features.push_back(std::move(feature));
  }
  return layer;
}

// The least suspicious first, so that others are drawn above it.
static PixelLayer pixel_layer(const InspectionRecord& record, const SampleSet& samples, Index width) {
  PixelLayer layer{"pixels", PixelGeometry::centre, evidence_fields(), {}, style_of("Suspicious pixels", "255")};
  layer.fields.insert(layer.fields.end(), {{"row", FieldKind::integer}, {"column", FieldKind::integer}});
  const std::vector<LabelEvidence>& pixels = record.evidence.pixels;
  std::vector<std::size_t> order(pixels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return pixels[a].rank > pixels[b].rank; });
  for (const std::size_t i : order) {
    const std::int64_t pixel = samples.places[i].pixel;
    PixelFeature feature{{pixel}, evidence_values(record, pixels[i], pixels.size())};
    feature.values.emplace_back(pixel / width);
    feature.values.emplace_back(pixel % width);
    layer.features.push_back(std::move(feature));
  }
  return layer;
}

const std::vector<SuspicionStep>& suspicion_steps() {
  // From red to yellow by how early in the list.
  static const std::vector<SuspicionStep> steps = {{0, 0.05, "first 5 % of the list", {189, 0, 38}},
                                                   {0.05, 0.1, "first 10 %", {240, 59, 32}},
                                                   {0.1, 0.25, "first 25 %", {254, 178, 76}},
                                                   {0.25, 1, "later, but looks like another class", {255, 237, 111}},
                                                   {1.5, 2.5, "looks like its label", {90, 140, 190}}};
  return steps;
}

std::size_t suspicion_step(const LabelEvidence& evidence, std::size_t count) {
  // The last step is reserved for labels with a margin of 0 or more, whatever their rank; the others are graded by
  // their share.
  const std::size_t last = suspicion_steps().size() - 1;
  if (evidence.margin >= 0) {
    return last;
  }
  const double share = static_cast<double>(evidence.rank) / static_cast<double>(count);
  std::size_t step = 0;
  while (step + 1 < last && share > suspicion_steps()[step].high) {
    ++step;
  }
  return step;
}

std::vector<PixelLayer> suspect_layers(const InspectionRecord& record, const SampleSet& samples, Index scene_width) {
  return {region_layer(record, samples), pixel_layer(record, samples, scene_width)};
}

std::array<double, 2> centre_of(const RegionEvidence& region, const std::vector<SamplePlace>& places, Index width) {
  // The mean of the centres of its pixels, which lie half a pixel from their corners.
  double column = 0;
  double row = 0;
  for (const Index i : region.pixels) {
    const std::int64_t pixel = places[static_cast<std::size_t>(i)].pixel;
    column += static_cast<double>(pixel % width) + 0.5;
    row += static_cast<double>(pixel / width) + 0.5;
  }
  const auto pixels = static_cast<double>(region.pixels.size());
  return {column / pixels, row / pixels};
}

}  // namespace parsimap
