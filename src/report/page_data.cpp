// The data that the figures of pages are drawn from; command_page.hpp says what they mean.
#include "parsimap/json/json_text.hpp"
#include "parsimap/report/command_page.hpp"
#include "parsimap/report/experiment_report.hpp"
#include "parsimap/report/mapping_report.hpp"
#include "parsimap/report/table.hpp"
#include "parsimap/samples/class_table.hpp"

namespace parsimap {

static void list_fields(const PageHistogram& histogram, Fields& field) {
  field("name", histogram.name);
  field("caption", histogram.caption);
  field("counts", histogram.counts);
}

static void list_fields(const ReliabilityBin& bin, Fields& field) {
  field("low", bin.low);
  field("high", bin.high);
  field("pixels", bin.pixels);
  field("confidence", bin.confidence);
  field("accuracy", bin.accuracy);
}

namespace {

struct PageTest {
  std::string name;
  std::optional<ConfusionMatrix> confusion;
};

void list_test(Fields& field, PageTest test) {
  field("name", test.name);
  field("samples", test.confusion->pixels());
  field("overall_accuracy", test.confusion->overall_accuracy());
  list_confusion(test.confusion, field);
}

// To the figures all that a page knows is a run of a method on data.
void list_run(Fields& field, const std::string& data, const MethodName& method, const std::vector<PageTest>& tests,
              const Model* model) {
  field("data", data);
  field("method", method);
  field("repeat", 0);
  field.groups("tests", tests.size(), [&](std::size_t i) { list_test(field, tests[i]); });
  field.groups("classes", model != nullptr ? model->classifiers.size() : 0, [&](std::size_t c) {
    const BinaryClassifier& classifier = model->classifiers[c];
    const Vector& weights = classifier.metric.weights;
    field("name", model->classes[c].name);
    field("trace", classifier.selection.trace);
    field("weights", std::vector(weights.begin(), weights.end()));
    field("rest_weight", classifier.metric.rest_weight);
  });
}

// The test set of a training is its validation, or else the training pixels that were left out in turn.
void list_training_run(Fields& field, const Model& model, const std::string& data) {
  std::vector<PageTest> tests;
  if (const auto& validation = model.provenance.validation) {
    // A validation trains complete models and is preferred to the left-out pixels, as in training_verdict().
    tests.push_back({validation_title(*validation), validation_scores(*validation, model.classes).pooled});
  } else if (const auto& left_out = model.provenance.left_out.confusion) {
    tests.push_back({"left-out training pixels", ConfusionMatrix(class_names(model.classes), *left_out)});
  }
  const std::string criterion = model.classifiers.empty() ? "" : model.classifiers.front().selection.criterion;
  list_run(field, data, {to_string(model.family), criterion, ""}, tests, &model);
}

// The test set of an assessment is the reference.
void list_assessment_run(Fields& field, const Assessment& record) {
  // The figure of the confusion matrix is the same for all pages: a map is shown as the method "against REFERENCE" on
  // the data MAP.
  const std::string reference = base_name(record.reference);
  list_run(field, base_name(record.map), {"against " + reference, "", ""}, {{reference, record.confusion}}, nullptr);
}

// `assessment` is that of a map of the model, where there is one.
void list_training(Fields& field, const Model& model, const DataDescription& samples,
                   const std::vector<double>& dropped_wavelengths, const std::vector<Colour>& colours,
                   const Assessment* assessment = nullptr) {
  Indices used;
  for (const Index band : model.bands) {
    // Bands are counted from 1 on pages and from 0 in the program.
    used.push_back(band + 1);
  }
  Indices dropped;
  for (const DroppedBand& band : model.dropped_bands) {
    dropped.push_back(band.band + 1);
  }
  std::vector<std::string> css_colours;
  for (const Colour& colour : colours) {
    css_colours.push_back(css_colour(colour));
  }
  field("data", std::vector{samples});
  // The figures were made for experiments, whose unit is a run. The training is one run, with its left-out pixels as
  // the test, and an assessment of a map is another one, with the reference as the test.
  field.groups("runs", assessment != nullptr ? 2 : 1, [&](std::size_t i) {
    if (i == 0) {
      list_training_run(field, model, samples.name);
    } else {
      list_assessment_run(field, *assessment);
    }
  });
  field("colours", css_colours);
  field("band_numbers", used);
  field("dropped_bands", dropped);
  field("dropped_wavelengths", dropped_wavelengths);
  field("unit_design", model.provenance.units);
}

void list_areas(Fields& field, const std::vector<ClassPixels>& classes, const std::vector<Colour>& colours) {
  field.groups("areas", colours.size(), [&](std::size_t c) {
    field("code", classes[c].code);
    field("name", classes[c].name);
    field("colour", css_colour(colours[c]));
    field("pixels", classes[c].pixels);
  });
}

}  // namespace

std::string training_data_json(const Model& model, const DataDescription& samples, const BandTable& scene_bands,
                               const std::vector<Colour>& colours) {
  Indices dropped;
  for (const DroppedBand& band : model.dropped_bands) {
    dropped.push_back(band.band);
  }
  return document_text(
      [&](Fields& field) { list_training(field, model, samples, wavelengths_of(scene_bands, dropped), colours); });
}

std::string mapping_data_json(const MappingRecord& record, const std::vector<Colour>& colours,
                              const std::vector<PageHistogram>& histograms) {
  return document_text([&](Fields& field) {
    field("data", std::vector<std::string>());
    field("runs", std::vector<std::string>());
    list_areas(field, record.classes, colours);
    field("histograms", histograms);
  });
}

std::string assessment_data_json(const Assessment& record) {
  return document_text([&](Fields& field) {
    field("data", std::vector<std::string>());
    field.groups("runs", 1, [&](std::size_t) { list_assessment_run(field, record); });
    if (record.reliability) {
      field("reliability", record.reliability->bins());
    }
  });
}

std::string model_data_json(const Model& model) {
  return document_text(
      [&](Fields& field) { list_training(field, model, describe_model(model), {}, class_colours(model.classes)); });
}

std::string combined_data_json(const CombinedData& data) {
  return document_text([&](Fields& field) {
    list_training(field, data.model, describe_model(data.model), {}, class_colours(data.model.classes),
                  &data.assessment);
    list_areas(field, data.map_classes, data.map_colours);
  });
}

}  // namespace parsimap
