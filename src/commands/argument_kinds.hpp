// Files in the place of another argument, such as labels where the scene should stand.
#pragma once

#include <string>

namespace parsimap {

enum class Argument { scene, labels, map, model, model_to_write };

// DataError where the file at `path` is of a kind that does not belong to `argument`, and nothing otherwise: what the
// file is, and what the argument stands for. For files that could not be read as what they should be, since it opens
// them. Of a model to write, a raster or vector file is refused (ConfigError), whatever may be replaced.
void refuse_other_kind(const std::string& path, Argument argument);

}  // namespace parsimap
