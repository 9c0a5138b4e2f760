#include "parsimap/report/sample_report.hpp"

#include <algorithm>

#include "parsimap/core/text.hpp"
#include "parsimap/json/json_text.hpp"
#include "parsimap/report/table.hpp"

#include "json_parts.hpp"

namespace parsimap {

static std::string headline(const SampleRecord& record) {
  const SamplePlan& plan = record.plan;
  std::string text =
      "A " + to_string(plan.design) + " sample of " + counted(record.out ? record.points : plan.points(), "point");
  if (plan.design == SamplingDesign::clusters) {
    text = "A sample of " + counted(record.out ? record.points : plan.points(), "point") + " in " +
           counted(plan.clusters, "cluster");
  }
  return text + " of the " + counted(plan.pixels(), "pixel") + " that " + base_name(record.map) + " classifies.";
}

static Table strata_table(const SampleRecord& record) {
  Table table{"Strata", {"stratum", "pixels", "points", "probability"}, {}, "lrrr"};
  for (const PlannedStratum& stratum : record.plan.strata) {
    table.rows.push_back({stratum.name, grouped(stratum.pixels), grouped(stratum.points),
                          short_number(static_cast<double>(stratum.points) / static_cast<double>(stratum.pixels))});
  }
  return table;
}

// A measure has a standard error now, and an interval of about four of them.
static Table promise_table(const SampleRecord& record) {
  constexpr double kHectare = 1e4;
  const bool known = record.pixel_area.has_value();
  const double area = static_cast<double>(record.plan.pixels()) * (known ? *record.pixel_area / kHectare : 1);
  Table table{"What the sample will say",
              {"measure", "std. error", known ? "ha" : "pixels", "95 % interval", "aim"},
              {},
              "lrrrr"};
  for (const Aim& promise : record.plan.promised) {
    const auto aim = std::ranges::find_if(record.aims, [&](const Aim& wanted) {
      return wanted.kind == promise.kind && wanted.class_name == promise.class_name;
    });
    table.rows.push_back({measure_name(promise), percent(promise.standard_error) + " %",
                          promise.kind == AimKind::area ? part_text(promise.standard_error, area) : "-",
                          "+- " + percent(2 * promise.standard_error) + " %",
                          aim == record.aims.end() ? "-" : percent(aim->standard_error) + " %"});
  }
  return table;
}

static std::vector<std::string> sentences(const SampleRecord& record) {
  std::vector<std::string> notes = {
      record.compared ? "Standard errors are the largest that can be expected: as if one of the maps were right at "
                        "every pixel where they differ, each as often."
                      : "Standard errors are those that follow from the accuracies that are expected (--expect); the "
                        "labels will show them as they are."};
  if (record.plan.design == SamplingDesign::systematic) {
    notes.emplace_back(
        "Standard errors of a systematic sample are those of a simple one of its size, which is usually on the safe "
        "side. It has no intervals that stay valid while the sample grows.");
  } else if (record.plan.design == SamplingDesign::clusters) {
    notes.emplace_back("Label whole clusters, in their order: the sample may end after any of them, from the second.");
  } else {
    notes.emplace_back(
        "Label the points in their order: the sample may end after any of them, once each stratum has two.");
  }
  notes.emplace_back("Fill in the field 'class', and give the file to 'parsimap assess " + base_name(record.map) +
                     (record.earlier ? " --earlier " + base_name(*record.earlier) : "") +
                     (record.compared ? " --compare " + base_name(*record.compared) : "") + " --sample'.");
  return notes;
}

std::string sample_text(const SampleRecord& record) {
  return headline(record) + "\n\n" + table_text(strata_table(record)) + "\n" + table_text(promise_table(record)) +
         "\n" + separated(sentences(record), "", [](const std::string& sentence) { return "  " + sentence + "\n"; }) +
         "\n" + time_text(record) + files_text({{"points", record.out}, {"report", record.report}});
}

CommandPage sample_page(const SampleRecord& record, const PageFacts& facts,
                        const std::vector<std::pair<std::string, std::string>>& options) {
  CommandPage page;
  page.title = "Sample of " + base_name(record.map);
  page.verdict = {headline(record)};
  const Aim& first = record.plan.promised.front();
  page.verdict.push_back("The " + measure_name(first) + " will be known with a standard error of about " +
                         percent(first.standard_error) + " %.");
  page.lead = "What is planned before the first point is labelled.";
  page.sections = {{.id = "promise",
                    .title = "What this sample will be able to say",
                    .paragraphs = sentences(record),
                    .tables = {promise_table(record)}},
                   {.id = "strata", .title = "Strata", .tables = {strata_table(record)}}};
  add_origin(page, facts,
             {.options_title = "Options and side files", .options = options, .stages = stage_table(record)});
  return page;
}

std::string sample_json(const SampleRecord& record) {
  const SamplePlan& plan = record.plan;
  return document_text([&](Fields& field) {
    PARSIMAP_FIELDS(record, map, earlier, compared, strata);
    field("file", record.out);
    PARSIMAP_FIELDS(record, report);
    field("design", to_string(plan.design));
    field("pixels", plan.pixels());
    field("points", record.out ? record.points : plan.points());
    field("clusters", plan.clusters);
    field.groups("strata_points", plan.strata.size(),
                 [&](std::size_t h) { PARSIMAP_FIELDS(plan.strata[h], name, pixels, points); });
    field.groups("standard_errors", plan.promised.size(), [&](std::size_t i) {
      field("measure", measure_name(plan.promised[i]));
      field("standard_error", plan.promised[i].standard_error);
    });
    field("aims", mapped<std::string>(record.aims, [](const Aim& aim) { return to_string(aim); }));
    PARSIMAP_FIELDS(record, seed);
    list_cost(field, record);
  });
}

}  // namespace parsimap
