#include "parsimap/simulation/simulated_layout.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <optional>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/core/random.hpp"

namespace parsimap {
namespace {

// Classes of `regions` regions: in random order, each to the class that is farthest below its share.
std::vector<int> deal_regions(Index regions, const std::vector<SimulatedClassSpec>& classes, Random& random) {
  const double all = total(classes, &SimulatedClassSpec::weight);
  // Every region goes to the class that still misses most of its share of the regions, which is its weight.
  auto missing =
      mapped<double>(classes, [&](const auto& entry) { return entry.weight / all * static_cast<double>(regions); });
  std::vector<int> result(static_cast<std::size_t>(regions));
  std::size_t dealt = 0;
  for (const Index region : random.permutation(regions)) {
    // One each first, so that no class is absent.
    const std::size_t next =
        dealt < classes.size() ? dealt : static_cast<std::size_t>(std::ranges::max_element(missing) - missing.begin());
    result[static_cast<std::size_t>(region)] = static_cast<int>(next);
    missing[next] -= 1;
    ++dealt;
  }
  return result;
}

Index divide_up(Index value, Index divisor) { return (value + divisor - 1) / divisor; }

using Point = std::array<double, 2>;

constexpr int kCorners = 6;
constexpr Index kAttemptsPerPolygon = 2000;
// So many polygons in a row that do not fit say that there is no room left.
constexpr Index kVainAttempts = 200'000;
constexpr Index kAttemptsBetweenReports = 1024;
constexpr Index kPolygonDistance = 2;  // pixels
constexpr int kFewestPixels = 4;

// In pixel coordinates (column, row), closed.
struct PixelPolygon {
  std::vector<Point> ring;
  Window box;
};

// Corners on an ellipse, at uneven angles; to a hundredth of a pixel, so that all computers give the same ones.
// A polygon of six corners, as somebody digitises a field. Angles stay within 0.6 of their sixth of the circle, so that
// corners are in order and the ring does not cross itself.
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
  // A ring is closed: its last corner is the first one.
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
    // A ray to the right crosses the ring an odd number of times from inside.
    if ((a[1] > y) != (b[1] > y) && x < a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0])) {
      inside = !inside;
    }
  }
  return inside;
}

bool apart(const Window& a, const Window& b) {
  return a.column + a.width + kPolygonDistance <= b.column || b.column + b.width + kPolygonDistance <= a.column ||
         a.row + a.height + kPolygonDistance <= b.row || b.row + b.height + kPolygonDistance <= a.row;
}

// The boxes of the polygons so far, found by the square cell that their upper left corner lies in. A cell is as wide as
// the largest box and the distance to be kept, so that whatever is near to a box lies in its cell or in one beside it.
class TakenBoxes {
 public:
  explicit TakenBoxes(const PolygonSpec& polygons)
      : cell_(static_cast<Index>(2 * std::ceil(polygons.largest_radius)) + 2 + kPolygonDistance) {}

  void add(const Window& box) { boxes_[{box.row / cell_, box.column / cell_}].push_back(box); }

  [[nodiscard]] bool free(const Window& box) const {
    // Only boxes in the same cell and in the eight cells around it can be too near.
    const Index row = box.row / cell_;
    const Index column = box.column / cell_;
    for (Index y = row - 1; y <= row + 1; ++y) {
      for (Index x = column - 1; x <= column + 1; ++x) {
        const auto found = boxes_.find({y, x});
        if (found != boxes_.end() &&
            !std::ranges::all_of(found->second, [&](const Window& other) { return apart(box, other); })) {
          return false;
        }
      }
    }
    return true;
  }

 private:
  Index cell_;
  std::map<std::pair<Index, Index>, std::vector<Window>> boxes_;  // by row and column of the cell
};

// Counts the pixels of a row of the polygon's box whose centre is inside; nothing where one has not the code.
// A polygon is accepted if the reference has the code of its class at all of its pixels, so that training labels are
// right.
std::optional<int> pixels_of_class(const PixelPolygon& polygon, Index row, const SimulatedLayout& layout,
                                   std::uint16_t code) {
  std::vector<std::uint16_t> codes;
  layout.reference({polygon.box.column, row, polygon.box.width, 1}, codes);
  int pixels = 0;
  for (Index column = 0; column < polygon.box.width; ++column) {
    if (contains(polygon.ring, static_cast<double>(polygon.box.column + column) + 0.5,
                 static_cast<double>(row) + 0.5)) {
      if (codes[static_cast<std::size_t>(column)] != code) {
        return std::nullopt;
      }
      ++pixels;
    }
  }
  return pixels;
}

// True when enough pixel centres are inside and all of them have the code.
bool lies_in_class(const PixelPolygon& polygon, const SimulatedLayout& layout, std::uint16_t code) {
  int pixels = 0;
  for (Index row = polygon.box.row; row < polygon.box.row + polygon.box.height; ++row) {
    const std::optional<int> more = pixels_of_class(polygon, row, layout, code);
    if (!more) {
      return false;
    }
    pixels += *more;
  }
  return pixels >= kFewestPixels;
}

// `progress` receives the share of the polygons that have been placed.
std::vector<PixelPolygon> place_class(const SimulationSpec& spec, const SimulatedLayout& layout, std::size_t label,
                                      TakenBoxes& taken, const Progress& progress) {
  // Random attempts: a polygon that leaves the grid, is too near to another, or does not lie in its class is drawn
  // again. Attempts are bounded in total and in a row, because small regions may have no room for more.
  Random random(spec.seed, simulation_stream(SimulationStream::polygons, label));
  std::vector<PixelPolygon> placed;
  const Index wanted = spec.polygons.per_class;
  Index vain = 0;
  for (Index attempt = 0; attempt < kAttemptsPerPolygon * wanted && vain < kVainAttempts; ++attempt, ++vain) {
    if (static_cast<Index>(placed.size()) == wanted) {
      break;
    }
    PixelPolygon polygon = draw_polygon(spec, random);
    const Window& box = polygon.box;
    const bool on_grid =
        box.column >= 0 && box.row >= 0 && box.column + box.width <= spec.width && box.row + box.height <= spec.height;
    const bool free = on_grid && taken.free(box);
    // A large polygon is worth a report of its own: its pixels take long.
    if (progress && (free || attempt % kAttemptsBetweenReports == 0)) {
      progress(static_cast<double>(placed.size()) / static_cast<double>(wanted));
    }
    if (free && lies_in_class(polygon, layout, static_cast<std::uint16_t>(label + 1))) {
      taken.add(polygon.box);
      placed.push_back(std::move(polygon));
      vain = 0;
    }
  }
  return placed;
}

// At least one polygon for training and one for testing where both are wanted and there are two.
std::size_t training_count(std::size_t polygons, double fraction) {
  const auto count = static_cast<std::size_t>(std::llround(fraction * static_cast<double>(polygons)));
  const bool both = polygons >= 2 && fraction > 0 && fraction < 1;
  return both ? std::clamp<std::size_t>(count, 1, polygons - 1) : count;
}

// Grids of simulated scenes are not rotated, so that two coefficients of the geotransform are zero.
SimulatedPolygon to_map(const PixelPolygon& polygon, const std::array<double, 6>& geotransform) {
  SimulatedPolygon result;
  for (const Point& point : polygon.ring) {
    result.ring.push_back({geotransform[0] + point[0] * geotransform[1], geotransform[3] + point[1] * geotransform[5]});
  }
  return result;
}

}  // namespace

Index layout_regions(const SimulationSpec& spec) {
  const LayoutSpec& layout = spec.layout;
  if (layout.kind == "stripes") {
    return divide_up(spec.width, layout.stripe_width);
  }
  return layout.kind == "blocks" ? divide_up(spec.width, layout.block_size) * divide_up(spec.height, layout.block_size)
                                 : layout.sites;
}

SimulatedLayout::SimulatedLayout(const SimulationSpec& spec)
    : spec_(spec.layout), width_(spec.width), height_(spec.height) {
  Random random(spec.seed, simulation_stream(SimulationStream::layout, 0));
  // How many regions there are follows from the kind of layout; which class each of them has is dealt out in one go,
  // so that reading a window needs no more random numbers.
  for (Index site = 0; spec_.kind == "voronoi" && site < spec_.sites; ++site) {
    const double column = random.uniform() * static_cast<double>(width_);
    const double row = random.uniform() * static_cast<double>(height_);
    sites_.push_back({column, row});
  }
  if (spec_.kind != "map") {
    region_class_ = deal_regions(layout_regions(spec), spec.classes, random);
  }
}

void SimulatedLayout::voronoi_row(Index row, const Window& window, int* regions) const {
  // Each pixel belongs to the site nearest to its centre; the first of equally near ones.
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
  // Pixels around the window, as far as the gap reaches, decide about pixels at its border: the reference does not
  // depend on how the scene is divided into windows.
  const Window wide = with_surroundings(window, spec_.gap, {0, 0, width_, height_});
  std::vector<int> around;
  regions(wide, around);
  const auto region_at = [&](Index row, Index column) {
    return around[static_cast<std::size_t>((row - wide.row) * wide.width + column - wide.column)];
  };
  // A pixel has a reference label where all pixels within the gap are of its region: borders are left out.
  const auto inside_region = [&](Index row, Index column) {
    const int own = region_at(row, column);
    const Window near = with_surroundings({column, row, 1, 1}, spec_.gap, wide);
    for (Index y = near.row; y < near.row + near.height; ++y) {
      for (Index x = near.column; x < near.column + near.width; ++x) {
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

std::vector<SimulatedPolygon> place_polygons(const SimulationSpec& spec, const SimulatedLayout& layout,
                                             const RasterGrid& grid, const Progress& progress) {
  std::vector<SimulatedPolygon> result;
  if (spec.polygons.per_class == 0) {
    return result;
  }
  // Polygons of all classes keep their distance from each other, so the boxes taken are common to the classes.
  TakenBoxes taken(spec.polygons);
  const auto classes = static_cast<double>(spec.classes.size());
  for (std::size_t label = 0; label < spec.classes.size(); ++label) {
    const auto report = [&](double share) { progress((static_cast<double>(label) + share) / classes); };
    const std::vector<PixelPolygon> placed =
        place_class(spec, layout, label, taken, progress ? Progress(report) : Progress());
    if (placed.empty()) {
      throw ConfigError("/polygons: no polygon of at least " + std::to_string(kFewestPixels) +
                        " pixels fits into the regions of class " + spec.classes[label].name +
                        "; its regions must be larger or the radii smaller");
    }
    // The first polygons are for training: their order is random.
    const std::size_t train = training_count(placed.size(), spec.polygons.train_fraction);
    for (std::size_t i = 0; i < placed.size(); ++i) {
      SimulatedPolygon polygon = to_map(placed[i], *grid.geotransform);
      polygon.class_name = spec.classes[label].name;
      polygon.split = i < train ? "train" : "test";
      result.push_back(std::move(polygon));
    }
  }
  report_done(progress, 1, 1);
  return result;
}

}  // namespace parsimap
