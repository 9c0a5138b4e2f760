// Products of PRISMA.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/scene/open_scene.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {

// PRISMA L1 to L2D (.he5, or a .zip that holds one).
std::optional<OpenScene> open_prisma(const std::string& path);

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
