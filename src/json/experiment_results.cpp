#include "parsimap/json/experiment_results.hpp"

#include "parsimap/core/error.hpp"

#include "experiment_fields.hpp"

namespace parsimap {
namespace {

// In lines of a journal, beside the fields of a run: whether the search of each class ended on the trivial plateau. In
// results.json only the text of the stop reason says so.
constexpr const char* kTrivial = "trivial";

// The one member of a line that describes a data set.
constexpr const char* kDescription = "description";

// What `read` makes of a line.
template <typename Read>
auto read_line(const std::string& what, const Read& read) {
  try {
    return read();
  } catch (const Json::exception& error) {
    throw DataError("the line is not " + what + ": " + error.what());
  } catch (const std::runtime_error& error) {
    throw DataError("the line is not " + what + ": " + error.what());
  }
}

Json published_document(const PublishedValue& published, const std::optional<double>& measured) {
  return {{"source", published.source},
          {"quantity", published.quantity},
          {"data", published.data},
          {"test", published.test},
          {"class", published.class_name.empty() ? Json(nullptr) : Json(published.class_name)},
          {"method", document_of<Form::record>(published.method)},
          {"value", published.value},
          {"measured", nullable(measured)},
          {"difference", measured ? Json(*measured - published.value) : Json(nullptr)}};
}

// Every entry of a list takes one line. Indented further, the text of a large experiment would be mostly spaces.
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

// What reports and summaries take for granted.
void check_run(const ExperimentRun& run) {
  if (run.tests.empty()) {
    throw DataError("/tests is empty; a run has a test set at least");
  }
  for (std::size_t i = 0; i < run.tests.size(); ++i) {
    if (run.tests[i].overall_accuracy.has_value() != run.tests[i].confusion.has_value()) {
      throw DataError("/tests/" + std::to_string(i) +
                      " has only one of overall_accuracy and confusion_matrix; it must have both or none");
    }
  }
  for (std::size_t c = 0; c < run.classes.size(); ++c) {
    if (run.classes[c].binary_accuracy.size() != run.tests.size()) {
      throw DataError("/classes/" + std::to_string(c) + "/binary_accuracies has " +
                      std::to_string(run.classes[c].binary_accuracy.size()) +
                      " entries; it must have one for each of " + std::to_string(run.tests.size()) + " test sets");
    }
  }
}

ExperimentRun run_of(const Json& json) {
  const Node node(json);
  auto run = value_of<Form::record, ExperimentRun>(node);
  const std::vector<Node> trivial = node[kTrivial].items(run.classes.size());
  for (std::size_t c = 0; c < run.classes.size(); ++c) {
    run.classes[c].trivial = trivial[c].truth();
  }
  check_run(run);
  return run;
}

}  // namespace

std::string results_json(const ExperimentRecord& record) {
  Json published = Json::array();
  for (const PublishedValue& value : record.published) {
    published.push_back(published_document(value, measured_value(record, value)));
  }
  return lines_of({{"configuration", parse_json(record.configuration)},
                   {"version", record.version},
                   {"data", document_of<Form::record>(record.data)},
                   {"runs", document_of<Form::record>(record.runs)},
                   {"summary", document_of<Form::record>(record.summary)},
                   {"published", published},
                   {"kernel_shapes", document_of<Form::record>(record.kernels)}});
}

std::string experiment_shard_json(const ExperimentShard& done) {
  return lines_of({{"shard", to_string(done.shard)},
                   {"runs", done.runs},
                   {"done_before", done.resumed},
                   {"journal", done.runs > 0 ? Json(done.journal) : Json(nullptr)}});
}

std::string run_line(const ExperimentRun& run) {
  Json json = document_of<Form::record>(run);
  json[kTrivial] = Json::array();
  for (const ClassRun& trained : run.classes) {
    json[kTrivial].push_back(trained.trivial);
  }
  return line_text(json);
}

ExperimentRun run_from_line(const std::string& line) {
  return read_line("a run", [&] { return run_of(parse_json(line)); });
}

std::string description_line(const DataDescription& description) {
  return line_text({{kDescription, document_of<Form::record>(description)}});
}

std::optional<DataDescription> description_from_line(const std::string& line) {
  if (!line.starts_with(std::string("{\"") + kDescription + "\":")) {
    return std::nullopt;
  }
  return read_line("a description", [&] {
    const Json json = parse_json(line);
    return value_of<Form::record, DataDescription>(Node(json)[kDescription]);
  });
}

}  // namespace parsimap
