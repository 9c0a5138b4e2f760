#include "parsimap/json/page_data.hpp"

#include "parsimap/report/command_page.hpp"
#include "parsimap/report/text_table.hpp"
#include "parsimap/report/training_report.hpp"
#include "parsimap/samples/class_table.hpp"

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

Json css_colours(const std::vector<Colour>& colours) {
  Json texts = Json::array();
  for (const Colour& colour : colours) {
    texts.push_back(css_colour(colour));
  }
  return texts;
}

Json machine_figures_json(const Model& model) {
  Json classes = Json::array();
  for (std::size_t c = 0; c < model.classifiers.size(); ++c) {
    const BinaryClassifier& machine = model.classifiers[c];
    const Vector& weights = machine.metric.weights;
    classes.push_back({{"name", model.classes[c].name},
                       {"trace", machine.selection.trace},
                       {"weights", std::vector(weights.begin(), weights.end())},
                       {"rest_weight", machine.metric.rest_weight}});
  }
  return classes;
}

// To the figures a training is one run of one method, and its validation is the test set of the run, or else the
// training pixels that were left out in turn.
Json training_run_json(const Model& model, const std::string& data) {
  Json tests = Json::array();
  if (const auto& validation = model.provenance.validation) {
    tests.push_back(test_json(validation_title(*validation), validation_scores(*validation, model.classes).pooled));
  } else if (const auto& left_out = model.provenance.left_out.confusion) {
    tests.push_back(test_json("left-out training pixels", ConfusionMatrix(class_names(model.classes), *left_out)));
  }
  const std::string criterion = model.classifiers.empty() ? "" : model.classifiers.front().selection.criterion;
  return {{"data", data},
          {"method", document_of<Form::record>(MethodName{to_string(model.family), criterion, ""})},
          {"repeat", 0},
          {"tests", tests},
          {"classes", machine_figures_json(model)}};
}

Json training_json(const Model& model, const DataDescription& samples, const std::vector<double>& dropped_wavelengths,
                   const std::vector<Colour>& colours) {
  Json used = Json::array();
  for (const Index band : model.bands) {
    used.push_back(band + 1);
  }
  Json dropped = Json::array();
  for (const DroppedBand& band : model.dropped_bands) {
    dropped.push_back(band.band + 1);
  }
  return {{"data", Json::array({document_of<Form::record>(samples)})},
          {"runs", Json::array({training_run_json(model, samples.name)})},
          {"colours", css_colours(colours)},
          {"band_numbers", used},
          {"dropped_bands", dropped},
          {"dropped_wavelengths", dropped_wavelengths}};
}

Json model_json(const Model& model) {
  return training_json(model, describe_model(model), {}, class_colours(model.classes));
}

Json areas_json(const std::vector<ClassPixels>& classes, const std::vector<Colour>& colours) {
  Json areas = Json::array();
  for (std::size_t c = 0; c < colours.size(); ++c) {
    const ClassPixels& entry = classes[c];
    areas.push_back(
        {{"code", entry.code}, {"name", entry.name}, {"colour", css_colour(colours[c])}, {"pixels", entry.pixels}});
  }
  return areas;
}

// To the figures an assessment is one run of one method, and the reference is its test set.
Json assessment_run_json(const Assessment& record) {
  return {{"data", base_name(record.map)},
          {"method", document_of<Form::record>(MethodName{"against " + base_name(record.reference), "", ""})},
          {"repeat", 0},
          {"tests", Json::array({test_json(base_name(record.reference), record.confusion)})},
          {"classes", Json::array()}};
}

}  // namespace

std::string training_data_json(const Model& model, const DataDescription& samples, const BandTable& scene_bands,
                               const std::vector<Colour>& colours) {
  Indices dropped;
  for (const DroppedBand& band : model.dropped_bands) {
    dropped.push_back(band.band);
  }
  return document_text(training_json(model, samples, wavelengths_of(scene_bands, dropped), colours));
}

std::string mapping_data_json(const MappingRecord& record, const std::vector<Colour>& colours,
                              const std::vector<PageHistogram>& histograms) {
  return document_text({{"data", Json::array()},
                        {"runs", Json::array()},
                        {"areas", areas_json(record.classes, colours)},
                        {"histograms", document_of<Form::record>(histograms)}});
}

std::string assessment_data_json(const Assessment& record) {
  Json json = {{"data", Json::array()}, {"runs", Json::array({assessment_run_json(record)})}};
  if (record.reliability) {
    json["reliability"] = document_of<Form::record>(record.reliability->bins());
  }
  return document_text(json);
}

std::string model_data_json(const Model& model) { return document_text(model_json(model)); }

std::string combined_data_json(const CombinedData& data) {
  Json json = model_json(data.model);
  json["runs"].push_back(assessment_run_json(data.assessment));
  json["areas"] = areas_json(data.map_classes, data.map_colours);
  return document_text(json);
}

}  // namespace parsimap
