#include "inspect_report.hpp"

#include "parsimap/json/inspection_record.hpp"
#include "parsimap/report/inspection_report.hpp"
#include "parsimap/report/text_table.hpp"

#include "page_pictures.hpp"
#include "suspect_layers.hpp"

namespace parsimap {
namespace {

// The pixels of the regions of a step of the list, and how many regions there are.
struct StepRegions {
  std::vector<std::int64_t> pixels;
  std::int64_t regions = 0;
};

std::vector<StepRegions> regions_by_step(const InspectionRecord& record, const SampleSet& samples) {
  std::vector<StepRegions> steps(suspicion_steps().size());
  for (const RegionEvidence& region : record.evidence.regions) {
    StepRegions& step = steps[suspicion_step(region.evidence, record.evidence.regions.size())];
    ++step.regions;
    for (const Index row : region.pixels) {
      step.pixels.push_back(samples.pixels[static_cast<std::size_t>(row)]);
    }
  }
  return steps;
}

SuspectPictures suspect_pictures(const InspectionRecord& record, const SampleSet& samples, SceneSource& scene) {
  // Of a sparse scene places with suspicious pixels are shown before others.
  std::vector<std::int64_t> preferred;
  const std::vector<StepRegions> regions = regions_by_step(record, samples);
  for (std::size_t i = 0; i + 1 < regions.size(); ++i) {
    preferred.insert(preferred.end(), regions[i].pixels.begin(), regions[i].pixels.end());
  }
  const ScenePicture shown = scene_picture(scene, picture_bands(scene.bands()), preferred);
  Rgba marked = pale(shown.rgba);
  SuspectPictures pictures;
  // The least suspicious first: in a small picture others are drawn over them.
  for (std::size_t i = regions.size(); i-- > 0;) {
    for (const std::int64_t pixel : regions[i].pixels) {
      mark(marked, shown.layout, scene.grid().width, pixel, suspicion_steps()[i].colour);
    }
  }
  for (std::size_t i = 0; i < regions.size(); ++i) {
    pictures.legend.push_back(
        {suspicion_steps()[i].label, suspicion_steps()[i].colour, counted(regions[i].regions, "region")});
  }
  pictures.images = {image_of("Scene", shown.layout, shown.rgba), image_of("Labels", shown.layout, marked)};
  pictures.width = shown.layout.width;
  pictures.height = shown.layout.height;
  pictures.scene_bands = picture_bands_text(scene.bands());
  pictures.shown = layout_text(shown.layout);
  pictures.sheet = is_sheet(shown.layout);
  return pictures;
}

}  // namespace

std::string inspect_report(const InspectionRecord& record, const InspectReportSource& source) {
  const PageFacts facts = page_facts(source.date, source.scene.grid(), source.inputs);
  return command_html(
      inspection_page(record, source.options, suspect_pictures(record, source.samples, source.scene), facts),
      inspection_data_json(record));
}

}  // namespace parsimap
