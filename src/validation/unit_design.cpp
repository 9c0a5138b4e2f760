#include "parsimap/validation/unit_design.hpp"

#include <boost/geometry.hpp>
#include <boost/geometry/geometries/point_xy.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <boost/pending/disjoint_sets.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>
#include <utility>

#include "parsimap/core/random.hpp"
#include "parsimap/samples/sampling.hpp"
#include "parsimap/validation/folds.hpp"

namespace parsimap {
namespace {

constexpr Index kQuantiles = 201;
constexpr double kNearlyAsWell = 0.1;  // a tenth of typical distances
constexpr std::size_t kMostMapPixels = 10000;
constexpr std::size_t kMostQueries = 2000;                        // left-out samples whose distances are looked at
constexpr std::uint64_t kOffsetStream = std::uint64_t{1} << 34U;  // random stream of the offset of blocks

// Points of the plane by fold, for the nearest one of another fold.
class NearestPoints {
 public:
  explicit NearestPoints(const Matrix& points) : points_(points), all_(tree_of(consecutive(points.rows()))) {}

  // `fold_of` has the fold of every point, in [0, kFolds).
  void set_folds(const std::vector<Index>& fold_of) {
    std::array<Indices, kFolds> rows;
    for (Index i = 0; i < points_.rows(); ++i) {
      rows[static_cast<std::size_t>(fold_of[static_cast<std::size_t>(i)])].push_back(i);
    }
    std::ranges::transform(rows, of_fold_.begin(), [&](const Indices& of) { return tree_of(of); });
  }

  // The distance from a place to the nearest point.
  [[nodiscard]] double distance(double x, double y) const { return distance_to(all_, {x, y}, 1); }
  // The distance from a point to the nearest other one.
  [[nodiscard]] double distance_to_other(Index i) const { return distance_to(all_, place(i), 2); }
  // The distance from a place of the fold `own` to the nearest point of another fold; infinite without such a point.
  [[nodiscard]] double distance_to_other_fold(Index i, Index own) const {
    double best = std::numeric_limits<double>::infinity();
    for (Index fold = 0; fold < kFolds; ++fold) {
      if (const Tree& tree = of_fold_[static_cast<std::size_t>(fold)]; fold != own && !tree.empty()) {
        best = std::min(best, distance_to(tree, place(i), 1));
      }
    }
    return best;
  }

 private:
  using Point = boost::geometry::model::d2::point_xy<double>;
  using Tree = boost::geometry::index::rtree<Point, boost::geometry::index::linear<16>>;

  [[nodiscard]] Point place(Index i) const { return {points_(i, 0), points_(i, 1)}; }
  [[nodiscard]] Tree tree_of(const Indices& rows) const {
    return Tree(mapped<Point>(rows, [&](Index i) { return place(i); }));
  }
  // To the k-th nearest; infinite with fewer points.
  static double distance_to(const Tree& tree, const Point& place, unsigned k) {
    double farthest = tree.size() < k ? std::numeric_limits<double>::infinity() : 0;
    for (auto found = tree.qbegin(boost::geometry::index::nearest(place, k)); found != tree.qend(); ++found) {
      farthest = std::max(farthest, std::hypot(found->x() - place.x(), found->y() - place.y()));
    }
    return farthest;
  }

  const Matrix& points_;
  Tree all_;
  std::array<Tree, kFolds> of_fold_;
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

// Parts as any values that can be compared, numbered by position.
template <typename Key>
std::vector<SampleUnit> numbered(const std::vector<Key>& keys, const Matrix& points) {
  const auto [parts, count] = ranks(keys);
  constexpr double kFar = std::numeric_limits<double>::infinity();
  std::vector<std::pair<double, double>> first(static_cast<std::size_t>(count), {kFar, kFar});
  for (std::size_t i = 0; i < keys.size(); ++i) {
    auto& place = first[static_cast<std::size_t>(parts[i])];
    place = std::min(place, std::pair(points(static_cast<Index>(i), 1), points(static_cast<Index>(i), 0)));
  }
  Indices order = consecutive(count);
  std::ranges::stable_sort(order, {}, [&](Index part) { return first[static_cast<std::size_t>(part)]; });
  std::vector<SampleUnit> unit(first.size());
  for (std::int64_t number = 0; const Index part : order) {
    unit[static_cast<std::size_t>(part)] = {number++, SampleUnit::Reason::matched};
  }
  return values_at(unit, parts);
}

// Samples in the squares of a grid at an offset that is random but for single pixels.
class SquareGrid {
 public:
  SquareGrid(const SamplePositions& positions, std::uint64_t seed)
      : positions_(positions), origin_(positions.samples.colwise().minCoeff()) {
    Random random(seed, kOffsetStream);
    offset_ = {random.uniform(), random.uniform()};
  }

  using Square = std::pair<std::int64_t, std::int64_t>;  // by row and column

  // Of so many pixels.
  [[nodiscard]] Square square(Index i, Index size) const {
    const auto cell = [&](Index axis) {
      const double pixel = std::round((positions_.samples(i, axis) - origin_(axis)) / positions_.pixel);
      const double shift = std::floor(offset_[static_cast<std::size_t>(axis)] * static_cast<double>(size));
      return static_cast<std::int64_t>(std::floor((pixel + shift) / static_cast<double>(size)));
    };
    return {cell(1), cell(0)};
  }

  [[nodiscard]] std::vector<SampleUnit> blocks(Index size) const { return numbered(squares(size), positions_.samples); }

  // Samples of occupied squares that touch, also at corners, are of one cluster.
  [[nodiscard]] std::vector<SampleUnit> clusters(Index size) const {
    const std::vector<Square> all = squares(size);
    const std::vector<Square> occupied = distinct(all);
    const auto place = [&](const Square& square) { return std::ranges::lower_bound(occupied, square); };
    boost::disjoint_sets_with_storage<> sets(occupied.size());
    for (auto square = occupied.begin(); square != occupied.end(); ++square) {
      // Two squares that touch are met once, at the one that comes first.
      for (const auto& [dy, dx] : {Square{0, 1}, Square{1, -1}, Square{1, 0}, Square{1, 1}}) {
        const Square beside{square->first + dy, square->second + dx};
        if (const auto found = place(beside); found != occupied.end() && *found == beside) {
          sets.union_set(square - occupied.begin(), found - occupied.begin());
        }
      }
    }
    const auto cluster = [&](const Square& square) { return sets.find_set(place(square) - occupied.begin()); };
    return numbered(mapped<std::size_t>(all, cluster), positions_.samples);
  }

 private:
  [[nodiscard]] std::vector<Square> squares(Index size) const {
    return mapped<Square>(consecutive(positions_.samples.rows()), [&](Index i) { return square(i, size); });
  }

  const SamplePositions& positions_;
  Eigen::RowVector2d origin_;
  std::array<double, 2> offset_{};
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
  Indices rows = consecutive(points.rows());
  const auto key = [&](Index i) { return std::pair(points(i, 1), points(i, 0)); };
  std::ranges::sort(rows, [&](Index a, Index b) { return key(a) < key(b); });
  const std::size_t step = (rows.size() + most - 1) / most;
  return values_at(rows, indices_where(rows.size(), [&](std::size_t k) { return k % step == 0; }));
}

// In pixels, so that they do not depend on the unit of positions.
std::vector<double> logarithmic_quantiles(const std::vector<double>& distances, double pixel) {
  return mapped<double>(quantiles(distances, kQuantiles),
                        [&](double distance) { return std::log1p(distance / pixel); });
}

struct Candidate : NamedUnits {
  bool structure = false;              // clusters, or a structure of the labels
  Index width = 0;                     // of clusters: of the squares that connect them, in pixels
  bool plots = false;                  // clusters that are plots of a sparse scene
  std::vector<int> cut = {};           // classes that are cut
  std::vector<double> distances = {};  // from left-out samples to the nearest one that stays
  double difference = std::numeric_limits<double>::infinity();

  [[nodiscard]] bool few() const { return unit_count(units) < kFewestUnits; }
};

// Finds and compares the candidates.
class UnitMatch {
 public:
  UnitMatch(const std::vector<int>& labels, const std::vector<std::string>& classes, const SamplePositions& positions,
            std::uint64_t seed)
      : labels_(labels),
        classes_(classes),
        positions_(positions),
        seed_(seed),
        grid_(positions, seed),
        sizes_(block_sizes(positions)),
        nearest_(positions.samples),
        queries_(spread_points(positions.samples, kMostQueries)) {
    from_map_ = mapped<double>(spread_points(positions.map, kMostMapPixels),
                               [&](Index i) { return nearest_.distance(positions.map(i, 0), positions.map(i, 1)); });
    wanted_ = logarithmic_quantiles(from_map_, positions.pixel);
    design_.metres = positions.metres;
    design_.map_distances = quantiles(from_map_, kShown);
    const auto to_labels = [&](Index i) { return nearest_.distance_to_other(i); };
    design_.label_distances = quantiles(mapped<double>(queries_, to_labels), kShown);
  }

  [[nodiscard]] MatchedUnits match(const std::vector<NamedUnits>& structures) {
    std::vector<Candidate> candidates = structured(structures);
    // In how many units a class has to lie: five, or as many as the coarsest structure of the labels gives it, but two
    // where the finest one does.
    std::vector<Index> finest(classes_.size(), 0);
    needed_.assign(classes_.size(), kFolds);
    for (const Candidate& candidate : candidates) {
      const std::vector<Index> parts = units_by_class(labels_, classes_.size(), candidate.units);
      for (std::size_t c = 0; c < parts.size(); ++c) {
        finest[c] = std::max(finest[c], parts[c]);
        needed_[c] = std::min(needed_[c], parts[c]);
      }
    }
    for (std::size_t c = 0; c < finest.size(); ++c) {
      needed_[c] = std::max(needed_[c], std::min<Index>(2, finest[c]));
    }
    // Parts of one sample each are pixels, which are candidates themselves.
    std::erase_if(candidates, [&](const Candidate& one) { return unit_count(one.units) == std::ssize(labels_); });
    for (std::size_t k = 0; k < sizes_.size(); ++k) {
      const std::string side = std::to_string(sizes_[k]);
      candidates.push_back(
          {{k == 0 ? "pixel" : "block of " + side + " x " + side + " pixels", grid_.blocks(sizes_[k])}});
    }
    std::erase_if(candidates, [&](Candidate& candidate) { return !measure(candidate); });
    return result(candidates);
  }

 private:
  static constexpr Index kShown = 11;
  static constexpr double kOtherDistance = 0.69;  // a factor of two
  static constexpr Index kMostOthers = 3;
  static constexpr double kStable = 0.9;        // of the clusters remain when squares are twice as wide
  static constexpr double kLeastBeyond = 0.1;   // of the map in plots without labels
  static constexpr double kMostBetween = 0.05;  // and between plots

  // Structures of several samples in a part, and clusters that stay the same where the squares that connect them are
  // twice as wide: there is a gap around them.
  [[nodiscard]] std::vector<Candidate> structured(const std::vector<NamedUnits>& structures) const {
    auto found = mapped<Candidate>(structures, [&](const NamedUnits& structure) {
      return Candidate{{structure.name, numbered(structure.units, positions_.samples)}, true};
    });
    std::vector<SampleUnit> last;
    for (Index size = 1; size <= sizes_.back(); size *= 2) {
      std::vector<SampleUnit> clusters = grid_.clusters(size);
      const Index count = unit_count(clusters);
      if (count < kFolds) {
        break;
      }
      // Two clusters of many may be near each other by chance.
      if (!last.empty() && static_cast<double>(count) >= kStable * static_cast<double>(unit_count(last)) &&
          std::ranges::none_of(found, [&](const Candidate& known) { return known.units == last; })) {
        found.push_back({{"cluster", last}, true, size / 2});
      }
      last = std::move(clusters);
    }
    return found;
  }

  // Whether the candidate is eligible; then its distances are found.
  [[nodiscard]] bool measure(Candidate& candidate) {
    const std::vector<Index> parts = units_by_class(labels_, classes_.size(), candidate.units);
    const bool eligible = std::ranges::equal(parts, needed_, std::ranges::greater_equal());
    if (!eligible && candidate.width == 0) {
      return false;
    }
    cut_classes(candidate);
    const Index count = unit_count(candidate.units);
    // A design that has to cut most classes is none.
    if (count < kFolds || 2 * candidate.cut.size() > classes_.size()) {
      return false;
    }
    const std::vector<Index> fold_of = assign_folds(labels_, classes_.size(), candidate.units, kFolds, seed_, 0);
    nearest_.set_folds(fold_of);
    for (const Index i : queries_) {
      candidate.distances.push_back(nearest_.distance_to_other_fold(i, fold_of[static_cast<std::size_t>(i)]));
    }
    const std::vector<double> found = logarithmic_quantiles(candidate.distances, positions_.pixel);
    candidate.difference = 0;
    for (std::size_t k = 0; k < found.size(); ++k) {
      candidate.difference += std::abs(found[k] - wanted_[k]) / static_cast<double>(kQuantiles);
    }
    candidate.plots = are_plots(candidate);
    return eligible || candidate.plots;
  }

  // Whether clusters are plots of a sparse scene: a part of the map lies in other plots, and hardly any of it between
  // those that are labelled.
  [[nodiscard]] bool are_plots(const Candidate& candidate) const {
    if (candidate.width == 0 || candidate.few()) {
      return false;
    }
    const double near = 3 * static_cast<double>(candidate.width) * positions_.pixel;
    const double far = quantiles(candidate.distances, 3)[1] / 3;
    const auto beyond = [&](double distance) {
      return static_cast<double>(std::ranges::count_if(from_map_, [&](double one) { return one > distance; })) /
             static_cast<double>(from_map_.size());
    };
    return near < far && beyond(far) >= kLeastBeyond && beyond(near) - beyond(far) <= kMostBetween;
  }

  // Classes in fewer than two units are cut into the largest blocks that give them a unit for each fold, or single
  // pixels.
  void cut_classes(Candidate& candidate) const {
    const std::vector<Indices> rows = rows_by_class(labels_, classes_.size());
    using Key = std::tuple<std::size_t, std::int64_t, std::int64_t>;
    auto keys = mapped<Key>(candidate.units, [](const SampleUnit& unit) { return Key(0, unit.number, 0); });
    const auto unit_of = [&](Index i) { return candidate.units[static_cast<std::size_t>(i)]; };
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      if (rows[c].size() < 2 ||
          std::ranges::any_of(rows[c], [&](Index i) { return unit_of(i) != unit_of(rows[c].front()); })) {
        continue;
      }
      candidate.cut.push_back(static_cast<int>(c));
      for (auto size = sizes_.rbegin(); size != sizes_.rend(); ++size) {
        std::set<SquareGrid::Square> parts;
        for (const Index i : rows[c]) {
          const SquareGrid::Square square = grid_.square(i, *size);
          keys[static_cast<std::size_t>(i)] = {c + 1, square.first, square.second};
          parts.insert(square);
        }
        if (std::ssize(parts) >= kFolds) {
          break;
        }
      }
    }
    if (!candidate.cut.empty()) {
      candidate.units = numbered(keys, positions_.samples);
    }
  }

  // The best of the candidates.
  [[nodiscard]] MatchedUnits result(const std::vector<Candidate>& candidates) {
    MatchedUnits matched{design_, {}};
    // The samples lie in fewer places than there are folds, and each one is left out by itself.
    if (candidates.empty()) {
      matched.design.unit = "pixel";
      matched.design.count = std::ssize(labels_);
      matched.design.difference = std::numeric_limits<double>::infinity();
      matched.units = numbered(consecutive(matched.design.count), positions_.samples);
      return matched;
    }
    const bool all_few = std::ranges::all_of(candidates, &Candidate::few);
    const auto difference = [&](const Candidate& one) {
      return one.few() && !all_few ? std::numeric_limits<double>::infinity() : one.difference;
    };
    // Of equal differences the larger unit, which stands behind the smaller ones.
    auto best = candidates.begin();
    for (auto one = candidates.begin(); one != candidates.end(); ++one) {
      best = difference(*one) <= difference(*best) ? one : best;
    }
    // The structure of least difference, where there is one; of equal ones the first.
    const auto natural = std::ranges::min_element(
        candidates, {}, [&](const Candidate& one) { return std::pair(!one.structure, difference(one)); });
    best = natural->structure && difference(*natural) <= difference(*best) + kNearlyAsWell ? natural : best;
    // What lies in other plots is what has to be judged, however near to labels the rest of the map is.
    if (const auto plots = std::ranges::find_if(candidates, &Candidate::plots); plots != candidates.end()) {
      best = plots;
    }
    matched.design.unit = best->name;
    matched.design.difference = best->difference;
    matched.design.plots = best->plots;
    matched.design.count = unit_count(best->units);
    matched.design.fold_distances = quantiles(best->distances, kShown);
    matched.design.cut = mapped<std::string>(best->cut, [&](int c) { return classes_[static_cast<std::size_t>(c)]; });
    matched.units = best->units;
    matched.others = others_of(*best, candidates);
    return matched;
  }

  // Of the candidates those whose left-out samples typically lie at other distances, from near to far.
  [[nodiscard]] std::vector<NamedUnits> others_of(const Candidate& best,
                                                  const std::vector<Candidate>& candidates) const {
    const auto typical = [&](const Candidate* one) {
      return std::log1p(quantiles(one->distances, 3)[1] / positions_.pixel);
    };
    std::vector<const Candidate*> order;
    for (const Candidate& one : candidates) {
      if (!one.few()) {
        order.push_back(&one);
      }
    }
    std::ranges::stable_sort(order, {}, typical);
    std::vector<const Candidate*> kept = {&best};
    std::vector<NamedUnits> others;
    for (const Candidate* one : order) {
      const auto is_apart = [&](const Candidate* known) {
        return std::abs(typical(one) - typical(known)) >= kOtherDistance;
      };
      if (std::ssize(others) < kMostOthers && std::ranges::all_of(kept, is_apart)) {
        kept.push_back(one);
        others.push_back(*one);
      }
    }
    return others;
  }

  const std::vector<int>& labels_;
  const std::vector<std::string>& classes_;
  const SamplePositions& positions_;
  std::uint64_t seed_;
  SquareGrid grid_;
  std::vector<Index> sizes_;
  NearestPoints nearest_;
  Indices queries_;
  std::vector<double> wanted_;
  std::vector<Index> needed_;
  std::vector<double> from_map_;  // distances
  UnitDesign design_;
};

}  // namespace

MatchedUnits match_units(const std::vector<int>& labels, const std::vector<std::string>& classes,
                         const std::vector<NamedUnits>& structures, const SamplePositions& positions,
                         std::uint64_t seed) {
  return UnitMatch(labels, classes, positions, seed).match(structures);
}

std::vector<SampleUnit> numbered_by_position(const std::vector<SampleUnit>& part_of, const Matrix& positions) {
  return numbered(part_of, positions);
}

std::vector<double> nearest_distances(const Matrix& places, const Matrix& points) {
  const NearestPoints nearest(points);
  return mapped<double>(places.rowwise(), [&](const auto& place) { return nearest.distance(place(0), place(1)); });
}

std::vector<double> distances_to_other_folds(const Matrix& points, const std::vector<Index>& fold_of) {
  NearestPoints nearest(points);
  nearest.set_folds(fold_of);
  return mapped<double>(consecutive(points.rows()), [&](Index i) {
    return nearest.distance_to_other_fold(i, fold_of[static_cast<std::size_t>(i)]);
  });
}

}  // namespace parsimap
