#include "parsimap/report/combined_page.hpp"

#include <algorithm>

#include "parsimap/report/model_page.hpp"
#include "parsimap/report/training_report.hpp"
#include "parsimap/report/verdict.hpp"

namespace parsimap {
namespace {

// The confusion of left-out pixels is drawn with that of the map, and so is not drawn here.
std::vector<PageSection> learnt_sections(const Model& model) {
  std::vector<PageSection> sections = model_sections(model);
  std::erase_if(sections, [](const PageSection& section) { return section.id == "confusion"; });
  for (PageSection& section : sections) {
    std::erase(section.figures, "confusion");
  }
  sections.front().title = "Training";
  sections.front().paragraphs = training_verdict(model);
  return sections;
}

}  // namespace

CommandPage combined_page(const CombinedPage& content) {
  const MapContent& map = content.map;
  CommandPage page;
  page.title = "Map, accuracy and training of " + base_name(map.path);
  page.verdict = accuracy_verdict(content.assessment);
  page.verdict.push_back(training_verdict(content.model).front());
  page.lead = "The map " + base_name(map.path) + " of " + counted(map.classified, "pixel") +
              (content.facts.pixel_area ? " (" + hectares(map.classified, content.facts.pixel_area) + " ha)" : "") +
              ", held against the reference " + base_name(content.assessment.reference) + ".";
  page.date = content.facts.date;
  page.sections = {{"map",
                    "Map",
                    {},
                    {map_picture(map.classes, map.classified, content.pictures)},
                    {mapped_area_table(map.classes, map.classified, content.facts)},
                    {}}};
  for (const std::vector<PageSection>& sections :
       {accuracy_sections(content.assessment, content.errors), learnt_sections(content.model)}) {
    page.sections.insert(page.sections.end(), sections.begin(), sections.end());
  }
  page.sections.push_back({"inputs",
                           "Where it comes from",
                           {},
                           {},
                           {grid_table(content.facts), input_table(content.facts), training_input_table(content.model)},
                           {}});
  page.sections.push_back(
      {"run",
       "Options of the training, and side files",
       {},
       {},
       {option_table("Options as resolved", content.model.provenance.options), side_file_table(content.facts)},
       {},
       true});
  return page;
}

}  // namespace parsimap
