#include "parsimap/accuracy/sample_draw.hpp"

#include <algorithm>
#include <unordered_map>

#include "parsimap/core/error.hpp"
#include "parsimap/core/random.hpp"

namespace parsimap {
namespace {

// Reads map and strata in step.
class PopulationReader {
 public:
  PopulationReader(ClassMapSource& map, ClassMapSource* strata)
      : map_(map),
        strata_(strata),
        class_of_(index_of_codes(map.classes())),
        stratum_of_(index_of_codes(strata != nullptr ? strata->classes() : map.classes())) {}

  // Calls visit(position in the window, stratum, class) for every pixel; -1 stands for none.
  template <typename Visit>
  void read(const Window& window, const Visit& visit) {
    map_.read(window, codes_);
    if (strata_ != nullptr) {
      strata_->read(window, strata_codes_);
    }
    for (std::size_t i = 0; i < codes_.size(); ++i) {
      const Index column = class_of_[codes_[i]];
      visit(i, strata_ != nullptr ? stratum_of_[strata_codes_[i]] : column, column);
    }
  }

  // Calls visit(pixel, stratum) for the pixels of the population, row by row.
  template <typename Visit>
  void read_all(const Visit& visit) {
    const Index width = map_.grid().width;
    for (const Window& window : row_strips(map_.grid())) {
      read(window, [&](std::size_t i, Index stratum, Index column) {
        if (stratum >= 0 && column >= 0) {
          visit(std::int64_t{window.row} * width + static_cast<std::int64_t>(i), stratum);
        }
      });
    }
    check_unchanged();
  }

  void check_unchanged() const {
    map_.check_unchanged();
    if (strata_ != nullptr) {
      strata_->check_unchanged();
    }
  }

  [[nodiscard]] const RasterGrid& grid() const { return map_.grid(); }
  [[nodiscard]] const ClassTable& strata() const { return strata_ != nullptr ? strata_->classes() : map_.classes(); }

 private:
  ClassMapSource& map_;
  ClassMapSource* strata_;
  Indices class_of_;
  Indices stratum_of_;
  std::vector<std::uint16_t> codes_;
  std::vector<std::uint16_t> strata_codes_;
};

// `count` different numbers below `all`, in random order: the first entries of a shuffled list (Fisher and Yates), of
// which only those are kept that were exchanged.
std::vector<std::int64_t> different_numbers(std::int64_t count, std::int64_t all, Random& random) {
  std::unordered_map<std::int64_t, std::int64_t> exchanged;
  const auto at = [&](std::int64_t i) {
    const auto found = exchanged.find(i);
    return found == exchanged.end() ? i : found->second;
  };
  std::vector<std::int64_t> numbers;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t j = i + random.index(all - i);
    numbers.push_back(at(j));
    exchanged[j] = at(i);
  }
  return numbers;
}

// The stratum of the plan by that of the raster: the plan leaves out those without pixels; -1.
Indices strata_of_plan(const SamplePlan& plan, const ClassTable& table) {
  if (plan.design != SamplingDesign::stratified) {
    return Indices(table.size(), 0);
  }
  Indices strata;
  Index next = 0;
  for (const auto& entry : table) {
    const bool kept =
        next < static_cast<Index>(plan.strata.size()) && plan.strata[static_cast<std::size_t>(next)].name == entry.name;
    strata.push_back(kept ? next++ : -1);
  }
  return strata;
}

// The pixels of a stratum that have the ranks, which count its pixels row by row.
class RankedPixels {
 public:
  explicit RankedPixels(const std::vector<std::int64_t>& ranks) : ranks_(ranks), pixels_(ranks.size()) {
    order_ = consecutive(static_cast<Index>(ranks.size()));
    std::ranges::sort(order_, {}, [&](Index i) { return ranks_[static_cast<std::size_t>(i)]; });
  }

  // The next pixel of the stratum.
  void add(std::int64_t pixel) {
    while (next_ < order_.size() && ranks_[static_cast<std::size_t>(order_[next_])] == seen_) {
      pixels_[static_cast<std::size_t>(order_[next_++])] = pixel;
    }
    ++seen_;
  }
  [[nodiscard]] const std::vector<std::int64_t>& pixels() const { return pixels_; }

 private:
  std::vector<std::int64_t> ranks_;
  std::vector<std::int64_t> pixels_;
  Indices order_;  // of the ranks, ascending
  std::size_t next_ = 0;
  std::int64_t seen_ = 0;
};

// The pixels with the ranks of every stratum of the plan.
std::vector<std::vector<std::int64_t>> find_pixels(PopulationReader& reader, const SamplePlan& plan,
                                                   const std::vector<std::vector<std::int64_t>>& ranks) {
  std::vector<RankedPixels> wanted(ranks.begin(), ranks.end());
  const Indices strata = strata_of_plan(plan, reader.strata());
  reader.read_all([&](std::int64_t pixel, Index stratum) {
    wanted[static_cast<std::size_t>(strata[static_cast<std::size_t>(stratum)])].add(pixel);
  });
  return mapped<std::vector<std::int64_t>>(wanted, &RankedPixels::pixels);
}

// The strata of the points in their order: two of each, and then all others in a random order.
Indices stratum_order(const SamplePlan& plan, Random& random) {
  Indices first;
  Indices others;
  for (std::size_t h = 0; h < plan.strata.size(); ++h) {
    for (std::int64_t i = 0; i < plan.strata[h].points; ++i) {
      (i < 2 ? first : others).push_back(static_cast<Index>(h));
    }
  }
  add_all(first, values_at(others, random.permutation(static_cast<Index>(others.size()))));
  return first;
}

std::vector<DrawnPoint> draw_from_strata(PopulationReader& reader, const SamplePlan& plan, std::uint64_t seed) {
  std::vector<std::vector<std::int64_t>> ranks;
  for (const PlannedStratum& stratum : plan.strata) {
    Random random(seed, ranks.size() + 1);
    ranks.push_back(different_numbers(stratum.points, stratum.pixels, random));
  }
  const auto pixels = find_pixels(reader, plan, ranks);
  Random random(seed);
  std::vector<std::size_t> used(plan.strata.size(), 0);
  std::vector<DrawnPoint> points;
  for (const Index h : stratum_order(plan, random)) {
    const auto stratum = static_cast<std::size_t>(h);
    const PlannedStratum& planned = plan.strata[stratum];
    points.push_back({pixels[stratum][used[stratum]++], h, 0,
                      static_cast<double>(planned.points) / static_cast<double>(planned.pixels)});
  }
  return points;
}

std::vector<DrawnPoint> draw_grid(PopulationReader& reader, const SamplePlan& plan, std::uint64_t seed) {
  Random random(seed);
  const Index first_row = random.index(plan.row_step);
  const Index first_column = random.index(plan.column_step);
  const Index width = reader.grid().width;
  std::vector<DrawnPoint> points;
  reader.read_all([&](std::int64_t pixel, Index) {
    if (pixel / width % plan.row_step == first_row && pixel % width % plan.column_step == first_column) {
      points.push_back({pixel, 0, 0, 1 / static_cast<double>(plan.row_step * plan.column_step)});
    }
  });
  if (points.size() < 2) {
    throw DataError("the grid of every " + std::to_string(plan.row_step) + "th row and " +
                    std::to_string(plan.column_step) + "th column has " + std::to_string(points.size()) +
                    " classified pixels; two are the least (--seed, --size)");
  }
  return values_at(points, random.permutation(static_cast<Index>(points.size())));
}

// The pixels of the population in the block that holds `pixel`.
std::vector<std::int64_t> pixels_of_block(PopulationReader& reader, std::int64_t pixel, Index side) {
  const RasterGrid& grid = reader.grid();
  const Index row = pixel / grid.width / side * side;
  const Index column = pixel % grid.width / side * side;
  const Window block{column, row, std::min(side, grid.width - column), std::min(side, grid.height - row)};
  std::vector<std::int64_t> pixels;
  reader.read(block, [&](std::size_t i, Index stratum, Index map) {
    if (stratum >= 0 && map >= 0) {
      const auto position = static_cast<Index>(i);
      pixels.push_back(std::int64_t{row + position / block.width} * grid.width + column + position % block.width);
    }
  });
  return pixels;
}

// The block of a random pixel is one drawn with a probability in proportion to its pixels. Blocks are drawn
// independently, so that one may come twice; each time pixels are drawn anew from all that it has.
std::vector<DrawnPoint> draw_clusters(PopulationReader& reader, const SamplePlan& plan, const DrawOptions& options) {
  const std::int64_t all = plan.pixels();
  if (plan.points() > all) {
    throw ConfigError("the clusters have " + std::to_string(plan.points()) + " points; the map has " +
                      std::to_string(all) + " classified pixels");
  }
  Random random(options.seed);
  std::vector<std::int64_t> ranks;
  for (std::int64_t i = 0; i < plan.clusters; ++i) {
    ranks.push_back(random.index(all));
  }
  const auto drawn = find_pixels(reader, plan, {ranks}).front();
  std::vector<DrawnPoint> points;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const std::vector<std::int64_t> block = pixels_of_block(reader, drawn[i], options.block);
    const auto size = static_cast<std::int64_t>(block.size());
    const std::int64_t count = std::min<std::int64_t>(options.block_points, size);
    // a blocks x (M / N) x (m / M).
    const double probability = static_cast<double>(plan.clusters * count) / static_cast<double>(all);
    for (const std::int64_t k : different_numbers(count, size, random)) {
      points.push_back({block[static_cast<std::size_t>(k)], 0, static_cast<std::int64_t>(i) + 1, probability});
    }
  }
  reader.check_unchanged();
  return points;
}

}  // namespace

Population count_population(ClassMapSource& map, ClassMapSource* strata) {
  PopulationReader reader(map, strata);
  Population population;
  population.pixels =
      CountMatrix::Zero(static_cast<Index>(reader.strata().size()), static_cast<Index>(map.classes().size()));
  for (const Window& window : row_strips(map.grid())) {
    reader.read(window, [&](std::size_t i, Index stratum, Index column) {
      if (column < 0) {
        ++population.unclassified;
      } else if (stratum < 0) {
        ++population.outside_strata;
      } else {
        ++population.pixels(stratum, column);
        population.bounds.add(static_cast<Index>(i) % window.width, window.row + static_cast<Index>(i) / window.width);
      }
    });
  }
  reader.check_unchanged();
  return population;
}

std::vector<DrawnPoint> draw_sample(ClassMapSource& map, ClassMapSource* strata, const SamplePlan& plan,
                                    const DrawOptions& options) {
  PopulationReader reader(map, strata);
  if (plan.design == SamplingDesign::systematic) {
    return draw_grid(reader, plan, options.seed);
  }
  return plan.design == SamplingDesign::clusters ? draw_clusters(reader, plan, options)
                                                 : draw_from_strata(reader, plan, options.seed);
}

}  // namespace parsimap
