#include "parsimap/validation/expected_accuracy.hpp"

#include <Eigen/SVD>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "parsimap/core/parallel_for.hpp"
#include "parsimap/core/random.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/samples/sample_set.hpp"

#include "map_accuracy.hpp"

namespace parsimap {

LeftOutResults left_out_results(const std::vector<int>& labels, std::size_t classes) {
  const auto share = [&](Index count) { return static_cast<double>(count) / static_cast<double>(labels.size()); };
  return {static_cast<Index>(classes), mapped<double>(class_counts(labels, classes), share)};
}

// The percentiles of the replicates, moved away from the estimate for few units by Student's t over 1.96.
static Interval interval_of(std::vector<double> replicates, double estimate, double degrees_of_freedom) {
  std::ranges::sort(replicates);
  const auto rank = std::max<std::size_t>(
      1, static_cast<std::size_t>(std::lround(static_cast<double>(replicates.size() + 1) * (1 - kConfidence) / 2)));
  const double factor = student_quantile(degrees_of_freedom) / normal_quantile();
  const auto stretched = [&](double end) { return std::clamp(estimate + factor * (end - estimate), 0.0, 1.0); };
  return {std::min(stretched(replicates[rank - 1]), estimate),
          std::max(stretched(replicates[replicates.size() - rank]), estimate), degrees_of_freedom + 1};
}

// The two rows that differ least, as indices of classes.
static std::vector<int> most_alike(const Matrix& rows, const Indices& classes) {
  double least = std::numeric_limits<double>::infinity();
  std::vector<int> pair;
  for (std::size_t a = 0; a < classes.size(); ++a) {
    for (std::size_t b = a + 1; b < classes.size(); ++b) {
      const double difference = (rows.row(static_cast<Index>(a)) - rows.row(static_cast<Index>(b))).cwiseAbs().sum();
      if (difference < least) {
        least = difference;
        pair = {static_cast<int>(classes[a]), static_cast<int>(classes[b])};
      }
    }
  }
  return pair;
}

static void describe_problem(const MapAccuracy& accuracy, const LeftOutResults& results, const MapDraw& map,
                             ExpectedAccuracy& result) {
  const Indices& tested = accuracy.table().tested;
  const Matrix square = accuracy.square(accuracy.confusion());
  const Vector singular = Eigen::JacobiSVD<Matrix>(square).singularValues();
  if (singular.minCoeff() > 1e-9 * singular.maxCoeff()) {
    result.condition = singular.maxCoeff() / singular.minCoeff();
  }
  std::vector<int> untested;
  std::vector<int> unpredicted;
  for (int c = 0; c < results.classes; ++c) {
    if (std::ranges::binary_search(tested, c)) {
      if (!(accuracy.confusion().col(c).sum() > 0)) {
        unpredicted.push_back(c);
      }
    } else if (results.label_shares[static_cast<std::size_t>(c)] > 0 || std::ranges::count(map.predicted, c) > 0) {
      untested.push_back(c);
    }
  }
  const bool hard = !result.condition || *result.condition > kLargestCondition;
  const auto say = [&](SharesProblem problem, std::vector<int> classes) {
    if (result.problem == SharesProblem::none && !classes.empty()) {
      result.problem = problem;
      result.problem_classes = std::move(classes);
    }
  };
  result.average_first = hard || !untested.empty();
  say(SharesProblem::untested_class, untested);
  say(SharesProblem::never_predicted, unpredicted);
  say(SharesProblem::overlap, hard ? most_alike(square, tested) : std::vector<int>());
}

// All but intervals.
static void describe(const MapAccuracy& accuracy, ExpectedAccuracy& result) {
  const LeftOutTable& table = accuracy.table();
  const AccuracyValues values = accuracy.estimate();
  const bool compared = table.tested.size() > 1;
  for (std::size_t t = 0; t < table.tested.size(); ++t) {
    const Index c = table.tested[t];
    ExpectedClass& entry = result.classes[static_cast<std::size_t>(c)];
    entry.share = accuracy.shares()(static_cast<Index>(t));
    entry.found = accuracy.confusion()(static_cast<Index>(t), c);
  }
  result.average = values.average;
  result.overall = compared ? std::optional(values.overall) : std::nullopt;
  for (std::size_t b = 0; table.by_distance && b < table.bins.size(); ++b) {
    DistanceAccuracy& bin = result.by_distance.emplace_back(table.bins[b]);
    const auto place = static_cast<Index>(b);
    bin.accuracy = compared ? std::optional(values.by_distance(place)) : std::nullopt;
    if (table.not_measured) {
      bin.map_share = table.bin_weights(place) * (1 - *table.not_measured);
    }
  }
}

static void add_intervals(const MapAccuracy& accuracy, const ExpectedAccuracyOptions& options,
                          ExpectedAccuracy& result) {
  std::vector<AccuracyValues> draws(static_cast<std::size_t>(options.replicates));
  parallel_for(options.replicates, options.threads, [&](Index i) {
    Random random(options.seed, static_cast<std::uint64_t>(i));
    draws[static_cast<std::size_t>(i)] = accuracy.replicate(random);
  });
  const auto interval = [&](std::optional<double> estimate, const Vector& weights, auto value) {
    std::vector<double> drawn;
    std::ranges::transform(draws, std::back_inserter(drawn), value);
    return estimate ? std::optional(interval_of(std::move(drawn), *estimate, accuracy.degrees_of_freedom(weights)))
                    : std::nullopt;
  };
  const Vector equal = Vector::Constant(accuracy.shares().size(), 1 / static_cast<double>(accuracy.shares().size()));
  result.average_interval = interval(result.average, equal, &AccuracyValues::average);
  result.overall_interval = interval(result.overall, accuracy.shares(), &AccuracyValues::overall);
  for (std::size_t b = 0; b < result.by_distance.size(); ++b) {
    result.by_distance[b].interval =
        interval(result.by_distance[b].accuracy, accuracy.shares(),
                 [&](const AccuracyValues& draw) { return draw.by_distance(static_cast<Index>(b)); });
  }
}

static ExpectedAccuracy expected_of_all(const LeftOutResults& results, const MapDraw& map,
                                        const ExpectedAccuracyOptions& options) {
  LeftOutTable table = left_out_table(results, map);
  ExpectedAccuracy result;
  result.support = table.support;
  result.not_measured = table.not_measured;
  result.classes = mapped<ExpectedClass>(table.classes, [](Support support) { return ExpectedClass{{}, {}, support}; });
  // With one class there is nothing that it could be confused with.
  if (table.tested.empty() || results.classes < 2) {
    return result;
  }
  const MapAccuracy accuracy(std::move(table), results.label_shares);
  describe(accuracy, result);
  describe_problem(accuracy, results, map, result);
  if (accuracy.table().units > 1) {
    add_intervals(accuracy, options, result);
  }
  return result;
}

// The same estimate from those left-out samples and pixels of the map that lie within the area of applicability.
static AccuracyInside accuracy_inside(LeftOutResults results, MapDraw map, const ExpectedAccuracyOptions& options) {
  const auto is_inside = [](double unlike) { return unlike <= kLargestUnlikeness; };
  results.records = filtered(results.records, [&](const LeftOutRecord& record) { return is_inside(record.unlike); });
  const Indices pixels = indices_where(map.unlike.size(), [&](std::size_t i) { return is_inside(map.unlike[i]); });
  const auto share =
      static_cast<double>(pixels.size()) / static_cast<double>(std::max<std::size_t>(1, map.unlike.size()));
  map.predicted = values_at(map.predicted, pixels);
  map.distances = map.distances.empty() ? map.distances : values_at(map.distances, pixels);
  map.unlike = {};
  const ExpectedAccuracy inside = expected_of_all(results, map, options);
  return {inside.overall, inside.overall_interval, inside.support, share, inside.average_first};
}

ExpectedAccuracy expected_accuracy(const LeftOutResults& results, const MapDraw& map,
                                   const ExpectedAccuracyOptions& options) {
  ExpectedAccuracy result = expected_of_all(results, map, options);
  const auto known = [](const LeftOutRecord& record) { return !std::isnan(record.unlike); };
  if (std::ranges::any_of(results.records, known) && !map.unlike.empty()) {
    result.inside = accuracy_inside(results, map, options);
  }
  return result;
}

static const Names<SharesProblem> kProblems = {{SharesProblem::none, "none"},
                                               {SharesProblem::overlap, "overlap"},
                                               {SharesProblem::never_predicted, "never-predicted"},
                                               {SharesProblem::untested_class, "untested-class"}};

SharesProblem parse_shares_problem(const std::string& text) { return parse_name("problem", text, kProblems); }

std::string to_string(SharesProblem problem) { return name_among(problem, kProblems); }

}  // namespace parsimap
