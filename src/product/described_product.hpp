// Making a scene of the files of a product and of what its metadata say.
#pragma once

#include <string>
#include <vector>

#include "parsimap/gdal/raster/scene.hpp"
#include "parsimap/scene/open_scene.hpp"

#include "product_place.hpp"

namespace parsimap {

// The names without extension that a raster of a product may have, the likeliest first. The last one begins as the name
// of the metadata does.
using Stems = std::vector<std::string>;

// A raster with quality layers in its bands, which have no source before it is opened.
struct QualityFile {
  Stems stems;
  std::vector<QualityLayer> layers;
};

// What the metadata say.
struct ProductDescription {
  std::string product;   // as in SceneDescription
  std::string quantity;  // as in SceneDescription
  BandDescription bands;
  Stems image;
  std::vector<QualityFile> quality;  // that the product should have
};

// The note of the scene says which quality layers are missing. DataError: the image is missing or has another number of
// bands, or a quality layer that is there cannot be read.
OpenScene open_described_product(const MetadataSource& source, const ProductDescription& description);

}  // namespace parsimap
