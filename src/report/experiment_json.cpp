// What an experiment measured, as results.json and as lines of a journal.
#include "parsimap/report/experiment_json.hpp"

#include <stdexcept>

#include "parsimap/core/error.hpp"
#include "parsimap/json/json_text.hpp"

namespace parsimap {

// A method without a subspace has null for its dimension.
void list_fields(MethodName& method, Fields& field) {
  std::optional<std::string> dimension;
  if (!method.dimension.empty()) {
    dimension = method.dimension;
  }
  PARSIMAP_FIELDS(method, kernel, criterion);
  field("dimension", dimension);
  if (field.reads()) {
    method.dimension = dimension.value_or("");
  }
}

static PARSIMAP_RECORD(ScreeRecord, dimension, chosen, threshold);
static PARSIMAP_RECORD(ClassDescription, name, samples, mean, deviation, eigenvalues, scree);
PARSIMAP_RECORD(DataDescription, name, bands, wavelengths, training_samples, classes);

// What a document has of a confusion matrix.
struct StoredConfusion {
  std::vector<std::string> names;
  CountMatrix counts;
};

static PARSIMAP_RECORD(StoredConfusion, names, counts);

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
  PARSIMAP_FIELDS(test, name, samples, overall_accuracy, average_binary_accuracy);
  list_confusion(test.confusion, field);
}

static void list_fields(ClassRun& trained, Fields& field) {
  PARSIMAP_FIELDS(trained, name, dimension, criterion_value, C, support_vectors, evaluations, stop_reason, seconds);
  // The value of the first test set, for readers that expect one number; the list below has all of them.
  field.derived("binary_accuracy", [&] {
    return trained.binary_accuracy.empty() ? std::nullopt : std::optional(trained.binary_accuracy.front());
  });
  field("binary_accuracies", trained.binary_accuracy);
  PARSIMAP_FIELDS(trained, trace, weights, rest_weight);
}

static void list_fields(ExperimentRun& run, Fields& field) {
  PARSIMAP_FIELDS(run, data, method, repeat, seed);
  const std::optional<TestRun> first = run.tests.empty() ? std::nullopt : std::optional(run.tests.front());
  field.derived("overall_accuracy", [&] { return first ? first->overall_accuracy : std::nullopt; });
  field.derived("average_binary_accuracy",
                [&] { return first ? std::optional(first->average_binary_accuracy) : std::nullopt; });
  PARSIMAP_FIELDS(run, tests, classes);
}

static PARSIMAP_RECORD(MethodSummary, data, method, test, repeats, mean_overall_accuracy, deviation_overall_accuracy,
                       mean_average_binary_accuracy, deviation_average_binary_accuracy, mean_seconds);
static PARSIMAP_RECORD(KernelSurface, title, half_width, contour, values);

// The one member of a line that describes a data set.
constexpr const char* kDescription = "description";

// What `list` reads of a line.
static void read_line(const std::string& line, const std::string& what, const FieldList& list) {
  try {
    read_document(line, list);
  } catch (const std::runtime_error& error) {
    throw DataError("the line is not " + what + ": " + error.what());
  }
}

static void list_published(Fields& field, const PublishedValue& published, const std::optional<double>& measured) {
  PARSIMAP_FIELDS(published, source, quantity, data, test);
  field("class", published.class_name.empty() ? std::nullopt : std::optional(published.class_name));
  PARSIMAP_FIELDS(published, method, value);
  field("measured", measured);
  field("difference", measured ? std::optional(*measured - published.value) : std::nullopt);
}

// What reports and summaries take for granted.
static void check_run(const ExperimentRun& run) {
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
static void list_line(Fields& field, ExperimentRun& run) {
  list_fields(run, field);
  auto trivial = mapped<bool>(run.classes, &ClassRun::trivial);
  field("trivial", trivial);
  if (trivial.size() != run.classes.size()) {
    throw DataError("/trivial must be a list of length " + std::to_string(run.classes.size()));
  }
  for (std::size_t c = 0; c < trivial.size() && field.reads(); ++c) {
    run.classes[c].trivial = trivial[c];
  }
}

std::string results_json(const ExperimentRecord& record) {
  return entries_text([&](Fields& field) {
    field.json("configuration", record.configuration);
    PARSIMAP_FIELDS(record, version, data, runs, summary);
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
