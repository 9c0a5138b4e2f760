// What an experiment measured, as results.json and as lines of a journal.
#include <stdexcept>

#include "parsimap/core/error.hpp"
#include "parsimap/json/json_text.hpp"
#include "parsimap/report/experiment_report.hpp"

namespace parsimap {

// A method without a subspace has null for its dimension.
void list_fields(MethodName& method, Fields& field) {
  std::optional<std::string> dimension;
  if (!method.dimension.empty()) {
    dimension = method.dimension;
  }
  field("kernel", method.kernel);
  field("criterion", method.criterion);
  field("dimension", dimension);
  if (field.reads()) {
    method.dimension = dimension.value_or("");
  }
}

static void list_fields(ScreeRecord& scree, Fields& field) {
  field("dimension", scree.dimension);
  field("chosen", scree.chosen);
  field("threshold", scree.threshold);
}

static void list_fields(ClassDescription& description, Fields& field) {
  field("name", description.name);
  field("samples", description.samples);
  field("mean", description.mean);
  field("deviation", description.deviation);
  field("eigenvalues", description.eigenvalues);
  field("scree", description.scree);
}

void list_fields(DataDescription& description, Fields& field) {
  field("name", description.name);
  field("bands", description.bands);
  field("wavelengths", description.wavelengths);
  field("training_samples", description.training_samples);
  field("classes", description.classes);
}

// What a document has of a confusion matrix.
struct StoredConfusion {
  std::vector<std::string> names;
  CountMatrix counts;
};

static void list_fields(StoredConfusion& confusion, Fields& field) {
  field("names", confusion.names);
  field("counts", confusion.counts);
}

void list_confusion(std::optional<ConfusionMatrix>& confusion, Fields& field) {
  std::optional<StoredConfusion> stored;
  if (confusion) {
    stored = {confusion->names(), confusion->counts()};
  }
  field("confusion_matrix", stored);
  if (field.reads()) {
    confusion.reset();
    if (stored) {
      confusion.emplace(stored->names, stored->counts);
    }
  }
}

static void list_fields(TestRun& test, Fields& field) {
  field("name", test.name);
  field("samples", test.samples);
  field("overall_accuracy", test.overall_accuracy);
  field("average_binary_accuracy", test.average_binary_accuracy);
  list_confusion(test.confusion, field);
}

static void list_fields(ClassRun& trained, Fields& field) {
  field("name", trained.name);
  field("dimension", trained.dimension);
  field("criterion_value", trained.criterion_value);
  field("C", trained.C);
  field("support_vectors", trained.support_vectors);
  field("evaluations", trained.evaluations);
  field("stop_reason", trained.stop_reason);
  field("seconds", trained.seconds);
  // The value of the first test set, for readers that expect one number; the list below has all of them.
  field.derived("binary_accuracy", [&] { return trained.binary_accuracy.at(0); });
  field("binary_accuracies", trained.binary_accuracy);
  field("trace", trained.trace);
  field("weights", trained.weights);
  field("rest_weight", trained.rest_weight);
}

static void list_fields(ExperimentRun& run, Fields& field) {
  field("data", run.data);
  field("method", run.method);
  field("repeat", run.repeat);
  field("seed", run.seed);
  field.derived("overall_accuracy", [&] { return run.tests.at(0).overall_accuracy; });
  field.derived("average_binary_accuracy", [&] { return run.tests.at(0).average_binary_accuracy; });
  field("tests", run.tests);
  field("classes", run.classes);
}

static void list_fields(MethodSummary& summary, Fields& field) {
  field("data", summary.data);
  field("method", summary.method);
  field("test", summary.test);
  field("repeats", summary.repeats);
  field("mean_overall_accuracy", summary.mean_overall_accuracy);
  field("deviation_overall_accuracy", summary.deviation_overall_accuracy);
  field("mean_average_binary_accuracy", summary.mean_average_binary_accuracy);
  field("deviation_average_binary_accuracy", summary.deviation_average_binary_accuracy);
  field("mean_seconds", summary.mean_seconds);
}

static void list_fields(KernelSurface& surface, Fields& field) {
  field("title", surface.title);
  field("half_width", surface.half_width);
  field("contour", surface.contour);
  field("values", surface.values);
}

namespace {

// The one member of a line that describes a data set.
constexpr const char* kDescription = "description";

// What `list` reads of a line.
void read_line(const std::string& line, const std::string& what, const FieldList& list) {
  try {
    read_document(line, list);
  } catch (const std::runtime_error& error) {
    throw DataError("the line is not " + what + ": " + error.what());
  }
}

void list_published(Fields& field, const PublishedValue& published, const std::optional<double>& measured) {
  field("source", published.source);
  field("quantity", published.quantity);
  field("data", published.data);
  field("test", published.test);
  field("class", published.class_name.empty() ? std::nullopt : std::optional(published.class_name));
  field("method", published.method);
  field("value", published.value);
  field("measured", measured);
  field("difference", measured ? std::optional(*measured - published.value) : std::nullopt);
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

// A line of a journal also has whether the search of each class ended on the trivial plateau. In results.json only the
// text of the stop reason says so.
void list_line(Fields& field, ExperimentRun& run) {
  list_fields(run, field);
  std::vector<bool> trivial;
  for (const ClassRun& trained : run.classes) {
    trivial.push_back(trained.trivial);
  }
  field("trivial", trivial);
  if (trivial.size() != run.classes.size()) {
    throw DataError("/trivial must be a list of length " + std::to_string(run.classes.size()));
  }
  for (std::size_t c = 0; c < trivial.size() && field.reads(); ++c) {
    run.classes[c].trivial = trivial[c];
  }
}

}  // namespace

std::string results_json(const ExperimentRecord& record) {
  return entries_text([&](Fields& field) {
    field.json("configuration", record.configuration);
    field("version", record.version);
    field("data", record.data);
    field("runs", record.runs);
    field("summary", record.summary);
    field.groups("published", record.published.size(), [&](std::size_t i) {
      list_published(field, record.published[i], measured_value(record, record.published[i]));
    });
    field("kernel_shapes", record.kernels);
  });
}

std::string experiment_shard_json(const ExperimentShard& done) {
  return entries_text([&](Fields& field) {
    field("shard", to_string(done.shard));
    field("runs", done.runs);
    field("done_before", done.resumed);
    field("journal", done.runs > 0 ? std::optional(done.journal) : std::nullopt);
  });
}

std::string run_line(const ExperimentRun& run) {
  ExperimentRun written = run;
  return line_text([&](Fields& field) { list_line(field, written); });
}

ExperimentRun run_from_line(const std::string& line) {
  ExperimentRun run;
  read_line(line, "a run", [&](Fields& field) {
    list_line(field, run);
    check_run(run);
  });
  return run;
}

std::string description_line(const DataDescription& description) {
  return line_text([&](Fields& field) { field(kDescription, description); });
}

std::optional<DataDescription> description_from_line(const std::string& line) {
  // Lines of runs and of descriptions differ in their first key, which is tested before the line is parsed.
  if (!line.starts_with(std::string("{\"") + kDescription + "\":")) {
    return std::nullopt;
  }
  DataDescription description;
  read_line(line, "a description", [&](Fields& field) { field(kDescription, description); });
  return description;
}

}  // namespace parsimap
