// What `suggest` found: places to label, as plain values, and their rendering as text.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/report/run_record.hpp"

namespace parsimap {

struct SuggestedPlace {
  std::int64_t column = 0;  // of the pixel, from 0
  std::int64_t row = 0;
  std::array<double, 2> position{};  // of its centre in map coordinates; column and row without georeferencing
  std::string class_name;            // the most likely class, and the second one
  std::string second_class;
  double probability = 0;
  double second_probability = 0;
  double uncertainty = 0;  // 1 less the distance between these two
  double novelty = 0;
};

struct LabelPlacesRecord {
  std::string scene;
  std::string model;
  std::string file;                               // of points
  std::optional<ResamplingFacts> resampled = {};  // of the scene to the bands of the model
  std::vector<std::string> excluded;              // files of what is labelled already
  std::int64_t asked = 0;                         // places
  std::int64_t pixels = 0;                        // that could be chosen
  double least_distance = 0;                      // between two places, in effect
  std::string distance_unit;                      // "m" or "pixels"
  std::vector<SuggestedPlace> places;             // by rank
  double seconds = 0;
  StageSeconds stages;
  std::optional<std::int64_t> peak_memory_bytes;
};

std::string label_places_text(const LabelPlacesRecord& record);

}  // namespace parsimap
