#include "arrays.hpp"

#include <cstdint>
#include <tuple>

#include "parsimap/core/error.hpp"

namespace parsimap::interface {
namespace {

// Sets the first value of `scene`, of the type with this number among the alternatives.
template <std::size_t type = 0>
bool point_to_first(const parsimap_array& array, SceneArray& scene) {
  using First = decltype(scene.first);
  if constexpr (type == std::variant_size_v<First>) {
    return false;
  } else {
    if (array.type != static_cast<int>(type)) {
      return point_to_first<type + 1>(array, scene);
    }
    scene.first = static_cast<std::variant_alternative_t<type, First>>(array.data);
    return true;
  }
}

}  // namespace

SceneArray scene_array(const parsimap_array& array, const std::string& name) {
  if (array.dimensions != 3) {
    throw ConfigError(name + " must have 3 dimensions, and has " + std::to_string(array.dimensions));
  }
  if (array.data == nullptr || std::ranges::any_of(array.shape, [](std::int64_t size) { return size < 1; })) {
    throw ConfigError(name + " has no values");
  }
  SceneArray scene;
  if (!point_to_first(array, scene)) {
    throw ConfigError(name + " has values of the type " + std::to_string(array.type) + ", which is unknown");
  }
  std::tie(scene.row_step, scene.column_step, scene.band_step) =
      std::tie(array.steps[0], array.steps[1], array.steps[2]);
  return scene;
}

void check_spectra(const parsimap_array* spectra) {
  if (spectra == nullptr || spectra->dimensions != 2) {
    throw ConfigError("spectra must have 2 dimensions, rows and bands");
  }
}

int checked_threads(std::int64_t threads, int all) {
  constexpr int kMostThreads = 1024;
  if (threads < 0 || threads > kMostThreads) {
    throw ConfigError("threads is " + std::to_string(threads) + "; it must be from 0 to " +
                      std::to_string(kMostThreads));
  }
  return threads == 0 ? all : static_cast<int>(threads);
}

BandTable band_table(const BandTable& given, Index count) {
  if (!given.empty() && static_cast<Index>(given.size()) != count) {
    throw ConfigError("bands must be one for each of the " + std::to_string(count) + " bands");
  }
  return given.empty() ? BandTable(static_cast<std::size_t>(count)) : given;
}

}  // namespace parsimap::interface

void parsimap_free(void* owner) { delete static_cast<std::shared_ptr<void>*>(owner); }
