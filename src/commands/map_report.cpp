#include "map_report.hpp"

#include <array>
#include <cmath>

#include "parsimap/json/page_data.hpp"
#include "parsimap/samples/class_table.hpp"

#include "page_pictures.hpp"

namespace parsimap {
namespace {

FieldSink* layer_of(const MapOutputs& outputs, MapLayer layer) {
  const auto found = outputs.layers.find(layer);
  return found == outputs.layers.end() ? nullptr : found->second;
}

// Pixels that have values and no class, black on the pale map.
Rgba rejected_picture(const Rgba& map, const std::vector<std::uint16_t>& codes, const std::vector<float>& confidence) {
  Rgba picture = pale(map);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (codes[i] == 0 && !std::isnan(confidence[i])) {
      paint(picture, static_cast<Index>(i), kRejectedColour);
    }
  }
  return picture;
}

}  // namespace

MapReport::MapReport(SceneSource& scene, const MapOutputs& outputs, bool novelty)
    : date_(page_date()),
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
  watched.map = &map_;
  watched.layers[MapLayer::confidence] = &confidence_.histogram;
  if (novelty_) {
    watched.layers[MapLayer::novelty] = &novelty_->histogram;
  }
  return watched;
}

MapPictures MapReport::pictures(const MappingRecord& record, const ClassTable& classes,
                                const std::vector<Colour>& colours) const {
  const PictureLayout& layout = scene_.layout;
  const Rgba map = class_picture(map_.codes(), classes, colours);
  MapPictures pictures;
  pictures.images = {image_of("Scene", layout, scene_.rgba), image_of("Map", layout, map)};
  pictures.width = layout.width;
  pictures.height = layout.height;
  for (const Colour& colour : colours) {
    pictures.legend.push_back({"", colour, ""});
  }
  pictures.scene_bands = scene_bands_;
  pictures.shown = layout_text(layout);
  pictures.sheet = is_sheet(layout);
  if (record.rejected > 0) {
    const std::vector<float>& confidence = confidence_.picture.values();
    pictures.rejected = {image_of("Rejected pixels", layout, rejected_picture(map, map_.codes(), confidence))};
  }
  pictures.confidence = {
      image_of("Confidence", layout, stepped_picture(confidence_.picture.values(), confidence_steps()))};
  pictures.confidence_legend = legend_of(confidence_steps());
  if (novelty_) {
    pictures.novelty = {image_of("Novelty", layout, stepped_picture(novelty_->picture.values(), novelty_steps()))};
    pictures.novelty_legend = legend_of(novelty_steps());
  }
  return pictures;
}

std::string MapReport::html(const MappingRecord& record, const ClassTable& classes,
                            const std::vector<NamedInput>& inputs,
                            const std::vector<std::pair<std::string, std::string>>& options) const {
  constexpr Index kSure = 18;   // bins from 0.9 and
  constexpr Index kNovel = 19;  // from 0.95
  const std::vector<Colour> colours = class_colours(classes);
  std::vector<PageHistogram> histograms = {
      {"confidence", "Largest probability of every pixel with data.", confidence_.histogram.counts()}};
  MapCertainty certainty;
  certainty.sure = confidence_.histogram.share_from(kSure);
  if (novelty_) {
    histograms.push_back({"novelty",
                          "How unlike all classes of training every pixel with data is. Of known surfaces about "
                          "5 % are above 0.95; many more are surfaces that nobody labelled.",
                          novelty_->histogram.counts()});
    certainty.novel = novelty_->histogram.share_from(kNovel);
  }
  return command_html(
      map_page(record, pictures(record, classes, colours), certainty, page_facts(date_, grid_, inputs), options),
      mapping_data_json(record, colours, histograms));
}

}  // namespace parsimap
