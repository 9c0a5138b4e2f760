#include <cstdint>
#include <vector>

#include "parsimap/core/error.hpp"
#include "parsimap/json/model_file.hpp"

#include "json_fields.hpp"

namespace parsimap {

// ---- the fields of a model; model_file.hpp says what they mean ----

void list_fields(ClassEntry& entry, Fields& field) {
  field("code", entry.code);
  field("name", entry.name);
  field("colour", entry.colour);
}

void list_fields(Band& band, Fields& field) {
  field("name", band.name);
  field("wavelength", band.wavelength);
  field("bad", band.bad);
  field("scale", band.scale);
  field("offset", band.offset);
  field("fwhm", band.fwhm);
}

static void list_fields(DroppedBand& dropped, Fields& field) {
  field("band", dropped.band);
  field("reason", dropped.reason);
}

static void list_fields(SelectionRecord& selection, Fields& field) {
  field("criterion", selection.criterion);
  field("value", selection.value);
  field("evaluations", selection.evaluations);
  field("stop_reason", selection.stop_reason);
  field("trace", selection.trace);
}

static void list_fields(ProfileDesign& profile, Fields& field) {
  field("mean", profile.mean);
  field("directions", profile.directions);
  field("deviations", profile.deviations);
  field("radii", profile.radii);
  field("metres", profile.metres);
  field("steps", profile.steps);
}

static void list_fields(ProfileTerm& profile, Fields& field) {
  field("features", profile.features);
  field("weight", profile.weight);
  field("share", profile.share);
}

static void list_fields(ProfileScore& score, Fields& field) {
  field("width", score.point.width);
  field("C", score.point.C);
  field("share", score.point.share);
  field("profile_weight", score.point.profile_weight);
  field("profile_width", score.width);
  field("risk", score.risk);
  field("gain", score.gain);
  field("gain_error", score.gain_error);
  field("accuracy", score.accuracy);
  field("spectra_accuracy", score.spectra_accuracy);
  field("samples", score.samples);
}

static void list_fields(BinaryClassifier& classifier, Fields& field) {
  field("samples", classifier.samples);
  field("regions", classifier.regions);
  field("directions", classifier.metric.directions);
  field("weights", classifier.metric.weights);
  field("rest_weight", classifier.metric.rest_weight);
  field.where("profile", classifier.metric.profile, classifier.metric.profile.features > 0);
  field("C", classifier.C);
  field("bias", classifier.bias);
  field("support", classifier.support);
  field("coefficients", classifier.coefficients);
  field("kkt_violation", classifier.kkt_violation);
  field("solver_stop", classifier.solver_stop);
  field("selection", classifier.selection);
}

static void list_fields(ClassNovelty& novelty, Fields& field) {
  field("mean", novelty.gaussian.mean);
  field("directions", novelty.gaussian.subspace.directions);
  field("variances", novelty.gaussian.subspace.variances);
  field("noise_variance", novelty.gaussian.subspace.noise_variance);
  field("distances", novelty.tail.values);
  field("tail_probabilities", novelty.tail.probabilities);
  field("tail_exponent", novelty.tail.exponent);
}

static void list_fields(MetricShape& shape, Fields& field) {
  field("blend", shape.blend);
  field("damping", shape.damping);
  field("rest", shape.rest);
  field.where("standardised", shape.standardised, shape.standardised);
}

static void list_fields(ShapeScore& score, Fields& field) {
  field("shape", score.shape);
  field("width", score.point.width);
  field("C", score.point.C);
  field("risk", score.risk);
  field("gain", score.gain);
  field("gain_error", score.gain_error);
  field("samples", score.samples);
}

void list_fields(InputFile& input, Fields& field) {
  field("path", input.path);
  field("bytes", input.bytes);
  field.where("sha256", input.sha256, !input.sha256.empty());
}

static void list_fields(TrainedScene& scene, Fields& field) {
  field("path", scene.path);
  field("width", scene.width);
  field("height", scene.height);
  field("geotransform", scene.geotransform);
  field("crs", scene.crs);
  field("runs", scene.runs);
}

void list_fields(UnitDesign& units, Fields& field) {
  field("unit", units.unit);
  field("difference", units.difference);
  field("count", units.count);
  field("cut", units.cut);
  field("metres", units.metres);
  field("map_distances", units.map_distances);
  field("label_distances", units.label_distances);
  field("fold_distances", units.fold_distances);
}

void list_fields(BalancedWeights& balanced, Fields& field) {
  field("average_accuracy", balanced.average_accuracy);
  field("overall_accuracy", balanced.overall_accuracy);
  field("average_without", balanced.average_without);
  field("overall_without", balanced.overall_without);
  field("samples", balanced.samples);
}

static void list_fields(LeftOutScores& left_out, Fields& field) {
  field("accuracy", left_out.accuracy);
  field("samples", left_out.samples);
  field("units", left_out.units);
  field("by_region", left_out.by_region);
  field("confusion", left_out.confusion);
  field.where("covariance", left_out.covariance, left_out.covariance.size() > 0);
  field.where("map_shares", left_out.map_shares, left_out.map_shares.size() > 0);
  field.where("balanced_weights", left_out.balanced, left_out.balanced.has_value());
}

static void list_fields(ValidationFold& fold, Fields& field) {
  field("repeat", fold.repeat);
  field("fold", fold.number);
  field("training_pixels", fold.training_pixels);
  field("buffered_pixels", fold.buffered_pixels);
  field("untested_pixels", fold.untested_pixels);
  field("confusion", fold.confusion);
}

static void list_fields(Validation& validation, Fields& field) {
  field("folds", validation.folds);
  field("repeats", validation.repeats);
  field("grouping", validation.grouping);
  field("groups", validation.groups);
  field("buffer", validation.buffer);
  field("buffer_unit", validation.buffer_unit);
  field("results", validation.results);
}

static void list_fields(Provenance& provenance, Fields& field) {
  field("program_version", provenance.program_version);
  field("options", provenance.options);
  field("seed", provenance.seed);
  field("inputs", provenance.inputs);
  field("training_pixels", provenance.training_pixels);
  field("left_out", provenance.left_out);
  field("validation", provenance.validation);
  field.where("trained", provenance.trained, !provenance.trained.empty());
  field("unit_design", provenance.units);
}

static void list_fields(SupportReduction& reduction, Fields& field) {
  field("exact_spectra", reduction.exact_spectra);
  field("exact_kernels", reduction.exact_kernels);
  field("penalty_factor", reduction.penalty_factor);
  field("loss", reduction.loss);
  field("loss_error", reduction.loss_error);
  field("samples", reduction.samples);
  field("exact_slope", reduction.exact_slope);
}

static void list_fields(SpatialSteps& steps, Fields& field) {
  field("profiles", steps.profiles);
  field("neighbours", steps.neighbours);
}

static void list_fields(SpatialScore& score, Fields& field) {
  field("steps", score.steps);
  field("over", score.over);
  field("accuracy", score.accuracy);
  field("gain", score.gain);
  field("gain_error", score.gain_error);
  field.where("risk_gain", score.risk_gain, score.risk_gain != 0);
  field.where("risk_error", score.risk_error, score.risk_error != 0);
}

static void list_fields(SpatialRecord& record, Fields& field) {
  field("asked", record.asked);
  field("steps", record.steps);
  field("scores", record.scores);
  field("samples", record.samples);
  field("units", record.units);
  field("strongest", record.strongest);
  field.where("rule", record.rule, !record.rule.empty());
  field.where("exponent", record.exponent, !record.rule.empty());
  field("buffer", record.buffer);
  field("reason", record.reason);
}

static void list_fields(Model& model, Fields& field) {
  field("classes", model.classes);
  field("kernel", model.family);
  field("scene_bands", model.scene_bands);
  field("bands", model.bands);
  field("band_table", model.band_table);
  field("dropped_bands", model.dropped_bands);
  field.group("scaling", [&] {
    field("rule", model.scaling_rule);
    field("offset", model.scaling.offset);
    field("scale", model.scaling.scale);
  });
  field("support_spectra", model.support_spectra);
  field("machines", model.classifiers);
  field("novelty", model.novelty);
  field.where("combination", model.combination, model.combination.size() > 0);
  field("softmax_slope", model.softmax_slope);
  field("reduction", model.reduction);
  field("shape", model.shape);
  field("scan", model.scan);
  // Fields that came with a later version are written only if they are set. Models without them have the same bytes as
  // those of earlier versions.
  field.where("profile", model.profile, model.profile.has_value());
  field.where("profile_score", model.profile_score, model.profile_score.has_value());
  field.where("spatial", model.spatial, model.spatial.has_value());
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
