#include "parsimap/mapping/band_match.hpp"

#include "parsimap/core/error.hpp"

namespace parsimap {

WantedBands wanted_bands(const Model& model) {
  return {model.band_table, model.bands, model.scene_bands, "that the model uses", "the training scene"};
}

Indices match_bands(const SceneSource& scene, const Model& model) {
  BandMatch match = match_bands(wanted_bands(model), scene.bands(), scene.name());
  if (!match.complete()) {
    throw DataError(match.misfit);
  }
  return std::move(match.found);
}

}  // namespace parsimap
