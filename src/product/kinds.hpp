// The kinds of products, as product.cpp asks for them in turn. Each gives nothing for what is not its kind.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/scene/open_scene.hpp"

namespace parsimap {

// Products that are rasters beside a file of metadata (EnMAP, DESIS): by their folder, a zip archive of it, the
// metadata or the image. Nothing for other names, and for metadata of another mission. An image without its metadata is
// opened as the raster that it is, with a note.
std::optional<OpenScene> open_metadata_product(const std::string& path);

// EMIT L2A reflectance and L1B radiance (netCDF), with the mask of L2A where its file lies beside.
std::optional<OpenScene> open_emit(const std::string& path);

// PRISMA L1 to L2D (.he5, or a .zip that holds one).
std::optional<OpenScene> open_prisma(const std::string& path);

// A raster of ENVI in the sensor's own geometry, as of AVIRIS, with the lookup table (_glt) that lies beside it.
std::optional<OpenScene> open_envi_with_lookup(const std::string& path);

// A kind of error in single bands of a pixel, and the numbers that stand for it in the matrices of a product of PRISMA.
struct BandError {
  std::string name;
  std::string meaning;
  std::vector<float> numbers;
};
std::vector<BandError> errors_of_level_1();
std::vector<BandError> errors_of_level_2();

// Appends a quality layer for each error, which marks a pixel where any band of `matrices` has it.
void add_error_matrices(std::unique_ptr<SceneSource> matrices, const std::vector<BandError>& errors,
                        std::vector<QualityLayer>& layers);

}  // namespace parsimap
