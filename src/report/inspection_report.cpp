#include "parsimap/report/inspection_report.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "parsimap/report/text_table.hpp"

namespace parsimap {
namespace {

constexpr Index kRegionsOnPage = 100;

std::string two_decimals(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2f", value);
  return text.data();
}

std::string count(Index number, const std::string& one, const std::string& many) {
  return std::to_string(number) + " " + (number == 1 ? one : many);
}

bool has_features(const InspectionRecord& record) {
  return std::any_of(record.places.begin(), record.places.end(),
                     [](const RegionPlace& place) { return place.feature.has_value(); });
}

// Whether one of the first `most` regions is the only one of its class.
bool has_unknown(const InspectionRecord& record, Index most) {
  const auto& regions = record.evidence.regions;
  const auto end = regions.begin() + std::min<Index>(most, static_cast<Index>(regions.size()));
  return std::any_of(regions.begin(), end, [](const auto& region) { return !region.evidence.label_known; });
}

std::string verdict(const InspectionRecord& record) {
  const Index suspicious = suspicious_regions(record);
  return "Of " + count(static_cast<Index>(record.evidence.regions.size()), "region", "regions") + " (" +
         count(static_cast<Index>(record.evidence.pixels.size()), "pixel", "pixels") + "), " +
         std::to_string(suspicious) +
         (suspicious == 1 ? " looks like another class than its label to machines that have not seen it."
                          : " look like another class than their label to machines that have not seen them.");
}

const char* const kUnknownNote =
    "Regions marked * are the only ones of their class: all that is known of them is whether another class claims "
    "them.";

std::vector<std::string> region_columns(const InspectionRecord& record) {
  std::vector<std::string> columns = {"rank",     "label",  "most likely", "margin", "p label",
                                      "p likely", "pixels", "against",     "x",      "y"};
  if (has_features(record)) {
    columns.emplace_back("feature");
  }
  return columns;
}

std::vector<std::vector<std::string>> region_rows(const InspectionRecord& record, Index most) {
  std::vector<std::vector<std::string>> rows;
  const auto name = [&](int c) { return record.classes[static_cast<std::size_t>(c)].name; };
  const bool features = has_features(record);
  for (std::size_t i = 0; i < record.evidence.regions.size() && static_cast<Index>(i) < most; ++i) {
    const RegionEvidence& region = record.evidence.regions[i];
    const LabelEvidence& evidence = region.evidence;
    const RegionPlace& place = record.places[i];
    rows.push_back({std::to_string(evidence.rank), name(evidence.label) + (evidence.label_known ? "" : " *"),
                    name(evidence.likely), two_decimals(evidence.margin), two_decimals(evidence.label_probability),
                    two_decimals(evidence.likely_probability), std::to_string(region.pixels.size()),
                    std::to_string(region.against), coordinate(place.centre[0]), coordinate(place.centre[1])});
    if (features) {
      rows.back().push_back(place.feature ? std::to_string(*place.feature) : "-");
    }
  }
  return rows;
}

const std::vector<std::string>& class_columns() {
  static const std::vector<std::string> columns = {"class",  "regions", "as another class",
                                                   "pixels", "agree %", "mostly taken for"};
  return columns;
}

std::vector<std::vector<std::string>> class_rows(const InspectionRecord& record) {
  std::vector<std::vector<std::string>> rows;
  for (const InspectedClass& entry : inspected_classes(record)) {
    rows.push_back({entry.name, std::to_string(entry.regions), std::to_string(entry.suspicious_regions),
                    std::to_string(entry.pixels), percent(entry.agreement), entry.taken_for.value_or("-")});
  }
  return rows;
}

PageTable file_table(const InspectionRecord& record) {
  PageTable table{"Files", {"what", "file"}, {{"scene", record.scene}, {"model", record.model}}, 2};
  for (const std::string& labels : record.labels) {
    table.rows.push_back({"labels", labels});
  }
  if (record.suspects) {
    table.rows.push_back({"suspects", *record.suspects});
  }
  return table;
}

}  // namespace

std::string inspection_text(const InspectionRecord& record, Index most) {
  std::vector<Alignment> alignments(region_columns(record).size(), Alignment::right);
  alignments[1] = alignments[2] = Alignment::left;
  TextTable regions(alignments);
  regions.add_row(region_columns(record));
  regions.add_rows(region_rows(record, most));
  TextTable classes(
      {Alignment::left, Alignment::right, Alignment::right, Alignment::right, Alignment::right, Alignment::left});
  classes.add_row(class_columns());
  classes.add_rows(class_rows(record));
  return verdict(record) +
         "\n\nThe most suspicious regions. margin: evidence for the label less that for the best other class;\n"
         "p: probability; against: pixels that look like another class; x, y: middle of the region.\n\n" +
         regions.text() + (has_unknown(record, most) ? "\n" + std::string(kUnknownNote) + "\n" : "") +
         "\nClasses as they are labelled. agree: pixels that look like their label.\n\n" + classes.text() + "\n" +
         time_text(record.seconds, record.stages) + memory_text(record.peak_memory_bytes) +
         (record.suspects ? "Suspects: " + *record.suspects + "\n" : "") +
         (record.report ? "Report: " + *record.report + "\n" : "");
}

CommandPage inspection_page(const InspectionRecord& record,
                            const std::vector<std::pair<std::string, std::string>>& options) {
  CommandPage page;
  page.title = "Inspection of labels";
  page.lead = verdict(record);
  PageTable regions{"The most suspicious regions, at most " + std::to_string(kRegionsOnPage), region_columns(record),
                    region_rows(record, kRegionsOnPage), 3};
  PageSection suspects{"suspects", "Suspicious labels", {}, {}, {std::move(regions)}, {}};
  suspects.paragraphs = {
      "Every region was judged by machines that were trained without it. The margin is their evidence for its label "
      "less that for the best other class, the median over its pixels; below 0 another class is likelier. Against are "
      "the pixels that look like another class; x and y are the middle of the region. A suspicious label need not be "
      "wrong: look at the place."};
  if (has_unknown(record, kRegionsOnPage)) {
    suspects.paragraphs.emplace_back(kUnknownNote);
  }
  PageSection classes{
      "classes", "Classes", {}, {}, {{"Classes as they are labelled", class_columns(), class_rows(record), 1}}, {}};
  classes.paragraphs = {"Agree is the share of the labelled pixels that look like their label to these machines."};
  page.sections = {std::move(suspects), std::move(classes)};
  page.sections.push_back({"run",
                           "This run",
                           {},
                           {},
                           {file_table(record), option_table("Options as resolved", options),
                            stage_table(record.seconds, record.stages, record.peak_memory_bytes)},
                           {}});
  return page;
}

}  // namespace parsimap
