#include "train_report.hpp"

#include "parsimap/experiment/run_experiment.hpp"
#include "parsimap/json/page_data.hpp"
#include "parsimap/report/text_table.hpp"
#include "parsimap/report/training_report.hpp"
#include "parsimap/samples/class_table.hpp"

#include "page_pictures.hpp"

namespace parsimap {
namespace {

TrainingPictures training_pictures(const SampleSet& samples, SceneSource& scene, const std::vector<Colour>& colours) {
  std::vector<std::int64_t> pixels = samples.pixels;
  std::erase(pixels, -1);  // spectra of libraries have no place
  const ScenePicture shown = scene_picture(scene, picture_bands(scene.bands()), pixels);
  Rgba marked = pale(shown.rgba);
  for (std::size_t i = 0; i < samples.pixels.size(); ++i) {
    if (samples.pixels[i] < 0) {
      continue;
    }
    const Colour& colour = colours[static_cast<std::size_t>(samples.labels[i])];
    mark(marked, shown.layout, scene.grid().width, samples.pixels[i], colour);
  }
  return {{image_of("Scene", shown.layout, shown.rgba), image_of("Training pixels", shown.layout, marked)},
          shown.layout.width,
          shown.layout.height,
          colours,
          picture_bands_text(scene.bands()),
          layout_text(shown.layout),
          is_sheet(shown.layout)};
}

}  // namespace

std::string train_report(const Model& model, const TrainingRecord& record, const TrainReportSource& source) {
  const BandTable& bands = source.scene.bands();
  const DataDescription description =
      describe_samples(base_name(record.scene.empty() ? record.libraries.front() : record.scene), source.samples,
                       wavelengths_of(bands, model.bands), {source.options.dimension}, source.options.scaling);
  const std::vector<Colour> colours = class_colours(model.classes);
  const TrainingPictures pictures = source.pictures ? training_pictures(source.samples, source.scene, colours)
                                                    : TrainingPictures{{}, 0, 0, colours, "", ""};
  const PageFacts facts = page_facts(source.date, source.pictures ? source.grid : RasterGrid{}, source.inputs);
  return command_html(training_page(model, record, pictures, facts),
                      training_data_json(model, description, bands, colours));
}

}  // namespace parsimap
