// How a scene was resampled, as a document.
#pragma once

#include "parsimap/samples/spectral_library.hpp"

#include "json_document.hpp"

namespace parsimap {

// Found by nlohmann's library under this name.
inline void to_json(Json& json, const ResamplingFacts& facts) {
  json = {{"scene", facts.scene}, {"scene_bands", facts.scene_bands}, {"used_bands", facts.used_bands},
          {"bands", facts.bands}, {"narrower", facts.narrower},       {"largest_distance", facts.largest_distance}};
}

}  // namespace parsimap
