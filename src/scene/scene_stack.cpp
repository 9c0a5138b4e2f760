#include "parsimap/scene/scene_stack.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>
#include <variant>

#include "parsimap/core/error.hpp"

namespace parsimap {

SceneStack::SceneStack(std::vector<StackedScene> scenes, BandTable bands)
    : DescribedScene(scenes.front().source->name(), {}, std::move(bands)), scenes_(std::move(scenes)) {
  for (const StackedScene& scene : scenes_) {
    grid_.width = std::max(grid_.width, scene.source->grid().width);
    block_width_ = std::max(block_width_, scene.source->block_width());
    block_height_ = std::max(block_height_, scene.source->block_height());
  }
  // Each scene begins at a multiple of the largest storage block, at least one empty row below the one above it:
  // windows of whole blocks then touch one scene only, and neighbourhoods never reach from one scene into the next.
  for (const StackedScene& scene : scenes_) {
    const Index next = tops_.empty() ? 0 : grid_.height + 1;
    tops_.push_back((next + block_height_ - 1) / block_height_ * block_height_);
    grid_.height = tops_.back() + scene.source->grid().height;
  }
  if (scenes_.size() == 2) {
    name_ += " and " + scenes_.back().source->name();
  } else if (scenes_.size() > 2) {
    name_ += " and " + std::to_string(scenes_.size() - 1) + " more scenes";
  }
}

std::int64_t SceneStack::pixel_of(std::size_t scene, std::int64_t pixel) const {
  // Pixels of a scene are numbered by its own width, those of the stack by the width of the widest scene.
  const Index width = scenes_[scene].source->grid().width;
  return (tops_[scene] + pixel / width) * grid_.width + pixel % width;
}

SceneStack::Place SceneStack::place_of(std::int64_t pixel) const {
  // The last scene whose first row is not below that of the pixel.
  const Index row = pixel / grid_.width;
  const auto scene = static_cast<std::size_t>(std::ranges::upper_bound(tops_, row) - tops_.begin()) - 1;
  Place place{scene, 0, pixel % grid_.width, row - tops_[scene]};
  place.pixel = place.row * scenes_[scene].source->grid().width + place.column;
  return place;
}

Window SceneStack::part_in(std::size_t scene, const Window& window) const {
  const RasterGrid& grid = scenes_[scene].source->grid();
  Window part = overlap(window, {0, tops_[scene], grid.width, grid.height});
  part.row -= tops_[scene];
  return part;
}

bool SceneStack::known_empty(const Window& window) const {
  for (std::size_t k = 0; k < scenes_.size(); ++k) {
    const Window part = part_in(k, window);
    if (part.pixels() > 0 && !scenes_[k].source->known_empty(part)) {
      return false;
    }
  }
  return true;
}

void SceneStack::read(const Window& window, const Indices& bands, Spectra& values) {
  // Pixels beside a narrow scene, rows between scenes and bands that a scene does not have are missing.
  values.setConstant(window.pixels(), static_cast<Index>(bands.size()), kMissingValue);
  // Only the scenes that the window touches are read, and of these only the bands that they have.
  for (std::size_t k = 0; k < scenes_.size(); ++k) {
    const Window part = part_in(k, window);
    if (part.pixels() == 0) {
      continue;
    }
    Indices read;     // bands of the scene
    Indices columns;  // where they go
    for (std::size_t i = 0; i < bands.size(); ++i) {
      const Index band = scenes_[k].bands[static_cast<std::size_t>(bands[i])];
      if (band != kNoBand) {
        read.push_back(band);
        columns.push_back(static_cast<Index>(i));
      }
    }
    if (read.empty()) {
      continue;
    }
    scenes_[k].source->read(part, read, part_);
    const Index first = (tops_[k] + part.row - window.row) * window.width;
    for (Index row = 0; row < part.height; ++row) {
      values(Eigen::seqN(first + row * window.width, part.width), columns) =
          part_.middleRows(row * part.width, part.width);
    }
  }
}

void SceneStack::check_unchanged() const {
  for (const StackedScene& scene : scenes_) {
    scene.source->check_unchanged();
  }
}

namespace {

bool is_plain(const ClassEntry& entry) { return entry.name == std::to_string(entry.code); }

void check_kinds(const std::vector<SceneLabels>& scenes) {
  for (const SceneLabels& scene : scenes) {
    if (scene.labels.named_by_text != scenes.front().labels.named_by_text) {
      const bool first = scenes.front().labels.named_by_text;
      throw DataError((first ? scenes.front().name : scene.name) + " names its classes by text, but " +
                      (first ? scene.name : scenes.front().name) +
                      " has codes; labels of several scenes must do the same");
    }
  }
}

// The classes of all scenes, each once, by their names.
ClassTable named_classes(const std::vector<SceneLabels>& scenes) {
  // Codes are given anew in alphabetical order. The first colour that a scene gives to a class stays.
  std::map<std::string, ClassEntry> by_name;
  for (const SceneLabels& scene : scenes) {
    for (const ClassEntry& entry : scene.labels.classes) {
      ClassEntry& known = by_name.emplace(entry.name, entry).first->second;
      known.colour = known.colour ? known.colour : entry.colour;
    }
  }
  ClassTable classes;
  for (auto& [name, entry] : by_name) {
    entry.code = static_cast<int>(classes.size()) + 1;
    classes.push_back(entry);
  }
  return classes;
}

// The classes of all scenes, each once, by their codes. A name that only repeats the code is replaced by another.
ClassTable coded_classes(const std::vector<SceneLabels>& scenes) {
  const std::string remedy = "; --classes FILE may rename classes";
  std::map<int, ClassEntry> by_code;
  std::map<int, std::string> named_in;
  for (const SceneLabels& scene : scenes) {
    for (const ClassEntry& entry : scene.labels.classes) {
      ClassEntry& known = by_code.emplace(entry.code, entry).first->second;
      named_in.emplace(entry.code, scene.name);
      known.colour = known.colour ? known.colour : entry.colour;
      if (is_plain(known)) {
        known.name = entry.name;
        named_in[entry.code] = scene.name;
      } else if (!is_plain(entry) && entry.name != known.name) {
        throw DataError("code " + std::to_string(entry.code) + " is '" + known.name + "' in " + named_in[entry.code] +
                        ", but '" + entry.name + "' in " + scene.name + remedy);
      }
    }
  }
  ClassTable classes;
  std::map<std::string, int> code_of;
  for (const auto& [code, entry] : by_code) {
    const auto [other, is_new] = code_of.emplace(entry.name, code);
    if (!is_new) {
      throw DataError("class '" + entry.name + "' has code " + std::to_string(other->second) + " in " +
                      named_in[other->second] + ", but " + std::to_string(code) + " in " + named_in[code] + remedy);
    }
    classes.push_back(entry);
  }
  return classes;
}

// Numbers the groups of a field in all scenes.
class Groups {
 public:
  // Puts the regions of a scene, counted on from `first`, into their groups.
  void add(const SceneLabels& scene, std::int64_t first, LabelledPixels& all) {
    // Groups with the same value of the group field are one group, also in different scenes. Groups whose value is not
    // known stay within their scene.
    for (const auto& [region, group] : scene.labels.region_units) {
      const auto value = scene.labels.group_names.find(group.number);
      const std::int64_t number = value != scene.labels.group_names.end()
                                      ? number_of(by_name_, value->second)
                                      : number_of(by_number_, {first, group.number});
      all.region_units[first + region] = {number, SampleUnit::Reason::group};
      if (value != scene.labels.group_names.end()) {
        all.group_names[number] = value->second;
      }
    }
    for (const auto& [region, feature] : scene.labels.region_features) {
      all.region_features[first + region] = feature;
    }
  }
  // The number of the group of a key, which is the next one where it has none yet.
  template <typename Key>
  std::int64_t number_of(std::map<Key, std::int64_t>& numbers, const std::type_identity_t<Key>& key) {
    const auto [found, is_new] = numbers.emplace(key, next_);
    next_ += is_new ? 1 : 0;
    return found->second;
  }

 private:
  std::map<std::string, std::int64_t> by_name_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> by_number_;  // of groups whose value is not known
  std::int64_t next_ = 0;
};

// A labelled pixel, by the feature of a file (which is that of the labels of a scene) or the ground that it shows.
struct Sighting {
  std::variant<std::pair<std::size_t, std::int64_t>, GroundCell> shown;
  std::size_t scene = 0;
  std::size_t label = 0;  // in the list of all labels
  bool operator<(const Sighting& other) const { return std::tie(shown, label) < std::tie(other.shown, other.label); }
};

// The least unit of the set that a unit belongs to; units without an entry are alone.
SampleUnit least_of_set(std::map<SampleUnit, SampleUnit>& sets, SampleUnit unit) {
  while (sets.emplace(unit, unit).first->second != unit) {
    unit = sets.at(unit);
  }
  return unit;
}

// Puts the regions into one group that show the same feature or the same ground in several scenes: whoever trained on
// one of them and tested on the other would test on what was trained on.
void join_groups(std::vector<Sighting> sightings, Groups& groups, StackedLabels& all) {
  std::sort(sightings.begin(), sightings.end());
  std::map<SampleUnit, SampleUnit> sets;
  for (auto first = sightings.begin(); first != sightings.end();) {
    const auto last = std::find_if(first, sightings.end(), [&](const auto& one) { return one.shown != first->shown; });
    const LabelledPixel& one = all.pixels[first->label];
    for (const bool several = first->scene != std::prev(last)->scene; first != last; ++first) {
      const LabelledPixel& other = all.pixels[first->label];
      if (several && std::holds_alternative<GroundCell>(first->shown)) {
        all.places[other.pixel] = one.pixel;
        all.overlapping.insert(first->scene);
      }
      if (several) {
        const SampleUnit low = least_of_set(sets, all.unit_of(one.region));
        const SampleUnit high = least_of_set(sets, all.unit_of(other.region));
        sets[std::max(low, high)] = std::min(low, high);
      }
    }
  }
  std::map<std::int64_t, SampleUnit> joined;  // by region
  for (const LabelledPixel& pixel : all.pixels) {
    if (const SampleUnit unit = all.unit_of(pixel.region); sets.contains(unit)) {
      joined[pixel.region] = least_of_set(sets, unit);
    }
  }
  std::map<SampleUnit, std::int64_t> numbers;
  for (const auto& [region, set] : joined) {
    all.region_units[region] = {groups.number_of(numbers, set), SampleUnit::Reason::overlap};
  }
}

}  // namespace

StackedLabels stack_labels(const std::vector<SceneLabels>& scenes, const SceneStack& stack) {
  // Pixels of the result are numbered in the stack and ascend, since the scenes lie below each other.
  check_kinds(scenes);
  StackedLabels all;
  all.has_regions = true;
  all.named_by_text = scenes.front().labels.named_by_text;
  all.classes = all.named_by_text ? named_classes(scenes) : coded_classes(scenes);
  Groups groups;
  std::vector<Sighting> sightings;
  // Features outside of one scene may lie in another that has the same labels: outside are those that lie in none.
  std::map<std::string, std::map<std::int64_t, std::string>> outside;
  std::int64_t next = 0;
  for (std::size_t k = 0; k < scenes.size(); ++k) {
    const LabelledPixels& labels = scenes[k].labels;
    // Regions of further scenes are counted on from the largest number so far, so that they stay apart.
    const std::int64_t first = next;
    const std::size_t source = std::ranges::find(scenes, scenes[k].source, &SceneLabels::source) - scenes.begin();
    const std::vector<int> places = pair_classes({labels.classes, all.named_by_text, scenes[k].name},
                                                 {all.classes, all.named_by_text, scenes.front().name})
                                        .index;
    for (std::size_t i = 0; i < labels.pixels.size(); ++i) {
      const LabelledPixel& pixel = labels.pixels[i];
      const auto feature = labels.region_features.find(pixel.region);
      if (feature != labels.region_features.end() && !labels.region_units.contains(pixel.region)) {
        sightings.push_back({std::pair(source, feature->second), k, all.pixels.size()});
      }
      if (!scenes[k].cells.empty()) {
        sightings.push_back({scenes[k].cells[i], k, all.pixels.size()});
      }
      all.pixels.push_back(
          {stack.pixel_of(k, pixel.pixel), places[static_cast<std::size_t>(pixel.label)], first + pixel.region});
      next = std::max(next, first + pixel.region + 1);
    }
    groups.add(scenes[k], first, all);
    for (const auto& [region, file] : labels.region_files) {
      all.region_files[first + region] = file;
    }
    all.region_files.emplace(first, scenes[k].name);
    // Regions without a pixel count, too: their numbers are those of groups and features.
    const auto count_on = [&](const auto& regions) {
      next = regions.empty() ? next : std::max(next, first + regions.rbegin()->first + 1);
    };
    count_on(labels.region_units);
    count_on(labels.region_features);
    all.conflicting += labels.conflicting;
    all.outside += labels.outside - static_cast<std::int64_t>(labels.outside_features.size());
    const auto [common, is_first] = outside.emplace(scenes[k].source, labels.outside_features);
    if (!is_first) {
      std::erase_if(common->second,
                    [&](const auto& feature) { return !labels.outside_features.contains(feature.first); });
    }
    for (const std::string& note : labels.notes) {
      add_new(all.notes, note);
    }
    for (const std::string& message : labels.messages) {
      add_new(all.messages, message);
    }
  }
  for (const auto& [source, features] : outside) {
    for (const auto& [number, name] : features) {
      all.outside_features.emplace(all.outside_features.size(), name);
    }
  }
  all.outside += static_cast<std::int64_t>(all.outside_features.size());
  join_groups(std::move(sightings), groups, all);
  return all;
}

}  // namespace parsimap
