// The documents of an assessment: JSON, one list of fields by which it is written and read, and tables as CSV.
#include "parsimap/report/accuracy_documents.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "parsimap/accuracy/accuracy.hpp"
#include "parsimap/accuracy/accuracy_intervals.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/json/json_text.hpp"
#include "parsimap/json/model_file.hpp"
#include "parsimap/report/table.hpp"

#include "accuracy_measures.hpp"

namespace parsimap {

static void parse(const std::string& text, SamplingDesign& design) { design = parse_design(text); }

static PARSIMAP_RECORD(Estimate, value, standard_error, interval);

// Intervals by name, and then the effective numbers of regions that they are from, where they are from regions.
static void list_named(Fields& field, const std::vector<std::pair<std::string, std::optional<Interval>*>>& intervals) {
  bool by_region = false;
  for (const auto& [name, interval] : intervals) {
    field(name, *interval);
    by_region = by_region || (*interval && (*interval)->regions);
  }
  if (!(field.reads() ? field.has("effective_regions") : by_region)) {
    return;
  }
  field.group("effective_regions", [&] {
    for (const auto& [name, interval] : intervals) {
      std::optional<double> regions = *interval ? (*interval)->regions : std::nullopt;
      field(name, regions);
      if (*interval) {
        (*interval)->regions = regions;
      }
    }
  });
}

static void list_fields(ClassIntervals& intervals, Fields& field) {
  field.where("regions", intervals.regions, intervals.regions.has_value());
  list_named(field, {{"producers_accuracy", &intervals.producers_accuracy},
                     {"users_accuracy", &intervals.users_accuracy},
                     {"f1", &intervals.f1}});
}

static void list_fields(TrainingOverlap& overlap, Fields& field) {
  PARSIMAP_FIELDS(overlap, model, unknown, pixels, regions, other_pixels);
  field("other_overall_accuracy", overlap.other_accuracy);
}

static PARSIMAP_RECORD(ReferenceFacts, options, sha256, features, outside_features, map_sha256);

constexpr const char* kOrientation = "rows are reference, columns are map";

// Sums of counts below this one do not overflow.
constexpr std::int64_t kMostPixels = std::int64_t{1} << 40U;

static Estimate scaled(const Estimate& estimate, const std::function<double(double)>& scale) {
  // A linear scale applies to the value, the standard error and the ends of the interval alike.
  Estimate result{scale(estimate.value), scale(estimate.standard_error), estimate.interval};
  if (result.interval) {
    result.interval = Interval{scale(result.interval->low), scale(result.interval->high)};
  }
  return result;
}

// Measures of a class follow from the matrix; only its name, its code and its intervals are read back. Documents of
// earlier versions have no codes.
static void list_class(Fields& field, std::string& name, std::vector<std::optional<int>>& codes,
                       ClassIntervals& intervals, const ConfusionMatrix& confusion, std::size_t c) {
  const auto row = static_cast<Index>(c);
  field("name", name);
  std::optional<int> code = c < codes.size() ? codes[c] : std::nullopt;
  field.where("code", code, c < codes.size());
  if (field.reads() && field.has("code")) {
    codes.resize(c + 1);
    codes[c] = code;
  }
  field.derived("reference_pixels", [&] { return confusion.class_accuracy(row).reference_pixels; });
  if (!field.reads()) {
    list_measures(field, class_measures(confusion, row));
  }
  field.derived("map_pixels", [&] { return confusion.class_accuracy(row).map_pixels; });
  field("intervals", intervals);
}

static void list_intervals(Fields& field, AccuracyIntervals& intervals) {
  field.derived("confidence", [] { return kConfidence; });
  field("regions", intervals.regions);
  list_named(field, {{"overall_accuracy", &intervals.overall_accuracy},
                     {"average_accuracy", &intervals.average_accuracy},
                     {"kappa", &intervals.kappa}});
}

// Areas are shares of the total: they are multiplied by it when they are written, and divided by it when they are read.
static void list_area_class(Fields& field, const std::string& name, ClassEstimate& entry, double total) {
  field.derived("name", [&] { return name; });
  const auto times = [total](double share) { return share * total; };
  const auto over = [total](double area) { return area / total; };
  double mapped = times(entry.mapped_share);
  Estimate area = scaled(entry.share, times);
  field("mapped_area", mapped);
  field("area", area);
  PARSIMAP_FIELDS(entry, producers_accuracy, users_accuracy);
  if (field.reads()) {
    entry.mapped_share = over(mapped);
    entry.share = scaled(area, over);
  }
}

static PARSIMAP_RECORD(AimProgress, aim, standard_error, points);
static PARSIMAP_RECORD(SequentialClass, share, users_accuracy);
static PARSIMAP_RECORD(SampleProgress, file, planned, labelled, aims, overall_accuracy, classes);

static void list_areas(Fields& field, AreaAssessment& areas, const std::vector<std::string>& names) {
  AreaEstimate& estimate = areas.estimate;
  // The factor of the unit is the total area: 1 becomes the number of hectares or pixels of all classified pixels. It
  // is part of the document, so that shares can be recovered exactly.
  const AreaUnit unit = field.reads() ? AreaUnit{} : area_unit(areas);
  double total = unit.factor;
  PARSIMAP_FIELDS(areas, design, strata);
  field("pixels", estimate.pixels);
  field.derived("unit", [&] { return unit.name; });
  field("total", total);
  field("square_metres_per_pixel", areas.pixel_area);
  const double area = area_unit(areas).factor;
  if (field.reads() && !(area > 0 && std::abs(total - area) <= 1e-9 * area)) {
    throw DataError("the total area is " + short_number(total) + "; by pixels and their size it must be " +
                    short_number(area) + ", and positive");
  }
  field.derived("orientation", [] { return std::string(kOrientation); });
  PARSIMAP_FIELDS(estimate, shares, overall_accuracy);
  field("quantity_disagreement", estimate.disagreement.quantity);
  field("allocation_disagreement", estimate.disagreement.allocation);
  field.groups("classes", names.size(), [&](std::size_t c) {
    estimate.classes.resize(std::max(estimate.classes.size(), c + 1));
    list_area_class(field, names.at(std::min(c, names.size() - 1)), estimate.classes[c], total);
  });
  if (estimate.classes.size() != names.size()) {
    throw DataError("it has areas of " + std::to_string(estimate.classes.size()) + " classes; it must have them of " +
                    std::to_string(names.size()));
  }
  PARSIMAP_FIELDS(areas, unclassified_pixels, pixels_outside_strata, merged_strata);
  field("single_unit_strata", estimate.single_unit_strata);
  field.where("sample", areas.sample, areas.sample.has_value());
}

static PARSIMAP_RECORD(SampledDifference, value, standard_error, interval, growing, differing_share, labelled, planned,
                       points);

static void list_comparison(Fields& field, MapComparison& comparison) {
  PairedCounts& counts = comparison.counts;
  McNemarTest& test = comparison.test;
  const auto share = [&](std::int64_t pixels) {
    return static_cast<double>(pixels) / static_cast<double>(counts.pixels());
  };
  field("map", comparison.map);
  field.derived("pixels", [&] { return counts.pixels(); });
  field("both_right", counts.both_right);
  field("first_only_right", counts.first_only);
  field("second_only_right", counts.second_only);
  field("both_wrong", counts.both_wrong);
  field("unclassified_pixels", comparison.unclassified_pixels);
  // Shares of the points of a sample are no accuracies, as these have different inclusion probabilities.
  const auto accuracy = [&](std::int64_t right) {
    return comparison.sampled ? std::nullopt : std::optional(share(right));
  };
  field.derived("first_overall_accuracy", [&] { return accuracy(counts.both_right + counts.first_only); });
  field.derived("second_overall_accuracy", [&] { return accuracy(counts.both_right + counts.second_only); });
  field.derived("difference", [&] {
    return comparison.sampled ? comparison.sampled->value : share(counts.first_only - counts.second_only);
  });
  field("difference_interval", comparison.difference);
  field("regions", comparison.regions);
  field.where("sampled", comparison.sampled, comparison.sampled.has_value());
  field.group("mcnemar", [&] {
    // The exact test has no chi-square statistic; its absence in the document means the exact test when it is read.
    auto statistic = test.exact ? std::nullopt : std::optional(test.statistic);
    field.derived("test",
                  [&] { return std::string(test.exact ? "exact binomial" : "chi-square with continuity correction"); });
    field("chi_square", statistic);
    field("p_value", test.p_value);
    test.exact = !statistic;
    test.statistic = statistic.value_or(test.statistic);
  });
}

// The classes are read before the other parts, which have as many.
static PARSIMAP_RECORD(ChangeClass, earlier, later);
static PARSIMAP_RECORD(AssessedChange, earlier, classes);

static void list_assessment(Fields& field, Assessment& record) {
  std::vector<std::string> names = record.confusion.names();
  CountMatrix counts = record.confusion.counts();
  field.derived("pixels", [&] { return record.confusion.pixels(); });
  list_accuracies(field, record.confusion);
  field("confusion", counts);
  field.derived("orientation", [] { return std::string(kOrientation); });
  field.groups("classes", names.size(), [&](std::size_t c) {
    // When reading, the number of classes is not known before the list ends, and every entry extends the vectors. When
    // writing, they have their size already.
    names.resize(std::max(names.size(), c + 1));
    record.intervals.classes.resize(names.size());
    list_class(field, names[c], record.codes, record.intervals.classes[c], record.confusion, c);
  });
  if (field.reads()) {
    const auto classes = static_cast<Index>(names.size());
    if (classes == 0 || counts.rows() != classes || counts.cols() != classes) {
      throw DataError("it has " + std::to_string(classes) + " classes and a confusion matrix of " +
                      std::to_string(counts.rows()) + " x " + std::to_string(counts.cols()) +
                      "; it must have as many rows and columns as classes, and a class at least");
    }
    record.confusion = ConfusionMatrix(names, counts);
  }
  PARSIMAP_FIELDS(record, unclassified_pixels, conflicting_pixels);
  list_disagreement(field, record.confusion);
  field.group("intervals", [&] { list_intervals(field, record.intervals); });
  field.group("areas", record.areas, [&](AreaAssessment& areas) {
    list_areas(field, areas, names);
    if (areas.estimate.shares.rows() != counts.rows() || areas.estimate.shares.cols() != counts.cols()) {
      throw DataError("the shares of the area have not as many rows and columns as there are classes");
    }
  });
  field.group("comparison", record.comparison, [&](MapComparison& comparison) { list_comparison(field, comparison); });
  PARSIMAP_FIELDS(record, map, reference);
  field.where("reference_facts", record.facts, !record.facts.sha256.empty() || !record.facts.options.empty());
  field.where("change", record.change, record.change.has_value());
  field.where("training_overlap", record.overlap, record.overlap.has_value());
}

std::string accuracy_json(const Assessment& record, const std::vector<std::string>& files, double seconds) {
  Assessment written = record;
  return document_text([&](Fields& field) {
    list_assessment(field, written);
    field("files", files);
    field("seconds", seconds);
  });
}

Assessment read_accuracy(const std::string& path) {
  const std::string text = read_text_file(path, kLargestConfiguration);
  const std::string wanted = "; it must be a document of 'parsimap assess --json', such as accuracy.json";
  Assessment record{{}, {}, ConfusionMatrix(std::vector<std::string>{}), {}};
  try {
    read_document(text, [&](Fields& field) { list_assessment(field, record); }, {kMostPixels, true});
  } catch (const ConfigError& error) {
    throw DataError(path + " is " + error.what() + wanted);
  } catch (const DataError& error) {
    throw DataError(path + ": " + error.what() + wanted);
  }
  return record;
}

static void append_csv(std::vector<std::string>& row, const std::optional<Interval>& interval) {
  row.push_back(interval ? csv_number(interval->low) : "");
  row.push_back(interval ? csv_number(interval->high) : "");
}

// The effective number of regions that an interval is from.
static std::string csv_regions(const std::optional<Interval>& interval) {
  return csv_number(interval ? interval->regions : std::nullopt);
}

// Appends the value, its standard error and both ends of its interval.
static void append_csv(std::vector<std::string>& row, const std::optional<Estimate>& estimate, double factor = 1) {
  row.push_back(estimate ? csv_number(estimate->value * factor) : "");
  row.push_back(estimate ? csv_number(estimate->standard_error * factor) : "");
  const bool known = estimate && estimate->interval;
  append_csv(row, known ? std::optional(Interval{estimate->interval->low * factor, estimate->interval->high * factor})
                        : std::nullopt);
}

// The columns are the classes of the map, then the measures of the class of the row. Rows of measures of the whole map
// have their values in the first columns.
static std::vector<std::string> csv_titles(const std::vector<std::string>& names,
                                           const std::vector<std::string>& measures) {
  std::vector<std::string> titles = {kCorner};
  add_all(titles, names);
  add_all(titles, measures);
  return titles;
}

std::string accuracy_csv(const Assessment& record) {
  const ConfusionMatrix& confusion = record.confusion;
  TableRows rows = {
      csv_titles(confusion.names(),
                 {"reference_pixels", "producers_accuracy", "users_accuracy", "f1", "producers_low", "producers_high",
                  "users_low", "users_high", "f1_low", "f1_high", "producers_regions", "users_regions", "f1_regions"})};
  // The last row has the column sums, which are the pixels of each class in the map, and the number of all pixels.
  std::vector<std::string> sums = {"map_pixels"};
  for (Index r = 0; r < confusion.size(); ++r) {
    std::vector<std::string> row = {confusion.names()[static_cast<std::size_t>(r)]};
    for (const std::int64_t count : confusion.counts().row(r)) {
      row.push_back(std::to_string(count));
    }
    row.push_back(std::to_string(confusion.class_accuracy(r).reference_pixels));
    const auto measures = class_measures(confusion, r, record.intervals.classes[static_cast<std::size_t>(r)]);
    for (const Measure& measure : measures) {
      row.push_back(csv_number(measure.value));
    }
    for (const Measure& measure : measures) {
      append_csv(row, measure.interval);
    }
    for (const Measure& measure : measures) {
      row.push_back(csv_regions(measure.interval));
    }
    rows.push_back(std::move(row));
    sums.push_back(std::to_string(confusion.class_accuracy(r).map_pixels));
  }
  sums.push_back(std::to_string(confusion.pixels()));
  rows.insert(rows.end(), {std::move(sums),
                           {"pixels", std::to_string(confusion.pixels())},
                           {"unclassified_pixels", std::to_string(record.unclassified_pixels)}});
  for (const Measure& measure : overall_measures(confusion, record.intervals)) {
    rows.push_back({measure.key, csv_number(measure.value)});
    append_csv(rows.back(), measure.interval);
    rows.back().push_back(csv_regions(measure.interval));
  }
  return csv_text(rows);
}

std::string area_csv(const AreaAssessment& areas, const std::vector<std::string>& names) {
  const AreaUnit unit = area_unit(areas);
  TableRows rows = {
      csv_titles(names, {"mapped_area", "area", "area_standard_error", "area_low", "area_high", "unit",
                         "producers_accuracy", "producers_standard_error", "producers_low", "producers_high",
                         "users_accuracy", "users_standard_error", "users_low", "users_high"})};
  for (std::size_t r = 0; r < names.size(); ++r) {
    const ClassEstimate& entry = areas.estimate.classes[r];
    // Cells of the matrix are shares of the area of all classified pixels; areas are these shares times the factor of
    // the unit.
    std::vector<std::string> row = {names[r]};
    for (const double share : areas.estimate.shares.row(static_cast<Index>(r))) {
      row.push_back(csv_number(share));
    }
    row.push_back(csv_number(entry.mapped_share * unit.factor));
    append_csv(row, entry.share, unit.factor);
    row.push_back(unit.name);
    append_csv(row, entry.producers_accuracy);
    append_csv(row, entry.users_accuracy);
    rows.push_back(std::move(row));
  }
  rows.push_back({"overall_accuracy"});
  append_csv(rows.back(), areas.estimate.overall_accuracy);
  rows.push_back({"quantity_disagreement", csv_number(areas.estimate.disagreement.quantity)});
  rows.push_back({"allocation_disagreement", csv_number(areas.estimate.disagreement.allocation)});
  return csv_text(rows);
}

std::string comparison_csv(const MapComparison& comparison) {
  const PairedCounts& counts = comparison.counts;
  const std::optional<Interval>& interval = comparison.difference;
  // Shares of the pixels that are classified in both maps.
  const auto share = [&](std::int64_t pixels) {
    return csv_number(static_cast<double>(pixels) / static_cast<double>(counts.pixels()));
  };
  TableRows rows = {
      {"measure", "value"},
      {"pixels", std::to_string(counts.pixels())},
      {"both_right", std::to_string(counts.both_right)},
      {"first_only_right", std::to_string(counts.first_only)},
      {"second_only_right", std::to_string(counts.second_only)},
      {"both_wrong", std::to_string(counts.both_wrong)},
      {"unclassified_pixels", std::to_string(comparison.unclassified_pixels)},
      {"first_overall_accuracy", comparison.sampled ? "" : share(counts.both_right + counts.first_only)},
      {"second_overall_accuracy", comparison.sampled ? "" : share(counts.both_right + counts.second_only)},
      {"difference",
       comparison.sampled ? csv_number(comparison.sampled->value) : share(counts.first_only - counts.second_only)},
      {"difference_low", csv_number(interval ? std::optional(interval->low) : std::nullopt)},
      {"difference_high", csv_number(interval ? std::optional(interval->high) : std::nullopt)},
      {"mcnemar_test", comparison.test.exact ? "exact binomial" : "chi-square with continuity correction"},
      {"mcnemar_chi_square",
       csv_number(comparison.test.exact ? std::nullopt : std::optional(comparison.test.statistic))},
      {"mcnemar_p_value", csv_number(comparison.test.p_value)},
  };
  if (comparison.sampled) {
    rows.push_back({"difference_standard_error", csv_number(comparison.sampled->standard_error)});
  }
  return csv_text(rows);
}

}  // namespace parsimap
