#include "train_report.hpp"

#include "parsimap/experiment/sample_description.hpp"
#include "parsimap/io/json/page_data.hpp"
#include "parsimap/report/training_report.hpp"

namespace parsimap {
std::string train_report(const Model& model, const TrainingRecord& record, const SampleSet& samples,
                         const BandTable& scene_bands, const TrainingOptions& options) {
  const DataDescription description = describe_samples(record.scene, samples, wavelengths_of(scene_bands, model.bands),
                                                       {options.dimension}, options.scaling);
  return command_html(training_page(model, record), training_data_json(model, description, scene_bands));
}

}  // namespace parsimap
