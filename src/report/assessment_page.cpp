#include "parsimap/report/assessment_page.hpp"

#include "parsimap/report/text_table.hpp"

namespace parsimap {
namespace {

std::string number_interval(const std::optional<Interval>& interval, double factor) {
  return interval ? "(" + short_number(interval->low * factor) + " to " + short_number(interval->high * factor) + ")"
                  : "";
}

PageTable overall_table(const AssessmentRecord& record) {
  const ConfusionMatrix& confusion = record.confusion;
  const AccuracyIntervals& intervals = record.intervals;
  const auto kappa = confusion.kappa();
  PageTable table{"Of all classes, with intervals of 95 %", {"measure", "value", ""}, {}, 1};
  table.rows = {
      {"overall accuracy %", percent(confusion.overall_accuracy()), percent_interval(intervals.overall_accuracy)},
      {"average accuracy %", percent(confusion.average_accuracy()), percent_interval(intervals.average_accuracy)},
      {"kappa", kappa ? short_number(*kappa) : "-", number_interval(intervals.kappa, 1)},
      {"pixels compared", std::to_string(confusion.pixels()), ""},
      {"unclassified in the map, not counted", std::to_string(record.unclassified_pixels), ""},
      {"claimed by two reference classes, dropped", std::to_string(record.conflicting_pixels), ""}};
  return table;
}

PageTable class_table(const AssessmentRecord& record) {
  const ConfusionMatrix& confusion = record.confusion;
  PageTable table{"By class, with intervals of 95 %",
                  {"class", "reference", "map", "producer's %", "", "user's %", "", "F1 %", ""},
                  {},
                  1};
  for (Index c = 0; c < confusion.size(); ++c) {
    const ClassAccuracy accuracy = confusion.class_accuracy(c);
    const ClassIntervals& intervals = record.intervals.classes[static_cast<std::size_t>(c)];
    table.rows.push_back({confusion.names()[static_cast<std::size_t>(c)], std::to_string(accuracy.reference_pixels),
                          std::to_string(accuracy.map_pixels), percent(accuracy.producers_accuracy),
                          percent_interval(intervals.producers_accuracy), percent(accuracy.users_accuracy),
                          percent_interval(intervals.users_accuracy), percent(accuracy.f1),
                          percent_interval(intervals.f1)});
  }
  return table;
}

PageTable area_table(const AreaRecord& areas, const std::vector<std::string>& names) {
  const AreaUnit unit = area_unit(areas);
  PageTable table{"Areas in " + unit.name + ", estimated from the reference as a probability sample",
                  {"class", "mapped", "estimated", "standard error", "interval of 95 %"},
                  {},
                  1};
  for (std::size_t c = 0; c < names.size(); ++c) {
    const ClassEstimate& entry = areas.estimate.classes[c];
    table.rows.push_back(
        {names[c], short_number(entry.mapped_share * unit.factor), short_number(entry.share.value * unit.factor),
         short_number(entry.share.standard_error * unit.factor), number_interval(entry.share.interval, unit.factor)});
  }
  return table;
}

PageSection reliability_section(const Reliability& reliability) {
  const auto error = reliability.expected_calibration_error();
  PageSection section{"probabilities", "Probabilities", {}, {}, {}, {"reliability"}};
  section.paragraphs = {"By the largest probability at the reference pixels; expected calibration error " +
                        (error ? short_number(*error) : std::string("unknown")) + "."};
  return section;
}

}  // namespace

CommandPage assessment_page(const AssessmentRecord& record, const std::optional<Reliability>& reliability,
                            const std::vector<std::pair<std::string, std::string>>& options) {
  CommandPage page;
  page.title = "Accuracy of " + record.map;
  page.lead = percent(record.confusion.overall_accuracy()) + " % of " + std::to_string(record.confusion.pixels()) +
              " reference pixels of " + record.reference + " have the same class in the map.";
  page.sections = {{"accuracy", "Accuracy", {}, {}, {overall_table(record), class_table(record)}, {}},
                   {"confusion", "Confusion matrix", {}, {}, {}, {"confusion"}}};
  if (record.areas) {
    page.sections.push_back(
        {"areas-section", "Areas", {}, {}, {area_table(*record.areas, record.confusion.names())}, {}});
  }
  if (reliability) {
    page.sections.push_back(reliability_section(*reliability));
  }
  const PageTable files{"Files", {"what", "file"}, {{"map", record.map}, {"reference", record.reference}}, 2};
  page.sections.push_back({"run", "This run", {}, {}, {files, option_table("Options as resolved", options)}, {}});
  return page;
}

ExperimentRun assessment_run(const AssessmentRecord& record) {
  ExperimentRun run;
  run.data = record.map;
  run.method.kernel = "against " + record.reference;
  run.tests = {{record.reference, record.confusion.pixels(), record.confusion.overall_accuracy(), 0, record.confusion}};
  return run;
}

}  // namespace parsimap
