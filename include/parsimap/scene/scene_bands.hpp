// The bands of a scene that are used: chosen from its own, or computed as those of another sensor.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "parsimap/samples/band.hpp"
#include "parsimap/samples/spectral_library.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {

// Which bands of a scene are used: the ones that the scene does not mark as bad, or those that somebody names.

// Every entry is a list, separated by commas, of numbers from 1 (7), ranges of numbers (10-25), ranges of wavelengths
// (1350-1450nm, 1.35-1.45um, both ends included) and names of bands, in this order of precedence. The name of a band
// may also be a whole entry, commas included.
struct BandChoice {
  std::vector<std::string> use;      // empty: all that are not bad; bad bands that are named here are used
  std::vector<std::string> exclude;  // taken away from the others
};

struct ChosenBands {
  Indices bands;                     // ascending
  std::vector<DroppedBand> dropped;  // ascending: all others
  Indices bad;                       // of `bands`: marked as bad, but named
};

// The bands that one entry names, ascending. `scene_name` is for messages.
// ConfigError: what is neither of these (with what is allowed), a number or range outside the table, a range of
// wavelengths that holds no band, a name of several bands.
Indices bands_of_list(const std::string& entry, const BandTable& table, const std::string& scene_name);

// ConfigError: as above; no band left. DataError: no band is named, and the scene marks all of them as bad.
ChosenBands choose_bands(const BandTable& table, const BandChoice& choice, const std::string& scene_name);

// A scene in the bands of another sensor.

// The scene with the bands `bands`, computed from its own by the weights of `resampling`, which has as many. Where a
// band that counts has no value, what is computed from it has none. Reads only bands that count for those asked for,
// and besides what it hands out holds some 32 MB, or one row of a window. Values do not depend on the windows. Name,
// grid and storage blocks are those of `scene`.
std::unique_ptr<SceneSource> resample_scene(std::unique_ptr<SceneSource> scene, const SpectralResampling& resampling,
                                            BandTable bands);

}  // namespace parsimap
