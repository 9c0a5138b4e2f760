// Finding the files of products that are rasters beside a file of metadata, <prefix>-METADATA.XML.
#pragma once

#include <optional>
#include <string>

#include "product_place.hpp"

namespace parsimap {

inline constexpr const char* kMetadataEnding = "-METADATA.XML";
inline constexpr const char* kImageEnding = "-SPECTRAL_IMAGE";

// Where the files of such a product lie.
struct MetadataSource {
  std::string asked;     // the path by which somebody names it
  std::string metadata;  // the path of its metadata
  std::string prefix;    // what the names of its files begin with
  FolderContent folder;
  std::optional<std::string> image = {};  // the path of its image, where that is what was named
};

// The product that has the metadata at `path`, the image at `path` (or its header), or lies in the folder or zip
// archive at `path` or some levels below it. Nothing where none is found. DataError: there are several.
std::optional<MetadataSource> find_metadata_source(const std::string& path);

// What the names of a product's files begin with whose image is called `name`; nothing where no image is called so.
std::optional<std::string> prefix_of_image(const std::string& name);

}  // namespace parsimap
