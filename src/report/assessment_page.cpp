#include "parsimap/report/assessment_page.hpp"

#include "parsimap/report/accuracy_report.hpp"
#include "parsimap/report/text_table.hpp"

#include "comparison_text.hpp"

namespace parsimap {
namespace {

std::string number_interval(const std::optional<Interval>& interval, double factor) {
  return interval ? "(" + short_number(interval->low * factor) + " to " + short_number(interval->high * factor) + ")"
                  : "";
}

PageTable area_table(const AreaAssessment& areas, const std::vector<std::string>& names) {
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

PageSection accuracy_section(const Assessment& record) {
  const PageTable overall{"Of all classes", {"measure", "value", ""}, overall_rows(record), 1};
  const PageTable classes{
      "By class", {"class", "reference", "map", "producer's %", "", "user's %", "", "F1 %", ""}, class_rows(record), 1};
  return {"accuracy", "Accuracy", {intervals_note(record.intervals)}, {}, {overall, classes}, {}};
}

PageSection comparison_section(const MapComparison& comparison) {
  const PageTable table{"This map and " + comparison.map, {"measure", "value", ""}, comparison_rows(comparison), 1};
  return {"comparison", "Second map", comparison_notes(comparison), {}, {table}, {}};
}

PageSection reliability_section(const Reliability& reliability) {
  const auto error = reliability.expected_calibration_error();
  PageSection section{"probabilities", "Probabilities", {}, {}, {}, {"reliability"}};
  section.paragraphs = {"By the largest probability at the reference pixels; expected calibration error " +
                        (error ? short_number(*error) : std::string("unknown")) + "."};
  return section;
}

}  // namespace

CommandPage assessment_page(const Assessment& record, const std::vector<std::pair<std::string, std::string>>& options) {
  CommandPage page;
  page.title = "Accuracy of " + record.map;
  page.lead = percent(record.confusion.overall_accuracy()) + " % of " + std::to_string(record.confusion.pixels()) +
              " reference pixels of " + record.reference + " have the same class in the map.";
  page.sections = {accuracy_section(record), {"confusion", "Confusion matrix", {}, {}, {}, {"confusion"}}};
  if (record.areas) {
    page.sections.push_back(
        {"areas-section", "Areas", {}, {}, {area_table(*record.areas, record.confusion.names())}, {}});
  }
  if (record.comparison) {
    page.sections.push_back(comparison_section(*record.comparison));
  }
  if (record.reliability) {
    page.sections.push_back(reliability_section(*record.reliability));
  }
  const PageTable files{"Files", {"what", "file"}, {{"map", record.map}, {"reference", record.reference}}, 2};
  page.sections.push_back({"run", "This run", {}, {}, {files, option_table("Options as resolved", options)}, {}});
  return page;
}

ExperimentRun assessment_run(const Assessment& record) {
  ExperimentRun run;
  run.data = record.map;
  run.method.kernel = "against " + record.reference;
  run.tests = {{record.reference, record.confusion.pixels(), record.confusion.overall_accuracy(), 0, record.confusion}};
  return run;
}

}  // namespace parsimap
