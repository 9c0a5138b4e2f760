// A scene whose bands are described by another file than its own, such as the metadata of a product.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "parsimap/samples/band.hpp"
#include "parsimap/scene/scene_source.hpp"

namespace parsimap {

struct BandDescription {
  // One entry for each band of the scene. Scale and offset turn the numbers that the scene stores into values.
  BandTable bands;
  std::optional<double> nodata;  // a number that the scene stores where there is no value
};

// The scene under the name `name` with these bands. Its values are scaled by the description, but for bands that the
// scene scales itself; its number `nodata` and what is not finite as float are NaN. DataError: another number of bands.
std::unique_ptr<SceneSource> describe_scene(std::unique_ptr<SceneSource> scene, const BandDescription& description,
                                            const std::string& name);

}  // namespace parsimap
