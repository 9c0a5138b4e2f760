#include "parsimap/json/records.hpp"

#include <algorithm>

#include "parsimap/report/training_report.hpp"

#include "model_fields.hpp"
#include "resampling_document.hpp"

namespace parsimap {
namespace {

constexpr double bytes_per_mb = 1 << 20;

Json quotient(double part, double whole) { return whole > 0 ? Json(part / whole) : Json(); }

Json megabytes(const std::optional<std::int64_t>& bytes) {
  return bytes ? Json(static_cast<double>(*bytes) / bytes_per_mb) : Json(nullptr);
}

Json machine_json(const ClassEntry& entry, const BinaryClassifier& machine, const ClassSummary& summary) {
  const SelectionRecord& selection = machine.selection;
  return {{"name", entry.name},
          {"samples", machine.samples},
          {"regions", nullable(machine.regions)},
          {"left_out_accuracy", nullable(summary.accuracy)},
          {"confused_with", nullable(summary.confused_with)},
          {"confused_share", summary.confused_with ? Json(summary.confused_share) : Json()},
          {"dimension", machine.metric.weights.size()},
          {"criterion",
           {{"name", selection.criterion},
            {"value", selection.value},
            {"evaluations", selection.evaluations},
            {"stop_reason", selection.stop_reason}}},
          {"C", machine.C},
          {"support_vectors", machine.support.size()},
          {"kkt_violation", machine.kkt_violation},
          {"code", entry.code},
          {"solver_stop", machine.solver_stop}};
}

Json machines_json(const Model& model) {
  const std::vector<ClassSummary> summaries = class_summaries(model);
  Json json = Json::array();
  for (std::size_t c = 0; c < model.classifiers.size(); ++c) {
    json.push_back(machine_json(model.classes[c], model.classifiers[c], summaries[c]));
  }
  return json;
}

// What was left out in turn: whole regions of some classes, single pixels of the others.
Json left_out_json(const Model& model) {
  const LeftOutScores& left_out = model.provenance.left_out;
  Json by_region = Json::array();
  Json by_pixel = Json::array();
  for (std::size_t c = 0; c < left_out.by_region.size(); ++c) {
    (left_out.by_region[c] ? by_region : by_pixel).push_back(model.classes[c].name);
  }
  return {{"pixels", left_out.samples},
          {"units", left_out.units},
          {"classes_by_region", by_region},
          {"classes_by_pixel", by_pixel},
          {"confusion", left_out.confusion ? rows_document(*left_out.confusion) : Json()},
          {"orientation", "rows are reference, columns are predicted"}};
}

Json scan_json(const Model& model) {
  Json scan = Json::array();
  for (const ShapeScore& score : model.scan) {
    scan.push_back({{"blend", score.shape.blend},
                    {"damping", score.shape.damping},
                    {"rest", score.shape.rest},
                    {"width", score.point.width},
                    {"C", score.point.C},
                    {"risk", score.risk},
                    {"gain", score.gain},
                    {"gain_error", score.gain_error},
                    {"pixels", score.samples},
                    {"chosen", score.shape == model.shape}});
  }
  return scan;
}

Json dropped_bands_json(const Model& model) {
  Json json = Json::array();
  for (const DroppedBand& dropped : model.dropped_bands) {
    json.push_back({{"band", dropped.band + 1}, {"reason", dropped.reason}});
  }
  return json;
}

Json band_json(Index band, const Band& known) {
  Json json = {{"band", band + 1}};
  json.update(document_of<Form::record>(known));
  return json;
}

Json class_pixels_json(const ClassPixels& entry) {
  return {{"name", entry.name}, {"pixels", entry.pixels}, {"code", entry.code}};
}

Json provenance_json(const Provenance& provenance) {
  Json options = Json::object();
  for (const auto& [name, value] : provenance.options) {
    options[name] = value;
  }
  return {{"program_version", provenance.program_version},
          {"seed", provenance.seed},
          {"options", options},
          {"inputs", document_of<Form::record>(provenance.inputs)}};
}

Json spread_json(const FoldSpread& spread) {
  return {{"mean", nullable(spread.mean)}, {"deviation", nullable(spread.deviation)}};
}

Json tested_classes_json(const ConfusionMatrix& confusion) {
  Json classes = Json::array();
  for (Index c = 0; c < confusion.size(); ++c) {
    const ClassAccuracy accuracy = confusion.class_accuracy(c);
    classes.push_back({{"name", confusion.names()[static_cast<std::size_t>(c)]},
                       {"reference_pixels", accuracy.reference_pixels},
                       {"predicted_pixels", accuracy.map_pixels},
                       {"producers_accuracy", nullable(accuracy.producers_accuracy)},
                       {"users_accuracy", nullable(accuracy.users_accuracy)},
                       {"f1", nullable(accuracy.f1)}});
  }
  return classes;
}

Json fold_json(const ValidationFold& fold, const std::vector<std::string>& names) {
  const ConfusionMatrix confusion(names, fold.confusion);
  return {{"repeat", fold.repeat + 1},
          {"fold", fold.number + 1},
          {"training_pixels", fold.training_pixels},
          {"buffered_pixels", fold.buffered_pixels},
          {"untested_pixels", fold.untested_pixels},
          {"pixels", confusion.pixels()},
          {"overall_accuracy", nullable(confusion.overall_accuracy())},
          {"average_accuracy", nullable(confusion.average_accuracy())},
          {"kappa", nullable(confusion.kappa())}};
}

// null where there was no validation. Folds and repeats count from 1.
Json validation_json(const std::optional<Validation>& validation, const ClassTable& classes) {
  if (!validation) {
    return nullptr;
  }
  const ValidationScores scores = validation_scores(*validation, classes);
  const ConfusionMatrix& pooled = scores.pooled;
  Json results = Json::array();
  for (const ValidationFold& fold : validation->results) {
    results.push_back(fold_json(fold, pooled.names()));
  }
  return {{"folds", validation->folds},
          {"repeats", validation->repeats},
          {"grouping", validation->grouping},
          {"groups", validation->groups},
          {"buffer", validation->buffer},
          {"buffer_unit", validation->buffer_unit},
          {"pixels", pooled.pixels()},
          {"overall_accuracy", nullable(pooled.overall_accuracy())},
          {"average_accuracy", nullable(pooled.average_accuracy())},
          {"kappa", nullable(pooled.kappa())},
          {"over_folds",
           {{"overall_accuracy", spread_json(scores.overall_accuracy)},
            {"average_accuracy", spread_json(scores.average_accuracy)},
            {"kappa", spread_json(scores.kappa)}}},
          {"confusion", rows_document(pooled.counts())},
          {"orientation", "rows are reference, columns are predicted"},
          {"classes", tested_classes_json(pooled)},
          {"results", results}};
}

// The classes with their pixels and their share of what is classified.
Json class_shares_json(const std::vector<ClassPixels>& entries, std::int64_t classified) {
  Json classes = Json::array();
  for (const ClassPixels& entry : entries) {
    Json item = class_pixels_json(entry);
    item["share"] = quotient(static_cast<double>(entry.pixels), static_cast<double>(classified));
    classes.push_back(item);
  }
  return classes;
}

// null for a whole map. Rows count from 0.
Json shard_json(const std::optional<MapShard>& shard) {
  if (!shard) {
    return nullptr;
  }
  return {{"number", shard->shard.number}, {"count", shard->shard.count},    {"first_row", shard->rows.first},
          {"rows", shard->rows.size()},    {"complete_before", shard->done}, {"folder", shard->folder}};
}

Json mapping_document(const MappingRecord& record) {
  const Json classes = class_shares_json(record.classes, record.classified);
  Json document = {{"map", record.map},
                   {"pixels", record.pixels},
                   {"classified", record.classified},
                   {"classes", classes},
                   {"seconds", record.seconds},
                   {"stages", named_values(record.stages)},
                   {"pixels_per_second", quotient(static_cast<double>(record.pixels), record.seconds)},
                   {"peak_memory_mb", megabytes(record.peak_memory_bytes)},
                   {"scene", record.scene},
                   {"model", record.model}};
  for (const LayerFile& layer : record.layers) {
    std::string key = layer.name;
    std::replace(key.begin(), key.end(), ' ', '_');
    document[key] = nullable(layer.file);
  }
  document["segments"] = nullable(record.segments);
  document["segments_out"] = nullable(record.segments_out);
  document["segment_count"] = record.segments ? Json(record.segment_count) : Json(nullptr);
  document["resampled"] = nullable(record.resampled);
  document["report"] = nullable(record.report);
  document["rejected"] = record.rejected;
  document["regularise"] = record.regularise;
  document["regularisation"] = record.regularisation;
  document["shard"] = shard_json(record.shard);
  return document;
}

Json training_scenes_json(const TrainingRecord& record) {
  Json scenes = Json::array();
  for (const TrainingSceneRecord& scene : record.scenes) {
    scenes.push_back({{"scene", scene.scene},
                      {"labels", scene.labels},
                      {"mask", nullable(scene.mask)},
                      {"pixels", scene.pixels},
                      {"resampled", nullable(scene.resampled)}});
  }
  return scenes;
}

}  // namespace

// null where the machines are exact.
Json reduction_json(const Model& model) {
  if (!model.reduction) {
    return nullptr;
  }
  const SupportReduction& reduction = *model.reduction;
  return {{"exact_spectra", reduction.exact_spectra},   {"exact_support_vectors", reduction.exact_kernels},
          {"penalty_factor", reduction.penalty_factor}, {"loss", reduction.loss},
          {"loss_error", reduction.loss_error},         {"pixels", reduction.samples}};
}

// null where the samples had no profiles. Without a design where the kernel of profiles was compared and not kept.
Json profile_json(const Model& model) {
  if (!model.profile_score) {
    return nullptr;
  }
  const ProfileScore& score = *model.profile_score;
  Json document = {{"kept", score.kept()},
                   {"share", score.point.share},
                   {"weight", score.point.profile_weight},
                   {"width", score.width},
                   {"spectral_width", score.point.width},
                   {"C", score.point.C},
                   {"risk", score.risk},
                   {"gain", score.gain},
                   {"gain_error", score.gain_error},
                   {"accuracy", score.accuracy},
                   {"spectral_accuracy", score.spectra_accuracy},
                   {"pixels", score.samples},
                   {"design", nullptr}};
  if (model.profile) {
    document["design"] = {{"components", model.profile->components()},
                          {"radii", model.profile->radii},
                          {"unit", model.profile->metres ? "m" : "pixels"},
                          {"steps", model.profile->steps},
                          {"features", model.profile->features()}};
  }
  return document;
}

// null where training was not asked to look at what lies around pixels.
Json spatial_json(const Model& model) {
  if (!model.spatial) {
    return nullptr;
  }
  const SpatialRecord& record = *model.spatial;
  Json trials = Json::array();
  for (const SpatialScore& score : record.scores) {
    trials.push_back({{"steps", to_string(score.steps)},
                      {"over", to_string(score.over)},
                      {"accuracy", score.accuracy},
                      {"gain", score.gain},
                      {"gain_error", score.gain_error}});
  }
  return {{"asked", record.asked},
          {"profiles", record.steps.profiles},
          {"neighbours", record.steps.neighbours},
          {"trials", trials},
          {"pixels", record.samples},
          {"units", record.units},
          {"buffer", record.buffer},
          {"reason", record.reason.empty() ? Json(nullptr) : Json(record.reason)}};
}

std::string training_json(const Model& model, const TrainingRecord& record) {
  return document_text(
      {{"bands_used", model.bands.size()},
       {"training_pixels", model.provenance.training_pixels},
       {"classes", machines_json(model)},
       {"left_out_accuracy", model.provenance.left_out.accuracy},
       {"left_out", left_out_json(model)},
       {"scan", scan_json(model)},
       {"support_spectra", model.support_spectra.rows()},
       {"reduction", reduction_json(model)},
       {"profile", profile_json(model)},
       {"spatial", spatial_json(model)},
       {"seconds", record.seconds},
       {"stages", named_values(record.stages)},
       {"pixels_per_second", quotient(static_cast<double>(model.provenance.training_pixels), record.seconds)},
       {"peak_memory_mb", megabytes(record.peak_memory_bytes)},
       {"validation", validation_json(model.provenance.validation, model.classes)},
       {"scene", record.scene.empty() ? Json(nullptr) : Json(record.scene)},
       {"labels", record.labels},
       {"scenes", training_scenes_json(record)},
       {"libraries", record.libraries},
       {"samples_out", nullable(record.samples_out)},
       {"model", record.model},
       {"report", nullable(record.report)},
       {"kernel", to_string(model.family)},
       {"scaling", to_string(model.scaling_rule)},
       {"scene_bands", model.scene_bands},
       {"dropped_bands", dropped_bands_json(model)},
       {"invalid_pixels", record.invalid_pixels},
       {"conflicting_pixels", record.conflicting_pixels},
       {"outside_features", record.outside_features}});
}

std::string mapping_json(const MappingRecord& record) { return document_text(mapping_document(record)); }

std::string scenes_json(const ScenesRecord& record) {
  Json scenes = Json::array();
  for (const SceneOutcome& outcome : record.scenes) {
    scenes.push_back(outcome.record ? mapping_document(*outcome.record)
                                    : Json{{"scene", outcome.scene}, {"failure", outcome.failure}});
  }
  Json document = {{"model", record.model}, {"scenes", scenes}, {"mosaic", nullptr}, {"seconds", record.seconds}};
  if (record.mosaic) {
    const MosaicRecord& mosaic = *record.mosaic;
    document["mosaic"] = {{"map", mosaic.path},
                          {"scenes", mosaic.scenes},
                          {"pixels", mosaic.pixels},
                          {"classified", mosaic.classified},
                          {"contested", mosaic.contested},
                          {"classes", class_shares_json(mosaic.classes, mosaic.classified)}};
  }
  return document_text(document);
}

std::string info_json(const SceneRecord& record) {
  Json quality = Json::array();
  for (const QualityRecord& layer : record.quality) {
    quality.push_back({{"name", layer.name}, {"meaning", layer.meaning}, {"left_out", layer.left_out}});
  }
  Json geometry = nullptr;
  if (record.geometry) {
    geometry = {{"width", record.geometry->width}, {"height", record.geometry->height}};
  }
  Json bands = Json::array();
  for (std::size_t b = 0; b < record.bands.size(); ++b) {
    bands.push_back(band_json(static_cast<Index>(b), record.bands[b]));
  }
  const auto text_or_null = [](const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); };
  return document_text({{"kind", "scene"},
                        {"path", record.path},
                        {"product", text_or_null(record.product)},
                        {"quantity", text_or_null(record.quantity)},
                        {"driver", record.driver},
                        {"data_type", record.data_type},
                        {"nodata", nullable(record.nodata)},
                        {"width", record.width},
                        {"height", record.height},
                        {"bands", bands},
                        {"misfit_bad_band_entries", nullable(record.misfit_bad_band_entries)},
                        {"geotransform", nullable(record.geotransform)},
                        {"crs", text_or_null(record.crs)},
                        {"control_points", record.control_points},
                        {"geometry", geometry},
                        {"quality", quality},
                        {"files", record.files},
                        {"bytes", record.bytes}});
}

std::string info_json(const Model& model, const std::string& path) {
  Json bands = Json::array();
  for (std::size_t b = 0; b < model.bands.size(); ++b) {
    bands.push_back(band_json(model.bands[b], model.band_table[b]));
  }
  return document_text({{"kind", "model"},
                        {"path", path},
                        {"kernel", to_string(model.family)},
                        {"scaling", to_string(model.scaling_rule)},
                        {"scene_bands", model.scene_bands},
                        {"bands_used", model.bands.size()},
                        {"bands", bands},
                        {"dropped_bands", dropped_bands_json(model)},
                        {"training_pixels", model.provenance.training_pixels},
                        {"classes", machines_json(model)},
                        {"left_out_accuracy", model.provenance.left_out.accuracy},
                        {"left_out", left_out_json(model)},
                        {"scan", scan_json(model)},
                        {"validation", validation_json(model.provenance.validation, model.classes)},
                        {"support_spectra", model.support_spectra.rows()},
                        {"reduction", reduction_json(model)},
                        {"profile", profile_json(model)},
                        {"spatial", spatial_json(model)},
                        {"softmax_slope", model.softmax_slope},
                        {"provenance", provenance_json(model.provenance)}});
}

std::string simulation_json(const SimulationRecord& record) {
  Json classes = Json::array();
  for (const ClassPixels& entry : record.classes) {
    classes.push_back(class_pixels_json(entry));
  }
  return document_text({{"spec", record.spec},
                        {"width", record.width},
                        {"height", record.height},
                        {"bands", record.bands},
                        {"seed", record.seed},
                        {"classes", classes},
                        {"files", record.files},
                        {"seconds", record.seconds}});
}

std::string report_json(const std::string& page) { return document_text({{"report", page}}); }

}  // namespace parsimap
