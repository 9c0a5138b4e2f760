#include "parsimap/classifier/validation.hpp"

namespace parsimap {

CountMatrix Validation::pooled() const {
  CountMatrix sum = results.front().confusion;
  for (std::size_t i = 1; i < results.size(); ++i) {
    sum += results[i].confusion;
  }
  return sum;
}

}  // namespace parsimap
