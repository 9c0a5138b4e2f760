#include "parsimap/validation/unit_design.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <tuple>

#include "parsimap/core/random.hpp"
#include "parsimap/samples/sampling.hpp"
#include "parsimap/validation/folds.hpp"

namespace parsimap {
namespace {

constexpr Index kFolds = 5;
constexpr Index kQuantiles = 201;
constexpr Index kFewestUnits = 10;     // an accuracy of fewer is mostly chance
constexpr double kNearlyAsWell = 0.1;  // a tenth of typical distances
constexpr std::size_t kMostMapPixels = 10000;
constexpr std::size_t kMostQueries = 2000;                        // left-out samples whose distances are looked at
constexpr std::uint64_t kOffsetStream = std::uint64_t{1} << 34U;  // random stream of the offset of blocks

// A tree of rectangles over points of the plane (a k-d tree) that finds the nearest point of another fold.
class NearestPoints {
 public:
  explicit NearestPoints(const Matrix& points) : points_(points), order_(static_cast<std::size_t>(points.rows())) {
    std::iota(order_.begin(), order_.end(), Index{0});
    if (!order_.empty()) {
      build(0, points.rows());
    }
  }

  // `fold_of` has the fold of every point and is kept by the caller.
  void set_folds(const std::vector<Index>& fold_of) {
    fold_of_ = &fold_of;
    // Children follow their parent, so that all of them are known when it is reached from behind.
    for (auto node = nodes_.rbegin(); node != nodes_.rend(); ++node) {
      node->fold = common_fold(*node);
    }
  }

  // The distance from a place to the nearest point whose fold is not `own`; infinite without such a point.
  [[nodiscard]] double distance(double x, double y, Index own) const {
    double best = std::numeric_limits<double>::infinity();
    if (!nodes_.empty()) {
      search(0, x, y, own, best);
    }
    return std::sqrt(best);
  }

 private:
  static constexpr Index kLeaf = 8;
  static constexpr Index kMixed = -2;

  struct Node {
    Index begin, end;                 // in the order
    std::size_t left = 0, right = 0;  // children; 0 for a leaf
    std::array<double, 4> box;        // least x, largest x, least y, largest y
    Index fold = kMixed;              // of all points, if they have one in common
  };

  std::size_t build(Index begin, Index end) {
    const std::size_t at = nodes_.size();
    const Indices rows(order_.begin() + begin, order_.begin() + end);
    const auto x = points_.col(0)(rows);
    const auto y = points_.col(1)(rows);
    nodes_.push_back({begin, end, 0, 0, {x.minCoeff(), x.maxCoeff(), y.minCoeff(), y.maxCoeff()}});
    if (end - begin > kLeaf) {
      // The points are halved along the longer side of their rectangle.
      const auto& box = nodes_[at].box;
      const Index axis = box[1] - box[0] >= box[3] - box[2] ? 0 : 1;
      const Index middle = (begin + end) / 2;
      std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                       [&](Index a, Index b) { return points_(a, axis) < points_(b, axis); });
      const std::size_t left = build(begin, middle);
      const std::size_t right = build(middle, end);
      nodes_[at].left = left;
      nodes_[at].right = right;
    }
    return at;
  }

  [[nodiscard]] Index fold_at(Index i) const {
    return (*fold_of_)[static_cast<std::size_t>(order_[static_cast<std::size_t>(i)])];
  }

  [[nodiscard]] Index common_fold(const Node& node) const {
    if (node.left != 0) {
      return nodes_[node.left].fold == nodes_[node.right].fold ? nodes_[node.left].fold : kMixed;
    }
    for (Index i = node.begin; i < node.end; ++i) {
      if (fold_at(i) != fold_at(node.begin)) {
        return kMixed;
      }
    }
    return fold_at(node.begin);
  }

  [[nodiscard]] double squared_distance(std::size_t at, double x, double y) const {
    const auto& box = nodes_[at].box;
    const double dx = std::max({box[0] - x, 0.0, x - box[1]});
    const double dy = std::max({box[2] - y, 0.0, y - box[3]});
    return dx * dx + dy * dy;
  }

  // Rectangles that lie farther away than the nearest point found, or hold points of the own fold only, are passed by.
  void search(std::size_t at, double x, double y, Index own, double& best) const {
    const Node& node = nodes_[at];
    if (node.fold == own || squared_distance(at, x, y) >= best) {
      return;
    }
    if (node.left == 0) {
      for (Index i = node.begin; i < node.end; ++i) {
        const Index row = order_[static_cast<std::size_t>(i)];
        const double dx = points_(row, 0) - x;
        const double dy = points_(row, 1) - y;
        best = fold_at(i) == own ? best : std::min(best, dx * dx + dy * dy);
      }
      return;
    }
    const bool left_first = squared_distance(node.left, x, y) <= squared_distance(node.right, x, y);
    search(left_first ? node.left : node.right, x, y, own, best);
    search(left_first ? node.right : node.left, x, y, own, best);
  }

  const Matrix& points_;
  Indices order_;
  std::vector<Node> nodes_;
  const std::vector<Index>* fold_of_ = nullptr;
};

// Linearly interpolated, of 0 .. 100 %.
std::vector<double> quantiles(std::vector<double> values, Index count) {
  std::ranges::sort(values);
  std::vector<double> result;
  for (Index k = 0; k < count; ++k) {
    const double place =
        static_cast<double>(k) / static_cast<double>(count - 1) * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    const double part = place - static_cast<double>(below);
    result.push_back(part == 0 ? values[below] : (1 - part) * values[below] + part * values[above]);
  }
  return result;
}

// Units of samples as numbers in the order of the first of their positions, by row and then by column.
class Candidates {
 public:
  Candidates(const std::vector<int>& labels, std::size_t classes, const std::vector<std::int64_t>& groups,
             const SamplePositions& positions, std::uint64_t seed)
      : labels_(labels), classes_(classes), groups_(groups), positions_(positions) {
    Random random(seed, kOffsetStream);
    offset_ = {random.uniform(), random.uniform()};
    origin_ = positions.samples.colwise().minCoeff();
  }

  using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t>;

  // Of a square of so many pixels, at an offset that is random but for single pixels.
  [[nodiscard]] Key block(std::size_t i, Index size) const {
    const auto cell = [&](Index axis) {
      const double pixel =
          std::round((positions_.samples(static_cast<Index>(i), axis) - origin_(axis)) / positions_.pixel);
      const double shift = std::floor(offset_[static_cast<std::size_t>(axis)] * static_cast<double>(size));
      return static_cast<std::int64_t>(std::floor((pixel + shift) / static_cast<double>(size)));
    };
    return {cell(1), cell(0), -1};
  }

  [[nodiscard]] std::vector<Key> blocks(Index size) const {
    std::vector<Key> keys;
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      keys.push_back(block(i, size));
    }
    return keys;
  }

  [[nodiscard]] std::vector<Key> groups() const {
    std::vector<Key> keys;
    for (const std::int64_t group : groups_) {
      keys.emplace_back(0, 0, group);
    }
    return keys;
  }

  // Classes in fewer than two units are cut into the largest blocks that give them kFolds units, or single pixels.
  std::vector<int> cut_classes(std::vector<Key>& keys, const std::vector<Index>& sizes) const {
    std::vector<int> cut;
    const std::vector<Indices> rows = rows_by_class(labels_, classes_);
    const auto key_of = [&](Index i) { return keys[static_cast<std::size_t>(i)]; };
    for (std::size_t c = 0; c < classes_; ++c) {
      if (rows[c].size() < 2 ||
          std::ranges::any_of(rows[c], [&](Index i) { return key_of(i) != key_of(rows[c].front()); })) {
        continue;
      }
      cut.push_back(static_cast<int>(c));
      for (auto size = sizes.rbegin(); size != sizes.rend(); ++size) {
        std::set<Key> parts;
        for (const Index i : rows[c]) {
          auto [row, column, none] = block(static_cast<std::size_t>(i), *size);
          keys[static_cast<std::size_t>(i)] = {row, column, -2 - static_cast<std::int64_t>(c)};
          parts.insert(keys[static_cast<std::size_t>(i)]);
        }
        if (static_cast<Index>(parts.size()) >= kFolds) {
          break;
        }
      }
    }
    return cut;
  }

  [[nodiscard]] std::vector<std::int64_t> numbered(const std::vector<Key>& keys, Index& count) const {
    const Matrix& points = positions_.samples;
    std::vector<Key> distinct = keys;
    std::ranges::sort(distinct);
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    count = static_cast<Index>(distinct.size());
    constexpr double kFar = std::numeric_limits<double>::infinity();
    std::vector<std::pair<double, double>> first(distinct.size(), {kFar, kFar});
    std::vector<std::int64_t> units;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      units.push_back(std::ranges::lower_bound(distinct, keys[i]) - distinct.begin());
      auto& place = first[static_cast<std::size_t>(units.back())];
      place = std::min(place, std::pair(points(static_cast<Index>(i), 1), points(static_cast<Index>(i), 0)));
    }
    Indices order(distinct.size());
    std::iota(order.begin(), order.end(), Index{0});
    const auto key = [&](Index unit) { return std::pair(first[static_cast<std::size_t>(unit)], unit); };
    std::ranges::sort(order, [&](Index a, Index b) { return key(a) < key(b); });
    std::vector<std::int64_t> number(distinct.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
      number[static_cast<std::size_t>(order[k])] = static_cast<std::int64_t>(k);
    }
    std::transform(units.begin(), units.end(), units.begin(),
                   [&](std::int64_t unit) { return number[static_cast<std::size_t>(unit)]; });
    return units;
  }

 private:
  const std::vector<int>& labels_;
  std::size_t classes_;
  const std::vector<std::int64_t>& groups_;
  const SamplePositions& positions_;
  std::array<double, 2> offset_{};
  Eigen::RowVector2d origin_;
};

// 1, 2, 3, 4, 6, 8, 11, 16, ...: powers of the root of two, up to half of the extent of the samples.
std::vector<Index> block_sizes(const SamplePositions& positions) {
  const Eigen::RowVector2d extent = positions.samples.colwise().maxCoeff() - positions.samples.colwise().minCoeff();
  const double most = extent.maxCoeff() / positions.pixel / 2;
  std::vector<Index> sizes = {1};
  for (Index k = 2; static_cast<double>(sizes.back()) < most; ++k) {
    sizes.push_back(std::lround(std::pow(2.0, 0.5 * static_cast<double>(k))));
  }
  return sizes;
}

// Every so many of the points in the order of their positions, `most` at most: the same whatever their order is.
Indices spread_points(const Matrix& points, std::size_t most) {
  Indices rows(static_cast<std::size_t>(points.rows()));
  std::iota(rows.begin(), rows.end(), Index{0});
  const auto key = [&](Index i) { return std::pair(points(i, 1), points(i, 0)); };
  std::ranges::sort(rows, [&](Index a, Index b) { return key(a) < key(b); });
  const std::size_t step = (rows.size() + most - 1) / most;
  Indices spread;
  for (std::size_t k = 0; k < rows.size(); k += step) {
    spread.push_back(rows[k]);
  }
  return spread;
}

// In pixels, so that they do not depend on the unit of positions.
std::vector<double> logarithmic_quantiles(const std::vector<double>& distances, double pixel) {
  std::vector<double> result = quantiles(distances, kQuantiles);
  std::transform(result.begin(), result.end(), result.begin(),
                 [&](double distance) { return std::log1p(distance / pixel); });
  return result;
}

// Compares candidates one after the other, from small units to large ones.
class UnitMatch {
 public:
  UnitMatch(const std::vector<int>& labels, const std::vector<std::string>& classes, const SamplePositions& positions,
            std::uint64_t seed)
      : labels_(labels),
        classes_(classes),
        positions_(positions),
        seed_(seed),
        nearest_(positions.samples),
        queries_(spread_points(positions.samples, kMostQueries)),
        fold_of_(labels.size()) {
    // With a fold for every sample, none is passed by from the map, and from a sample it alone.
    std::iota(fold_of_.begin(), fold_of_.end(), Index{0});
    nearest_.set_folds(fold_of_);
    std::vector<double> from_map;
    for (const Index i : spread_points(positions.map, kMostMapPixels)) {
      from_map.push_back(nearest_.distance(positions.map(i, 0), positions.map(i, 1), kNoFold));
    }
    wanted_ = logarithmic_quantiles(from_map, positions.pixel);
    design_.metres = positions.metres;
    design_.difference = std::numeric_limits<double>::infinity();
    design_.map_distances = quantiles(from_map, kShown);
    design_.label_distances = quantiles(from_samples(), kShown);
  }

  // `sizes` are those of blocks into which a class of a single unit may be cut. A candidate is taken whose difference
  // is at most that of the one before and `tolerance`.
  void consider(const std::string& name, const Candidates& candidates, std::vector<Candidates::Key> keys,
                const std::vector<Index>& sizes, double tolerance) {
    std::vector<int> cut = candidates.cut_classes(keys, sizes);
    Index count = 0;
    std::vector<std::int64_t> units = candidates.numbered(keys, count);
    // A design that has to cut most classes is none.
    if (count < kFolds || 2 * cut.size() > classes_.size()) {
      return;
    }
    fold_of_ = assign_folds(labels_, classes_.size(), units, kFolds, seed_, 0);
    nearest_.set_folds(fold_of_);
    const std::vector<double> distances = from_samples();
    const std::vector<double> found = logarithmic_quantiles(distances, positions_.pixel);
    double difference = 0;
    for (std::size_t k = 0; k < found.size(); ++k) {
      difference += std::abs(found[k] - wanted_[k]) / static_cast<double>(kQuantiles);
    }
    // Few units replace no design of many.
    const bool too_few = count < kFewestUnits && design_.count >= kFewestUnits;
    if (!too_few && difference <= design_.difference + tolerance) {
      design_.unit = name;
      design_.difference = difference;
      design_.count = count;
      design_.cut.clear();
      for (const int c : cut) {
        design_.cut.push_back(classes_[static_cast<std::size_t>(c)]);
      }
      design_.fold_distances = quantiles(distances, kShown);
      units_ = std::move(units);
    }
  }

  // Of the best candidate; without units where none could be shared out to folds.
  [[nodiscard]] MatchedUnits result() const { return {design_, units_}; }

 private:
  static constexpr Index kNoFold = -1;
  static constexpr Index kShown = 11;

  [[nodiscard]] std::vector<double> from_samples() const {
    const Matrix& points = positions_.samples;
    std::vector<double> distances;
    for (const Index i : queries_) {
      distances.push_back(nearest_.distance(points(i, 0), points(i, 1), fold_of_[static_cast<std::size_t>(i)]));
    }
    return distances;
  }

  const std::vector<int>& labels_;
  const std::vector<std::string>& classes_;
  const SamplePositions& positions_;
  std::uint64_t seed_;
  NearestPoints nearest_;
  Indices queries_;
  std::vector<Index> fold_of_;
  std::vector<double> wanted_;
  UnitDesign design_;
  std::vector<std::int64_t> units_;
};

}  // namespace

MatchedUnits match_units(const std::vector<int>& labels, const std::vector<std::string>& classes,
                         const std::vector<std::int64_t>& groups, const std::string& group_name,
                         const SamplePositions& positions, std::uint64_t seed) {
  const Candidates candidates(labels, classes.size(), groups, positions, seed);
  UnitMatch match(labels, classes, positions, seed);
  const std::vector<Index> sizes = block_sizes(positions);
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    const std::string side = std::to_string(sizes[k]);
    match.consider(k == 0 ? "pixel" : "block of " + side + " x " + side + " pixels", candidates,
                   candidates.blocks(sizes[k]), {sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(k)}, 0);
  }
  // Groups of one sample each are pixels, which were considered. Others are what was labelled, and are preferred to
  // blocks that match little better.
  if (std::set<std::int64_t>(groups.begin(), groups.end()).size() < groups.size()) {
    match.consider(group_name, candidates, candidates.groups(), sizes, kNearlyAsWell);
  }
  MatchedUnits matched = match.result();
  if (matched.units.empty()) {
    // The samples lie in fewer places than there are folds, and each one is left out by itself.
    matched.design.unit = "pixel";
    matched.design.count = static_cast<Index>(labels.size());
    matched.units.resize(labels.size());
    std::iota(matched.units.begin(), matched.units.end(), std::int64_t{0});
  }
  return matched;
}

}  // namespace parsimap
