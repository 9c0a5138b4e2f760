#include "train_report.hpp"

#include "parsimap/experiment/sample_description.hpp"
#include "parsimap/io/json/page_data.hpp"
#include "parsimap/report/training_page.hpp"

namespace parsimap {
std::string train_report(const Model& model, const TrainingRecord& record, const SampleSet& samples,
                         const BandTable& scene_bands, const TrainingOptions& options) {
  PageData data;
  data.band_numbers = model.bands;
  for (const DroppedBand& dropped : model.dropped_bands) {
    data.dropped_bands.push_back(dropped.band);
  }
  data.dropped_wavelengths = wavelengths_of(scene_bands, data.dropped_bands);
  data.data = {describe_samples(record.scene, samples, wavelengths_of(scene_bands, model.bands), {options.dimension},
                                options.scaling)};
  data.runs = {training_run(model, record.scene)};
  return command_html(training_page(model, record), page_data_json(data));
}

}  // namespace parsimap
