// The documents of a trained model: `train --json`, `info --json`, and the data of the figures of pages
// (report/command_page.hpp).
#pragma once

#include <string>
#include <vector>

#include "parsimap/classifier/model.hpp"
#include "parsimap/experiment/experiment_record.hpp"
#include "parsimap/report/run_record.hpp"
#include "parsimap/samples/class_table.hpp"

namespace parsimap {

std::string training_json(const Model& model, const TrainingRecord& record);
std::string info_json(const Model& model, const std::string& path);

// Of `train`: `samples` describes those of the model, `scene_bands` are all bands of the scene, `colours` those of the
// classes.
std::string training_data_json(const Model& model, const DataDescription& samples, const BandTable& scene_bands,
                               const std::vector<Colour>& colours);
// Of a model alone: what it says of its samples (describe_model()).
std::string model_data_json(const Model& model);
// `by_distance` of the model's `left_out`, which the figure of this name is drawn from; empty where left-out pixels do
// not stand for the map, or have no distances.
std::string distances_json(const Model& model);

}  // namespace parsimap
