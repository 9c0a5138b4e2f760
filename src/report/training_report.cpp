#include "parsimap/report/training_report.hpp"

#include "parsimap/report/text_table.hpp"
#include "parsimap/report/validation_report.hpp"

namespace parsimap {
namespace {

std::string dropped_text(const Model& model, const TrainingRecord& record) {
  std::string text;
  for (const auto& [reason, bands] : bands_by_reason(model.dropped_bands)) {
    text += "Bands dropped (" + reason + "): " + band_list(bands) + "\n";
  }
  if (record.invalid_pixels > 0) {
    text +=
        "Labelled pixels dropped for a missing value in a band used: " + std::to_string(record.invalid_pixels) + "\n";
  }
  if (record.conflicting_pixels > 0) {
    text += "Pixels dropped because two classes claim them: " + std::to_string(record.conflicting_pixels) + "\n";
  }
  if (record.outside_features > 0) {
    text += "Label features without a pixel of the scene: " + std::to_string(record.outside_features) + "\n";
  }
  return text;
}

}  // namespace

std::string machines_text(const Model& model) {
  TextTable table({Alignment::left, Alignment::right, Alignment::right, Alignment::right, Alignment::right,
                   Alignment::right, Alignment::right, Alignment::right, Alignment::left, Alignment::left});
  table.add_row({"class", "samples", "p", "C", "support vectors", "criterion", "evaluations", "KKT", "fit", "descent"});
  for (std::size_t c = 0; c < model.machines.size(); ++c) {
    const BinaryMachine& machine = model.machines[c];
    const SelectionRecord& selection = machine.selection;
    table.add_row({model.classes[c].name, std::to_string(machine.samples), std::to_string(machine.weights.size()),
                   short_number(machine.C), std::to_string(machine.support.size()), short_number(selection.value),
                   std::to_string(selection.evaluations), short_number(machine.kkt_violation), machine.solver_stop,
                   selection.stop_reason});
  }
  const std::string criterion = model.machines.empty() ? "" : model.machines.front().selection.criterion;
  return "One machine per class; p signal directions; criterion: " + criterion +
         ";\n"
         "KKT: largest violation of the final fit; fit and descent: why the final fit and the selection stopped.\n\n" +
         table.text() + "\nLeave-one-out accuracy: " + percent(model.provenance.leave_one_out_accuracy) + " % of " +
         std::to_string(model.provenance.training_pixels) +
         " training pixels;\noptimistic, for the other pixels of a polygon stay in training.\n" +
         (model.provenance.validation ? "\n" + validation_text(*model.provenance.validation, model.classes) : "");
}

std::string training_text(const Model& model, const TrainingRecord& record) {
  return "Trained " + std::to_string(model.classes.size()) + " classes on " +
         std::to_string(model.provenance.training_pixels) + " pixels, " + std::to_string(model.bands.size()) + " of " +
         std::to_string(model.scene_bands) + " bands, " + to_string(model.family) + " kernel, " +
         to_string(model.scaling_rule) + " scaling.\n" + dropped_text(model, record) + "\n" + machines_text(model) +
         "\n" + time_text(record.seconds, record.stages) + memory_text(record.peak_memory_bytes) +
         (record.samples_out ? "Samples: " + *record.samples_out + "\n" : "") +
         (record.report ? "Report: " + *record.report + "\n" : "") + "Model: " + record.model + "\n";
}

}  // namespace parsimap
