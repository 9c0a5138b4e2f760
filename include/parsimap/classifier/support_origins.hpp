// From which labelled features the support spectra of a model come.
#pragma once

#include <string>
#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

// Labelled features are parts of the polygons, lines or points of vector files, connected areas of
// label rasters, spectra of libraries. Support spectrum support[i] comes from the feature origin[i] with the share
// share[i] of the penalty of its sample: equal spectra were merged, so that it may have several, with the sum 1.
struct SupportOrigins {
  std::vector<std::string> files;  // of labels; an empty one is not known
  Indices file;                    // F, of each feature
  Indices number;                  // F, of the feature in its file
  Indices part;                    // F, of which part of the feature, from 1
  Indices label;                   // F, index of its class
  Indices support;                 // ascending
  Indices origin;
  Vector share;

  [[nodiscard]] Index features() const { return static_cast<Index>(number.size()); }
};

}  // namespace parsimap
