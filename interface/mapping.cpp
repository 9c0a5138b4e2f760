// Maps of scenes that are arrays.
#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/core/error.hpp"
#include "parsimap/mapping/classify_scene.hpp"
#include "parsimap/mapping/model_scene.hpp"
#include "parsimap/samples/band.hpp"
#include "parsimap/scene/memory_scene.hpp"

#include "arrays.hpp"
#include "errors.hpp"
#include "map_arrays.hpp"
#include "model.hpp"
#include "settings.hpp"
#include "work.hpp"

namespace parsimap::interface {
namespace {

// Without a rule: as the model asks for.
void set_rule(const Model& model, const Settings& settings, MappingOptions& options) {
  const auto rule = text_called(settings, "regularise");
  set_regularisation(model, rule ? std::optional(parse_regularisation(*rule)) : std::nullopt, options);
  options.pixel_metres = number_called(settings, "pixel-metres");
}

Index reach_of(const Model& model, const Settings& settings) {
  MappingOptions options;
  set_rule(model, settings, options);
  return map_reach(model, options.regularisation, options.pixel_metres);
}

void map_array(const Model& model, const parsimap_array* scene, const Settings& settings, parsimap_work& work) {
  check_names(settings,
              {"layers", "nodata", "pixel-metres", "regularise", "reject", "reject-novelty", "threads", "whole"});
  const SceneArray array = scene_array(scene == nullptr ? parsimap_array() : *scene, "the scene");
  RasterGrid grid;
  grid.height = scene->shape[0];
  grid.width = scene->shape[1];
  BandTable table = band_table(settings.bands, scene->shape[2]);
  if (settings.bands.empty() && static_cast<Index>(table.size()) == model.scene_bands) {
    table = bands_by_place(table, model);
  }
  ArrayScene source("the scene", grid, std::move(table), array, number_called(settings, "nodata"));
  MappingOptions options;
  options.threads = checked_threads(threads_called(settings), work.all_threads());
  options.reject = number_called(settings, "reject");
  options.reject_novelty = number_called(settings, "reject-novelty");
  set_rule(model, settings, options);
  const std::vector<std::string> layers = list_called(settings, "layers");
  if (std::ranges::find(layers, map_layer(MapLayer::deciding).option) != layers.end()) {
    throw ConfigError("layer 'deciding' compares with the mean of a whole scene, and an array may be a piece of one");
  }
  if (number_called(settings, "whole")) {
    // Pixels of a small array may be far darker than those of training; units that are mixed up differ by 10000.
    constexpr double kMostRatio = 1000;
    check_ratio(check_units(source, model, match_bands(source, model), kMostRatio).ratio, work);
  }
  MapInMemory made(layers);
  const MapOutputs outputs = made.make(grid, model.classes);
  classify_scene(source, model, outputs, options, work.progress(""));
  made.take_arrays(work.arrays);
}

}  // namespace
}  // namespace parsimap::interface

using namespace parsimap;

void parsimap_classify(parsimap_work* work, const parsimap_model* model, const parsimap_array* scene,
                       const parsimap_settings* settings) {
  work->start([&] {
    return [=, given = interface::copied(settings)](parsimap_work& self) {
      interface::map_array(model->model, scene, given, self);
    };
  });
}

int parsimap_map_reach(const parsimap_model* model, const parsimap_settings* settings, int64_t* reach,
                       parsimap_array* error) {
  return interface::status_of(error, [&] { *reach = interface::reach_of(model->model, interface::copied(settings)); });
}

double parsimap_wavelength(double value, const char* unit) {
  double nanometres = std::numeric_limits<double>::quiet_NaN();
  interface::status_of(nullptr, [&] { nanometres = wavelength_nanometres(value, unit).value_or(nanometres); });
  return nanometres;
}
