#include "parsimap/report/model_page.hpp"

#include "parsimap/report/training_report.hpp"
#include "parsimap/report/verdict.hpp"

namespace parsimap {

std::vector<PageSection> model_sections(const Model& model) {
  std::vector<PageSection> sections = training_sections(model, {});
  std::erase_if(sections,
                [](const PageSection& section) { return section.id == "deviations" || section.id == "scree"; });
  return sections;
}

PageTable training_input_table(const Model& model) {
  PageTable table{
      "What the model was trained on, by parsimap " + model.provenance.program_version, {"file", "bytes"}, {}, 1};
  for (const InputFile& input : model.provenance.inputs) {
    table.rows.push_back({input.path, input.bytes == 0 ? "-" : std::to_string(input.bytes)});
  }
  return table;
}

CommandPage model_page(const Model& model) {
  CommandPage page;
  page.title = "Model of " + counted(static_cast<std::int64_t>(model.classes.size()), "class");
  page.verdict = training_verdict(model);
  page.lead = training_lead(model);
  page.sections = model_sections(model);
  const PageTable inputs = training_input_table(model);
  if (!inputs.rows.empty()) {
    page.sections.push_back({"inputs", "Where it comes from", {}, {}, {inputs}, {}});
  }
  const PageTable options = option_table("Options as resolved", model.provenance.options);
  if (!options.rows.empty()) {
    page.sections.push_back({"run", "Options of the training", {}, {}, {options}, {}, true});
  }
  return page;
}

}  // namespace parsimap
