#include "library_join.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/report/text_table.hpp"
#include "parsimap/samples/spectral_library.hpp"

namespace parsimap {
namespace {

// The class of the scene that an entry of the library means; by name, and where the scene's classes have codes of their
// own, by code.
std::vector<int> match_classes(const ClassTable& scene, bool scene_by_text, const LabelledPixels& library) {
  std::vector<int> match;
  for (const ClassEntry& entry : library.classes) {
    const auto named =
        std::find_if(scene.begin(), scene.end(), [&](const auto& own) { return own.name == entry.name; });
    const auto coded = std::find_if(scene.begin(), scene.end(), [&](const auto& own) {
      return !scene_by_text &&
             (library.named_by_text ? std::to_string(own.code) == entry.name : own.code == entry.code);
    });
    const auto found = named != scene.end() ? named : coded;
    match.push_back(found == scene.end() ? -1 : static_cast<int>(found - scene.begin()));
  }
  return match;
}

// The smallest code that is not taken; that of the entry where it is free and means something.
int free_code(const std::set<int>& taken, const ClassEntry& entry, bool named_by_text) {
  if (!named_by_text && !taken.contains(entry.code)) {
    return entry.code;
  }
  int code = 1;
  while (taken.contains(code)) {
    ++code;
  }
  return code;
}

// Adds the classes of the library that the scene lacks. Returns the index of every class of the library.
std::vector<int> join_classes(SampleSet& samples, bool scene_by_text, const LabelledPixels& library) {
  std::vector<int> match = match_classes(samples.classes, scene_by_text, library);
  ClassTable joined = samples.classes;
  std::set<int> taken;
  for (const ClassEntry& entry : joined) {
    taken.insert(entry.code);
  }
  for (std::size_t c = 0; c < match.size(); ++c) {
    if (match[c] < 0) {
      ClassEntry entry = library.classes[c];
      entry.code = free_code(taken, entry, library.named_by_text);
      taken.insert(entry.code);
      match[c] = static_cast<int>(joined.size());
      joined.push_back(entry);
    }
  }
  // Codes of classes that are named by text follow the names.
  std::vector<std::size_t> order(joined.size());
  for (std::size_t c = 0; c < order.size(); ++c) {
    order[c] = c;
  }
  const bool by_name = scene_by_text && library.named_by_text;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return by_name ? joined[a].name < joined[b].name : joined[a].code < joined[b].code;
  });
  std::vector<int> place(joined.size());
  samples.classes.clear();
  for (std::size_t c = 0; c < order.size(); ++c) {
    place[order[c]] = static_cast<int>(c);
    samples.classes.push_back(joined[order[c]]);
    samples.classes.back().code = by_name ? static_cast<int>(c) + 1 : samples.classes.back().code;
  }
  for (int& label : samples.labels) {
    label = place[static_cast<std::size_t>(label)];
  }
  for (int& label : match) {
    label = place[static_cast<std::size_t>(label)];
  }
  return match;
}

double median_size(std::vector<double> values) {
  for (double& value : values) {
    value = std::abs(value);
  }
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Reflectance from 0 to 1 beside reflectance from 0 to 10000 would teach nothing but where a spectrum comes from.
void check_units(const Matrix& scene, const Matrix& library, const std::string& scene_name,
                 const std::string& library_name) {
  constexpr double kMostRatio = 20;
  const double of_scene = median_size({scene.data(), scene.data() + scene.size()});
  const double of_library = median_size({library.data(), library.data() + library.size()});
  if (of_scene > kMostRatio * of_library || of_library > kMostRatio * of_scene) {
    throw DataError(library_name + ": the median of its values is " + short_number(of_library) + " and that of " +
                    scene_name + " " + short_number(of_scene) +
                    "; bring both to the same unit, as with a 'reflectance scale factor' in the header of an ENVI "
                    "library, or a scale in the scene");
  }
}

// Regions and groups of the library behind those of the scene.
struct Numbering {
  std::int64_t first_region = 0;
  std::int64_t first_group = 0;  // of groups, which are negative
};

Numbering numbering_behind(const SampleSet& samples) {
  Numbering numbering;
  for (std::size_t i = 0; i < samples.regions.size(); ++i) {
    numbering.first_region = std::max(numbering.first_region, samples.regions[i] + 1);
    numbering.first_group = std::min(numbering.first_group, samples.groups[i]);
  }
  return numbering;
}

}  // namespace

void join_library(const LabelledLibrary& library, const SceneSource& scene, TrainingSamples& data, Listener& listener) {
  SampleSet& samples = data.extraction.samples;
  WantedBands wanted{
      {}, data.extraction.bands, static_cast<Index>(scene.bands().size()), "that the training uses", scene.name()};
  for (const Index band : wanted.places) {
    wanted.bands.push_back(scene.bands()[static_cast<std::size_t>(band)]);
  }
  const Spectra spectra = in_bands(library.library, wanted);
  std::vector<LabelledPixel> usable;
  Indices rows;
  for (const LabelledPixel& pixel : library.labelled.pixels) {
    if (spectra.row(pixel.pixel).array().isFinite().all()) {
      usable.push_back(pixel);
      rows.push_back(pixel.pixel);
    }
  }
  if (usable.size() < library.labelled.pixels.size()) {
    listener.message(library.library.path + ": spectra left out because a band has no value there: " +
                     std::to_string(library.labelled.pixels.size() - usable.size()));
  }
  if (usable.empty()) {
    throw DataError(library.library.path + ": no spectrum has a value in every band that is used");
  }
  const Matrix added = spectra(rows, Eigen::all).cast<double>();
  check_units(samples.spectra, added, scene.name(), library.library.path);
  const std::vector<int> label_of = join_classes(samples, data.labelled.named_by_text, library.labelled);
  const Numbering numbering = numbering_behind(samples);
  const Index before = samples.size();
  samples.spectra.conservativeResize(before + added.rows(), Eigen::NoChange);
  samples.spectra.bottomRows(added.rows()) = added;
  for (const LabelledPixel& pixel : usable) {
    const std::int64_t group = library.labelled.group_of(pixel.region);
    samples.labels.push_back(label_of[static_cast<std::size_t>(pixel.label)]);
    samples.pixels.push_back(-1);
    samples.regions.push_back(numbering.first_region + pixel.region);
    samples.groups.push_back(group < 0 ? numbering.first_group + group : numbering.first_region + group);
  }
  listener.message("spectra of libraries beside the " + std::to_string(before) +
                   " labelled pixels: " + std::to_string(added.rows()));
}

}  // namespace parsimap
