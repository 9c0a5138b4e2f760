// The independent random streams of one simulation seed.
#pragma once

#include <cstdint>

namespace parsimap {

enum class SimulationStream : std::uint64_t { layout = 1, class_model = 2, row = 3, polygons = 4 };

// The stream of the `index`-th class, row ...
inline std::uint64_t simulation_stream(SimulationStream kind, std::uint64_t index) {
  return (static_cast<std::uint64_t>(kind) << 32U) + index;
}

}  // namespace parsimap
