#include "feature_names.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "parsimap/core/text.hpp"

namespace parsimap {

namespace {

// The file of a labelled feature, its number there, and which of its parts it is.
using FeatureKey = std::tuple<std::string, std::int64_t, std::int64_t>;

// Of these regions; those of libraries have numbers behind those of the scene.
std::vector<FeatureKey> feature_keys(const TrainOptions& options, const LabelledPixels& labelled,
                                     const SampleSet& samples, const Indices& regions) {
  const bool scene = !options.scene.path.empty();
  std::map<std::int64_t, std::string> files = labelled.region_files;
  files.emplace(0, separated(scene ? options.labels.files : options.library.files, ", "));
  if (scene && !options.library.files.empty()) {
    const auto first = largest<std::int64_t>(
        samples.places, [](const SamplePlace& place) { return place.in_scene() ? place.region + 1 : 0; });
    files.erase(files.lower_bound(first), files.end());
    files[first] = separated(options.library.files, ", ");
  }
  // Parts are counted in the order of their regions.
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> counts;
  std::map<std::int64_t, std::int64_t> parts;
  for (const auto& [region, feature] : labelled.region_features) {
    parts[region] = ++counts[{std::prev(files.upper_bound(region))->first, feature}];
  }
  return mapped<FeatureKey>(regions, [&](Index region) {
    const auto& [first, file] = *std::prev(files.upper_bound(region));
    const auto feature = labelled.region_features.find(region);
    const bool is_part = feature != labelled.region_features.end() && labelled.region_files.contains(first);
    return is_part ? FeatureKey{file, feature->second, parts[region]} : FeatureKey{file, region - first, 1};
  });
}

}  // namespace

void name_features(const TrainOptions& options, const LabelledPixels& labelled, const SampleSet& samples,
                   const Listener& listener, SupportOrigins& origins) {
  const std::vector<FeatureKey> keys = feature_keys(options, labelled, samples, origins.number);
  std::map<std::string, Index> files;
  std::map<FeatureKey, Index> features;
  for (const FeatureKey& key : keys) {
    files.emplace(std::get<0>(key), 0);
    features.emplace(key, 0);
  }
  SupportOrigins named;
  for (auto& [file, place] : files) {
    place = std::ssize(named.files);
    named.files.push_back(listener.with_names(file));
  }
  for (auto& [key, place] : features) {
    place = named.features();
    named.file.push_back(files[std::get<0>(key)]);
    named.number.push_back(std::get<1>(key));
    named.part.push_back(std::get<2>(key));
  }
  named.label.resize(features.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    named.label[static_cast<std::size_t>(features[keys[i]])] = origins.label[i];
  }
  named.origin = mapped<Index>(values_at(keys, origins.origin), [&](const FeatureKey& key) { return features[key]; });
  named.support = std::move(origins.support);
  named.share = std::move(origins.share);
  origins = std::move(named);
}

}  // namespace parsimap
