// Making a scene of the files of a product and of what its metadata say.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/samples/band.hpp"
#include "parsimap/scene/open_scene.hpp"
#include "parsimap/scene/raster.hpp"

#include "product_place.hpp"

namespace parsimap {

// Bands of a scene as another file than its own describes them, such as the metadata of a product.
struct BandDescription {
  // One entry for each band of the scene. Scale and offset turn the numbers that the scene stores into values.
  BandTable bands;
  std::optional<double> nodata;  // a number that the scene stores where there is no value
};

// The scene under the name `name` with these bands. Its values are scaled by the description, but for bands that the
// scene scales itself; its number `nodata` and what is not finite as float are NaN. DataError: another number of bands.
std::unique_ptr<SceneSource> describe_scene(std::unique_ptr<SceneSource> scene, const BandDescription& description,
                                            const std::string& name);

// The names without extension that a raster of a product may have, the likeliest first. The last one begins as the name
// of the metadata does.
using Stems = std::vector<std::string>;

// A quality layer in one of the bands of a raster; the fields are those of QualityLayer.
struct QualityMeaning {
  std::string name;
  std::string meaning;
  Index band = 0;
  std::vector<float> marks;
};

struct QualityFile {
  Stems stems;
  std::vector<QualityMeaning> layers;
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
