#include "draws.hpp"

namespace parsimap {

std::shared_ptr<const Dataset> make_draw(const DataSpec& data, const std::shared_ptr<const Dataset>& loaded,
                                         std::uint64_t seed) {
  std::shared_ptr<const Dataset> draw = loaded;
  if (const auto* simulated = std::get_if<SimulatedData>(&data.source)) {
    draw = std::make_shared<const Dataset>(draw_simulation(*simulated, seed));
  }
  if (data.train_per_class) {
    draw = std::make_shared<const Dataset>(split_training(*draw, *data.train_per_class, seed));
  }
  return draw;
}

}  // namespace parsimap
