#include "map_report.hpp"

#include <cmath>

#include "parsimap/samples/class_colours.hpp"

namespace parsimap {

static FieldSink* layer_of(const MapOutputs& outputs, MapLayer layer) {
  const auto found = outputs.layers.find(layer);
  return found == outputs.layers.end() ? nullptr : found->second;
}

// Pixels that have values and no class, black on the pale map.
static Rgba rejected_picture(const Rgba& map, const std::vector<std::uint16_t>& codes,
                             const std::vector<float>& confidence) {
  Rgba picture = pale(map);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    // Code 0 with a confidence was computed and rejected; without one the pixel has no data.
    if (codes[i] == 0 && !std::isnan(confidence[i])) {
      paint(picture, static_cast<Index>(i), kRejectedColour);
    }
  }
  return picture;
}

MapReport::MapReport(SceneSource& scene, const MapOutputs& outputs, bool novelty, std::string date)
    : date_(std::move(date)),
      grid_(scene.grid()),
      scene_bands_(picture_bands_text(scene.bands())),
      scene_(scene_picture(scene, picture_bands(scene.bands()))),
      outputs_(outputs),
      map_(scene_.layout, *outputs.map),
      confidence_(scene_.layout, layer_of(outputs, MapLayer::confidence)) {
  FieldSink* const layer = layer_of(outputs, MapLayer::novelty);
  if (novelty || layer != nullptr) {
    novelty_.emplace(scene_.layout, layer);
  }
}

MapOutputs MapReport::watched() {
  MapOutputs watched = outputs_;
  // Observers take the place of the sinks, record what the page shows and pass every window on. Confidence is always
  // observed, even where it is not written.
  watched.map = &map_;
  watched.layers[MapLayer::confidence] = &confidence_;
  if (novelty_) {
    watched.layers[MapLayer::novelty] = &*novelty_;
  }
  return watched;
}

MapPictures MapReport::pictures(const MappingRecord& record, const ClassTable& classes,
                                const std::vector<Colour>& colours) const {
  const PictureLayout& layout = scene_.layout;
  const Rgba map = class_picture(map_.codes(), classes, colours);
  MapPictures pictures{raster_pictures(layout, {image_of("Scene", layout, scene_.rgba), image_of("Map", layout, map)},
                                       colours, scene_bands_)};
  if (record.rejected > 0) {
    const std::vector<float>& confidence = confidence_.values();
    pictures.rejected = {image_of("Rejected pixels", layout, rejected_picture(map, map_.codes(), confidence))};
  }
  pictures.confidence = {image_of("Confidence", layout, stepped_picture(confidence_.values(), confidence_steps()))};
  pictures.confidence_legend = legend_of(confidence_steps());
  if (novelty_) {
    pictures.novelty = {image_of("Novelty", layout, stepped_picture(novelty_->values(), novelty_steps()))};
    pictures.novelty_legend = legend_of(novelty_steps());
  }
  return pictures;
}

std::string MapReport::html(const MappingRecord& record, const ClassTable& classes, const Section& trust,
                            const std::vector<NamedInput>& inputs,
                            const std::vector<std::pair<std::string, std::string>>& options) const {
  // Histograms have 20 bins of width 0.05 over [0, 1]: the bins from 18 on are values of 0.9 and more, bin 19 those of
  // 0.95 and more.
  constexpr Index kSure = 18;   // bins from 0.9 and
  constexpr Index kNovel = 19;  // from 0.95
  const std::vector<Colour> colours = class_colours(classes);
  std::vector<PageHistogram> histograms = {
      {"confidence", "Largest probability of every pixel with data.", confidence_.counts()}};
  MapCertainty certainty{confidence_.share_from(kSure), std::nullopt, trust};
  if (novelty_) {
    histograms.push_back({"novelty",
                          "How unlike all classes of training every pixel with data is. Of known surfaces about "
                          "5 % are above 0.95; many more are surfaces that nobody labelled.",
                          novelty_->counts()});
    certainty.novel = novelty_->share_from(kNovel);
  }
  return command_html(
      map_page(record, pictures(record, classes, colours), certainty, page_facts(date_, grid_, inputs), options),
      mapping_data_json(record, colours, histograms));
}

}  // namespace parsimap
