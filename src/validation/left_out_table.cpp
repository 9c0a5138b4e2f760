#include "left_out_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/validation/folds.hpp"

namespace parsimap {
namespace {

constexpr std::size_t kUnitsOfBootstrap = 20;
constexpr std::size_t kUnitsOfBin = 10;  // and records of a class, on average
constexpr double kRecordsOfBin = 0.03;
constexpr std::size_t kUnitsThatReach = 5;
constexpr double kFirstEdge = 1.25;  // so that edges lie between the distances of a grid: 1.25, 1.8, 2.5, 3.5, 5, ...

using UnitOfDesign = std::pair<int, SampleUnit>;

void check(const LeftOutResults& results, const MapDraw& map) {
  const std::size_t n = results.labels.size();
  const auto has_size = [n](const auto& list) { return list.size() == n; };
  if (!has_size(results.predicted) || !has_size(results.units) || !has_size(results.samples) ||
      !(results.distances.empty() || has_size(results.distances)) ||
      !(results.designs.empty() || has_size(results.designs)) ||
      !(results.unlike.empty() || has_size(results.unlike)) ||
      !(map.unlike.empty() || map.unlike.size() == map.predicted.size()) ||
      !(map.distances.empty() || map.distances.size() == map.predicted.size()) ||
      static_cast<Index>(results.label_shares.size()) != results.classes) {
    throw DataError(
        "left-out results need one label, prediction, unit and sample for each record, and one share for "
        "each class");
  }
  for (const std::vector<int>* list : {&results.labels, &results.predicted, &map.predicted}) {
    const auto wrong = std::ranges::find_if(*list, [&](int c) { return c < 0 || c >= results.classes; });
    if (wrong != list->end()) {
      throw DataError("class " + std::to_string(*wrong) + " of left-out results is none of the " +
                      std::to_string(results.classes) + " classes");
    }
  }
}

class TableMaker {
 public:
  TableMaker(const LeftOutResults& results, const MapDraw& map) : results_(results), map_(map) {
    check(results, map);
    const auto known = [](double distance) { return std::isfinite(distance); };
    table_.by_distance = !results.distances.empty();
    for (std::size_t i = 0; i < results.labels.size(); ++i) {
      table_.by_distance = table_.by_distance && (design(i) != results.main_design || known(results.distances[i]));
    }
    // A map without a single distance says as little about the distances as none.
    table_.by_distance = table_.by_distance && (map.predicted.empty() || std::ranges::any_of(map.distances, known));
    for (std::size_t i = 0; i < results.labels.size(); ++i) {
      if (table_.by_distance ? known(results.distances[i]) : design(i) == results.main_design) {
        used_.push_back(i);
      }
    }
    table_.by_distance = table_.by_distance && !used_.empty();
  }

  LeftOutTable make() {
    number_units();
    table_.tested = distinct(mapped<Index>(used_, [&](std::size_t i) { return results_.labels[i]; }));
    choose_bins();
    share_out_map();
    std::map<std::array<Index, 4>, double> counts;
    for (const std::size_t i : used_) {
      const Index row = std::ranges::lower_bound(table_.tested, results_.labels[i]) - table_.tested.begin();
      counts[{unit_[i], bin_of(i), row, results_.predicted[i]}] += 1;
    }
    for (const auto& [key, count] : counts) {
      table_.cells.push_back({key[0], key[1], key[2], key[3], count});
    }
    count_support();
    return std::move(table_);
  }

 private:
  [[nodiscard]] int design(std::size_t i) const {
    return results_.designs.empty() ? results_.main_design : results_.designs[i];
  }

  // The design whose units the bootstrap draws.
  [[nodiscard]] int coarsest_design() const {
    std::map<int, std::set<SampleUnit>> units;
    std::map<int, std::set<std::int64_t>> samples;
    std::set<std::int64_t> all;
    for (const std::size_t i : used_) {
      units[design(i)].insert(results_.units[i]);
      samples[design(i)].insert(results_.samples[i]);
      all.insert(results_.samples[i]);
    }
    int coarsest = results_.main_design;
    const std::size_t fewest = std::min(kUnitsOfBootstrap, units[coarsest].size());
    for (const auto& [number, members] : units) {
      if (samples[number].size() == all.size() && members.size() >= fewest && members.size() < units[coarsest].size()) {
        coarsest = number;
      }
    }
    return coarsest;
  }

  void number_units() {
    const int chosen = coarsest_design();
    // Units have the least key of a sample's records, where the chosen design comes first, so that their numbers do not
    // depend on the order of the records.
    std::map<std::int64_t, UnitOfDesign> unit_of;
    const auto key = [&](std::size_t i) {
      return UnitOfDesign(design(i) == chosen ? std::numeric_limits<int>::min() : design(i), results_.units[i]);
    };
    for (const std::size_t i : used_) {
      UnitOfDesign& unit = unit_of.try_emplace(results_.samples[i], key(i)).first->second;
      unit = std::min(unit, key(i));
    }
    const auto units = mapped<UnitOfDesign>(used_, [&](std::size_t i) { return unit_of.at(results_.samples[i]); });
    const Ranks numbers = ranks(units);
    table_.units = numbers.count;
    unit_.resize(results_.labels.size());
    for (std::size_t k = 0; k < used_.size(); ++k) {
      unit_[used_[k]] = numbers.places[k];
    }
  }

  // The largest distance that several units reach, or as many as there are.
  [[nodiscard]] double farthest_measured() const {
    std::vector<double> reach(static_cast<std::size_t>(table_.units), 0.0);
    for (const std::size_t i : used_) {
      double& farthest = reach[static_cast<std::size_t>(unit_[i])];
      farthest = std::max(farthest, results_.distances[i]);
    }
    std::ranges::sort(reach, std::greater());
    return reach[std::min(kUnitsThatReach, reach.size()) - 1];
  }

  void choose_bins() {
    if (!table_.by_distance) {
      table_.bins.resize(1);
      return;
    }
    std::vector<std::size_t> order = used_;
    std::ranges::sort(order, {}, [&](std::size_t i) { return results_.distances[i]; });
    const double last = farthest_measured();
    double edge = kFirstEdge;
    std::set<Index> units;
    std::size_t records = 0;
    const auto close = [&](double farthest) {
      table_.bins.push_back({table_.bins.empty() ? 0 : table_.bins.back().farthest, farthest, 0, {}, 0});
      units.clear();
      records = 0;
    };
    const auto enough = [&] {
      return units.size() >= std::min(kUnitsOfBin, static_cast<std::size_t>(table_.units)) &&
             static_cast<double>(records) >= kRecordsOfBin * static_cast<double>(used_.size()) &&
             records >= kUnitsOfBin * table_.tested.size();
    };
    for (const std::size_t i : order) {
      for (; results_.distances[i] > edge && edge < last; edge *= std::sqrt(2.0)) {
        if (enough()) {
          close(edge);
        }
      }
      units.insert(unit_[i]);
      ++records;
    }
    if (enough() || table_.bins.empty()) {
      close(last);
    } else {
      table_.bins.back().farthest = last;
    }
  }

  // The bin of a distance; what lies farther than all of them is in the last.
  [[nodiscard]] std::size_t bin_at(double distance) const {
    const auto found = std::ranges::lower_bound(table_.bins, distance, {}, &DistanceBin::farthest);
    return std::min(static_cast<std::size_t>(found - table_.bins.begin()), table_.bins.size() - 1);
  }
  [[nodiscard]] Index bin_of(std::size_t i) const {
    return table_.by_distance ? static_cast<Index>(bin_at(results_.distances[i])) : 0;
  }

  void share_out_map() {
    double measured = 0;
    double known = 0;
    const auto add = [&](double distance) {
      known += 1;
      const bool within = distance <= table_.bins.back().farthest;
      measured += within ? 1 : 0;
      table_.bins[bin_at(distance)].map_share += within ? 1 : 0;
      return within;
    };
    if (!map_.predicted.empty()) {
      table_.map_pixels.assign(static_cast<std::size_t>(results_.classes), 0);
    }
    for (std::size_t i = 0; i < map_.predicted.size(); ++i) {
      const bool counts = !table_.by_distance || (std::isfinite(map_.distances[i]) && add(map_.distances[i]));
      table_.map_pixels[static_cast<std::size_t>(map_.predicted[i])] += counts ? 1 : 0;
    }
    if (table_.by_distance && known > 0) {
      table_.not_measured = 1 - measured / known;
    }
    // Without a map, or where it lies nowhere within reach, it counts as if it had the distances of the main design.
    for (const std::size_t i : used_) {
      if (known == 0 && design(i) == results_.main_design) {
        table_.bins[static_cast<std::size_t>(bin_of(i))].map_share += 1;
        measured += 1;
      }
    }
    if (measured == 0) {
      table_.bins.back().map_share = measured = 1;
      table_.map_pixels.clear();
    }
    for (DistanceBin& bin : table_.bins) {
      bin.map_share /= measured;
    }
  }

  [[nodiscard]] Support support_of(const std::vector<std::size_t>& records) const {
    const auto samples = mapped<std::int64_t>(records, [&](std::size_t i) { return results_.samples[i]; });
    const auto units = mapped<Index>(records, [&](std::size_t i) { return unit_[i]; });
    return {std::ssize(distinct(samples)), std::ssize(distinct(units))};
  }

  void count_support() {
    std::vector<std::vector<std::size_t>> of_bin(table_.bins.size());
    std::vector<std::vector<std::size_t>> of_class(static_cast<std::size_t>(results_.classes));
    for (const std::size_t i : used_) {
      of_bin[static_cast<std::size_t>(bin_of(i))].push_back(i);
      of_class[static_cast<std::size_t>(results_.labels[i])].push_back(i);
    }
    table_.support = support_of(used_);
    table_.classes = mapped<Support>(of_class, [&](const auto& records) { return support_of(records); });
    for (std::size_t b = 0; b < of_bin.size(); ++b) {
      auto& records = of_bin[b];
      table_.bins[b].support = support_of(records);
      if (table_.by_distance && !records.empty()) {
        const auto middle = records.begin() + static_cast<std::ptrdiff_t>(records.size() / 2);
        std::ranges::nth_element(records, middle, {}, [&](std::size_t i) { return results_.distances[i]; });
        table_.bins[b].distance = results_.distances[*middle];
      }
    }
  }

  const LeftOutResults& results_;
  const MapDraw& map_;
  std::vector<std::size_t> used_;  // records
  std::vector<Index> unit_;        // of the bootstrap, by record
  LeftOutTable table_;
};

}  // namespace

LeftOutTable left_out_table(const LeftOutResults& results, const MapDraw& map) {
  return TableMaker(results, map).make();
}

}  // namespace parsimap
