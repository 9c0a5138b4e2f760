#include "parsimap/io/json/experiment_results.hpp"

#include "parsimap/core/error.hpp"
#include "parsimap/report/experiment_published.hpp"

#include "json_document.hpp"
#include "run_document.hpp"

namespace parsimap {
namespace {

Json description_document(const ClassDescription& description) {
  Json scree = Json::array();
  for (const ScreeRecord& record : description.scree) {
    scree.push_back(
        {{"dimension", record.dimension}, {"chosen", record.chosen}, {"threshold", nullable(record.threshold)}});
  }
  return {{"name", description.name},           {"samples", description.samples},         {"mean", description.mean},
          {"deviation", description.deviation}, {"eigenvalues", description.eigenvalues}, {"scree", scree}};
}

Json description_document(const DataDescription& description) {
  Json classes = Json::array();
  for (const ClassDescription& entry : description.classes) {
    classes.push_back(description_document(entry));
  }
  return {{"name", description.name},
          {"bands", description.bands},
          {"wavelengths", description.wavelengths},
          {"training_samples", description.training_samples},
          {"classes", classes}};
}

Json summary_document(const MethodSummary& summary) {
  return {{"data", summary.data},
          {"method", method_name_document(summary.method)},
          {"test", summary.test},
          {"repeats", summary.repeats},
          {"mean_overall_accuracy", nullable(summary.mean_overall_accuracy)},
          {"deviation_overall_accuracy", nullable(summary.deviation_overall_accuracy)},
          {"mean_average_binary_accuracy", summary.mean_average_binary_accuracy},
          {"deviation_average_binary_accuracy", nullable(summary.deviation_average_binary_accuracy)},
          {"mean_seconds", summary.mean_seconds}};
}

Json published_document(const PublishedValue& published, const std::optional<double>& measured) {
  return {{"source", published.source},
          {"quantity", published.quantity},
          {"data", published.data},
          {"test", published.test},
          {"class", published.class_name.empty() ? Json(nullptr) : Json(published.class_name)},
          {"method", method_name_document(published.method)},
          {"value", published.value},
          {"measured", nullable(measured)},
          {"difference", measured ? Json(*measured - published.value) : Json(nullptr)}};
}

Json surface_document(const KernelSurface& surface) {
  Json rows = Json::array();
  for (Index r = 0; r < surface.values.rows(); ++r) {
    const Vector row = surface.values.row(r);
    rows.push_back(std::vector<double>(row.begin(), row.end()));
  }
  return {{"title", surface.title}, {"half_width", surface.half_width}, {"contour", surface.contour}, {"values", rows}};
}

// One line per entry of the lists: indented further, a large experiment would be mostly spaces.
std::string lines_of(const Json& json) {
  std::string text;
  for (const auto& [key, value] : json.items()) {
    text += (text.empty() ? "{\n\"" : ",\n\"") + key + "\": ";
    if (!value.is_array() || value.empty()) {
      text += line_text(value);
      continue;
    }
    for (std::size_t i = 0; i < value.size(); ++i) {
      text += (i == 0 ? "[\n  " : ",\n  ") + line_text(value[i]);
    }
    text += "\n]";
  }
  return text + "\n}\n";
}

}  // namespace

std::string results_json(const ExperimentRecord& record) {
  Json json = {{"configuration", parse_json(record.configuration)},
               {"version", record.version},
               {"data", Json::array()},
               {"runs", Json::array()},
               {"summary", Json::array()},
               {"published", Json::array()},
               {"kernel_shapes", Json::array()}};
  for (const DataDescription& description : record.data) {
    json["data"].push_back(description_document(description));
  }
  for (const ExperimentRun& run : record.runs) {
    json["runs"].push_back(run_document(run));
  }
  for (const MethodSummary& summary : record.summary) {
    json["summary"].push_back(summary_document(summary));
  }
  for (const PublishedValue& published : record.published) {
    json["published"].push_back(published_document(published, measured_value(record, published)));
  }
  for (const KernelSurface& surface : record.kernels) {
    json["kernel_shapes"].push_back(surface_document(surface));
  }
  return lines_of(json);
}

std::string run_line(const ExperimentRun& run) { return line_text(run_document(run)) + "\n"; }

ExperimentRun run_from_line(const std::string& line) {
  try {
    return run_of(Json::parse(line));
  } catch (const Json::exception& error) {
    throw DataError(std::string("the line is not a run: ") + error.what());
  }
}

}  // namespace parsimap
