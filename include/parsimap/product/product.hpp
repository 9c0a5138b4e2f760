// Products as agencies deliver them: several files, or one whose layout GDAL does not know, that are one scene.
#pragma once

#include <optional>
#include <string>

#include "parsimap/scene/open_scene.hpp"

namespace parsimap {

// Opens a product by any of the names that people know it by, such as its folder or the file of its metadata. Nothing
// where `path` is no product of a kind that is known. DataError: a product that is damaged or lacks something, with
// what was looked for and what was found; IoError: reading fails.
std::optional<OpenScene> open_product(const std::string& path);

}  // namespace parsimap
