#include "parsimap/io/json/page_data.hpp"

#include "parsimap/report/command_page.hpp"
#include "parsimap/report/validation_report.hpp"

#include "experiment_fields.hpp"

namespace parsimap {

template <>
inline constexpr auto fields<PageHistogram> = [](auto& histogram, const auto& field) {
  field("name", histogram.name);
  field("caption", histogram.caption);
  field("counts", histogram.counts);
};

template <>
inline constexpr auto fields<ReliabilityBin> = [](auto& bin, const auto& field) {
  field("low", bin.low);
  field("high", bin.high);
  field("pixels", bin.pixels);
  field("confidence", bin.confidence);
  field("accuracy", bin.accuracy);
};

namespace {

Json test_json(const std::string& name, const ConfusionMatrix& confusion) {
  return {{"name", name},
          {"samples", confusion.pixels()},
          {"overall_accuracy", nullable(confusion.overall_accuracy())},
          {"confusion_matrix", document_of<Form::record>(confusion)}};
}

Json machines_json(const Model& model) {
  Json classes = Json::array();
  for (std::size_t c = 0; c < model.machines.size(); ++c) {
    const BinaryMachine& machine = model.machines[c];
    const Vector& weights = machine.metric.weights;
    classes.push_back({{"name", model.classes[c].name},
                       {"trace", machine.selection.trace},
                       {"weights", std::vector(weights.begin(), weights.end())},
                       {"rest_weight", machine.metric.rest_weight}});
  }
  return classes;
}

// To the figures a training is one run of one method, and its validation is the test set of the run.
Json training_run_json(const Model& model, const std::string& data) {
  Json tests = Json::array();
  if (const auto& validation = model.provenance.validation) {
    tests.push_back(test_json(validation_title(*validation), validation_scores(*validation, model.classes).pooled));
  }
  const std::string criterion = model.machines.empty() ? "" : model.machines.front().selection.criterion;
  return {{"data", data},
          {"method", document_of<Form::record>(MethodName{to_string(model.family), criterion, ""})},
          {"repeat", 0},
          {"tests", tests},
          {"classes", machines_json(model)}};
}

}  // namespace

std::string training_data_json(const Model& model, const DataDescription& samples, const BandTable& scene_bands) {
  Json used = Json::array();
  for (const Index band : model.bands) {
    used.push_back(band + 1);
  }
  Indices dropped;
  Json dropped_numbers = Json::array();
  for (const DroppedBand& band : model.dropped_bands) {
    dropped.push_back(band.band);
    dropped_numbers.push_back(band.band + 1);
  }
  return document_text({{"data", Json::array({document_of<Form::record>(samples)})},
                        {"runs", Json::array({training_run_json(model, samples.name)})},
                        {"band_numbers", used},
                        {"dropped_bands", dropped_numbers},
                        {"dropped_wavelengths", wavelengths_of(scene_bands, dropped)}});
}

std::string mapping_data_json(const MappingRecord& record, const std::vector<Colour>& colours,
                              const std::vector<PageHistogram>& histograms) {
  Json areas = Json::array();
  for (std::size_t c = 0; c < colours.size(); ++c) {
    const ClassPixels& entry = record.classes[c];
    areas.push_back(
        {{"code", entry.code}, {"name", entry.name}, {"colour", css_colour(colours[c])}, {"pixels", entry.pixels}});
  }
  return document_text({{"data", Json::array()},
                        {"runs", Json::array()},
                        {"areas", areas},
                        {"histograms", document_of<Form::record>(histograms)}});
}

std::string assessment_data_json(const Assessment& record) {
  const Json run = {{"data", record.map},
                    {"method", document_of<Form::record>(MethodName{"against " + record.reference, "", ""})},
                    {"repeat", 0},
                    {"tests", Json::array({test_json(record.reference, record.confusion)})},
                    {"classes", Json::array()}};
  Json json = {{"data", Json::array()}, {"runs", Json::array({run})}};
  if (record.reliability) {
    json["reliability"] = document_of<Form::record>(record.reliability->bins());
  }
  return document_text(json);
}

}  // namespace parsimap
