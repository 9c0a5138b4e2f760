// Products that are rasters beside a file of metadata, <prefix>-METADATA.XML: those of EnMAP and DESIS.
#pragma once

#include <optional>
#include <string>

#include "parsimap/scene/open_scene.hpp"

namespace parsimap {

// Opens a product by its folder, a zip archive of it, its metadata or its image. Nothing for other names, and for
// metadata of another mission. An image without its metadata is opened as the raster that it is, with a note. Errors as
// open_product().
std::optional<OpenScene> open_metadata_product(const std::string& path);

}  // namespace parsimap
