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
  const auto fits = [&](const std::vector<double>& list) {
    return list.empty() || list.size() == map.predicted.size();
  };
  if (!fits(map.unlike) || !fits(map.distances) || std::ssize(results.label_shares) != results.classes) {
    throw DataError("left-out results need one share for each class, and maps one number for each pixel");
  }
  const auto check_class = [&](int c) {
    if (c < 0 || c >= results.classes) {
      throw DataError("class " + std::to_string(c) + " of left-out results is none of the " +
                      std::to_string(results.classes) + " classes");
    }
  };
  std::ranges::for_each(results.records, check_class, &LeftOutRecord::label);
  std::ranges::for_each(results.records, check_class, &LeftOutRecord::predicted);
  std::ranges::for_each(map.predicted, check_class);
}

class TableMaker {
 public:
  TableMaker(const LeftOutResults& results, const MapDraw& map) : results_(results), map_(map) {
    check(results, map);
    const auto known = [](double distance) { return std::isfinite(distance); };
    const auto is_main = [&](const LeftOutRecord& record) { return record.design == results.main_design; };
    // A map without a single distance says as little about the distances as none.
    table_.by_distance = (map.predicted.empty() || std::ranges::any_of(map.distances, known)) &&
                         std::ranges::all_of(results.records, [&](const LeftOutRecord& record) {
                           return !is_main(record) || known(record.distance);
                         });
    used_ = filtered(results.records, [&](const LeftOutRecord& record) {
      return table_.by_distance ? known(record.distance) : is_main(record);
    });
    table_.by_distance = table_.by_distance && !used_.empty();
  }

  LeftOutTable make() {
    number_units();
    table_.tested = distinct(mapped<Index>(used_, &LeftOutRecord::label));
    choose_bins();
    share_out_map();
    std::map<std::array<Index, 4>, double> counts;
    for (const LeftOutRecord& record : used_) {
      const Index row = std::ranges::lower_bound(table_.tested, record.label) - table_.tested.begin();
      counts[{record.unit.number, bin_of(record), row, record.predicted}] += 1;
    }
    for (const auto& [key, count] : counts) {
      table_.cells.push_back({key[0], key[1], key[2], key[3], count});
    }
    count_support();
    return std::move(table_);
  }

 private:
  // The design whose units the bootstrap draws.
  [[nodiscard]] int coarsest_design() const {
    std::map<int, std::set<SampleUnit>> units;
    std::map<int, std::set<std::int64_t>> samples;
    std::set<std::int64_t> all;
    for (const LeftOutRecord& record : used_) {
      units[record.design].insert(record.unit);
      samples[record.design].insert(record.sample);
      all.insert(record.sample);
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

  // Gives every record the unit of the bootstrap in the place of that of its design.
  void number_units() {
    const int chosen = coarsest_design();
    // Units have the least key of a sample's records, where the chosen design comes first, so that their numbers do not
    // depend on the order of the records.
    std::map<std::int64_t, UnitOfDesign> unit_of;
    const auto key = [&](const LeftOutRecord& record) {
      return UnitOfDesign(record.design == chosen ? std::numeric_limits<int>::min() : record.design, record.unit);
    };
    for (const LeftOutRecord& record : used_) {
      UnitOfDesign& unit = unit_of.try_emplace(record.sample, key(record)).first->second;
      unit = std::min(unit, key(record));
    }
    const auto of_sample = [&](const LeftOutRecord& record) { return unit_of.at(record.sample); };
    const Ranks numbers = ranks(mapped<UnitOfDesign>(used_, of_sample));
    table_.units = numbers.count;
    for (std::size_t k = 0; k < used_.size(); ++k) {
      used_[k].unit = {numbers.places[k]};
    }
  }

  // The largest distance that several units reach, or as many as there are.
  [[nodiscard]] double farthest_measured() const {
    std::vector<double> reach(static_cast<std::size_t>(table_.units), 0.0);
    for (const LeftOutRecord& record : used_) {
      double& farthest = reach[static_cast<std::size_t>(record.unit.number)];
      farthest = std::max(farthest, record.distance);
    }
    std::ranges::sort(reach, std::greater());
    return reach[std::min(kUnitsThatReach, reach.size()) - 1];
  }

  void choose_bins() {
    if (!table_.by_distance) {
      table_.bins.resize(1);
      return;
    }
    std::vector<LeftOutRecord> order = used_;
    std::ranges::sort(order, {}, &LeftOutRecord::distance);
    const double last = farthest_measured();
    double edge = kFirstEdge;
    std::set<SampleUnit> units;
    std::size_t records = 0;
    const auto close = [&](double farthest) {
      table_.bins.push_back({.nearest = table_.bins.empty() ? 0 : table_.bins.back().farthest, .farthest = farthest});
      units.clear();
      records = 0;
    };
    const auto enough = [&] {
      return units.size() >= std::min(kUnitsOfBin, static_cast<std::size_t>(table_.units)) &&
             static_cast<double>(records) >= kRecordsOfBin * static_cast<double>(used_.size()) &&
             records >= kUnitsOfBin * table_.tested.size();
    };
    for (const LeftOutRecord& record : order) {
      for (; record.distance > edge && edge < last; edge *= std::sqrt(2.0)) {
        if (enough()) {
          close(edge);
        }
      }
      units.insert(record.unit);
      ++records;
    }
    if (enough() || table_.bins.empty()) {
      close(last);
    } else {
      table_.bins.back().farthest = last;
    }
  }

  // The bin of a distance; what lies farther than all of them is in the last.
  [[nodiscard]] Index bin_at(double distance) const {
    const auto found = std::ranges::lower_bound(table_.bins, distance, {}, &DistanceAccuracy::farthest);
    return std::min(found - table_.bins.begin(), std::ssize(table_.bins) - 1);
  }
  [[nodiscard]] Index bin_of(const LeftOutRecord& record) const {
    return table_.by_distance ? bin_at(record.distance) : 0;
  }

  void share_out_map() {
    Vector& measured = table_.bin_weights;
    measured = Vector::Zero(std::ssize(table_.bins));
    double known = 0;
    const auto add = [&](double distance) {
      known += 1;
      const bool within = distance <= table_.bins.back().farthest;
      measured(bin_at(distance)) += within ? 1 : 0;
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
      table_.not_measured = 1 - measured.sum() / known;
    }
    // Without a map, or where it lies nowhere within reach, it counts as if it had the distances of the main design.
    for (const LeftOutRecord& record : used_) {
      if (known == 0 && record.design == results_.main_design) {
        measured(bin_of(record)) += 1;
      }
    }
    if (measured.isZero()) {
      measured.tail(1).setOnes();
      table_.map_pixels.clear();
    }
    measured /= measured.sum();
  }

  static Support support_of(const std::vector<LeftOutRecord>& records) {
    return {std::ssize(distinct(mapped<std::int64_t>(records, &LeftOutRecord::sample))),
            unit_count(mapped<SampleUnit>(records, &LeftOutRecord::unit))};
  }

  void count_support() {
    std::vector<std::vector<LeftOutRecord>> of_bin(table_.bins.size());
    std::vector<std::vector<LeftOutRecord>> of_class(static_cast<std::size_t>(results_.classes));
    for (const LeftOutRecord& record : used_) {
      of_bin[static_cast<std::size_t>(bin_of(record))].push_back(record);
      of_class[static_cast<std::size_t>(record.label)].push_back(record);
    }
    table_.support = support_of(used_);
    table_.classes = mapped<Support>(of_class, support_of);
    for (std::size_t b = 0; b < of_bin.size(); ++b) {
      auto& records = of_bin[b];
      table_.bins[b].support = support_of(records);
      if (table_.by_distance && !records.empty()) {
        const auto middle = records.begin() + static_cast<std::ptrdiff_t>(records.size() / 2);
        std::ranges::nth_element(records, middle, {}, &LeftOutRecord::distance);
        table_.bins[b].distance = middle->distance;
      }
    }
  }

  const LeftOutResults& results_;
  const MapDraw& map_;
  std::vector<LeftOutRecord> used_;
  LeftOutTable table_;
};

}  // namespace

LeftOutTable left_out_table(const LeftOutResults& results, const MapDraw& map) {
  return TableMaker(results, map).make();
}

}  // namespace parsimap
