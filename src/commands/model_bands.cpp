#include "model_bands.hpp"

#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/mapping/model_scene.hpp"
#include "parsimap/scene/open_scene.hpp"

namespace parsimap {
namespace {

bool can_be_resampled(const WantedBands& wanted, const BandTable& bands, const std::string& name) {
  try {
    plan_resampling(wanted, bands, good_bands(bands), name);
    return true;
  } catch (const DataError&) {
    return false;
  }
}

}  // namespace

Indices good_bands(const BandTable& bands) {
  Indices good;
  for (std::size_t i = 0; i < bands.size(); ++i) {
    if (!bands[i].bad) {
      good.push_back(static_cast<Index>(i));
    }
  }
  return good;
}

std::optional<ResamplingFacts> fit_bands(InputScene& scene, const Model& model, bool resample) {
  const BandTable& bands = scene.source->bands();
  const std::string& name = scene.source->name();
  const WantedBands wanted = wanted_bands(model);
  const BandMatch match = match_bands(wanted, bands, name);
  if (match.complete()) {
    return std::nullopt;
  }
  if (!resample) {
    const bool helps = can_be_resampled(wanted, bands, name);
    throw DataError(match.misfit + (helps ? "; --resample computes them from the bands that there are" : ""));
  }
  const SpectralResampling resampling = plan_resampling(wanted, bands, good_bands(bands), name);
  scene.source = resample_scene(std::move(scene.source), resampling, model.band_table);
  return resampling.facts;
}

}  // namespace parsimap
