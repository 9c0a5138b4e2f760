// Mapping the classes of many scenes with a model, and the mosaic of the maps.
#pragma once

#include <string>
#include <vector>

#include "parsimap/commands/input_files.hpp"
#include "parsimap/commands/job.hpp"
#include "parsimap/commands/maps/classify.hpp"
#include "parsimap/report/run_record.hpp"

namespace parsimap {

// Whether the options name several scenes, by a list or a table.
bool has_several_scenes(const ClassifyOptions& options);
// ConfigError: options of one scene and of several together.
void check_scenes(const ClassifyOptions& options);

// The names that outputs of the scenes begin with: those of their files or folders without extension, with that of the
// folder around them before it where several scenes are called the same. ConfigError where this does not tell them
// apart.
std::vector<std::string> scene_names(const std::vector<SceneInput>& scenes);

// Classifies every scene by itself, as map_scene(), and brings the maps to one grid: where they overlap, the most
// confident pixel counts. A scene that fails is reported in the result and leaves nothing behind; the others are done.
// ConfigError: neither folder nor mosaic, options that belong to one scene alone (segments), a mosaic of a share of the
// scenes, outputs that cannot be written. DataError: the model cannot be read; maps without a place cannot make a
// mosaic. IoError: the mosaic cannot be written.
ScenesRecord map_scenes(const ClassifyOptions& options, Listener& listener);

}  // namespace parsimap
