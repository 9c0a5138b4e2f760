#include "parsimap/json/accuracy_record.hpp"

#include "parsimap/accuracy/accuracy.hpp"
#include "parsimap/report/accuracy_report.hpp"

#include "json_document.hpp"

namespace parsimap {
namespace {

constexpr const char* orientation = "rows are reference, columns are map";

Json interval_json(const std::optional<Interval>& interval, double factor = 1) {
  return interval ? Json{interval->low * factor, interval->high * factor} : Json(nullptr);
}

Json estimate_json(const std::optional<Estimate>& estimate, double factor = 1) {
  if (!estimate) {
    return nullptr;
  }
  return {{"value", estimate->value * factor},
          {"standard_error", estimate->standard_error * factor},
          {"interval", interval_json(estimate->interval, factor)}};
}

Json class_json(const std::string& name, const ClassAccuracy& accuracy, const ClassIntervals& intervals) {
  return {{"name", name},
          {"reference_pixels", accuracy.reference_pixels},
          {"producers_accuracy", nullable(accuracy.producers_accuracy)},
          {"users_accuracy", nullable(accuracy.users_accuracy)},
          {"f1", nullable(accuracy.f1)},
          {"map_pixels", accuracy.map_pixels},
          {"intervals",
           {{"producers_accuracy", interval_json(intervals.producers_accuracy)},
            {"users_accuracy", interval_json(intervals.users_accuracy)},
            {"f1", interval_json(intervals.f1)}}}};
}

Json intervals_json(const AccuracyIntervals& intervals) {
  return {{"confidence", kConfidence},
          {"regions", nullable(intervals.regions)},
          {"overall_accuracy", interval_json(intervals.overall_accuracy)},
          {"average_accuracy", interval_json(intervals.average_accuracy)},
          {"kappa", interval_json(intervals.kappa)}};
}

Json areas_json(const AreaAssessment& areas, const std::vector<std::string>& names) {
  const AreaEstimate& estimate = areas.estimate;
  const AreaUnit unit = area_unit(areas);
  Json classes = Json::array();
  for (std::size_t c = 0; c < names.size(); ++c) {
    const ClassEstimate& entry = estimate.classes[c];
    classes.push_back({{"name", names[c]},
                       {"mapped_area", entry.mapped_share * unit.factor},
                       {"area", estimate_json(entry.share, unit.factor)},
                       {"producers_accuracy", estimate_json(entry.producers_accuracy)},
                       {"users_accuracy", estimate_json(entry.users_accuracy)}});
  }
  return {{"design", to_string(areas.design)},
          {"strata", nullable(areas.strata)},
          {"pixels", estimate.pixels},
          {"unit", unit.name},
          {"total", unit.factor},
          {"square_metres_per_pixel", nullable(areas.pixel_area)},
          {"orientation", orientation},
          {"shares", rows_document(estimate.shares)},
          {"overall_accuracy", estimate_json(estimate.overall_accuracy)},
          {"quantity_disagreement", estimate.disagreement.quantity},
          {"allocation_disagreement", estimate.disagreement.allocation},
          {"classes", classes},
          {"unclassified_pixels", areas.unclassified_pixels},
          {"pixels_outside_strata", areas.pixels_outside_strata},
          {"merged_strata", areas.merged_strata},
          {"single_unit_strata", estimate.single_unit_strata}};
}

Json comparison_json(const MapComparison& comparison) {
  const PairedCounts& counts = comparison.counts;
  const auto share = [&](std::int64_t pixels) {
    return static_cast<double>(pixels) / static_cast<double>(counts.pixels());
  };
  const McNemarTest& test = comparison.test;
  return {{"map", comparison.map},
          {"pixels", counts.pixels()},
          {"both_right", counts.both_right},
          {"first_only_right", counts.first_only},
          {"second_only_right", counts.second_only},
          {"both_wrong", counts.both_wrong},
          {"unclassified_pixels", comparison.unclassified_pixels},
          {"first_overall_accuracy", share(counts.both_right + counts.first_only)},
          {"second_overall_accuracy", share(counts.both_right + counts.second_only)},
          {"difference", share(counts.first_only - counts.second_only)},
          {"difference_interval", interval_json(comparison.difference)},
          {"regions", nullable(comparison.regions)},
          {"mcnemar",
           {{"test", test.exact ? "exact binomial" : "chi-square with continuity correction"},
            {"chi_square", test.exact ? Json(nullptr) : Json(test.statistic)},
            {"p_value", test.p_value}}}};
}

}  // namespace

std::string accuracy_json(const Assessment& record, const std::vector<std::string>& files, double seconds) {
  const ConfusionMatrix& confusion = record.confusion;
  Json classes = Json::array();
  for (Index c = 0; c < confusion.size(); ++c) {
    const auto at = static_cast<std::size_t>(c);
    classes.push_back(class_json(confusion.names()[at], confusion.class_accuracy(c), record.intervals.classes[at]));
  }
  const auto errors = disagreement(confusion.counts().cast<double>());
  return document_text({{"pixels", confusion.pixels()},
                        {"overall_accuracy", nullable(confusion.overall_accuracy())},
                        {"average_accuracy", nullable(confusion.average_accuracy())},
                        {"kappa", nullable(confusion.kappa())},
                        {"confusion", rows_document(confusion.counts())},
                        {"orientation", orientation},
                        {"classes", classes},
                        {"unclassified_pixels", record.unclassified_pixels},
                        {"conflicting_pixels", record.conflicting_pixels},
                        {"quantity_disagreement", errors ? Json(errors->quantity) : Json(nullptr)},
                        {"allocation_disagreement", errors ? Json(errors->allocation) : Json(nullptr)},
                        {"intervals", intervals_json(record.intervals)},
                        {"areas", record.areas ? areas_json(*record.areas, confusion.names()) : Json(nullptr)},
                        {"comparison", record.comparison ? comparison_json(*record.comparison) : Json(nullptr)},
                        {"map", record.map},
                        {"reference", record.reference},
                        {"files", files},
                        {"seconds", seconds}});
}

}  // namespace parsimap
