#include "parsimap/simulation/simulated_layout.hpp"

#include <algorithm>
#include <limits>

#include "parsimap/core/random.hpp"

#include "simulation_streams.hpp"

namespace parsimap {
namespace {

// Classes of `regions` regions: in random order, each to the class that is farthest below its share.
std::vector<int> deal_regions(Index regions, const std::vector<SimulatedClassSpec>& classes, Random& random) {
  double total = 0;
  for (const SimulatedClassSpec& entry : classes) {
    total += entry.weight;
  }
  std::vector<double> missing;
  for (const SimulatedClassSpec& entry : classes) {
    missing.push_back(entry.weight / total * static_cast<double>(regions));
  }
  std::vector<int> result(static_cast<std::size_t>(regions));
  std::size_t dealt = 0;
  for (const Index region : random.permutation(regions)) {
    // One each first, so that no class is absent.
    const std::size_t next =
        dealt < classes.size()
            ? dealt
            : static_cast<std::size_t>(std::max_element(missing.begin(), missing.end()) - missing.begin());
    result[static_cast<std::size_t>(region)] = static_cast<int>(next);
    missing[next] -= 1;
    ++dealt;
  }
  return result;
}

Index divide_up(Index value, Index divisor) { return (value + divisor - 1) / divisor; }

}  // namespace

SimulatedLayout::SimulatedLayout(const SimulationSpec& spec)
    : spec_(spec.layout), width_(spec.width), height_(spec.height) {
  Random random(spec.seed, simulation_stream(SimulationStream::layout, 0));
  Index regions = spec_.sites;
  if (spec_.kind == "stripes") {
    regions = divide_up(width_, spec_.stripe_width);
  } else if (spec_.kind == "blocks") {
    regions = divide_up(width_, spec_.block_size) * divide_up(height_, spec_.block_size);
  } else if (spec_.kind == "voronoi") {
    for (Index site = 0; site < spec_.sites; ++site) {
      const double column = random.uniform() * static_cast<double>(width_);
      const double row = random.uniform() * static_cast<double>(height_);
      sites_.push_back({column, row});
    }
  }
  if (spec_.kind != "map") {
    region_class_ = deal_regions(regions, spec.classes, random);
  }
}

void SimulatedLayout::voronoi_row(Index row, const Window& window, int* regions) const {
  const double y = static_cast<double>(row) + 0.5;
  for (Index i = 0; i < window.width; ++i) {
    const double x = static_cast<double>(window.column + i) + 0.5;
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t site = 0; site < sites_.size(); ++site) {
      const double dx = x - sites_[site][0];
      const double dy = y - sites_[site][1];
      const double distance = dx * dx + dy * dy;
      if (distance < nearest) {
        nearest = distance;
        regions[i] = static_cast<int>(site);
      }
    }
  }
}

void SimulatedLayout::regions(const Window& window, std::vector<int>& regions) const {
  regions.resize(static_cast<std::size_t>(window.pixels()));
  const Index blocks_across = divide_up(width_, spec_.block_size);
  for (Index row = 0; row < window.height; ++row) {
    int* const line = regions.data() + row * window.width;
    const Index y = window.row + row;
    if (spec_.kind == "voronoi") {
      voronoi_row(y, window, line);
      continue;
    }
    for (Index i = 0; i < window.width; ++i) {
      const Index x = window.column + i;
      if (spec_.kind == "stripes") {
        line[i] = static_cast<int>(x / spec_.stripe_width);
      } else if (spec_.kind == "blocks") {
        line[i] = static_cast<int>(y / spec_.block_size * blocks_across + x / spec_.block_size);
      } else {
        line[i] = static_cast<int>(spec_.map[static_cast<std::size_t>(y * width_ + x)]) - 1;
      }
    }
  }
}

void SimulatedLayout::labels(const Window& window, std::vector<int>& labels) const {
  regions(window, labels);
  if (spec_.kind != "map") {
    std::transform(labels.begin(), labels.end(), labels.begin(),
                   [this](int region) { return region_class_[static_cast<std::size_t>(region)]; });
  }
}

void SimulatedLayout::reference(const Window& window, std::vector<std::uint16_t>& codes) const {
  const Index left = std::max<Index>(0, window.column - spec_.gap);
  const Index top = std::max<Index>(0, window.row - spec_.gap);
  const Index right = std::min(width_, window.column + window.width + spec_.gap);
  const Index bottom = std::min(height_, window.row + window.height + spec_.gap);
  std::vector<int> around;
  regions({left, top, right - left, bottom - top}, around);
  const auto region_at = [&](Index row, Index column) {
    return around[static_cast<std::size_t>((row - top) * (right - left) + column - left)];
  };
  const auto inside_region = [&](Index row, Index column) {
    const int own = region_at(row, column);
    for (Index y = std::max(top, row - spec_.gap); y < std::min(bottom, row + spec_.gap + 1); ++y) {
      for (Index x = std::max(left, column - spec_.gap); x < std::min(right, column + spec_.gap + 1); ++x) {
        if (region_at(y, x) != own) {
          return false;
        }
      }
    }
    return true;
  };
  std::vector<int> classes;
  labels(window, classes);
  codes.assign(classes.size(), 0);
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const Index row = window.row + static_cast<Index>(i) / window.width;
    const Index column = window.column + static_cast<Index>(i) % window.width;
    if (inside_region(row, column)) {
      codes[i] = static_cast<std::uint16_t>(classes[i] + 1);
    }
  }
}

}  // namespace parsimap
