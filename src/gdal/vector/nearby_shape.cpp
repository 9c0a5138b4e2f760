#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "rasterise.hpp"

namespace parsimap {
namespace {

// Differences and products of coordinates stay finite.
// Reprojection gives infinite or enormous coordinates for points far outside of the area of a reference system.
constexpr double kLargestCoordinate = 1e100;

using Point = std::array<double, 2>;

class CoordinateCheck final : public OGRDefaultConstGeometryVisitor {
 public:
  [[nodiscard]] bool usable() const { return usable_; }

  using OGRDefaultConstGeometryVisitor::visit;
  void visit(const OGRPoint* point) override {
    if (point->IsEmpty() == 0) {
      check(point->getX(), point->getY());
    }
  }
  void visit(const OGRLineString* line) override {
    for (int i = 0; i < line->getNumPoints(); ++i) {
      check(line->getX(i), line->getY(i));
    }
  }

 private:
  // NaN is refused as well.
  void check(double x, double y) {
    usable_ = usable_ && std::abs(x) <= kLargestCoordinate && std::abs(y) <= kLargestCoordinate;
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

std::vector<Point> points_of(const OGRLineString& line) {
  std::vector<Point> points;
  for (int i = 0; i < line.getNumPoints(); ++i) {
    points.push_back({line.getX(i), line.getY(i)});
  }
  return points;
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
      for (const auto& [x, y] : corners) {
        cut.addPoint(x, y);
      }
      cut.closeRings();
      result->addRing(&cut);
    }
  }
  return result;
}

// Nothing where the segment does not meet the box.
std::optional<std::pair<Point, Point>> cut_segment(Point from, Point to, const OGREnvelope& box) {
  // A segment that lies on the far side of one edge does not meet the box; one that crosses an edge ends there.
  for (const Edge& edge : edges_of(box)) {
    if (!edge.holds(from) && !edge.holds(to)) {
      return std::nullopt;
    }
    if (edge.holds(from) != edge.holds(to)) {
      (edge.holds(from) ? to : from) = edge.crossing(from, to);
    }
  }
  return std::pair(from, to);
}

std::unique_ptr<OGRGeometry> cut_line(const OGRLineString& line, const OGREnvelope& box) {
  // Every segment is cut by itself: what leaves the box and comes back is several lines.
  auto result = std::make_unique<OGRMultiLineString>();
  const std::vector<Point> points = points_of(line);
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (const auto segment = cut_segment(points[i - 1], points[i], box)) {
      OGRLineString cut;
      cut.addPoint(segment->first[0], segment->first[1]);
      cut.addPoint(segment->second[0], segment->second[1]);
      result->addGeometry(&cut);
    }
  }
  return result;
}

}  // namespace

bool has_usable_coordinates(const OGRGeometry& geometry) {
  CoordinateCheck check;
  geometry.accept(&check);
  return check.usable();
}

std::unique_ptr<OGRGeometry> part_in_box(const OGRGeometry& shape, const OGREnvelope& box) {
  // Null means that the shape needs no cutting: it lies in the box, or is of a kind (a point) that always can be
  // rasterised.
  OGREnvelope envelope;
  shape.getEnvelope(&envelope);
  if (box.Contains(envelope) != 0) {
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
