#include "parsimap/experiment/experiment_record.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "parsimap/core/error.hpp"
#include "parsimap/experiment/run_experiment.hpp"
#include "parsimap/hdda/class_statistics.hpp"
#include "parsimap/hdda/subspace_model.hpp"
#include "parsimap/kernel/kernel.hpp"

#include "draws.hpp"

namespace parsimap {

using Runs = std::vector<const ExperimentRun*>;

static double mean_of(const std::vector<double>& values) {
  return total(values, std::identity()) / static_cast<double>(values.size());
}

static std::optional<double> deviation_of(const std::vector<double>& values) {
  if (values.size() < 2) {
    return std::nullopt;
  }
  // The standard deviation of a sample, with n - 1.
  const double mean = mean_of(values);
  const double squares = total(values, [&](double value) { return (value - mean) * (value - mean); });
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

// The processor time of all classes together.
static double seconds_of(const ExperimentRun& run) { return total(run.classes, &ClassRun::seconds); }

// The summary of the runs of one method on one data set, by the test set with index `test`.
static MethodSummary summary_of(const Runs& runs, std::size_t test) {
  const ExperimentRun& first = *runs.front();
  // Means over the repeats are unweighted, and the deviation is that between repeats (docs/method.md, Accuracy and
  // areas).
  std::vector<double> overall;
  std::vector<double> binary;
  std::vector<double> seconds;
  for (const ExperimentRun* run : runs) {
    if (run->tests[test].overall_accuracy) {
      overall.push_back(*run->tests[test].overall_accuracy);
    }
    binary.push_back(run->tests[test].average_binary_accuracy);
    seconds.push_back(seconds_of(*run));
  }
  MethodSummary summary{
      first.data, first.method, first.tests[test].name, static_cast<Index>(runs.size()), {}, {}, 0, {}, 0};
  // Overall accuracy needs classifiers of all classes; where a run has it not, the mean of the others would be of
  // other runs.
  if (overall.size() == runs.size()) {
    summary.mean_overall_accuracy = mean_of(overall);
    summary.deviation_overall_accuracy = deviation_of(overall);
  }
  summary.mean_average_binary_accuracy = mean_of(binary);
  summary.deviation_average_binary_accuracy = deviation_of(binary);
  summary.mean_seconds = mean_of(seconds);
  return summary;
}

// An empty name stands for the first test set.
static std::optional<std::size_t> index_of_test(const ExperimentRun& run, const std::string& name) {
  for (std::size_t i = 0; i < run.tests.size(); ++i) {
    if (name.empty() || run.tests[i].name == name) {
      return i;
    }
  }
  return std::nullopt;
}

// The measured value of a quantity of all classes together; nothing where the run does not have it.
static std::optional<double> of_whole_run(const ExperimentRun& run, const PublishedValue& published) {
  if (published.quantity == "seconds") {
    return seconds_of(run);
  }
  const auto test = index_of_test(run, published.test);
  if (!test) {
    return std::nullopt;
  }
  if (published.quantity == "overall_accuracy") {
    return run.tests[*test].overall_accuracy;
  }
  if (published.quantity == "average_binary_accuracy") {
    return run.tests[*test].average_binary_accuracy;
  }
  return std::nullopt;
}

// The measured value of a quantity of one class.
// The criterion, the dimension and the time of a class do not depend on a test set, the accuracy does.
static std::optional<double> of_class(const ExperimentRun& run, const ClassRun& trained,
                                      const PublishedValue& published) {
  if (published.quantity == "criterion_value") {
    return trained.criterion_value;
  }
  if (published.quantity == "dimension") {
    return static_cast<double>(trained.dimension);
  }
  if (published.quantity == "seconds") {
    return trained.seconds;
  }
  const auto test = index_of_test(run, published.test);
  if (published.quantity == "binary_accuracy" && test) {
    return trained.binary_accuracy.at(*test);
  }
  return std::nullopt;
}

static std::optional<double> of_run(const ExperimentRun& run, const PublishedValue& published) {
  if (published.class_name.empty()) {
    return of_whole_run(run, published);
  }
  const auto trained = std::ranges::find(run.classes, published.class_name, &ClassRun::name);
  return trained == run.classes.end() ? std::nullopt : of_class(run, *trained, published);
}

// The column of the table in which a value stands: its class, or one for all of them.
static std::string column_of(const PublishedValue& published) {
  if (!published.class_name.empty()) {
    return published.class_name;
  }
  return published.quantity == "average_binary_accuracy" ? "mean" : "all classes";
}

// The table that the value belongs to, which is added where there is none yet.
static ComparedTable& table_of(std::vector<ComparedTable>& tables, const PublishedValue& published) {
  const std::string quantity = published.quantity == "average_binary_accuracy" ? "binary_accuracy" : published.quantity;
  const auto found = std::ranges::find_if(tables, [&](const ComparedTable& table) {
    return table.source == published.source && table.quantity == quantity && table.data == published.data &&
           table.test == published.test;
  });
  if (found != tables.end()) {
    return *found;
  }
  return tables.emplace_back(ComparedTable{published.source, quantity, published.data, published.test, {}, {}});
}

static std::size_t column_index(ComparedTable& table, const std::string& column) {
  const auto found = std::ranges::find(table.columns, column);
  const auto index = static_cast<std::size_t>(found - table.columns.begin());
  if (found == table.columns.end()) {
    table.columns.push_back(column);
  }
  return index;
}

static ComparedRow& row_of(ComparedTable& table, const MethodName& method) {
  const auto found = std::ranges::find(table.rows, method, &ComparedRow::method);
  return found == table.rows.end() ? table.rows.emplace_back(ComparedRow{method, {}}) : *found;
}

std::string to_string(const MethodName& method) {
  return method.kernel + ", " + method.criterion + (method.dimension.empty() ? "" : ", " + method.dimension);
}

std::vector<MethodSummary> summarise(const std::vector<ExperimentRun>& runs) {
  // Runs of one method on one data set make a group, in the order in which the first of each is recorded; every test
  // set has a summary of its own.
  std::vector<Runs> groups;
  for (const ExperimentRun& run : runs) {
    const auto group = std::ranges::find_if(groups, [&](const Runs& others) {
      return others.front()->data == run.data && others.front()->method == run.method;
    });
    if (group == groups.end()) {
      groups.push_back({&run});
    } else {
      group->push_back(&run);
    }
  }
  std::vector<MethodSummary> summaries;
  for (const Runs& group : groups) {
    for (std::size_t test = 0; test < group.front()->tests.size(); ++test) {
      summaries.push_back(summary_of(group, test));
    }
  }
  return summaries;
}

std::optional<double> measured_value(const ExperimentRecord& record, const PublishedValue& published) {
  // The mean over the repeats that have the quantity.
  double sum = 0;
  Index count = 0;
  for (const ExperimentRun& run : record.runs) {
    if (run.data == published.data && run.method == published.method) {
      if (const auto value = of_run(run, published)) {
        sum += *value;
        ++count;
      }
    }
  }
  return count == 0 ? std::nullopt : std::optional(sum / static_cast<double>(count));
}

std::vector<ComparedTable> compare_published(const ExperimentRecord& record) {
  std::vector<ComparedTable> tables;
  // Published values of one source, quantity, data set and test set make one table, with a row for each method and a
  // column for each class, both in the order in which they are first named.
  for (const PublishedValue& published : record.published) {
    ComparedTable& table = table_of(tables, published);
    const std::size_t column = column_index(table, column_of(published));
    ComparedRow& row = row_of(table, published.method);
    row.values.resize(std::max(row.values.size(), column + 1));
    row.values[column] = {published.value, measured_value(record, published)};
  }
  for (ComparedTable& table : tables) {
    for (ComparedRow& row : table.rows) {
      // Rows may have been filled before the last column was added: missing cells stay empty.
      row.values.resize(table.columns.size());
    }
  }
  return tables;
}

template <typename Named>
static std::optional<Index> index_of(const std::vector<Named>& list, const std::string& name) {
  const auto found = std::ranges::find(list, name, &Named::name);
  return found == list.end() ? std::nullopt : std::optional<Index>(found - list.begin());
}

static std::optional<Index> method_index(const ExperimentSpec& spec, const MethodName& name) {
  const auto found = std::ranges::find_if(spec.methods, [&](const Method& method) { return name_of(method) == name; });
  return found == spec.methods.end() ? std::nullopt : std::optional<Index>(found - spec.methods.begin());
}

// Descriptions come from several processes in any order: they are put into that of the specification, and each data set
// must have exactly one.
static std::vector<DataDescription> in_order(const ExperimentSpec& spec,
                                             const std::vector<DataDescription>& descriptions) {
  std::vector<DataDescription> ordered;
  for (const DataSpec& data : spec.data) {
    const std::optional<Index> place = index_of(descriptions, data.name);
    if (!place) {
      throw DataError("the description of the data set '" + data.name + "' is missing");
    }
    ordered.push_back(descriptions[static_cast<std::size_t>(*place)]);
  }
  if (ordered.size() != descriptions.size()) {
    throw DataError("there are descriptions of " + std::to_string(descriptions.size()) +
                    " data sets, and the experiment has " + std::to_string(ordered.size()));
  }
  return ordered;
}

static std::vector<ExperimentRun> in_order(const ExperimentSpec& spec, const std::vector<ExperimentRun>& runs) {
  // Every run is put at its place in the order data, repeat, method. A place that is taken twice or stays empty, or
  // a run that belongs to no place, is an error of whoever joined the parts.
  std::vector<const ExperimentRun*> places(static_cast<std::size_t>(run_count(spec)), nullptr);
  for (const ExperimentRun& run : runs) {
    const std::optional<Index> place = run_place(spec, run);
    if (!place || places[static_cast<std::size_t>(*place)] != nullptr) {
      throw DataError(run_title(run) + (place ? " is there twice" : " is no run of the experiment"));
    }
    places[static_cast<std::size_t>(*place)] = &run;
  }
  std::vector<ExperimentRun> ordered;
  const ExperimentRun* first = nullptr;
  for (const ExperimentRun* run : places) {
    if (run == nullptr) {
      throw DataError(std::to_string(std::ranges::count(places, nullptr)) + " of " + std::to_string(places.size()) +
                      " runs are missing");
    }
    // All runs on a data set must agree with the first of them, or they were made from different data.
    first = first == nullptr || first->data != run->data ? run : first;
    if (!(shape_of(*run) == shape_of(*first))) {
      throw DataError(run_title(*run) + " has other classes or test sets than " + run_title(*first));
    }
    ordered.push_back(*run);
  }
  return ordered;
}

Index run_count(const ExperimentSpec& spec) {
  return static_cast<Index>(spec.data.size()) * spec.repeats * static_cast<Index>(spec.methods.size());
}

Index first_run_of_data(const ExperimentSpec& spec, std::size_t data) {
  return static_cast<Index>(data) * spec.repeats * static_cast<Index>(spec.methods.size());
}

std::optional<Index> run_place(const ExperimentSpec& spec, const ExperimentRun& run) {
  const std::optional<Index> data = index_of(spec.data, run.data);
  const std::optional<Index> method = method_index(spec, run.method);
  if (!data || !method || run.repeat < 0 || run.repeat >= spec.repeats) {
    return std::nullopt;
  }
  // Data sets vary slowest and methods fastest.
  return (*data * spec.repeats + run.repeat) * static_cast<Index>(spec.methods.size()) + *method;
}

ExperimentRecord joined_record(const ExperimentSpec& spec, const std::string& configuration,
                               const std::vector<DataDescription>& descriptions,
                               const std::vector<ExperimentRun>& runs) {
  ExperimentRecord record;
  record.title = spec.title;
  record.description = spec.description;
  record.configuration = configuration;
  record.version = PARSIMAP_VERSION;
  record.published = spec.published;
  record.data = in_order(spec, descriptions);
  record.runs = in_order(spec, runs);
  record.summary = summarise(record.runs);
  if (spec.kernel_shape) {
    record.kernels = kernel_surfaces(*spec.kernel_shape);
  }
  return record;
}

static MahalanobisKernel kernel_of(const KernelShapeSpec::Surface& surface, const Matrix& eigenvectors) {
  Vector weights =
      Vector::Map(surface.sigma_squared.data(), static_cast<Index>(surface.sigma_squared.size())).cwiseInverse();
  // The last of the sigmas, if the kernel has a part for everything orthogonal to the directions, gives w_0.
  double rest = 0;
  if (surface.kernel != ExperimentKernel::pca) {
    rest = weights(weights.size() - 1);
    weights.conservativeResize(weights.size() - 1);
  }
  // In the printed kernel the weights of directions add to the weight of the whole plane.
  return MahalanobisKernel({eigenvectors.leftCols(weights.size()), weights.array() + rest, rest});
}

std::vector<KernelSurface> kernel_surfaces(const KernelShapeSpec& shape) {
  const Eigen::Matrix2d covariance = Eigen::Map<const Eigen::Matrix2d>(shape.covariance.data());
  const Matrix eigenvectors = eigendecomposition(covariance).vectors;

  // The kernel k(x, 0) on a grid of n x n points of the plane. Point y + n x has the coordinates (axis x, axis y), so
  // that the values reshaped to n x n have a row for each y and a column for each x.
  const Index n = shape.points;
  const Vector axis = Vector::LinSpaced(n, -shape.half_width, shape.half_width);
  Matrix plane(n * n, 2);
  plane.col(0) = axis.transpose().replicate(n, 1).reshaped();
  plane.col(1) = axis.replicate(n, 1);

  std::vector<KernelSurface> surfaces;
  for (const KernelShapeSpec::Surface& surface : shape.surfaces) {
    const Matrix values = kernel_of(surface, eigenvectors).block(plane, Matrix::Zero(1, 2));
    surfaces.push_back({surface.title, shape.half_width, values.reshaped(n, n), shape.contour});
  }
  return surfaces;
}

}  // namespace parsimap
