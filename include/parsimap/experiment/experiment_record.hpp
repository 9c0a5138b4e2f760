// What an experiment measured, as plain values, and what follows from them: means over the repeats, and measured values
// beside published ones. `report` renders them as text, CSV and HTML, json as JSON. Accuracies are fractions, times
// seconds of processor time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/accuracy/accuracy.hpp"
#include "parsimap/core/parallel_for.hpp"
#include "parsimap/core/types.hpp"

namespace parsimap {

// A method by the names of the configuration, as in {"hdda", "radius-margin", "scree:0.2"}.
struct MethodName {
  std::string kernel;
  std::string criterion;
  std::string dimension;  // empty for kernels without a subspace
  bool operator==(const MethodName&) const = default;
};

// "hdda, radius-margin, scree:0.2"; "gaussian, radius-margin" without a subspace.
std::string to_string(const MethodName& method);

// One class against the rest, trained.
struct ClassRun {
  std::string name;
  Index dimension = 0;         // p of the kernel, 0 for kernels without a subspace
  double criterion_value = 0;  // at the selected hyperparameters
  double C = 0;
  Index support_vectors = 0;
  Index evaluations = 0;  // of the criterion
  std::string stop_reason;
  bool trivial = false;                 // the search ended on the trivial plateau of the radius-margin bound
  double seconds = 0;                   // of selection and final fit
  std::vector<double> trace;            // criterion along the last descent
  std::vector<double> weights;          // v_1 .. v_p of the kernel, total weights of the class directions
  double rest_weight = 0;               // w_0, of everything orthogonal to them
  std::vector<double> binary_accuracy;  // this class against the rest, of every test set
};

// One set of test samples, classified.
struct TestRun {
  std::string name;
  Index samples = 0;
  std::optional<double> overall_accuracy;    // of the largest decision value; unset when not all classes were trained
  double average_binary_accuracy = 0;        // mean over the trained classes
  std::optional<ConfusionMatrix> confusion;  // set with overall_accuracy
};

// One method on one draw of one data set. Never altered once finished.
struct ExperimentRun {
  std::string data;  // name of the data set
  MethodName method;
  Index repeat = 0;  // from 0
  std::uint64_t seed = 0;
  std::vector<TestRun> tests;     // at least one; the first is the one that summaries are of
  std::vector<ClassRun> classes;  // those trained
};

// The scree test of one class with one rule.
struct ScreeRecord {
  std::string dimension;            // the rule, as in MethodName
  Index chosen = 0;                 // p
  std::optional<double> threshold;  // on differences of neighbouring eigenvalues; of scree rules alone
};

// Training samples of one class as the methods saw them (first repeat, after scaling for the eigenvalues).
struct ClassDescription {
  std::string name;
  Index samples = 0;
  std::vector<double> mean;         // by band, before scaling
  std::vector<double> deviation;    // by band, before scaling
  std::vector<double> eigenvalues;  // of the class covariance, descending, the first kDescribedEigenvalues at most
  std::vector<ScreeRecord> scree;   // one per rule in the methods
};

inline constexpr Index kDescribedEigenvalues = 60;

struct DataDescription {
  std::string name;
  Index bands = 0;
  std::vector<double> wavelengths;  // nanometres, one per band, or empty
  Index training_samples = 0;
  std::vector<ClassDescription> classes;
};

// A value that somebody published, beside which the measured one is put.
struct PublishedValue {
  std::string source;    // "paper", "docs/method.md", ...
  std::string quantity;  // "binary_accuracy", "overall_accuracy", "average_binary_accuracy", "criterion_value",
                         // "dimension", "seconds"
  std::string data;
  std::string test;        // name of the test set; empty: the first
  std::string class_name;  // empty for quantities of a whole run
  MethodName method;
  double value = 0;
};

// Values of a kernel k(0, x) on a grid of the plane.
struct KernelSurface {
  std::string title;
  double half_width = 1;  // x in [-half_width, half_width]^2
  Matrix values;          // rows: x_2 ascending, columns: x_1 ascending
  double contour = 0.75;  // level to draw
};

struct MethodSummary {
  std::string data;
  MethodName method;
  std::string test;
  Index repeats = 0;
  std::optional<double> mean_overall_accuracy;
  std::optional<double> deviation_overall_accuracy;  // with divisor repeats - 1; unset for one repeat
  double mean_average_binary_accuracy = 0;
  std::optional<double> deviation_average_binary_accuracy;
  double mean_seconds = 0;  // of all classes together
};

struct ExperimentRecord {
  std::string title;
  std::string description;
  std::string configuration;  // resolved, JSON text
  std::string version;        // of the program
  std::vector<DataDescription> data;
  std::vector<ExperimentRun> runs;  // in the order data, repeat, method
  std::vector<MethodSummary> summary;
  std::vector<PublishedValue> published;
  std::vector<KernelSurface> kernels;
};

// One entry for every data set, method and test set, in the order of their first run.
std::vector<MethodSummary> summarise(const std::vector<ExperimentRun>& runs);

// The measured counterpart of a published value: the mean over the repeats of its data set and method. Seconds without
// a class are those of all classes together. Unset where nothing of that kind was measured.
std::optional<double> measured_value(const ExperimentRecord& record, const PublishedValue& published);

struct ComparedValue {
  std::optional<double> published;
  std::optional<double> measured;
};

struct ComparedRow {
  MethodName method;
  std::vector<ComparedValue> values;  // one per column
};

// The published values of one source, quantity, data set and test set: methods x classes, both in the order in which
// they are listed first. The average of binary accuracies is the column "mean" of their table; other values of a whole
// run are in the column "all classes".
struct ComparedTable {
  std::string source;
  std::string quantity;
  std::string data;
  std::string test;
  std::vector<std::string> columns;
  std::vector<ComparedRow> rows;
};

std::vector<ComparedTable> compare_published(const ExperimentRecord& record);

// What one shard of an experiment has done.
struct ExperimentShard {
  Shard shard;
  Index runs = 0;       // that the shard has
  Index resumed = 0;    // of them, those that an earlier call had finished
  std::string journal;  // where they are kept; not there for a shard without runs
};

}  // namespace parsimap
