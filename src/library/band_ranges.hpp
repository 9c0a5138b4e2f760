// Where the bands of kept training spectra come from, as text: "parsimap bands" and the like.
#pragma once

#include <optional>
#include <string>

#include "parsimap/samples/spectral_library.hpp"

namespace parsimap {

// The bands of a scene as people count them, without blanks: "1-60 62-177".
std::string band_ranges(const Indices& bands);
// "constant: 61; no data: 3 7-9".
std::string dropped_ranges(const std::vector<DroppedBand>& dropped);

// What the three texts say of `count` bands; nothing where the first is empty. DataError, which begins with `path`:
// they are no such texts, or the bands do not make up the scene.
std::optional<BandOrigin> band_origin_of(const std::string& scene_bands, const std::string& bands,
                                         const std::string& dropped, std::size_t count, const std::string& path);

}  // namespace parsimap
