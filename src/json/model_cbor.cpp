#include "model_cbor.hpp"

#include <array>
#include <cstdint>
#include <vector>

#include "parsimap/core/error.hpp"
#include "parsimap/json/model_file.hpp"

#include "json_fields.hpp"

namespace parsimap {

// ---- the fields of a model; model_file.hpp says what they mean ----

PARSIMAP_RECORD(ClassEntry, code, name, colour);
PARSIMAP_RECORD(Band, name, wavelength, bad, scale, offset, fwhm);
static PARSIMAP_RECORD(DroppedBand, band, reason);
static PARSIMAP_RECORD(SelectionRecord, criterion, value, evaluations, stop_reason, trace);
static PARSIMAP_RECORD(ProfileDesign, mean, directions, deviations, radii, metres, steps);
static PARSIMAP_RECORD(ProfileTerm, features, weight, share);

static void list_fields(ProfileScore& score, Fields& field) {
  PARSIMAP_FIELDS(score.point, width, C, share, profile_weight);
  field("profile_width", score.width);
  PARSIMAP_FIELDS(score, risk, gain, gain_error, accuracy, spectra_accuracy, samples);
}

static void list_fields(BinaryClassifier& classifier, Fields& field) {
  PARSIMAP_FIELDS(classifier, samples, regions);
  PARSIMAP_FIELDS(classifier.metric, directions, weights, rest_weight);
  field.where("profile", classifier.metric.profile, classifier.metric.profile.features > 0);
  PARSIMAP_FIELDS(classifier, C, bias, support, coefficients, kkt_violation, solver_stop, selection);
}

static void list_fields(ClassNovelty& novelty, Fields& field) {
  field("mean", novelty.gaussian.mean);
  PARSIMAP_FIELDS(novelty.gaussian.subspace, directions, variances, noise_variance);
  field("distances", novelty.tail.values);
  field("tail_probabilities", novelty.tail.probabilities);
  field("tail_exponent", novelty.tail.exponent);
  field.where("samples", novelty.samples, novelty.samples.size() > 0);
  field.where("radius", novelty.radius, novelty.samples.size() > 0);
}

static void list_fields(MetricShape& shape, Fields& field) {
  PARSIMAP_FIELDS(shape, blend, damping, rest);
  field.where("standardised", shape.standardised, shape.standardised);
}

static void list_fields(ShapeScore& score, Fields& field) {
  field("shape", score.shape);
  PARSIMAP_FIELDS(score.point, width, C);
  PARSIMAP_FIELDS(score, risk, gain, gain_error, samples);
}

void list_fields(InputFile& input, Fields& field) {
  PARSIMAP_FIELDS(input, path, bytes);
  field.where("sha256", input.sha256, !input.sha256.empty());
}

static PARSIMAP_RECORD(TrainedScene, path, width, height, geotransform, crs, runs);

void list_fields(UnitDesign& units, Fields& field) {
  PARSIMAP_FIELDS(units, unit, difference, count, cut, metres, map_distances, label_distances, fold_distances);
  field.where("plots", units.plots, units.plots);
}

void list_fields(BalancedWeights& balanced, Fields& field) {
  PARSIMAP_FIELDS(balanced, average_accuracy, overall_accuracy, average_without, overall_without, samples);
  field.where("average_error", balanced.average_error, balanced.average_error > 0);
  field.where("overall_error", balanced.overall_error, balanced.overall_error > 0);
}

static void list_fields(LeftOutScores& left_out, Fields& field) {
  PARSIMAP_FIELDS(left_out, accuracy, samples, units, by_region, confusion);
  field.where("map_shares", left_out.map_shares, left_out.map_shares.size() > 0);
  field.where("neighbours", left_out.neighbours, left_out.neighbours);
  field.where("balanced_weights", left_out.balanced, left_out.balanced.has_value());
}

void list_value(Interval& interval, Fields& field) {
  std::array<double, 2> ends = {interval.low, interval.high};
  field.value(ends);
  if (field.reads()) {
    interval = {ends[0], ends[1]};
  }
}

static PARSIMAP_RECORD(Support, pixels, units);
static PARSIMAP_RECORD(DistanceAccuracy, nearest, farthest, distance, accuracy, interval, support, map_share);
static PARSIMAP_RECORD(ExpectedClass, share, found, support);
static PARSIMAP_RECORD(AccuracyInside, accuracy, interval, support, map_share, average_first);

static void list_fields(ExpectedAccuracy& expected, Fields& field) {
  PARSIMAP_FIELDS(expected, overall, overall_interval, average, average_interval, classes, condition, problem);
  PARSIMAP_FIELDS(expected, problem_classes, average_first, support, by_distance, not_measured);
  field.where("inside", expected.inside, expected.inside.has_value());
}

static void list_fields(ValidationFold& fold, Fields& field) {
  field("repeat", fold.repeat);
  field("fold", fold.number);
  PARSIMAP_FIELDS(fold, training_pixels, buffered_pixels, untested_pixels, confusion);
}

static PARSIMAP_RECORD(Validation, folds, repeats, grouping, groups, buffer, buffer_unit, results);

static void list_fields(Provenance& provenance, Fields& field) {
  PARSIMAP_FIELDS(provenance, program_version, options, seed, inputs, training_pixels, left_out, validation);
  field.where("trained", provenance.trained, !provenance.trained.empty());
  field("unit_design", provenance.units);
  field.where("expected", provenance.expected, provenance.expected.has_value());
}

static PARSIMAP_RECORD(OwnProbabilities, probabilities, units);
static PARSIMAP_RECORD(EarlyStage, support, coefficients, leads, decided);
static PARSIMAP_RECORD(EarlyStages, directions, stages, pixels, probabilities);
static PARSIMAP_RECORD(SupportOrigins, files, file, number, part, label, support, origin, share);
static PARSIMAP_RECORD(SpatialSteps, profiles, neighbours);

static void list_fields(SpatialScore& score, Fields& field) {
  PARSIMAP_FIELDS(score, steps, over, accuracy, gain, gain_error);
  field.where("risk_gain", score.risk_gain, score.risk_gain != 0);
  field.where("risk_error", score.risk_error, score.risk_error != 0);
}

static void list_fields(SpatialRecord& record, Fields& field) {
  PARSIMAP_FIELDS(record, asked, steps, scores, samples, units, strongest);
  field.where("rule", record.rule, !record.rule.empty());
  field.where("exponent", record.exponent, !record.rule.empty());
  PARSIMAP_FIELDS(record, buffer, reason);
}

static void list_fields(ValueRange& range, Fields& field) {
  PARSIMAP_FIELDS(range, low, high);
  field.where("zero", range.zero, range.zero);
  field.where("lowest", range.lowest, range.lowest);
  field.where("alike_samples", range.alike_samples, range.alike_samples > 0);
}

static void list_fields(Model& model, Fields& field) {
  field("classes", model.classes);
  field("kernel", model.family);
  PARSIMAP_FIELDS(model, scene_bands, bands, band_table, dropped_bands);
  field.group("scaling", [&] {
    field("rule", model.scaling_rule);
    PARSIMAP_FIELDS(model.scaling, offset, scale);
    field.where("units", model.scaling.units, model.scaling.units.size() > 0);
  });
  field("support_spectra", model.support_spectra);
  field("machines", model.classifiers);
  field("novelty", model.novelty);
  field.where("combination", model.combination, model.combination.size() > 0);
  PARSIMAP_FIELDS(model, softmax_slope, shape, scan);
  // Fields that came with a later version are written only if they are set. Models without them have the same bytes as
  // those of earlier versions.
  field.where("own_probabilities", model.own_probabilities, !model.own_probabilities.empty());
  field.where("early_stages", model.early_stages, model.early_stages.has_value());
  field.where("origins", model.origins, model.origins.has_value());
  field.where("class_weights", model.class_weights, model.class_weights == ClassWeights::balanced);
  field.where("profile", model.profile, model.profile.has_value());
  field.where("profile_score", model.profile_score, model.profile_score.has_value());
  field.where("spatial", model.spatial, model.spatial.has_value());
  field.where("value_range", model.value_range, model.value_range.has_value());
  field("provenance", model.provenance);
}

// ---- CBOR ----

namespace {

constexpr int payload_depth = 7;  // the deepest list is /provenance/validation/results/0/confusion/shape

struct CborHead {
  unsigned major = 0;
  std::uint64_t argument = 0;
};

// Takes the head of an item from the front of `bytes`; false for indefinite lengths and where bytes are missing.
bool take_head(std::string_view& bytes, CborHead& head) {
  if (bytes.empty()) {
    return false;
  }
  const unsigned first = static_cast<unsigned char>(bytes.front());
  // The first byte of an item has the major type in its upper three bits and the additional information in the lower
  // five (RFC 8949, section 3): below 24 the argument itself, 24 to 27 an argument of 1, 2, 4 or 8 bytes in big-endian
  // order that follows, 31 an indefinite length. Negative numbers of type 1 and floats of type 7 need no further
  // treatment here.
  const unsigned info = first & 0x1FU;
  const std::size_t extra = info < 24 ? 0 : std::size_t{1} << (info - 24);
  bytes.remove_prefix(1);
  if (info > 27 || bytes.size() < extra) {
    return false;
  }
  head = {first >> 5U, extra == 0 ? info : 0};
  for (std::size_t i = 0; i < extra; ++i) {
    head.argument = (head.argument << 8U) | static_cast<unsigned char>(bytes[i]);
  }
  bytes.remove_prefix(extra);
  return true;
}

}  // namespace

bool is_plain_cbor(std::string_view bytes, int depth) {
  // The structure is tested without building a document, and without recursion. `open` is the stack of containers with
  // the number of items that each still expects; a map of n pairs expects 2 n. Tags (type 6) and indefinite lengths do
  // not occur in models, and decoders recurse into them.
  std::vector<std::uint64_t> open = {1};  // items still to come at each level of nesting
  while (!open.empty()) {
    if (open.back() == 0) {
      open.pop_back();
      continue;
    }
    --open.back();
    CborHead head;
    if (!take_head(bytes, head)) {
      return false;
    }
    const bool is_string = head.major == 2 || head.major == 3;
    const bool is_container = head.major == 4 || head.major == 5;
    // Every item takes a byte at least, which bounds the lengths of lists and maps too.
    if (head.major == 6 || ((is_string || is_container) && head.argument > bytes.size())) {
      return false;
    }
    if (is_string) {
      bytes.remove_prefix(head.argument);
    } else if (is_container) {
      if (static_cast<int>(open.size()) > depth) {
        return false;
      }
      open.push_back(head.argument * (head.major == 5 ? 2 : 1));
    }
  }
  return bytes.empty();
}

std::string model_to_cbor(const Model& model) {
  // Keys are written in the order of the alphabet.
  const nlohmann::json document = document_of(model, Form::cbor);
  std::string bytes;
  nlohmann::json::to_cbor(document, bytes);
  return bytes;
}

Model model_from_cbor(std::string_view bytes) {
  if (!is_plain_cbor(bytes, payload_depth)) {
    throw DataError("the content is not plain CBOR");
  }
  try {
    const Json document = Json::from_cbor(bytes);
    Model model = value_of<Model>(Node(document), Form::cbor);
    check_model(model);
    return model;
  } catch (const Json::exception& error) {
    throw DataError("the content is not a model: " + std::string(error.what()));
  } catch (const ConfigError& error) {
    throw DataError(error.what());
  }
}

}  // namespace parsimap
