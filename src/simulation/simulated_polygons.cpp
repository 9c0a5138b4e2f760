#include "parsimap/simulation/simulated_polygons.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "parsimap/core/error.hpp"
#include "parsimap/core/random.hpp"

#include "simulation_streams.hpp"

namespace parsimap {
namespace {

using Point = std::array<double, 2>;

constexpr int kCorners = 6;
constexpr Index kAttemptsPerPolygon = 2000;
constexpr int kFewestPixels = 4;

// In pixel coordinates (column, row), closed.
struct PixelPolygon {
  std::vector<Point> ring;
  Window box;
};

// Corners on an ellipse, at uneven angles; to a hundredth of a pixel, so that machines agree on them.
PixelPolygon draw_polygon(const SimulationSpec& spec, Random& random) {
  const PolygonSpec& options = spec.polygons;
  const double radius = options.smallest_radius + random.uniform() * (options.largest_radius - options.smallest_radius);
  const double radius_y = radius * (0.6 + 0.4 * random.uniform());
  const double x = random.uniform() * static_cast<double>(spec.width);
  const double y = random.uniform() * static_cast<double>(spec.height);
  PixelPolygon polygon;
  for (int corner = 0; corner < kCorners; ++corner) {
    const double angle = 2 * std::numbers::pi * (corner + 0.6 * random.uniform()) / kCorners;
    polygon.ring.push_back({std::round(100 * (x + radius * std::cos(angle))) / 100,
                            std::round(100 * (y + radius_y * std::sin(angle))) / 100});
  }
  polygon.ring.push_back(polygon.ring.front());
  Point low = polygon.ring.front();
  Point high = low;
  for (const Point& point : polygon.ring) {
    for (std::size_t axis = 0; axis < 2; ++axis) {
      low[axis] = std::min(low[axis], point[axis]);
      high[axis] = std::max(high[axis], point[axis]);
    }
  }
  polygon.box.column = static_cast<Index>(std::floor(low[0]));
  polygon.box.row = static_cast<Index>(std::floor(low[1]));
  polygon.box.width = static_cast<Index>(std::ceil(high[0])) - polygon.box.column;
  polygon.box.height = static_cast<Index>(std::ceil(high[1])) - polygon.box.row;
  return polygon;
}

bool contains(const std::vector<Point>& ring, double x, double y) {
  bool inside = false;
  for (std::size_t i = 0; i + 1 < ring.size(); ++i) {
    const Point& a = ring[i];
    const Point& b = ring[i + 1];
    if ((a[1] > y) != (b[1] > y) && x < a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0])) {
      inside = !inside;
    }
  }
  return inside;
}

bool apart(const Window& a, const Window& b) {
  constexpr Index kDistance = 2;
  return a.column + a.width + kDistance <= b.column || b.column + b.width + kDistance <= a.column ||
         a.row + a.height + kDistance <= b.row || b.row + b.height + kDistance <= a.row;
}

// True when enough pixel centres are inside and all of them have the code.
bool lies_in_class(const PixelPolygon& polygon, const SimulatedLayout& layout, std::uint16_t code) {
  std::vector<std::uint16_t> codes;
  layout.reference(polygon.box, codes);
  int pixels = 0;
  for (Index row = 0; row < polygon.box.height; ++row) {
    for (Index column = 0; column < polygon.box.width; ++column) {
      if (!contains(polygon.ring, static_cast<double>(polygon.box.column + column) + 0.5,
                    static_cast<double>(polygon.box.row + row) + 0.5)) {
        continue;
      }
      if (codes[static_cast<std::size_t>(row * polygon.box.width + column)] != code) {
        return false;
      }
      ++pixels;
    }
  }
  return pixels >= kFewestPixels;
}

std::vector<PixelPolygon> place_class(const SimulationSpec& spec, const SimulatedLayout& layout, std::size_t label,
                                      std::vector<Window>& taken) {
  Random random(spec.seed, simulation_stream(SimulationStream::polygons, label));
  std::vector<PixelPolygon> placed;
  const Index wanted = spec.polygons.per_class;
  for (Index attempt = 0; attempt < kAttemptsPerPolygon * wanted; ++attempt) {
    if (static_cast<Index>(placed.size()) == wanted) {
      break;
    }
    PixelPolygon polygon = draw_polygon(spec, random);
    const Window& box = polygon.box;
    const bool on_grid =
        box.column >= 0 && box.row >= 0 && box.column + box.width <= spec.width && box.row + box.height <= spec.height;
    if (on_grid && std::all_of(taken.begin(), taken.end(), [&](const Window& other) { return apart(box, other); }) &&
        lies_in_class(polygon, layout, static_cast<std::uint16_t>(label + 1))) {
      taken.push_back(box);
      placed.push_back(std::move(polygon));
    }
  }
  return placed;
}

std::size_t training_count(std::size_t polygons, double fraction) {
  const auto count = static_cast<std::size_t>(std::llround(fraction * static_cast<double>(polygons)));
  const bool both = polygons >= 2 && fraction > 0 && fraction < 1;
  return both ? std::clamp<std::size_t>(count, 1, polygons - 1) : count;
}

SimulatedPolygon to_map(const PixelPolygon& polygon, const std::array<double, 6>& geotransform) {
  SimulatedPolygon result;
  for (const Point& point : polygon.ring) {
    result.ring.push_back({geotransform[0] + point[0] * geotransform[1], geotransform[3] + point[1] * geotransform[5]});
  }
  return result;
}

}  // namespace

std::vector<SimulatedPolygon> place_polygons(const SimulationSpec& spec, const SimulatedLayout& layout,
                                             const RasterGrid& grid) {
  std::vector<SimulatedPolygon> result;
  if (spec.polygons.per_class == 0) {
    return result;
  }
  std::vector<Window> taken;
  for (std::size_t label = 0; label < spec.classes.size(); ++label) {
    const std::vector<PixelPolygon> placed = place_class(spec, layout, label, taken);
    if (placed.empty()) {
      throw ConfigError("/polygons: no polygon of at least " + std::to_string(kFewestPixels) +
                        " pixels fits into the regions of class " + spec.classes[label].name +
                        "; its regions must be larger or the radii smaller");
    }
    const std::size_t train = training_count(placed.size(), spec.polygons.train_fraction);
    for (std::size_t i = 0; i < placed.size(); ++i) {
      SimulatedPolygon polygon = to_map(placed[i], *grid.geotransform);
      polygon.class_name = spec.classes[label].name;
      polygon.split = i < train ? "train" : "test";
      result.push_back(std::move(polygon));
    }
  }
  return result;
}

}  // namespace parsimap
