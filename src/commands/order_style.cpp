#include "order_style.hpp"

#include <array>

namespace parsimap {

GradedStyle order_style(const std::string& name, const std::string& field, const std::string& one, std::int64_t count) {
  const std::array<const char*, 4> colours = {"189,0,38,255", "240,59,32,255", "253,141,60,255", "254,204,92,255"};
  GradedStyle style{name, "\"" + field + "\"", {}};
  std::int64_t first = 1;
  for (std::int64_t quarter = 1; quarter <= 4; ++quarter) {
    // The upper bound of quarter q is ceil(q n / 4). With fewer than four points some quarters are empty and have no
    // step.
    const std::int64_t last = (quarter * count + 3) / 4;
    if (last >= first) {
      style.steps.push_back({static_cast<double>(first), static_cast<double>(last),
                             first == last ? one + " " + std::to_string(first)
                                           : one + "s " + std::to_string(first) + " to " + std::to_string(last),
                             colours[static_cast<std::size_t>(quarter - 1)]});
    }
    first = last + 1;
  }
  return style;
}

}  // namespace parsimap
