// Arrays of C as the library sees them, without a copy, and arrays of the library that C takes.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/parsimap.h"
#include "parsimap/samples/band.hpp"
#include "parsimap/scene/memory_scene.hpp"

namespace parsimap::interface {

// Where the values of an array of three dimensions lie. ConfigError with `name`: another number of dimensions, no
// values, or an unknown type.
SceneArray scene_array(const parsimap_array& array, const std::string& name);

// ConfigError: not two dimensions, or no array at all.
void check_spectra(const parsimap_array* spectra);

// `threads`, or `all` where it is 0; ConfigError where it is no number of threads.
int checked_threads(std::int64_t threads, int all);

// The table of `count` bands; where none are given, nothing is known of them. ConfigError: another number of bands.
BandTable band_table(const BandTable& given, Index count);

// The values of `container`, which starts at first(container) and belongs to whoever gets the array.
template <typename Container, typename First>
parsimap_array owned_array(Container container, parsimap_type type, const std::vector<Index>& shape, First first) {
  using Kept = std::shared_ptr<void>;
  auto kept = std::make_shared<Container>(std::move(container));
  parsimap_array array = {};
  array.data = const_cast<void*>(static_cast<const void*>(first(*kept)));
  array.type = type;
  array.dimensions = static_cast<std::int32_t>(shape.size());
  std::ranges::copy(shape, array.shape);
  for (std::size_t k = shape.size(), step = 1; k > 0; step *= static_cast<std::size_t>(shape[--k])) {
    array.steps[k - 1] = static_cast<std::int64_t>(step);
  }
  array.owner = std::make_unique<Kept>(std::move(kept)).release();
  return array;
}

}  // namespace parsimap::interface
