#include "map_report.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "parsimap/io/gdal/palette.hpp"
#include "parsimap/io/gdal/png.hpp"
#include "parsimap/io/json/page_data.hpp"
#include "parsimap/report/mapping_report.hpp"
#include "parsimap/report/text_table.hpp"

namespace parsimap {
namespace {

// Transparent where nothing is classified.
std::vector<std::uint8_t> map_picture(const std::vector<std::uint16_t>& codes, const ClassTable& classes,
                                      const std::vector<Colour>& colours) {
  std::map<int, Colour> colour_of;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    colour_of[classes[c].code] = colours[c];
  }
  std::vector<std::uint8_t> picture(4 * codes.size(), 0);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (const auto found = colour_of.find(codes[i]); found != colour_of.end()) {
      std::copy(found->second.begin(), found->second.end(), picture.begin() + static_cast<std::ptrdiff_t>(4 * i));
      picture[4 * i + 3] = 255;
    }
  }
  return picture;
}

std::string band_text(const BandTable& bands, Index band) {
  const std::optional<double>& wavelength = bands[static_cast<std::size_t>(band)].wavelength;
  return std::to_string(band + 1) + (wavelength ? " (" + short_number(*wavelength) + " nm)" : "");
}

FieldSink* layer_of(const MapOutputs& outputs, MapLayer layer) {
  const auto found = outputs.layers.find(layer);
  return found == outputs.layers.end() ? nullptr : found->second;
}

}  // namespace

MapReport::MapReport(const RasterGrid& grid, const MapOutputs& outputs)
    : outputs_(outputs), map_(grid, *outputs.map), confidence_(layer_of(outputs, MapLayer::confidence)) {
  if (FieldSink* const novelty = layer_of(outputs, MapLayer::novelty)) {
    novelty_.emplace(novelty);
  }
}

MapOutputs MapReport::watched() {
  MapOutputs watched = outputs_;
  watched.map = &map_;
  watched.layers[MapLayer::confidence] = &confidence_;
  if (novelty_) {
    watched.layers[MapLayer::novelty] = &*novelty_;
  }
  return watched;
}

std::string MapReport::html(const MappingRecord& record, SceneSource& scene, const ClassTable& classes,
                            const std::vector<std::pair<std::string, std::string>>& options) const {
  const std::vector<Colour> colours = class_colours(classes);
  const Index width = map_.grid().width();
  const Index height = map_.grid().height();
  MapPictures pictures;
  for (const Colour& colour : colours) {
    pictures.map.legend.push_back({"", colour, ""});
  }
  pictures.map.source = png_data_uri(width, height, map_picture(map_.codes(), classes, colours));
  const std::array<Index, 3> bands = picture_bands(scene.bands());
  pictures.scene.source = png_data_uri(width, height, scene_picture(scene, bands));
  pictures.scene_bands = "Bands " + band_text(scene.bands(), bands[0]) + ", " + band_text(scene.bands(), bands[1]) +
                         " and " + band_text(scene.bands(), bands[2]) + " as red, green and blue";
  for (PagePicture* picture : {&pictures.map, &pictures.scene}) {
    picture->width = width;
    picture->height = height;
  }
  std::vector<PageHistogram> histograms = {
      {"confidence", "Largest probability of every pixel with data.", confidence_.counts()}};
  if (novelty_) {
    histograms.push_back({"novelty",
                          "How unlike all classes of training every pixel with data is. Of known surfaces about "
                          "5 % are above 0.95; many more are surfaces that nobody labelled.",
                          novelty_->counts()});
  }
  return command_html(map_page(record, pictures, options), mapping_data_json(record, colours, histograms));
}

}  // namespace parsimap
