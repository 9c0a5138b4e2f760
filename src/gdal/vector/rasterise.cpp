#include "rasterise.hpp"

#include <cpl_string.h>
#include <gdal_alg.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <utility>

#include "parsimap/core/error.hpp"

namespace parsimap {
namespace {

// Coordinates of pixels are rounded to this part of a pixel.
constexpr double kCoordinateSteps = 1 << 20;
// A geometry is burnt a strip at a time, which bounds the memory it takes.
constexpr Index kBurntPixels = Index{1} << 22;
// Lines and polygons are cut off this far beyond the grid, in pixels.
constexpr double kFar = 1 << 20;

// What brings map coordinates to the pixels of a window.
struct Placement {
  const Rasteriser& rasteriser;
  const Window& window;
};

// A transformer as GDAL's rasterisation calls it: from map coordinates, in place, to columns and rows of the window.
int to_window(void* argument, int, int count, double* x, double* y, double*, int* success) {
  const auto* placement = static_cast<const Placement*>(argument);
  for (int i = 0; i < count; ++i) {
    const auto [column, row] = placement->rasteriser.place_of(x[i], y[i]);
    x[i] = column - static_cast<double>(placement->window.column);
    y[i] = row - static_cast<double>(placement->window.row);
    success[i] = TRUE;
  }
  return TRUE;
}

// The mask has the value 1 for each pixel of the window that the shape owns: those whose centre is inside a polygon,
// and those that a line passes, by the rules of GDAL. The canvas has no geotransform: the transformer replaces it.
std::vector<std::uint8_t> burn(const OGRGeometry& geometry, const Window& window, const Rasteriser& rasteriser) {
  const ErrorCollector errors;
  const DatasetPtr canvas(GetGDALDriverManager()->GetDriverByName("MEM")->Create(
      "", static_cast<int>(window.width), static_cast<int>(window.height), 1, GDT_Byte, nullptr));
  std::vector<std::uint8_t> mask(static_cast<std::size_t>(window.pixels()));
  int band = 1;
  double value = 1;
  Placement placement{rasteriser, window};
  OGRGeometryH handle = OGRGeometry::ToHandle(const_cast<OGRGeometry*>(&geometry));
  if (canvas == nullptr ||
      GDALRasterizeGeometries(canvas.get(), 1, &band, 1, &handle, &to_window, &placement, &value, nullptr, nullptr,
                              nullptr) != CE_None ||
      !read_window(*canvas->GetRasterBand(1), {0, 0, window.width, window.height}, mask.data(), GDT_Byte)) {
    throw IoError("a feature cannot be rasterised: " + errors.text());
  }
  return mask;
}

// Differences and products of coordinates stay finite.
// Reprojection gives infinite or enormous coordinates for points far outside of the area of a reference system.
constexpr double kLargestCoordinate = 1e100;

using Point = std::array<double, 2>;

std::vector<Point> points_of(const OGRLineString& line) {
  return mapped<Point>(line, [](const OGRPoint& point) { return Point{point.getX(), point.getY()}; });
}

class CoordinateCheck final : public OGRDefaultConstGeometryVisitor {
 public:
  [[nodiscard]] bool usable() const { return usable_; }

  using OGRDefaultConstGeometryVisitor::visit;
  void visit(const OGRPoint* point) override {
    check(point->IsEmpty() != 0 ? Point{} : Point{point->getX(), point->getY()});
  }
  void visit(const OGRLineString* line) override {
    std::ranges::for_each(points_of(*line), [this](const Point& point) { check(point); });
  }

 private:
  // NaN is refused as well.
  void check(const Point& point) {
    usable_ = usable_ && std::abs(point[0]) <= kLargestCoordinate && std::abs(point[1]) <= kLargestCoordinate;
  }

  bool usable_ = true;
};

// One edge of a box: what lies on the right side of it.
struct Edge {
  std::size_t axis;  // 0 for x, 1 for y
  double bound;
  bool upper;  // the bound is the largest value

  [[nodiscard]] bool holds(const Point& point) const { return upper ? point[axis] <= bound : point[axis] >= bound; }
  // Where the way from one point to another, on different sides, crosses the edge.
  [[nodiscard]] Point crossing(const Point& from, const Point& to) const {
    // Exactly one of both points is on the kept side, so that the denominator is not zero. The coordinate on the axis
    // is set to the bound, which rounding would miss.
    const double share = (bound - from[axis]) / (to[axis] - from[axis]);
    Point point = {from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])};
    point[axis] = bound;
    return point;
  }
};

std::array<Edge, 4> edges_of(const OGREnvelope& box) {
  return {{{0, box.MinX, false}, {0, box.MaxX, true}, {1, box.MinY, false}, {1, box.MaxY, true}}};
}

// The corners of a ring that is cut along each edge of the box in turn (Sutherland and Hodgman 1974).
// Along each edge, corners on the inner side are kept, and a crossing is added where a side of the ring leaves or
// enters. What lies outside is moved onto the edges of the box, which leaves the ring closed and the inside of the box
// unchanged: the box is far larger than the grid, so that its edges meet no pixel.
std::vector<Point> cut_ring(std::vector<Point> corners, const OGREnvelope& box) {
  for (const Edge& edge : edges_of(box)) {
    std::vector<Point> kept;
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const Point& from = corners[i];
      const Point& to = corners[(i + 1) % corners.size()];
      if (edge.holds(from)) {
        kept.push_back(from);
      }
      if (edge.holds(from) != edge.holds(to)) {
        kept.push_back(edge.crossing(from, to));
      }
    }
    corners = std::move(kept);
  }
  return corners;
}

std::unique_ptr<OGRGeometry> cut_polygon(const OGRPolygon& polygon, const OGREnvelope& box) {
  // Holes are cut like the outer ring. A ring of which fewer than three corners are left has no area in the box.
  auto result = std::make_unique<OGRPolygon>();
  for (const OGRLinearRing* ring : polygon) {
    const std::vector<Point> corners = cut_ring(points_of(*ring), box);
    if (corners.size() >= 3) {
      OGRLinearRing cut;
      std::ranges::for_each(corners, [&](const Point& corner) { cut.addPoint(corner[0], corner[1]); });
      cut.closeRings();
      result->addRing(&cut);
    }
  }
  return result;
}

std::unique_ptr<OGRGeometry> cut_line(const OGRLineString& line, const OGREnvelope& box) {
  // Every segment is cut by itself: what leaves the box and comes back is several lines.
  auto result = std::make_unique<OGRMultiLineString>();
  const std::vector<Point> points = points_of(line);
  for (std::size_t i = 1; i < points.size(); ++i) {
    Point from = points[i - 1];
    Point to = points[i];
    bool meets = true;
    // A segment that lies on the far side of one edge does not meet the box; one that crosses an edge ends there.
    for (const Edge& edge : edges_of(box)) {
      meets = meets && (edge.holds(from) || edge.holds(to));
      if (meets && edge.holds(from) != edge.holds(to)) {
        (edge.holds(from) ? to : from) = edge.crossing(from, to);
      }
    }
    if (meets) {
      OGRLineString cut;
      cut.addPoint(from[0], from[1]);
      cut.addPoint(to[0], to[1]);
      result->addGeometry(&cut);
    }
  }
  return result;
}

}  // namespace

void check_features_read(const ErrorCollector& errors, const std::string& path) {
  errors.check_files("the features of " + path + " cannot be read:");
  if (errors.failed()) {
    throw DataError("the features of " + path + " cannot be read: " + errors.text());
  }
}

std::unique_ptr<OGRGeometry> placed_geometry(std::unique_ptr<OGRGeometry> geometry,
                                             OGRCoordinateTransformation* transformation) {
  // Curves become sequences of straight segments before they are transformed, as GDAL transforms only the points that
  // are there. What cannot be placed counts as outside of the scene.
  const ErrorCollector ignored;
  if (geometry != nullptr && geometry->hasCurveGeometry() != 0) {
    geometry.reset(geometry->getLinearGeometry());
  }
  if (geometry == nullptr || (transformation != nullptr && geometry->transform(transformation) != OGRERR_NONE) ||
      !has_usable_coordinates(*geometry)) {
    return nullptr;
  }
  return geometry;
}

std::vector<const OGRGeometry*> parts_of(const OGRGeometry& geometry) {
  if (OGR_GT_IsSubClassOf(wkbFlatten(geometry.getGeometryType()), wkbGeometryCollection) == 0) {
    return {&geometry};
  }
  // Collections may contain collections: simple geometries are listed, in their order.
  std::vector<const OGRGeometry*> parts;
  for (const OGRGeometry* member : *geometry.toGeometryCollection()) {
    add_all(parts, parts_of(*member));
  }
  return parts;
}

OGREnvelope envelope_of(const OGRGeometry& geometry) {
  OGREnvelope envelope;
  if (geometry.IsEmpty() == 0) {
    geometry.getEnvelope(&envelope);
  }
  return envelope;
}

std::string extent_text(const OGREnvelope& extent) {
  return CPLSPrintf("x %.10g to %.10g, y %.10g to %.10g", extent.MinX, extent.MaxX, extent.MinY, extent.MaxY);
}

Rasteriser::Rasteriser(const RasterGrid& grid, const std::string& name) : grid_(grid) {
  std::array<double, 6> forward = grid.geotransform.value_or(std::array<double, 6>{0, 1, 0, 0, 0, 1});
  if (GDALInvGeoTransform(forward.data(), inverse_) == 0) {
    throw DataError("the geotransform of " + name + " cannot be inverted: pixels have no area");
  }
}

std::array<double, 2> Rasteriser::place_of(double x, double y) const {
  // Reprojection leaves noise of some 1e-9 pixels.
  const auto rounded = [](double coordinate) { return std::round(coordinate * kCoordinateSteps) / kCoordinateSteps; };
  return {rounded(inverse_[0] + x * inverse_[1] + y * inverse_[2]),
          rounded(inverse_[3] + x * inverse_[4] + y * inverse_[5])};
}

Window Rasteriser::window_of(const OGREnvelope& envelope) const {
  // Corners of the envelope in columns and rows: the grid may be rotated, so that all four count.
  OGREnvelope box;
  for (const double x : {envelope.MinX, envelope.MaxX}) {
    for (const double y : {envelope.MinY, envelope.MaxY}) {
      const auto [column, row] = place_of(x, y);
      box.Merge(column, row);
    }
  }
  // Comparisons with NaN are false: negated, they give a geometry with such coordinates no window.
  if (!(box.MinX < static_cast<double>(grid_.width) && box.MaxX >= 0 && box.MinY < static_cast<double>(grid_.height) &&
        box.MaxY >= 0)) {
    return {};
  }
  const auto clip = [](double value, Index limit) {
    return static_cast<Index>(std::clamp(value, 0.0, static_cast<double>(limit)));
  };
  const Index column = clip(std::floor(box.MinX), grid_.width);
  const Index row = clip(std::floor(box.MinY), grid_.height);
  // Whole pixels: from the one that contains the left or upper edge to the one that contains the right or lower edge.
  return {column, row, clip(std::floor(box.MaxX) + 1, grid_.width) - column,
          clip(std::floor(box.MaxY) + 1, grid_.height) - row};
}

bool Rasteriser::touches(const OGRGeometry& geometry) const { return window_of(envelope_of(geometry)).pixels() > 0; }

OGREnvelope Rasteriser::extent() const {
  OGREnvelope envelope;
  for (const auto column : {0.0, static_cast<double>(grid_.width)}) {
    for (const auto row : {0.0, static_cast<double>(grid_.height)}) {
      const auto [x, y] = map_point(grid_, column, row);
      envelope.Merge(x, y);
    }
  }
  return envelope;
}

std::vector<std::int64_t> Rasteriser::pixels_of(const OGRGeometry& geometry) const {
  std::vector<std::int64_t> pixels;
  // GDAL fills all rings of a call by the even-odd rule, and parts may overlap: each part has a call of its own.
  for (const OGRGeometry* part : parts_of(geometry)) {
    const Window window = window_of(envelope_of(*part));
    if (window.pixels() == 0) {
      continue;
    }
    const OGRwkbGeometryType type = wkbFlatten(part->getGeometryType());
    // The window of a point is the pixel that contains it.
    if (type == wkbPoint) {
      pixels.push_back(std::int64_t{window.row} * grid_.width + window.column);
    } else if (OGR_GT_IsSubClassOf(type, wkbPolyhedralSurface) != 0) {
      // GDAL draws no surfaces in space, such as buildings in shapefiles of patches, nor triangles, but plain polygons.
      for (const OGRPolygon* patch : *part->toPolyhedralSurface()) {
        add_all(pixels, pixels_of(*patch));
      }
    } else if (type == wkbTriangle) {
      add_shape(OGRPolygon(*part->toPolygon()), window, pixels);
    } else {
      add_shape(*part, window, pixels);
    }
  }
  return pixels;
}

// The grid and kFar pixels around it.
OGREnvelope Rasteriser::surroundings() const {
  const std::array<double, 6> g = grid_.geotransform.value_or(std::array<double, 6>{0, 1, 0, 0, 0, 1});
  OGREnvelope box = extent();
  const double x = kFar * (std::abs(g[1]) + std::abs(g[2]));
  const double y = kFar * (std::abs(g[4]) + std::abs(g[5]));
  box.Merge(box.MinX - x, box.MinY - y);
  box.Merge(box.MaxX + x, box.MaxY + y);
  return box;
}

void Rasteriser::add_shape(const OGRGeometry& shape, const Window& window, std::vector<std::int64_t>& pixels) const {
  // GDAL's rasterisation computes with integers, which coordinates far outside of the window would overflow, and
  // follows lines pixel by pixel also outside of it. Therefore shapes are cut first.
  const std::unique_ptr<OGRGeometry> part = part_in_box(shape, surroundings());
  const OGRGeometry& geometry = part != nullptr ? *part : shape;
  if (geometry.IsEmpty() != 0) {
    return;
  }
  // GDAL burns the shape into a mask of one strip of rows after the other, and the pixels are read off it.
  for (const Window& strip : row_strips(window, kBurntPixels)) {
    const std::vector<std::uint8_t> mask = burn(geometry, strip, *this);
    for (Index row = 0; row < strip.height; ++row) {
      for (Index column = 0; column < strip.width; ++column) {
        if (mask[static_cast<std::size_t>(row * strip.width + column)] != 0) {
          pixels.push_back(std::int64_t{strip.row + row} * grid_.width + strip.column + column);
        }
      }
    }
  }
}

// Runs are half-open ranges [begin, end) of pixels of the whole grid, numbered row by row.
void PixelRuns::add(std::int64_t number, std::vector<std::int64_t> pixels) {
  for (const std::int64_t pixel : distinct(std::move(pixels))) {
    append(runs_, {pixel, pixel + 1, number});
  }
}

Window PixelRuns::window(Index width) const {
  PixelBounds bounds;
  for (const Run& run : runs_) {
    const std::int64_t last = run.end - 1;
    // A run over the end of a row has pixels at both sides of the grid.
    const bool one_row = run.begin / width == last / width;
    bounds.add(one_row ? run.begin % width : 0, run.begin / width);
    bounds.add(one_row ? last % width : width - 1, last / width);
  }
  return bounds.window();
}

void PixelRuns::append(std::vector<Run>& runs, const Run& run) const {
  if (!runs.empty() && runs.back().number == run.number && runs.back().end == run.begin) {
    runs.back().end = run.end;
  } else {
    runs.push_back(run);
  }
}

void PixelRuns::settle() {
  std::ranges::sort(runs_, [](const Run& a, const Run& b) { return a.begin < b.begin; });
  // A sweep over the pixels: among the runs that have begun, the one of the smallest number is on top.
  const auto later = [](const Run& a, const Run& b) { return a.number > b.number; };
  // Runs overlap where features do. Afterwards they are disjoint and ascending, so that fill() finds them by bisection.
  std::priority_queue<Run, std::vector<Run>, decltype(later)> begun(later);
  std::vector<Run> settled;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    std::int64_t position = runs_[i].begin;
    begun.push(runs_[i]);
    lost_ += runs_[i].end - runs_[i].begin;
    // Up to the beginning of the next run, the set of runs that have begun does not change, except that some end. The
    // smallest number owns the pixels: the feature that was read first.
    const std::int64_t next = i + 1 < runs_.size() ? runs_[i + 1].begin : std::numeric_limits<std::int64_t>::max();
    while (!begun.empty() && position < next) {
      // The top run extends to its end or to the beginning of the next run, and a run that has ended is removed.
      const Run& top = begun.top();
      const std::int64_t end = std::min(top.end, next);
      if (end > position) {
        append(settled, {position, end, top.number});
        lost_ -= end - position;
        position = end;
      } else {
        begun.pop();
      }
    }
  }
  runs_ = std::move(settled);
}

void PixelRuns::fill(std::int64_t first, Index count, std::int64_t* numbers) const {
  // The first run that ends behind the first pixel, and those that follow it as long as they begin before the last one.
  const std::int64_t last = first + count;
  auto run = std::ranges::upper_bound(runs_, first, {}, &Run::end);
  for (; run != runs_.end() && run->begin < last; ++run) {
    std::fill(numbers + (std::max(run->begin, first) - first), numbers + (std::min(run->end, last) - first),
              run->number);
  }
}

bool has_usable_coordinates(const OGRGeometry& geometry) {
  CoordinateCheck check;
  geometry.accept(&check);
  return check.usable();
}

std::unique_ptr<OGRGeometry> part_in_box(const OGRGeometry& shape, const OGREnvelope& box) {
  // Null means that the shape needs no cutting: it lies in the box, or is of a kind (a point) that always can be
  // rasterised.
  if (box.Contains(envelope_of(shape)) != 0) {
    return nullptr;
  }
  switch (wkbFlatten(shape.getGeometryType())) {
    case wkbLineString:
      return cut_line(*shape.toLineString(), box);
    case wkbPolygon:
    case wkbTriangle:
      return cut_polygon(*shape.toPolygon(), box);
    default:
      return nullptr;
  }
}

}  // namespace parsimap
