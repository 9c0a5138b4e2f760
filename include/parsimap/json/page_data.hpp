// The data that the figures of a command's page are drawn from, as JSON text. Of these keys a page has those that its
// command knows something of, and empty lists for `data` and `runs` where it does not:
//   data         the training samples, as in results.json (json/experiment_results.hpp)
//   runs         data (its name), method, repeat, tests: name, samples, overall_accuracy, confusion_matrix (as in
//                results.json), classes: name, trace, weights, rest_weight
//   colours      of the classes of `data`, "#rrggbb"
//   band_numbers, dropped_bands   of the training scene, from 1; dropped_wavelengths (nanometres, where all are known)
//   areas        code, name, colour ("#rrggbb"), pixels of every class of a map
//   histograms   name, caption, counts (of equal bins of [0, 1])
//   reliability  low, high, pixels, confidence (mean), accuracy (share right) of bins of the largest probability
//   wavelengths  as in the document of `inspect --json` (inspection_json()), or null
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/accuracy/accuracy.hpp"
#include "parsimap/accuracy/assessment.hpp"
#include "parsimap/experiment/experiment_record.hpp"
#include "parsimap/report/run_record.hpp"
#include "parsimap/samples/class_table.hpp"

namespace parsimap {

// Of `train`: `samples` describes those of the model, `scene_bands` are all bands of the scene, `colours` those of the
// classes.
std::string training_data_json(const Model& model, const DataDescription& samples, const BandTable& scene_bands,
                               const std::vector<Colour>& colours);

struct PageHistogram {
  std::string name;
  std::string caption;
  std::vector<std::int64_t> counts;
};

// Of `classify`: `colours` are those of the record's classes.
std::string mapping_data_json(const MappingRecord& record, const std::vector<Colour>& colours,
                              const std::vector<PageHistogram>& histograms);

// Of `assess`: `reliability` where the map's probabilities are known.
std::string assessment_data_json(const Assessment& record);

// Of a model alone: what it tells of its samples (describe_model()).
std::string model_data_json(const Model& model);

// Of `report`, which has something of all three.
struct CombinedData {
  const Model& model;
  const Assessment& assessment;
  const std::vector<ClassPixels>& map_classes;
  const std::vector<Colour>& map_colours;  // of these
};
std::string combined_data_json(const CombinedData& data);

}  // namespace parsimap
