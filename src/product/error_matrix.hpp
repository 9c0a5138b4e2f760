// What goes wrong in single bands of a pixel, as marks of the pixel.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "parsimap/scene/quality.hpp"

namespace parsimap {

// A kind of error, and the numbers that stand for it in the matrices of a product.
struct BandError {
  std::string name;
  std::string meaning;
  std::vector<float> numbers;
};

// Those of PRISMA.
std::vector<BandError> errors_of_level_1();
std::vector<BandError> errors_of_level_2();

// Appends a layer for each error, which marks a pixel where any band of `matrices` has it.
void add_error_matrices(std::unique_ptr<SceneSource> matrices, const std::vector<BandError>& errors,
                        std::vector<QualityLayer>& layers);

}  // namespace parsimap
