#include <kainjow/mustache.hpp>

#include "parsimap/report/command_page.hpp"
#include "parsimap/report/text_table.hpp"
#include "parsimap/report/training_report.hpp"
#include "parsimap/samples/class_table.hpp"

#include "page_parts.hpp"
#include "spectra_drawing.hpp"

namespace parsimap {
namespace {

namespace mustache = kainjow::mustache;

std::string confused_text(const ClassSummary& summary) {
  return summary.confused_with ? *summary.confused_with + " (" + percent(summary.confused_share) + " %)" : "-";
}

// What was left out together to judge the pixels of a class.
std::string unit_text(const Model& model, std::size_t c) {
  return model.provenance.left_out.by_region[c] ? "regions" : "pixels";
}

mustache::list class_rows(const Model& model, const std::vector<Colour>& colours) {
  const std::vector<ClassSummary> summaries = class_summaries(model);
  mustache::list rows;
  for (std::size_t c = 0; c < summaries.size(); ++c) {
    const ClassSummary& summary = summaries[c];
    rows.push_back(mustache::object{{"name", summary.name},
                                    {"code", std::to_string(model.classes[c].code)},
                                    {"colour", css_colour(colours[c])},
                                    {"pixels", std::to_string(summary.pixels)},
                                    {"regions", summary.regions ? std::to_string(*summary.regions) : "-"},
                                    {"accuracy", percent(summary.accuracy)},
                                    {"unit", unit_text(model, c)},
                                    {"confused", confused_text(summary)}});
  }
  return rows;
}

mustache::list tick_list(const std::vector<DrawnTick>& ticks) {
  mustache::list list;
  for (const DrawnTick& tick : ticks) {
    list.push_back(mustache::object{{"at", std::to_string(tick.at)}, {"text", tick.text}});
  }
  return list;
}

mustache::data drawing_data(const SpectraDrawing& drawing) {
  mustache::list lines;
  for (const DrawnLine& line : drawing.lines) {
    lines.push_back(mustache::object{{"name", line.name}, {"colour", line.colour}, {"path", line.path}});
  }
  return mustache::object{{"width", std::to_string(SpectraDrawing::kWidth)},
                          {"height", std::to_string(SpectraDrawing::kHeight)},
                          {"left", std::to_string(SpectraDrawing::kLeft)},
                          {"right", std::to_string(SpectraDrawing::kRight)},
                          {"top", std::to_string(SpectraDrawing::kTop)},
                          {"bottom", std::to_string(SpectraDrawing::kBottom)},
                          {"places", drawing.places},
                          {"across", tick_list(drawing.across)},
                          {"upright", tick_list(drawing.upright)},
                          {"lines", lines}};
}

// What was left out together, where the verdict does not say so itself.
mustache::list notes_of(const std::vector<std::string>& verdict) {
  mustache::list notes;
  if (verdict.size() > 1) {
    notes.push_back(mustache::object{{"text", verdict.back()}});
  }
  return notes;
}

}  // namespace

std::string model_card(const Model& model) {
  const std::vector<Colour> colours = class_colours(model.classes);
  const std::vector<std::string> verdict = training_verdict(model);
  const SpectraDrawing drawing = draw_spectra(describe_model(model), model.bands, colours);
  mustache::data content;
  content["verdict"] = verdict.front();
  content["lead"] = training_lead(model);
  content["notes"] = notes_of(verdict);
  content["classes"] = class_rows(model, colours);
  if (!drawing.lines.empty()) {
    content["drawing"] = drawing_data(drawing);
  }
  mustache::mustache html{std::string(page_parts().card)};
  return html.render(content);
}

}  // namespace parsimap
