// A record of an experiment that never ran, with something for every part of a report: data set "hills" with repeats,
// several methods, published values, a run on the trivial plateau and names that HTML and CSV have to escape, and data
// set "sweep" with fixed dimensions.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "parsimap/experiment/experiment_record.hpp"

namespace parsimap::test {

inline const std::vector<std::string>& example_classes() {
  static const std::vector<std::string> names = {"meadow </script>", "bare \"soil\", dry", "roof <b>&amp;"};
  return names;
}

// In [0, 1), the same for the same counters.
inline double example_noise(Index a, Index b, Index c) {
  const double value = std::sin(12.9898 * static_cast<double>(a) + 78.233 * static_cast<double>(b) +
                                37.719 * static_cast<double>(c) + 0.5) *
                       43758.5453;
  return value - std::floor(value);
}

inline ClassRun example_class(const std::string& name, const MethodName& method, Index c, Index repeat, Index p) {
  const bool by_margin = method.criterion == "radius-margin";
  const auto salt = static_cast<Index>(method.kernel.size() + method.criterion.size());
  ClassRun trained;
  trained.name = name;
  trained.dimension = p;
  trained.C = 10.0 + static_cast<double>(c);
  trained.support_vectors = 40 + 3 * c + repeat;
  trained.trivial = c == 2 && method.kernel == "gaussian" && by_margin;
  trained.stop_reason = trained.trivial ? "converged on the trivial plateau" : "converged";
  trained.seconds = 0.5 + 0.2 * static_cast<double>(p) + 0.1 * example_noise(c, repeat, p);
  for (Index i = 0; i < 12 + c && method.criterion != "cross-validation"; ++i) {
    trained.trace.push_back((by_margin ? 60.0 : 0.2) * (1 + 3 * std::exp(-0.5 * static_cast<double>(i))) +
                            static_cast<double>(p) * (by_margin ? 2.0 : 0.01));
  }
  trained.evaluations = 30 + static_cast<Index>(trained.trace.size());
  trained.criterion_value = trained.trace.empty() ? 0.12 : trained.trace.back();
  for (Index i = 0; i < p; ++i) {
    trained.weights.push_back(0.02 * std::pow(4.0, static_cast<double>(i % 4)) * (1 + 3 * example_noise(c, i, salt)));
  }
  trained.rest_weight = method.kernel == "pca" ? 0 : 0.3 + 0.1 * static_cast<double>(c);
  const double accuracy = 0.9 - 0.001 * static_cast<double>((p - 5) * (p - 5)) + 0.05 * example_noise(c, repeat, salt);
  trained.binary_accuracy = {accuracy, accuracy - 0.02};
  return trained;
}

inline TestRun example_test(const std::string& name, const std::vector<ClassRun>& classes, std::size_t index) {
  TestRun test{name, 300, {}, 0, {}};
  std::vector<std::string> names;
  for (const ClassRun& trained : classes) {
    names.push_back(trained.name);
    test.average_binary_accuracy += trained.binary_accuracy[index] / static_cast<double>(classes.size());
  }
  ConfusionMatrix confusion(names);
  for (Index r = 0; r < confusion.size(); ++r) {
    const auto right = std::lround(100 * classes[r].binary_accuracy[index]);
    confusion.add(r, r, right);
    confusion.add(r, (r + 1) % confusion.size(), 100 - right);
  }
  test.overall_accuracy = confusion.overall_accuracy();
  test.confusion = confusion;
  return test;
}

inline ExperimentRun example_run(const std::string& data, const MethodName& method, Index repeat) {
  ExperimentRun run{data, method, repeat, 100 + static_cast<std::uint64_t>(repeat), {}, {}};
  const Index fixed = method.dimension.rfind("fixed:", 0) == 0 ? std::stoi(method.dimension.substr(6)) : 0;
  for (std::size_t c = 0; c < example_classes().size(); ++c) {
    const auto number = static_cast<Index>(c);
    const Index estimated = 3 + number + (repeat % 3 == 0 ? 1 : 0) + (method.dimension == "scree:0.05" ? 2 : 0);
    const Index p = method.dimension.empty() ? 0 : fixed > 0 ? fixed : estimated;
    run.classes.push_back(example_class(example_classes()[c], method, number, repeat, p));
  }
  run.tests = {example_test("all", run.classes, 0), example_test("disjoint", run.classes, 1)};
  return run;
}

inline DataDescription example_description(const std::string& name, bool wavelengths) {
  constexpr Index bands = 60;
  DataDescription data{name, bands, {}, 90, {}};
  for (Index band = 0; band < bands && wavelengths; ++band) {
    data.wavelengths.push_back(430.0 + 7.0 * static_cast<double>(band));
  }
  for (std::size_t c = 0; c < example_classes().size(); ++c) {
    ClassDescription description{example_classes()[c], 30, {}, {}, {}, {}};
    for (Index band = 0; band < bands; ++band) {
      const double place = static_cast<double>(band) / bands;
      description.mean.push_back(1000 + 400 * std::sin(6 * place + static_cast<double>(c)));
      description.deviation.push_back(60 + 80 * place);
    }
    for (Index i = 0; i < 29; ++i) {
      description.eigenvalues.push_back(5 * std::exp(-0.6 * static_cast<double>(i)));
    }
    const auto p = static_cast<Index>(c) + 4;
    description.scree = {
        {"scree:0.2", p, 0.2 * (5 - 5 * std::exp(-0.6))}, {"scree:0.05", p + 2, 0.1128}, {"bic", 9, {}}};
    data.classes.push_back(description);
  }
  return data;
}

inline void add_summaries(ExperimentRecord& record, const std::string& data, const std::vector<MethodName>& methods,
                          Index repeats) {
  for (const MethodName& method : methods) {
    for (const std::string test : {"all", "disjoint"}) {
      const auto deviation = repeats > 1 ? std::optional(0.0123) : std::nullopt;
      record.summary.push_back({data, method, test, repeats, 0.912, deviation, 0.9456, deviation, 4.2});
    }
  }
}

inline KernelSurface example_surface(const std::string& title, double first, double second) {
  constexpr Index points = 41;
  KernelSurface surface{title, 1, Matrix(points, points), 0.75};
  for (Index j = 0; j < points; ++j) {
    for (Index i = 0; i < points; ++i) {
      const double x = -1 + 2.0 * static_cast<double>(i) / (points - 1);
      const double y = -1 + 2.0 * static_cast<double>(j) / (points - 1);
      const double along = (x + y) * (x + y) / 2;
      const double across = (x - y) * (x - y) / 2;
      surface.values(j, i) = std::exp(-0.5 * (first * along + second * across));
    }
  }
  return surface;
}

inline ExperimentRecord example_experiment(Index repeats = 6) {
  const std::vector<MethodName> methods = {
      {"hdda", "radius-margin", "scree:0.2"}, {"hdda", "radius-margin", "scree:0.05"},
      {"pca", "radius-margin", "scree:0.2"},  {"gaussian", "radius-margin", ""},
      {"hdda", "leave-one-out", "scree:0.2"}, {"gaussian", "cross-validation", ""}};
  ExperimentRecord record;
  record.title = "Hills & <valleys>";
  record.description = "An experiment that never ran </script>.";
  record.configuration = R"({"title": "Hills & <valleys>", "repeats": 6})";
  record.version = "0.1.0";
  record.data = {example_description("hills", true), example_description("sweep", false)};
  for (Index repeat = 0; repeat < repeats; ++repeat) {
    for (const MethodName& method : methods) {
      record.runs.push_back(example_run("hills", method, repeat));
    }
  }
  std::vector<MethodName> swept;
  for (const std::string kernel : {"hdda", "pca"}) {
    for (Index p = 1; p <= 9; ++p) {
      swept.push_back({kernel, "radius-margin", "fixed:" + std::to_string(p)});
    }
    swept.push_back({kernel, "radius-margin", "scree:0.2"});
  }
  for (const MethodName& method : swept) {
    record.runs.push_back(example_run("sweep", method, 0));
  }
  add_summaries(record, "hills", methods, repeats);
  add_summaries(record, "sweep", swept, 1);
  for (const MethodName& method : {methods[3], methods[0]}) {
    record.published.push_back({"paper", "binary_accuracy", "hills", "", example_classes()[0], method, 0.9});
    record.published.push_back({"paper", "binary_accuracy", "hills", "", example_classes()[1], method, 0.91});
    record.published.push_back({"paper", "average_binary_accuracy", "hills", "", "", method, 0.905});
  }
  record.published.push_back({"elsewhere", "criterion_value", "hills", "", example_classes()[0], methods[0], 70.25});
  record.kernels = {example_surface("Gaussian", 2, 2), example_surface("PCA-Mahalanobis", 0.6, 0),
                    example_surface("HDDA-Mahalanobis", 0.6, 4)};
  return record;
}

}  // namespace parsimap::test
