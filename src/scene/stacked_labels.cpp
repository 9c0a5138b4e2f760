#include "parsimap/scene/stacked_labels.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <type_traits>
#include <utility>

#include "parsimap/core/error.hpp"

namespace parsimap {
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

// The same by their codes. A name that is nothing but the code gives way to a better one.
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

// The index in `all` of every class of a scene.
std::vector<int> places_of(const ClassTable& classes, const ClassTable& all, bool by_name) {
  std::vector<int> places;
  for (const ClassEntry& entry : classes) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const ClassEntry& other) {
      return by_name ? other.name == entry.name : other.code == entry.code;
    });
    places.push_back(static_cast<int>(found - all.begin()));
  }
  return places;
}

// Features of the same files that have regions in several scenes.
std::set<std::pair<std::string, std::int64_t>> shared_features(const std::vector<SceneLabels>& scenes) {
  std::map<std::pair<std::string, std::int64_t>, int> seen;
  for (const SceneLabels& scene : scenes) {
    std::set<std::int64_t> features;
    for (const LabelledPixel& pixel : scene.labels.pixels) {
      if (const auto feature = scene.labels.region_features.find(pixel.region);
          feature != scene.labels.region_features.end()) {
        features.insert(feature->second);
      }
    }
    for (const std::int64_t feature : features) {
      ++seen[{scene.source, feature}];
    }
  }
  std::set<std::pair<std::string, std::int64_t>> shared;
  for (const auto& [feature, count] : seen) {
    if (count > 1) {
      shared.insert(feature);
    }
  }
  return shared;
}

// Numbers the groups of all scenes.
class Groups {
 public:
  explicit Groups(const std::vector<SceneLabels>& scenes) : shared_(shared_features(scenes)) {}

  // Puts the regions of a scene, counted on from `first`, into their groups.
  void add(const SceneLabels& scene, std::int64_t first, LabelledPixels& all) {
    for (const auto& [region, group] : scene.labels.region_groups) {
      const auto value = scene.labels.group_names.find(group);
      const std::int64_t number = value != scene.labels.group_names.end() ? number_of(by_name_, value->second)
                                                                          : number_of(by_number_, {first, group});
      all.region_groups[first + region] = number;
      if (value != scene.labels.group_names.end()) {
        all.group_names[number] = value->second;
      }
    }
    for (const auto& [region, feature] : scene.labels.region_features) {
      all.region_features[first + region] = feature;
      const std::pair key(scene.source, feature);
      if (shared_.contains(key) && !scene.labels.region_groups.contains(region)) {
        all.region_groups[first + region] = number_of(by_feature_, key);
      }
    }
  }

 private:
  template <typename Key>
  std::int64_t number_of(std::map<Key, std::int64_t>& numbers, const std::type_identity_t<Key>& key) {
    const auto [found, is_new] = numbers.emplace(key, next_);
    next_ -= is_new ? 1 : 0;
    return found->second;
  }

  std::set<std::pair<std::string, std::int64_t>> shared_;
  std::map<std::string, std::int64_t> by_name_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> by_number_;  // of groups whose value is not known
  std::map<std::pair<std::string, std::int64_t>, std::int64_t> by_feature_;
  std::int64_t next_ = -1;
};

// Sentences that are not there yet.
void add_texts(const std::vector<std::string>& texts, std::vector<std::string>& all) {
  for (const std::string& text : texts) {
    if (std::find(all.begin(), all.end(), text) == all.end()) {
      all.push_back(text);
    }
  }
}

}  // namespace

LabelledPixels stack_labels(const std::vector<SceneLabels>& scenes, const SceneStack& stack) {
  check_kinds(scenes);
  LabelledPixels all;
  all.has_regions = true;
  all.named_by_text = scenes.front().labels.named_by_text;
  all.classes = all.named_by_text ? named_classes(scenes) : coded_classes(scenes);
  Groups groups(scenes);
  std::int64_t next = 0;
  for (std::size_t k = 0; k < scenes.size(); ++k) {
    const LabelledPixels& labels = scenes[k].labels;
    const std::int64_t first = next;
    const std::vector<int> places = places_of(labels.classes, all.classes, all.named_by_text);
    for (const LabelledPixel& pixel : labels.pixels) {
      all.pixels.push_back(
          {stack.pixel_of(k, pixel.pixel), places[static_cast<std::size_t>(pixel.label)], first + pixel.region});
      next = std::max(next, first + pixel.region + 1);
    }
    groups.add(scenes[k], first, all);
    // Regions without a pixel count, too: their numbers are those of groups and features.
    for (const auto* regions : {&labels.region_groups, &labels.region_features}) {
      next = regions->empty() ? next : std::max(next, first + regions->rbegin()->first + 1);
    }
    all.conflicting += labels.conflicting;
    all.outside += labels.outside;
    add_texts(labels.notes, all.notes);
    add_texts(labels.messages, all.messages);
  }
  return all;
}

}  // namespace parsimap
