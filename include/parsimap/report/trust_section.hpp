// Where a map may be trusted, by the pixels that were left out when its model was trained.
#pragma once

#include <string>

#include "parsimap/classifier/model.hpp"
#include "parsimap/report/command_page.hpp"

namespace parsimap {

// Sentences for readers of the map who do not know how it was made, and tables of the accuracy by distance and class.
// `scene` is the file that was mapped, or empty: the figures are those of the scene of training.
Section trust_section(const Model& model, const std::string& scene);

}  // namespace parsimap
